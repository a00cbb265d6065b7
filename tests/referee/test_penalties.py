"""C19 and R7: what repeated illegal plays and too long pauses draw is proposed to the director, no more than that."""

import pytest
from seats_at_table import Seats, at_turn, moved
from test_clock_rows import Clocked, rules

from boardctl.referee import Match, read_ruleset
from boardctl.referee.effects import Effect, Notice, Ruled
from boardctl.referee.facts import Answered, ButtonPressed, Choice, PauseReason, PositionDeclared, Role
from boardctl.referee.readings import sure_reading
from boardctl.referee.ruleset import LateTerms
from boardctl.rules import BackgammonPosition, Seat

START = BackgammonPosition.start()
BOARD = START.placement()
WRONG = moved(BOARD, ("8", "5"), ("6", "4"))


def proposed(effects: list[Effect]) -> list[str]:
    """Gets what was proposed, and makes sure that the director alone was told."""
    said = [effect for effect in effects if isinstance(effect, Notice)]
    found = [one for one in said if one.text.key.startswith(("penalty.", "late."))]
    assert all(one.to == (Role.DIRECTOR,) for one in found)
    return [one.text.key for one in found]


def misplays(family: str, times: int) -> Seats:
    """Gets a table at which A has played 3-1 wrongly, has taken it back and played it wrongly again, so many times."""
    ruleset = read_ruleset(family).model_copy(update={"witnesses_required": 1, "announce": "monitor"})
    seats = at_turn(START, Seat.A, ruleset, Match(5))
    seats.roll(Seat.A, 3, 1)
    for _ in range(times):
        seats.show(WRONG, confidence=0.9999)
        if ruleset.turn_end == "clock":
            seats.feed(ButtonPressed(seats.now(), Role.A))
        else:
            seats.lift()
        prompt = seats.referee.state.prompt
        if prompt is not None:
            seats.feed(Answered(seats.now(), Role.B, prompt.number, Choice.REQUIRE))
        seats.show(BOARD)
    return seats


@pytest.mark.parametrize(
    ("family", "expected"),
    [
        ("house-seed", []),
        ("casual", []),
        ("teaching", []),
        ("usbgf-like", []),
        ("wbgf-legal-like", ["penalty.warning", "penalty.points", "penalty.points"]),
        ("ukbgf-like", []),
        ("wbgf-responsible-like", []),
        ("us-2008-like", []),
    ],
)
def test_c19_repeated_illegal_plays(family: str, expected: list[str]) -> None:
    seats = misplays(family, 4)
    assert dict(seats.referee.state.illegal_plays) == {Seat.A: 4}
    assert proposed(seats.effects) == expected
    assert dict(seats.referee.state.score) == {Seat.A: 0, Seat.B: 0}


def test_c19_a_play_that_the_players_say_was_legal_is_not_counted() -> None:
    ruleset = read_ruleset("house-seed")
    seats = at_turn(START, Seat.A, ruleset)
    seats.roll(Seat.A, 3, 1)
    seats.show(WRONG, confidence=0.97)
    seats.lift()
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(Answered(seats.now(), Role.B, prompt.number, Choice.DENY))
    assert seats.referee.state.illegal_plays == ()


def paused(reason: PauseReason, lasted_s: int, **late: int) -> Clocked:
    """Gets a match whose clock was stopped by A and goes on after so many seconds."""
    ruleset = rules().model_copy(update={"late": LateTerms(first_s=300, each_s=300, **late)})
    table = Clocked(ruleset)
    table.stop(Role.A, reason, 20_000)
    table.resume(Role.A, 20_000 + lasted_s * 1000)
    return table


