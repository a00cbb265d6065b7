"""Readings as a reader without any fault would give them: straight from the world, no picture between."""

from boardctl.referee.readings import BoardReading, DiceReading, DieReading, PlaceReading, StackChance, Witness
from boardctl.rules import Game
from boardctl.virtual.dice import Die
from boardctl.virtual.standin_eyes import body_of
from boardctl.virtual.world import World
from boardctl.vision import FrameReading

SURE = 0.9999


def read_world(world: World, game: Game) -> FrameReading:
    """Gets what a frame of the world truly shows. While a hand is over the board it shows no places at all."""
    placement = world.placement()
    hand = bool(world.hands)
    places = tuple(
        PlaceReading(place, () if hand else (StackChance(placement.at(place), SURE),), hidden=hand)
        for place in game.places
    )
    dice = DiceReading(tuple(read_die(world, die) for die in world.dice))
    return FrameReading(BoardReading(Witness.CAMERA, places, hand), dice, hand)


def read_die(world: World, die: Die) -> DieReading:
    """Gets how a die truly lies."""
    return DieReading(
        None if die.moving else die.value,
        0.0 if die.moving else SURE,
        die.flat,
        die.on,
        world.geometry.section_of(die.x_mm, die.y_mm),
        die.tilt_deg,
        (die.x_mm, die.y_mm),
        (die.x_mm, die.y_mm),
        body_of(die.owner) if die.flat and not die.moving else None,
    )
