"""Hands over the board that should not be there."""

from dataclasses import replace

from boardctl.rules import PlaceKind, Seat
from boardctl.virtual.playing.acts import ActKind
from boardctl.virtual.playing.motions import Acts
from boardctl.virtual.playing.occasion import Occasion
from boardctl.virtual.truth import IncidentTruth
from boardctl.virtual.world import Hand

APART = 0.5
"""Two hands are so much of a side's points apart: arms that touch are taken for one."""


def two_hands(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat reaches over the board with both hands."""
    first, second = _points_apart(occasion)
    yield from _over(occasion, ((occasion.seat, first), (occasion.seat, second)), truth)


def hand_out_of_turn(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat that is not on turn reaches over the board, and touches nothing."""
    first, _ = _points_apart(occasion)
    yield from _over(occasion, ((occasion.other, first),), truth)


def _points_apart(occasion: Occasion) -> tuple[int, int]:
    """Gets two points of one side of the board, far from each other."""
    numbers = sorted(place.number for place in occasion.game.places if place.kind is PlaceKind.POINT)
    side = numbers[: len(numbers) // 2]
    apart = round(APART * len(side))
    first = occasion.random.choice(range(len(side) - apart))
    return side[first], side[first + apart]


def _over(occasion: Occasion, reaching: tuple[tuple[Seat, int], ...], truth: IncidentTruth) -> Acts:
    """Holds hands over points for as long as it takes to see whose they are, and takes them away."""
    hands = occasion.hands
    world = hands.world
    points = {place.number: place for place in occasion.game.places if place.kind is PlaceKind.POINT}
    over = tuple(Hand(seat, *world.geometry.middle_of(points[number])) for seat, number in reaching)
    pace = hands.pace
    held = replace(world, hands=over)
    truth = replace(truth, hands=tuple(seat for seat, _ in reaching))
    takes_ms = pace.rest_ms * pace.rest_frames
    yield from hands.do(ActKind.REACH, held, occasion.seat, takes_ms, pace.rest_frames, truth=truth)
    yield from hands.rest(occasion.seat)
