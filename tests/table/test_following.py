from dataclasses import replace

import pytest

from boardctl.lights.words import in_english
from boardctl.referee import Referee, read_ruleset
from boardctl.referee.effects import Certainty, Notice, Phase, PhaseChanged, Scene, Text, TurnJudged
from boardctl.referee.facts import BoardSeen, DiceLifted, DiceRested, HandSeen, PositionDeclared, Role
from boardctl.referee.readings import DiceReading, DieReading, Support, sure_reading
from boardctl.rules import Backgammon, Placement, Roll, Seat, point
from boardctl.table import TurnLamps
from boardctl.table.following import TableFollower, seat_shown

START = Backgammon().start().placement()
FACT = HandSeen(0, False)
JUDGED = TurnJudged(Seat.A, Roll(3, 1), None, False, Certainty.CERTAIN, Placement(), None)


def test_what_only_the_director_may_know_is_not_drawn() -> None:
    follower = TableFollower(in_english)
    hushed = TurnJudged(Seat.A, Roll(3, 1), None, False, Certainty.CERTAIN, Placement(), None, announced=False)
    follower(FACT, [hushed, Notice(Text.of("turn.not_seen"), to=(Role.DIRECTOR,))])
    assert follower.view.judgement == ""
    follower(FACT, [JUDGED])
    assert "not legal" in follower.view.judgement


def test_the_phase_is_drawn() -> None:
    follower = TableFollower(in_english)
    follower(FACT, [PhaseChanged(Phase.ROLL, Seat.B)])
    assert (follower.view.phase, follower.view.on_turn) == (Phase.ROLL, Seat.B)


WRONG = START.replaced({point(8): (Seat.A,) * 2, point(6): (Seat.A,) * 4, point(5): (Seat.A,), point(4): (Seat.A,)})
LEGAL = START.replaced({point(8): (Seat.A,) * 2, point(6): (Seat.A,) * 4, point(5): (Seat.A,) * 2})


def after_a_turn(announce: str, board: Placement) -> tuple[Referee, TableFollower]:
    """Gets the view of a table where A has rolled 3-1, moved to a board and taken up the dice."""
    ruleset = read_ruleset("house-seed").model_copy(update={"announce": announce})
    referee = Referee(Backgammon(), ruleset)
    follower = TableFollower.of(referee, in_english)
    dice = tuple(
        DieReading(value, 0.999, True, Support.SURFACE, Seat.A, 0.5, (150.0, at), (150.0, at))
        for value, at in ((3, -30.0), (1, 30.0))
    )
    for fact in (
        PositionDeclared(0, Role.DIRECTOR, sure_reading(START, referee.game.places), Seat.A),
        DiceRested(1000, DiceReading(dice)),
        BoardSeen(2000, sure_reading(board, referee.game.places)),
        DiceLifted(3000, 0),
    ):
        follower(fact, referee.feed(fact))
    return referee, follower


@pytest.mark.parametrize("announce", ["director_only", "on_query"])
def test_the_course_of_the_game_gives_no_finding_away(announce: str) -> None:
    legal, wrong = (after_a_turn(announce, board)[1].view for board in (LEGAL, WRONG))
    assert replace(legal, placement=START, scene=Scene(())) == replace(wrong, placement=START, scene=Scene(()))
    assert (wrong.phase, wrong.prompt) == (None, "")
    assert "legal" not in wrong.judgement


@pytest.mark.parametrize(("announce", "legal", "wrong"), [("director_only", "", ""), ("monitor", "B", "A")])
def test_the_lamps_tell_whose_turn_it_is_where_that_gives_nothing_away(announce: str, legal: str, wrong: str) -> None:
    lit: dict[Seat, bool] = {}
    for board, expected in ((LEGAL, legal), (WRONG, wrong)):
        referee, _ = after_a_turn(announce, board)
        lit.clear()
        TurnLamps(lit.__setitem__, [Seat.A, Seat.B], lambda referee=referee: seat_shown(referee))(HandSeen(0, True), [])
        assert "".join(seat for seat, is_lit in lit.items() if is_lit) == expected


def test_a_monitor_shows_what_it_found() -> None:
    _, follower = after_a_turn("monitor", WRONG)
    assert follower.view.phase is Phase.CONFIRM
    assert "not legal" in follower.view.judgement


def test_what_was_held_back_is_shown_with_the_next_roll() -> None:
    referee, follower = after_a_turn("director_only", WRONG)
    spots = ((-150.0, -30.0), (-150.0, 30.0))
    dice = tuple(
        DieReading(value, 0.999, True, Support.SURFACE, Seat.B, 0.5, spot, spot)
        for value, spot in zip((6, 4), spots, strict=True)
    )
    thrown = DiceRested(5000, DiceReading(dice))
    follower(thrown, referee.feed(thrown))
    assert (follower.view.phase, follower.view.on_turn, follower.view.placement) == (Phase.MOVE, Seat.B, WRONG)
    assert follower.view.judgement == "B: rolled 6-4"
