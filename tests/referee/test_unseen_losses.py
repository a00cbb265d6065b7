"""A checker taken from a tall stack is hardly seen to be gone: then nothing about the turn is certain."""

from dataclasses import replace

import pytest
from seats_at_table import Seats, at_turn, moved

from boardctl.referee import read_ruleset
from boardctl.referee.effects import Certainty
from boardctl.referee.readings import PlaceReading, StackChance, sure_reading
from boardctl.rules import Backgammon, BackgammonPosition, Placement, Seat, point

TALL = point(6)


def see(seats: Seats, placement: Placement, sure: float) -> None:
    """Lets the camera see a board of whose tall stack it is only so sure."""
    stack = placement.at(TALL)
    doubted = PlaceReading(TALL, (StackChance(stack, sure), StackChance(stack[:-1], 1 - sure)))
    reading = sure_reading(placement, seats.game.places)
    places = tuple(doubted if one.place == TALL else one for one in reading.places)
    seats.see(replace(reading, places=places))


@pytest.mark.parametrize(("sure", "certainty"), [(0.84, Certainty.PROBABLE), (0.99, Certainty.CERTAIN)])
def test_a_legal_play_beside_a_doubted_tall_stack_is_not_certain(sure: float, certainty: Certainty) -> None:
    ruleset = read_ruleset("house-seed").model_copy(update={"witnesses_required": 1})
    start = BackgammonPosition.start()
    placement = moved(start.placement(), ("8", "6"), ("13", "6"))
    seats = at_turn(Backgammon().position_of(placement), Seat.A, ruleset)
    see(seats, placement, 0.9999)
    seats.roll(Seat.A, 3, 1)
    see(seats, moved(placement, ("8", "5"), ("24", "23")), sure)
    seats.lift()
    assert seats.judged.legal
    assert seats.judged.certainty is certainty
