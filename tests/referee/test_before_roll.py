"""A board that changes before anybody has rolled, where it was not seen for sure how the turn before ended."""

from itertools import starmap
from typing import Any

import pytest
from seats_at_table import Seats, at_turn, moved

from boardctl.referee import Ruleset, read_ruleset
from boardctl.referee.effects import Certainty, Effect, Notice, Phase, RollRead, Ruled, Text, TurnJudged
from boardctl.referee.facts import Answered, ButtonPressed, CheckerSensed, Choice, Role
from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness, sure_reading
from boardctl.referee.state import Stage
from boardctl.rules import Backgammon, BackgammonPosition, Place, Placement, Roll, Seat, Stack, point

A, B = Seat.A, Seat.B
BOARD = BackgammonPosition.start().placement()
LEGAL = moved(BOARD, ("8", "5"), ("6", "5"))
WRONG = moved(BOARD, ("8", "5"), ("6", "4"))
TWO_WITNESSES = read_ruleset("house-seed").model_copy(update={"witnesses_required": 2})


def presumed() -> Seats:
    """Gets a table where one witness of two saw A play a 3-1 illegally, B has accepted that, and B is to roll."""
    seats = at_turn(BackgammonPosition.start(), A, TWO_WITNESSES)
    seats.roll(A, 3, 1)
    seats.show(WRONG)
    seats.lift()
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(Answered(seats.now(), Role.B, prompt.number, Choice.ACCEPT))
    assert not seats.referee.state.position_sure
    assert seats.referee.state.expected == WRONG
    return seats


def noticed(effects: list[Effect]) -> list[str]:
    return [effect.text.key for effect in effects if isinstance(effect, Notice)]


def by_b(*moves: tuple[str, str]) -> Placement:
    return moved(WRONG, *moves, seat=B)


@pytest.mark.parametrize(
    ("board", "name"),
    [
        (by_b(("19", "21")), "roll.played_without_rolling"),
        (by_b(("17", "20"), ("19", "20")), "roll.played_opponents_roll"),
        (moved(WRONG, ("13", "7")), "roll.played_without_rolling"),  # A goes on, though the turn is over
        (moved(WRONG, ("19", "2"), ("13", "18"), ("24", "20")), "roll.board_changed"),
    ],
)
def test_what_has_changed_since_is_named_and_may_all_the_same_be_how_the_turn_ended(
    board: Placement, name: str
) -> None:
    seats = presumed()
    assert noticed(seats.show(board)) == [name, "roll.or_ended_so"]
    assert seats.referee.unexplained
    assert seats.referee.state.expected == WRONG
    assert noticed(seats.show(WRONG)) == []
    assert not seats.referee.unexplained


def test_a_seat_that_rolls_on_the_changed_board_plays_on_from_there() -> None:
    seats, other = presumed(), moved(WRONG, ("13", "10"))
    seats.show(other)
    seats.roll(B, 6, 4)
    assert (seats.referee.state.expected, seats.referee.state.roll) == (other, Roll(6, 4))


def test_who_has_moved_a_part_of_the_roll_before_throwing_it_plays_on_from_where_it_was() -> None:
    seats = presumed()
    seats.show(by_b(("19", "23")))
    seats.roll(B, 6, 4)
    assert seats.referee.state.expected == WRONG
    assert seats.referee.state.progress.stage is Stage.ON_THE_WAY


def test_what_a_legal_play_of_the_turn_before_leads_to_is_how_it_ended() -> None:
    seats = presumed()
    assert noticed(seats.show(LEGAL)) == []
    assert seats.referee.state.expected == LEGAL


def read_as(
    board: Placement, other: dict[Place, dict[Stack, float]], witness: Witness = Witness.CAMERA
) -> BoardReading:
    """Gets the reading of a witness that is sure of a board but for some places."""
    sure = sure_reading(board, Backgammon().places, witness)
    places = tuple(
        PlaceReading(one.place, tuple(starmap(StackChance, other[one.place].items()))) if one.place in other else one
        for one in sure.places
    )
    return BoardReading(witness, places)


def test_what_reads_as_it_did_when_the_turn_ended_has_not_changed() -> None:
    tall: dict[Place, dict[Stack, float]] = {point(12): {(B,) * 6: 0.9, (B,) * 5: 0.06}}
    seats = at_turn(BackgammonPosition.start(), A)
    seats.roll(A, 3, 1)
    seats.see(read_as(LEGAL, tall))
    seats.lift()
    assert seats.judged.legal
    seats.see(read_as(moved(LEGAL, ("19", "21")), tall))
    assert noticed(seats.effects)[-1] == "roll.played_without_rolling"


