"""What the board says about a play once the turn has ended: legal, illegal, or not to be told.

How sure is sure. Out of a hundred turns about one ends illegally (:data:`LEGAL_ODDS`). That prior may choose between
readings of one tall stack; it may not excuse a board that contradicts every legal result: whatever the prior says,
from :data:`CONTRADICTION` on the contradiction stands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, log

from boardctl.referee.effects import Certainty, Finding, PlayFault, Text
from boardctl.referee.readings import BoardReading, Witness
from boardctl.referee.seen.explain import Attempt, explain
from boardctl.referee.seen.weighing import (
    Evidence,
    best_board,
    cheapest_exchange,
    cheapest_gain,
    cheapest_loss,
    combined,
    holders,
    weigh_graph,
)
from boardctl.rules import Game, MoveGraph, Place, PlaceKind, Placement, Play, Position, Roll, Seat, write_play
from boardctl.rules import Turn as Stand
from boardctl.rules.turn import plays_in

LEGAL_ODDS = log(100)
"""How much likelier a legal end of a turn is than an illegal one before anybody looks, in nats: careful people misplay
about one turn in a hundred."""

SURE_ODDS = log(1000)
"""What makes a finding CERTAIN, in nats: one wrong in a thousand such findings, if the witnesses are honest. Most
findings are far beyond it: two places that disagree are worth twice :data:`~boardctl.referee.seen.weighing
.LIKELIHOOD_FLOOR` each."""

AGREEMENT = log(3)
"""A legal result that is at most three times less likely than the best board of all is what was played."""

LIKELY_ODDS = log(20)
"""What makes a finding PROBABLE, in nats: one wrong in twenty."""

CONTRADICTION = LEGAL_ODDS + AGREEMENT
"""From here on a board that fits no legal result stands as what it is: it is likelier than any of them, prior and all.
The finding is at least PROBABLE, and the players are asked."""

CERTAIN_CONTRADICTION = LEGAL_ODDS + SURE_ODDS
"""From here on it is CERTAIN. One misread place cannot reach it, two can."""

STRANGE_CHECKERS = 2
"""A board on which so many more checkers lie elsewhere than the roll could have moved or hit is no play of that roll,
good or bad: it was knocked over, set up anew, or not watched for a while. Careless players move one checker too many,
or put one back elsewhere."""

DISAGREEMENT = log(20)
"""A witness contradicts a board when it holds something else at one place to be twenty times likelier."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found. ``legal`` None: it cannot be told; ``unclear`` are then the places to tidy or to show.

    ``assumed`` is the legal play that fits best, for going on when nobody can clear it up. ``strange``: so much of the
    board has changed that nobody can have played that.
    """

    legal: bool | None
    certainty: Certainty
    play: Play | None
    after: Placement | None
    finding: Finding | None
    unclear: tuple[Place, ...]
    assumed: Play
    strange: bool = False


@dataclass(frozen=True)
class Case:
    """A turn to be judged: who played which roll from where, and what each witness saw afterwards.

    ``tidied``: places that were shown anew when somebody was asked to tidy them. ``erring``: those at which a witness
    already contradicted the position before, as it still does. Where the play has changed nothing there, and at tidied
    places in any case, that witness errs and keeps nobody from being judged; what is found is not vouched for then.
    ``final``: the opponent has rolled on, and nobody will be asked to look again. A play that is legal by all that was
    seen together is then taken for one, whatever one witness by itself says against it.
    """

    game: Game
    seat: Seat
    roll: Roll
    roll_certainty: Certainty
    before: Position
    stand: Stand
    graph: MoveGraph
    readings: Mapping[Witness, BoardReading]
    witnesses_required: int
    before_sure: bool = True
    tidied: tuple[Place, ...] = ()
    erring: tuple[Place, ...] = ()
    final: bool = False

    @property
    def evidence(self) -> Evidence:
        """What all witnesses together saw."""
        return combined(self.readings, self.game.places)

    def stands_against(self, contradicted: tuple[Place, ...], board: Placement) -> bool:
        """Whether one of the contradictions to a board is more than a witness that errs."""
        untouched = {place for place in self.erring if board.at(place) == self.before.at(place)}
        return not set(contradicted) <= untouched | set(self.tidied)


def judge(case: Case) -> Verdict:
    """Gets what the readings say about a turn that has ended."""
    plays = plays_in(case.game, case.before, case.stand)
    by_position = {play.position: play for play in plays}
    evidence = case.evidence
    weights = weigh_graph(evidence, case.graph)
    ranked = sorted((position for position in weights if position in by_position), key=lambda p: -weights[p])
    best = ranked[0]
    assumed = by_position[best]
    if not evidence.weights:
        return Verdict(None, Certainty.BLIND, None, None, None, evidence.hidden, assumed)
    board, board_weight = best_board(case.game, evidence, best.placement())
    gap = board_weight - weights[best]
    if gap <= AGREEMENT:
        return _legal(case, evidence, ranked, weights, assumed)
    differing = tuple(place for place in case.game.places if board.at(place) != best.at(place))
    if gap < CONTRADICTION:
        finding = unclear_finding(case, differing)
        return Verdict(None, Certainty.AMBIGUOUS, None, None, finding, differing, assumed)
    if _is_strange(case, board):
        finding = unclear_finding(case, differing)
        return Verdict(None, Certainty.AMBIGUOUS, None, None, finding, differing, assumed, strange=True)
    attempt = Attempt(case.game, case.seat, case.roll, case.before, board, plays, case.stand.numbers)
    certainty = _contradiction_certainty(case, evidence, board, gap)
    if certainty is Certainty.AMBIGUOUS:
        finding = unclear_finding(case, differing)
        return Verdict(None, certainty, None, None, finding, differing, assumed)
    return Verdict(False, certainty, None, board, explain(attempt, certainty), (), assumed)


def _is_strange(case: Case, board: Placement) -> bool:
    """Whether more checkers lie elsewhere than one turn moves: each number moves one and may hit one."""
    changed = board.differences(case.before.placement())
    gone = sum(
        max(0, before.count(seat) - after.count(seat)) for after, before in changed.values() for seat in case.game.seats
    )
    return gone > 2 * len(case.roll.numbers) + STRANGE_CHECKERS


def unclear_finding(case: Case, places: tuple[Place, ...]) -> Finding:
    """Gets the finding that it cannot be told where checkers belong at some places."""
    names = ", ".join(case.game.point_for(case.seat, place) for place in places)
    text = Text.of("fault.ambiguous_placement", points=names)
    return Finding((PlayFault.AMBIGUOUS_PLACEMENT,), Certainty.AMBIGUOUS, (text,), places)


def _legal(
    case: Case, evidence: Evidence, ranked: list[Position], weights: Mapping[Position, float], play: Play
) -> Verdict:
    best = ranked[0]
    margin = weights[best] - weights[ranked[1]] if len(ranked) > 1 else inf
    after = best.placement()
    blind, unread = _blind_places(case, evidence, best)
    if margin < LIKELY_ODDS:
        rivals = [other for other in ranked if weights[best] - weights[other] < LIKELY_ODDS]
        unclear = tuple(p for p in case.game.places if len({other.at(p) for other in rivals}) > 1)
        certainty = Certainty.BLIND if set(unclear) & set(evidence.hidden) else Certainty.AMBIGUOUS
        return Verdict(None, certainty, None, None, unclear_finding(case, unclear), unclear, play)
    if blind:
        return Verdict(None, Certainty.BLIND, None, None, None, blind, play)
    against = _objections(case, after)
    if case.stands_against(against, after) and not case.final:
        return Verdict(None, Certainty.AMBIGUOUS, None, None, unclear_finding(case, against), against, play)
    other_boards = min(
        cheapest_exchange(case.game, evidence, after, ranked),
        cheapest_loss(evidence, after),
        cheapest_gain(case.game, evidence, after),
    )
    sure = (
        margin >= SURE_ODDS
        and other_boards + LEGAL_ODDS >= SURE_ODDS
        and len(case.readings) >= case.witnesses_required
        and case.roll_certainty is Certainty.CERTAIN
        and case.before_sure
        and not (unread or against)
    )
    return Verdict(True, Certainty.CERTAIN if sure else Certainty.PROBABLE, play, after, None, (), play)


def _blind_places(case: Case, evidence: Evidence, best: Position) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """Gets the hidden places that the play changed and of which conservation alone does not tell what is in them.

    First the points among them, and whatever shares a checker with a hidden point: where that checker is, is open.
    Then bars and trays that nobody reads: the points tell that a checker left them, not which of the two it went to.
    """
    blind, unread = [], []
    for place in evidence.hidden:
        if best.at(place) == case.before.at(place):
            continue
        seats = {*best.at(place), *case.before.at(place)}
        rivals = [other for other in evidence.hidden if other != place and seats & set(holders(case.game, other))]
        if any(other.kind is PlaceKind.POINT for other in rivals):
            blind.append(place)
        elif rivals:
            unread.append(place)
    return tuple(blind), tuple(unread)


def _objections(case: Case, board: Placement) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(place for one in case.readings.values() for place in objections(case.game, one, board)))


def objections(game: Game, reading: BoardReading, board: Placement) -> tuple[Place, ...]:
    """Gets the places where a witness by itself contradicts a board."""
    gaps = combined({reading.witness: reading}, game.places).gaps(board)
    return tuple(place for place, gap in gaps.items() if gap >= DISAGREEMENT)


def _contradiction_certainty(case: Case, evidence: Evidence, board: Placement, gap: float) -> Certainty:
    """Gets how far a board that is no legal result is vouched for; AMBIGUOUS when the witnesses disagree about it."""
    against = _objections(case, board)
    if case.stands_against(against, board):
        return Certainty.AMBIGUOUS
    kept = all(board.total(seat) == case.game.checkers_a_seat for seat in case.game.seats)
    hidden = any(board.at(place) != case.before.at(place) for place in evidence.hidden)
    if hidden:
        return Certainty.AMBIGUOUS
    other_boards = cheapest_exchange(case.game, evidence, board, ())
    left_open = any(board.at(place) != case.before.at(place) for place in evidence.open_places(board))
    sure = (
        gap >= CERTAIN_CONTRADICTION
        and kept
        and not left_open
        and other_boards >= LIKELY_ODDS
        and len(case.readings) >= case.witnesses_required
        and case.roll_certainty is Certainty.CERTAIN
        and case.before_sure
        and not (evidence.hand or against)
    )
    return Certainty.CERTAIN if sure else Certainty.PROBABLE


def notation(case: Case, play: Play) -> str:
    """Gets a play of the case in standard notation."""
    return write_play(case.game, case.seat, play)
