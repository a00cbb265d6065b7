"""A director's decisions: they supersede what stood, with name and reason, and never edit it."""

import pytest
from seats_at_table import Seats, at_turn, die, moved

from boardctl.referee import Match, read_ruleset
from boardctl.referee.effects import Effect, Notice, Phase, PhaseChanged, Ruled
from boardctl.referee.facts import Answered, Choice, Decision, DirectorRuled, Resigned, Role
from boardctl.rules import BackgammonPosition, Seat

START = BackgammonPosition.start()
BOARD = START.placement()


def misplayed(family: str = "house-seed") -> Seats:
    """Gets a table where an illegal play stands."""
    ruleset = read_ruleset(family).model_copy(
        update={"witnesses_required": 1, "announce": "monitor", "turn_end": "dice_lift_any"}
    )
    seats = at_turn(START, Seat.A, ruleset)
    seats.roll(Seat.A, 3, 1)
    seats.show(moved(BOARD, ("8", "5"), ("6", "4")), confidence=0.9999)
    seats.lift()
    return seats


def decide(seats: Seats, decision: Decision, **more: object) -> list[Effect]:
    return seats.feed(DirectorRuled(seats.now(), "Ada", decision, "both agree", **more))  # type: ignore[arg-type]


def rulings(effects: list[Effect]) -> list[tuple[str, str]]:
    return [(effect.ruling, effect.by) for effect in effects if isinstance(effect, Ruled)]


def test_a_play_is_accepted_as_made() -> None:
    seats = misplayed()
    assert ("accepted", "director Ada") in rulings(decide(seats, Decision.ACCEPT))
    assert seats.referee.state.seat is Seat.B
    assert seats.referee.state.expected == moved(BOARD, ("8", "5"), ("6", "4"))


@pytest.mark.parametrize("family", ["house-seed", "usbgf-like", "us-2008-like"])
def test_a_roll_is_played_again(family: str) -> None:
    seats = misplayed(family)
    assert ("must_replay", "director Ada") in rulings(decide(seats, Decision.REQUIRE))
    assert seats.referee.state.phase is Phase.MOVE
    assert seats.referee.state.expected == BOARD


def test_the_position_before_the_roll_is_restored_and_its_seat_rolls_again() -> None:
    seats = misplayed()
    assert rulings(decide(seats, Decision.RESTORE)) == [("restored", "director Ada")]
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.ROLL, Seat.A)
    assert seats.referee.state.expected == BOARD


def test_a_turn_that_was_accepted_is_undone_until_the_next_roll() -> None:
    seats = misplayed()
    decide(seats, Decision.ACCEPT)
    decide(seats, Decision.RESTORE)
    assert (seats.referee.state.seat, seats.referee.state.expected) == (Seat.A, BOARD)
    late = misplayed()
    decide(late, Decision.ACCEPT)
    late.roll(Seat.B, 6, 4)
    decide(late, Decision.RESTORE)
    assert (late.referee.state.phase, late.referee.state.seat) == (Phase.ROLL, Seat.B)


def test_a_score_is_put_right_and_keeps_its_reason() -> None:
    seats = misplayed()
    effects = decide(seats, Decision.SCORE, score=((Seat.A, 3), (Seat.B, 1)))
    assert [effect.reason for effect in effects if isinstance(effect, Ruled)] == ["both agree"]
    assert dict(seats.referee.state.score) == {Seat.A: 3, Seat.B: 1}


def match_to_three() -> Seats:
    ruleset = read_ruleset("house-seed")
    return Seats(ruleset, match=Match(length=3, cube=True))


def open_game(seats: Seats) -> None:
    seats.start()
    seats.rest(die(6, Seat.A, spot=1), die(1, Seat.B, spot=1))
    assert seats.referee.state.phase is Phase.MOVE


def score_of(seats: Seats, light: int, dark: int) -> list[Effect]:
    return decide(seats, Decision.SCORE, score=((Seat.A, light), (Seat.B, dark)))


def resign(seats: Seats, by: Role, level: int) -> None:
    seats.feed(Resigned(seats.now(), by, level))
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(Answered(seats.now(), prompt.to[0], prompt.number, Choice.ACCEPT))