def test_two_witnesses_who_miss_the_same_checker_are_believed_though_neither_is_sure() -> None:
    gone = moved(LEGAL, ("19", "nowhere"))
    stack = gone.at(point(19))
    for witnesses, names in (((Witness.CAMERA,), []), (tuple(Witness), ["roll.board_changed", "repair.missing"])):
        seats = at_turn(BackgammonPosition.start(), A)
        seats.witnesses = tuple(Witness)
        seats.roll(A, 3, 1)
        seats.show(LEGAL)
        seats.lift()
        seats.effects.clear()
        for witness in Witness:
            other = {point(19): {stack: 0.95, (*stack, B): 0.03}} if witness in witnesses else {}
            seats.see(read_as(gone if other else LEGAL, other, witness))
        assert noticed(seats.effects) == names


def test_a_checker_between_two_points_is_asked_about_whatever_the_sensors_say_of_either() -> None:
    either: dict[Place, dict[Stack, float]] = {point(5): {(A, A): 0.5, (A,): 0.5}, point(4): {(A,): 0.5, (): 0.5}}
    empty: dict[Place, dict[Stack, float]] = {point(5): {(A,): 0.97, (A, A): 0.02}, point(4): {(): 0.97, (A,): 0.02}}
    seats = at_turn(BackgammonPosition.start(), A)
    seats.roll(A, 3, 1)
    seats.see(read_as(LEGAL, either))
    seats.see(read_as(LEGAL, empty, Witness.SENSORS))
    seats.lift()
    assert noticed(seats.effects)[-1] == "turn.unclear"


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ((("19", "21"),), "roll.played_without_rolling"),
        ((("17", "20"), ("19", "20")), "roll.played_opponents_roll"),
        ((("19", "15"), ("12", "11"), ("17", "14")), "roll.board_changed"),
    ],
)
def test_what_the_next_seat_moves_while_the_end_of_the_turn_is_open_is_not_held_against_its_player(
    moves: tuple[tuple[str, str], ...], name: str
) -> None:
    misread: dict[Place, dict[Stack, float]] = {point(5): {(A,): 0.97, (A, A): 0.02}}
    seats = at_turn(BackgammonPosition.start(), A)
    seats.roll(A, 3, 1)
    seats.see(read_as(LEGAL, {}))
    seats.see(read_as(LEGAL, misread, Witness.SENSORS))
    seats.lift()
    assert noticed(seats.effects)[-1] == "turn.unclear"
    after = moved(LEGAL, *moves, seat=B)
    seats.feed(CheckerSensed(seats.now(), point(19), B, lifted=True))
    seats.see(read_as(after, {}))
    seats.see(read_as(after, misread, Witness.SENSORS))
    assert noticed(seats.effects)[-1] == name
    assert not any(isinstance(effect, TurnJudged) for effect in seats.effects)
    seats.witnesses = tuple(Witness)
    seats.show(LEGAL)
    assert seats.judged.play == "8/5 6/5"


def test_a_checker_that_may_have_fallen_off_was_not_moved_by_who_is_not_to_roll() -> None:
    tall: dict[Place, dict[Stack, float]] = {point(6): {(A,) * 5: 0.4, (A,) * 6: 0.35}}
    seats = at_turn(BackgammonPosition.start(), B)
    seats.roll(B, 3, 1)
    board = moved(BOARD, ("17", "20"), ("19", "20"))
    seats.show(board)
    seats.lift()
    assert seats.judged.legal
    seats.roll(A, 2, 1)
    board = moved(board, ("13", "11"), ("24", "23"))
    seats.show(board)
    seats.lift()
    seats.see(read_as(moved(board, ("8", "nowhere")), tall))
    assert noticed(seats.effects)[-2:] == ["roll.board_changed", "repair.too_many"]
    seats.show(board)
    seats.show(moved(board, ("8", "7")))
    assert noticed(seats.effects)[-2:] == ["roll.played_without_rolling", "repair.too_many"]


ONE_WITNESS = TWO_WITNESSES.model_copy(update={"witnesses_required": 1})


@pytest.mark.parametrize("moved_before", [True, False])
def test_what_is_played_from_a_board_that_had_changed_is_never_surely_illegal(moved_before: bool) -> None:
    seats = at_turn(BackgammonPosition.start(), A, ONE_WITNESS.model_copy(update={"announce": "on_query"}))
    board = moved(BOARD, ("12", "16"), ("12", "16"), seat=B) if moved_before else BOARD
    seats.show(board, confidence=0.9999)
    seats.roll(A, 3, 1)
    seats.show(moved(board, ("8", "5"), ("6", "4")), confidence=0.9999)
    seats.lift()
    assert seats.judged.legal is False
    assert (seats.judged.certainty is Certainty.CERTAIN) != moved_before


