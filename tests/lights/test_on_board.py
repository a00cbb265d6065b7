from boardctl.lights.on_board import layout_for
from boardctl.rules import Seat
from firmware_bridge import ChainLayout

TWO, FOUR = (Seat.A, Seat.B), tuple(Seat)


def test_two_seats_have_the_lights_as_they_lie() -> None:
    wired = ChainLayout(trays={"A": (54,), "B": (52,)})
    assert layout_for(TWO, wired) == wired
    assert layout_for(TWO) == ChainLayout()


def test_the_turn_of_c_and_d_is_shown_by_the_lights_of_the_trays() -> None:
    layout = layout_for(FOUR, ChainLayout(trays={"A": (54,), "B": (52,)}))
    assert layout.dice == {"A": (56, 57), "B": (58, 59), "C": (52,), "D": (54,)}
    assert layout.trays == {}


def test_lights_of_their_own_are_used_where_a_board_has_them() -> None:
    wired = ChainLayout(dice={"A": (56,), "B": (57,), "C": (58,), "D": (59,)})
    assert layout_for(FOUR, wired) == wired