@pytest.mark.parametrize(
    ("lasted_s", "points"), [(299, None), (300, "1"), (599, "1"), (600, "2"), (899, "2"), (1500, "5")]
)
def test_r7_one_point_after_five_minutes_and_one_for_each_further_five(lasted_s: int, points: str | None) -> None:
    table = paused(PauseReason.BREAK, lasted_s)
    told = [e.text for e in table.effects if isinstance(e, Notice) and e.text.key == "late.points_for"]
    assert [dict(text.arguments)["points"] for text in told] == ([] if points is None else [points])
    assert all(dict(text.arguments)["seat"] == "A" for text in told)
    decides = "late.decides" in proposed(table.effects)
    assert decides == (points is not None and 2 * int(points) > 5)
    assert dict(table.referee.state.score) == {Seat.A: 0, Seat.B: 0}


def test_r7_a_break_may_last_as_long_as_the_ruleset_says() -> None:
    assert proposed(paused(PauseReason.BREAK, 899, break_s=600).effects) == []
    assert proposed(paused(PauseReason.BREAK, 900, break_s=600).effects) == ["late.points_for"]


def test_r7_a_pause_for_another_reason_is_nobodys_fault() -> None:
    assert proposed(paused(PauseReason.CONTEST, 3000).effects) == []


def test_r7_the_director_called_the_players_and_nobody_knows_who_was_late() -> None:
    table = Clocked(rules().model_copy(update={"late": LateTerms(first_s=300, each_s=300)}), started=False)
    table.stop(Role.DIRECTOR, PauseReason.GAME_START, 10_000)
    table.press(Role.B, 10_000 + 600_000)
    assert proposed(table.effects) == ["late.points"]


@pytest.mark.parametrize(
    "family", ["house-seed", "casual", "teaching", "usbgf-like", "wbgf-legal-like", "wbgf-responsible-like"]
)
def test_r7_only_the_preset_whose_rules_say_so(family: str) -> None:
    assert read_ruleset(family).late is None
    assert read_ruleset("ukbgf-like").late == LateTerms(first_s=300, each_s=300)


def let_pass(times: int) -> list[Effect]:
    """A plays wrongly and B rolls after it, again and again; a director takes both turns back in between."""
    seats = at_turn(START, Seat.A, read_ruleset("house-seed").model_copy(update={"witnesses_required": 1}), Match(5))
    for _ in range(times):
        seats.roll(Seat.A, 3, 1)
        seats.show(WRONG, confidence=0.9999)
        seats.lift()
        seats.roll(Seat.B, 6, 4)
        reading = sure_reading(BOARD, seats.game.places)
        seats.lift()
        seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, reading, Seat.A))
    return seats.effects


@pytest.mark.parametrize(("times", "told"), [(2, 0), (3, 1), (4, 2)])
def test_r9_plays_that_are_let_pass_again_and_again_are_counted_for_the_director(times: int, told: int) -> None:
    said = [e for e in let_pass(times) if isinstance(e, Notice) and e.text.key == "pattern.let_pass"]
    assert [(dict(e.text.arguments)["seat"], e.to) for e in said] == [("B", (Role.DIRECTOR,))] * told


def rulings(effects: list[Effect]) -> list[str]:
    return [effect.ruling for effect in effects if isinstance(effect, Ruled)]


def test_a_play_that_was_required_and_then_let_stand_is_one_illegal_play() -> None:
    ruleset = read_ruleset("wbgf-legal-like").model_copy(update={"witnesses_required": 1, "announce": "monitor"})
    seats = at_turn(START, Seat.A, ruleset, Match(5))
    seats.roll(Seat.A, 3, 1)
    seats.show(WRONG, confidence=0.9999)
    seats.feed(ButtonPressed(seats.now(), Role.A))
    assert rulings(seats.effects)[-1] == "must_replay"
    seats.show(WRONG, confidence=0.9999)
    told = [*seats.roll(Seat.B, 6, 4), *seats.show(WRONG, confidence=0.9999)]
    assert rulings(told) == ["condoned"], told
    assert seats.referee.state.illegal_plays == ((Seat.A, 1),)
    assert proposed(told) == []