KNOCKED = moved(LEGAL, ("19", "2"), ("13", "18"), ("24", "20"))


def knocked(ruleset: Ruleset = ONE_WITNESS) -> Seats:
    """Gets a table where A has played a 3-1 and then the board was knocked, before B rolled."""
    seats = at_turn(BackgammonPosition.start(), A, ruleset)
    seats.roll(A, 3, 1)
    seats.show(LEGAL, confidence=0.9999)
    seats.lift()
    seats.effects.clear()
    seats.show(KNOCKED, confidence=0.9999)
    return seats


def test_a_knocked_board_is_led_back_one_difference_at_a_time() -> None:
    seats = knocked()
    assert noticed(seats.effects) == ["roll.board_changed", "repair.too_many"]
    assert seats.referee.state.phase is Phase.REPAIR
    assert {mark.place for mark in seats.referee.state.scene.marks} == {None, point(2)}
    assert noticed(seats.show(KNOCKED, confidence=0.9999)) == []
    assert noticed(seats.show(moved(KNOCKED, ("2", "19")), confidence=0.9999)) == ["repair.missing"]
    assert {mark.place for mark in seats.referee.state.scene.marks} == {None, point(13)}
    seats.show(moved(LEGAL, ("24", "20")), confidence=0.9999)
    assert noticed(seats.show(LEGAL, confidence=0.9999)) == ["repair.done"]
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.ROLL, B)


def test_a_throw_onto_a_knocked_board_counts_once_it_is_put_right() -> None:
    seats = knocked()
    effects = seats.roll(B, 6, 4)
    assert noticed(effects) == ["repair.first"]
    assert not [effect for effect in effects if isinstance(effect, RollRead)]
    seats.show(LEGAL, confidence=0.9999)
    assert (seats.referee.state.phase, seats.referee.state.roll) == (Phase.MOVE, Roll(6, 4))
    assert seats.referee.state.expected == LEGAL


@pytest.mark.parametrize("by_button", [True, False])
def test_players_may_take_a_knocked_board_as_it_stands(by_button: bool) -> None:
    seats = knocked()
    seats.feed(ButtonPressed(seats.now(), Role.A))  # nobody was asked yet
    assert seats.referee.state.phase is Phase.REPAIR
    seats.roll(B, 6, 4)
    prompt = seats.referee.state.prompt
    assert prompt is not None
    assert prompt.text.key == "ask.repair"
    if by_button:
        seats.feed(ButtonPressed(seats.now(), Role.A))
    else:
        seats.feed(Answered(seats.now(), Role.A, prompt.number, Choice.SET_UP))
    assert (seats.referee.state.phase, seats.referee.state.roll) == (Phase.MOVE, Roll(6, 4))
    assert seats.referee.state.expected == KNOCKED


def test_where_both_have_rolled_on_a_knocked_board_the_game_has_gone_on_from_there() -> None:
    seats = knocked()
    seats.roll(B, 6, 4)
    played = moved(KNOCKED, ("12", "16"), ("17", "23"), seat=B)
    seats.show(played, confidence=0.9999)
    seats.lift()
    assert seats.referee.state.phase is Phase.REPAIR
    seats.roll(A, 5, 2)
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.MOVE, A)
    assert seats.referee.state.expected == played
    assert [effect.by for effect in seats.effects if isinstance(effect, Ruled)] == ["players"]


@pytest.mark.parametrize("change", [{"witnesses_required": 2}, {"announce": "on_query"}, {"announce": "director_only"}])
def test_nobody_has_to_put_a_board_right_that_is_not_surely_wrong_or_of_which_players_are_not_told(
    change: dict[str, Any],
) -> None:
    seats = knocked(ONE_WITNESS.model_copy(update=change))
    assert seats.referee.state.phase is Phase.ROLL
    seats.roll(B, 6, 4)
    assert seats.referee.state.phase is Phase.MOVE


def test_a_checker_of_the_seat_to_roll_that_left_towards_an_uncounted_stack_is_gone_or_moved() -> None:
    tall: dict[Place, dict[Stack, float]] = {point(19): {(B,) * 5: 0.4, (B,) * 6: 0.35}}
    seats = at_turn(BackgammonPosition.start(), A)
    seats.roll(A, 3, 1)
    seats.show(LEGAL)
    seats.lift()
    assert seats.judged.legal
    seats.see(read_as(moved(LEGAL, ("17", "nowhere")), tall))
    said = [effect.text for effect in seats.effects if isinstance(effect, Notice)][-2]
    assert said == Text.of("roll.gone_or_moved", seat=B, points="point 17")
