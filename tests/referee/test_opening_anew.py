"""The starting position is on the board and each seat throws one die, in the middle of a game: it begins anew."""

from dataclasses import replace

from seats_at_table import Seats, die, moved

from boardctl.referee import Match
from boardctl.referee.effects import Certainty, Effect, Phase, RollRead
from boardctl.referee.facts import Doubled, Role
from boardctl.referee.readings import BoardReading, PlaceReading, Support, sure_reading
from boardctl.rules import Roll, Seat, point


def in_the_first_turn() -> Seats:
    """Gets a table at which A has won the opening, and nobody has seen what she played."""
    seats = Seats(match=Match(cube=True))
    seats.start()
    seats.rest(die(5, Seat.A, spot=1), die(2, Seat.B, spot=1))
    assert seats.referee.state.phase is Phase.MOVE
    seats.lift()
    assert seats.referee.state.phase is Phase.CONFIRM
    return seats


def rolls(effects: list[Effect]) -> list[RollRead]:
    return [effect for effect in effects if isinstance(effect, RollRead)]


def test_one_die_each_on_the_starting_position_is_an_opening() -> None:
    """As when a double was dropped that nobody heard, and the board was set up for the next game."""
    seats = in_the_first_turn()
    seats.feed(Doubled(seats.now(), Role.A))
    seats.show(seats.game.start())
    said = rolls(seats.rest(die(1, Seat.A, spot=4), die(6, Seat.B, spot=4)))
    assert [(each.seat, each.roll, each.valid) for each in said] == [(Seat.B, Roll(1, 6), True)]
    state = seats.referee.state
    assert (state.phase, state.seat, state.cube_bound) == (Phase.MOVE, Seat.B, None)


def test_equal_dice_are_thrown_again_and_then_count() -> None:
    seats = in_the_first_turn()
    seats.show(seats.game.start())
    seats.rest(die(4, Seat.A, spot=4), die(4, Seat.B, spot=4))
    assert seats.referee.state.phase is Phase.OPENING
    seats.rest(die(3, Seat.A, spot=6), die(1, Seat.B, spot=6))
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.MOVE, Seat.A)


def test_a_leaning_die_or_both_in_one_section_begin_nothing_anew() -> None:
    for dice in (
        (die(4, Seat.A, spot=4), die(2, Seat.B, spot=4, on=Support.CHECKER)),
        (die(4, Seat.A, spot=4, flat=False), die(2, Seat.B, spot=4)),
        (die(4, Seat.A, spot=4), die(2, Seat.A, spot=5)),
    ):
        seats = in_the_first_turn()
        seats.show(seats.game.start())
        seats.rest(*dice)
        assert seats.referee.state.phase is not Phase.OPENING
        assert seats.referee.state.seat is not None


def test_after_a_first_play_that_was_seen_a_die_in_the_wrong_half_is_that() -> None:
    seats = in_the_first_turn()
    played = moved(seats.game.start().placement(), ("13", "8"), ("24", "22"))
    seats.show(played)
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.CUBE, Seat.B)
    (said,) = rolls(seats.rest(die(1, Seat.A, spot=4), die(6, Seat.B, spot=4)))
    assert [reason.key for reason in said.reasons] == ["dice.wrong_half"]
    assert said.certainty is Certainty.CERTAIN


def sure_start(seats: Seats) -> BoardReading:
    return sure_reading(seats.game.start().placement(), seats.game.places)


def without_the_six_point(reading: BoardReading) -> BoardReading:
    hidden = PlaceReading(point(6), (), hidden=True)
    return replace(reading, places=tuple(hidden if one.place == hidden.place else one for one in reading.places))


def test_a_start_of_which_a_point_is_hidden_begins_the_game_and_is_vouched_for_once_it_is_seen() -> None:
    seats = Seats()
    seats.see(without_the_six_point(sure_start(seats)))
    assert (seats.referee.state.phase, seats.referee.state.position_sure) == (Phase.OPENING, False)
    seats.see(sure_start(seats))
    assert (seats.referee.state.phase, seats.referee.state.position_sure) == (Phase.OPENING, True)


def test_a_turn_that_begins_on_a_start_of_which_a_point_is_hidden_begins_unsure() -> None:
    seats = Seats()
    seats.see(without_the_six_point(sure_start(seats)))
    seats.rest(die(5, Seat.A, spot=1), die(2, Seat.B, spot=1))
    turn = seats.referee.state.turn
    assert turn is not None
    assert not turn.before_sure
