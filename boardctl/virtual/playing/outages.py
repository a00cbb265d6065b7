"""Devices that are lost and come back, and what happens on the board in the meantime."""

from boardctl.referee.facts import Device
from boardctl.rules import PlaceKind
from boardctl.virtual.playing.board_incidents import held_points
from boardctl.virtual.playing.motions import Acts
from boardctl.virtual.playing.occasion import Occasion
from boardctl.virtual.playing.players import HandMove
from boardctl.virtual.truth import IncidentTruth


def camera_lost(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The camera sees nothing for a while."""
    yield from occasion.hands.device(Device.CAMERA, working=False, truth=truth)
    yield from occasion.hands.device(Device.CAMERA, working=True)


def camera_lost_and_knocked(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """While the camera sees nothing a checker goes to another point."""
    yield from _knocked_without(Device.CAMERA, occasion, truth)


def sensors_lost(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The sensor board is unplugged for a while."""
    yield from occasion.hands.device(Device.SENSORS, working=False, truth=truth)
    yield from occasion.hands.device(Device.SENSORS, working=True)


def sensors_lost_and_knocked(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """While the sensor board is unplugged a checker goes to another point."""
    yield from _knocked_without(Device.SENSORS, occasion, truth)


def _knocked_without(device: Device, occasion: Occasion, truth: IncidentTruth) -> Acts:
    hands, board = occasion.hands, occasion.board
    points = [place for place in occasion.game.places if place.kind is PlaceKind.POINT]
    source = occasion.random.choice(held_points(occasion))
    target = occasion.random.choice([place for place in points if not board.at(place)])
    seat = board.at(source)[-1]
    yield from hands.device(device, working=False)
    yield from hands.carry_out(occasion.seat, [HandMove(seat, source, target)])
    yield from hands.rest(occasion.seat, truth)
    yield from hands.device(device, working=True)
    yield from hands.carry_out(occasion.seat, [HandMove(seat, target, source)])
    yield from hands.rest(occasion.seat)
    yield from hands.rest(occasion.seat)
