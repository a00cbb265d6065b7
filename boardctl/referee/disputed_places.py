"""Places about which camera and sensors disagree turn after turn: one of the two is wrong there, and does not say so.

A sensor that sticks, or checkers of a colour that the eyes have not learned, make every finding there doubtful. People
are asked to tidy a point that is tidy, again and again; here they are told why.
"""

from boardctl.referee.effects import Phase, Text
from boardctl.referee.readings import Witness
from boardctl.referee.response import Response
from boardctl.referee.seen.agreement import Agreement, compare
from boardctl.rules import Place

TOLD_AFTER = 3
"""At the end of so many turns in a row they disagree before it is said: a checker that lay badly is tidied by then."""


def watch_disputes(response: Response, phase_before: Phase) -> None:
    """Counts, whenever a turn has ended, where the witnesses disagree; says so once when it has become a habit."""
    readings = response.readings
    ended = phase_before is Phase.MOVE and response.state.phase is not Phase.MOVE
    if not ended or len(readings) < len(Witness) or response.evidence.hand:
        return
    before = dict(response.state.disputed)
    counts: dict[Place, int] = {}
    for one in compare(readings[Witness.CAMERA], readings[Witness.SENSORS]):
        if one.agreement is Agreement.DISAGREE:
            counts[one.place] = before.get(one.place, 0) + 1
        elif one.agreement is not Agreement.AGREE and one.place in before:
            counts[one.place] = before[one.place]  # nothing was learned about it in this turn
    told = [place for place, count in counts.items() if count == TOLD_AFTER and before.get(place) != count]
    response.change(disputed=tuple(counts.items()))
    if told:
        response.notice(Text.of("witnesses.disagree", points=", ".join(map(str, told)), count=TOLD_AFTER))
