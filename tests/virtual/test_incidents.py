"""Incidents at the virtual table: each happens, is told to the score, and leaves the table as it was."""

from contextlib import suppress
from random import Random

import pytest

from boardctl.referee.effects import Certainty, Notice, RollRead, Text
from boardctl.rules import Backgammon, Roll, Seat
from boardctl.virtual.acts import FAST, Act
from boardctl.virtual.incidents import SIGNS, Incident, Mishaps
from boardctl.virtual.motions import Acts, Motions
from boardctl.virtual.score import Outcome, Score
from boardctl.virtual.truth import IncidentTruth
from boardctl.virtual.world import empty_world, set_up
from calibration import BoardGeometry

GAME = Backgammon()


def unheard(acts: Acts) -> list[Act]:
    """Gets acts about which nobody says anything."""
    done: list[Act] = []
    with suppress(StopIteration):
        done.append(next(acts))
        while True:
            done.append(acts.send([]))
    return done


@pytest.mark.parametrize("incident", Incident)
@pytest.mark.parametrize("seed", range(3))
def test_an_incident_happens_once_and_everything_is_put_back(incident: Incident, seed: int) -> None:
    random = Random(seed)
    start = GAME.start()
    world = set_up(empty_world(BoardGeometry(), random), start.placement(), random)
    hands = Motions(world, FAST, random)
    acts = unheard(Mishaps(GAME, hands, random).happen(incident, Seat.A, start))
    truths = [act.truth for act in acts if isinstance(act.truth, IncidentTruth)]
    assert [truth.kind for truth in truths] in ([incident.value], [])
    assert bool(truths) or incident is Incident.DIE_TIPPED  # no die lies there to be tipped
    assert hands.world.placement() == start.placement()
    assert hands.world.dice == ()


@pytest.mark.parametrize("incident", Incident)
def test_an_incident_is_found_by_the_words_that_name_it(incident: Incident) -> None:
    def outcome(effect: Notice | RollRead) -> Outcome:
        score = Score()
        score.happened(IncidentTruth(0, incident.value, SIGNS[incident]))
        score.hear([effect])
        return score.report().items[0].outcome

    assert outcome(Notice(Text.of(SIGNS[incident][0]))) is Outcome.RIGHT
    assert outcome(Notice(Text.of("opening.roll"))) is Outcome.MISSED
    assert outcome(RollRead(Seat.A, Roll(3, 1), True, Certainty.CERTAIN)) is Outcome.WRONG_CERTAIN
