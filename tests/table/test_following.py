from boardctl.referee.effects import Certainty, Notice, Phase, PhaseChanged, Text, TurnJudged
from boardctl.referee.facts import HandSeen, Role
from boardctl.rules import Placement, Roll, Seat
from boardctl.table.following import TableFollower

FACT = HandSeen(0, False)
JUDGED = TurnJudged(Seat.A, Roll(3, 1), None, False, Certainty.CERTAIN, Placement(), None)


def test_what_only_the_director_may_know_is_not_drawn() -> None:
    follower = TableFollower(lambda text: text.key)
    hushed = TurnJudged(Seat.A, Roll(3, 1), None, False, Certainty.CERTAIN, Placement(), None, announced=False)
    follower(FACT, [hushed, Notice(Text.of("turn.not_seen"), to=(Role.DIRECTOR,))])
    assert follower.view.judgement == ""
    follower(FACT, [JUDGED])
    assert "not legal" in follower.view.judgement


def test_the_phase_is_drawn() -> None:
    follower = TableFollower(lambda text: text.key)
    follower(FACT, [PhaseChanged(Phase.ROLL, Seat.B)])
    assert (follower.view.phase, follower.view.on_turn) == (Phase.ROLL, Seat.B)