@pytest.mark.parametrize("points", [3, 5])
def test_a_score_that_decides_the_match_ends_it_in_the_middle_of_a_game(points: int) -> None:
    seats = match_to_three()
    open_game(seats)
    assert PhaseChanged(Phase.MATCH_OVER, None) in score_of(seats, points, 1)
    assert seats.referee.state.ledger.winner is Seat.A
    assert seats.referee.state.turn is None


def test_a_match_whose_score_was_wrong_goes_on_with_its_next_game() -> None:
    seats = match_to_three()
    open_game(seats)
    resign(seats, Role.B, 3)
    assert seats.referee.state.phase is Phase.MATCH_OVER
    score_of(seats, 1, 0)
    assert seats.referee.state.phase is Phase.GAME_OVER
    seats.show(moved(BOARD, ("6", "7"), ("8", "7"), ("13", "9")))
    open_game(seats)
    resign(seats, Role.A, 1)
    assert dict(seats.referee.state.score) == {Seat.A: 1, Seat.B: 1}
    assert seats.referee.state.phase is Phase.GAME_OVER


def test_a_match_that_was_over_before_anything_lay_on_the_board_goes_on_with_the_set_up() -> None:
    seats = match_to_three()
    score_of(seats, 3, 0)
    assert seats.referee.state.phase is Phase.MATCH_OVER
    score_of(seats, 2, 0)
    assert seats.referee.state.phase is Phase.SETUP


def test_a_match_that_was_begun_too_short_is_resumed() -> None:
    seats = match_to_three()
    open_game(seats)
    resign(seats, Role.B, 3)
    assert seats.referee.state.phase is Phase.MATCH_OVER
    effects = decide(seats, Decision.LENGTH, length=5)
    assert [(e.ruling, e.length, e.score) for e in effects if isinstance(e, Ruled)] == [
        ("length_set", 5, ((Seat.A, 3), (Seat.B, 0)))
    ]
    assert (seats.referee.state.phase, seats.referee.state.ledger.winner) == (Phase.GAME_OVER, None)


def test_a_match_that_was_begun_too_long_is_won_by_who_first_had_enough() -> None:
    seats = match_to_three()
    for by, level in ((Role.B, 1), (Role.A, 2)):
        open_game(seats)
        resign(seats, by, level)
        seats.show(moved(BOARD, ("6", "7"), ("8", "7"), ("13", "9")))
    open_game(seats)
    assert PhaseChanged(Phase.MATCH_OVER, None) in decide(seats, Decision.LENGTH, length=1)
    assert (seats.referee.state.ledger.winner, dict(seats.referee.state.score)) == (Seat.A, {Seat.A: 1, Seat.B: 0})


@pytest.mark.parametrize("length", [None, 0])
def test_no_length_changes_nothing(length: int | None) -> None:
    seats = match_to_three()
    effects = decide(seats, Decision.LENGTH, length=length)
    assert [effect.text.key for effect in effects if isinstance(effect, Notice)] == ["director.length_unclear"]
    assert seats.referee.state.ledger.rules.length == 3


@pytest.mark.parametrize("score", [(), ((Seat.A, 3),), ((Seat.A, 3), (Seat.B, -1))])
def test_half_a_score_changes_nothing(score: tuple[tuple[Seat, int], ...]) -> None:
    seats = misplayed()
    effects = decide(seats, Decision.SCORE, score=score)
    assert [effect.text.key for effect in effects if isinstance(effect, Notice)] == ["director.score_unclear"]
    assert dict(seats.referee.state.score) == {Seat.A: 0, Seat.B: 0}


@pytest.mark.parametrize("decision", [Decision.ACCEPT, Decision.REQUIRE, Decision.RESTORE])
def test_what_does_not_stand_is_not_decided(decision: Decision) -> None:
    seats = at_turn(START, Seat.A, "house-seed")
    effects = decide(seats, decision)
    assert [effect.text.key for effect in effects if isinstance(effect, Notice)] == ["director.nothing_stands"]
    assert rulings(effects) == []


def test_what_only_people_saw_is_noted() -> None:
    seats = misplayed()
    before = seats.referee.state.phase
    assert rulings(decide(seats, Decision.NOTE)) == [("noted", "director Ada")]
    assert seats.referee.state.phase is before
