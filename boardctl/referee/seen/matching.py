"""A play in progress: a settled reading held against every position that a legal play passes through."""

from collections import Counter
from collections.abc import Mapping

from boardctl.referee.seen.judging import CONTRADICTION, LIKELY_ODDS
from boardctl.referee.seen.weighing import Evidence, best_board, weigh_graph
from boardctl.referee.state import NOTHING_SEEN, Progress, Stage
from boardctl.rules import Game, Move, MoveGraph, Place, PlaceKind, Placement, Play, Position, Seat

_MOST_IN_HAND = 4  # two hands take no more without the board looking like something else
_LIKELIEST = 200  # positions that are tried for checkers in a hand


def match(
    game: Game,
    mover: Seat,
    graph: MoveGraph,
    plays: Mapping[Position, Play],
    evidence: Evidence,
    may_be_lifted: bool = True,
) -> Progress:
    """Gets how far the play of ``mover`` has come, by what was seen last.

    ``may_be_lifted`` False: nobody can have checkers in a hand just now, so that none may be missing.
    """
    if not evidence.weights:
        return NOTHING_SEEN
    weights = weigh_graph(evidence, graph)
    best = max(weights, key=lambda position: weights[position])
    held = _in_hand(mover, graph, evidence, weights) if may_be_lifted else None
    if held is not None and evidence.weight_of(evidence.best) - weights[best] >= LIKELY_ODDS:
        # A checker in the hand is nothing strange while a play is being made: no odds are held against it.
        position, missing = held
        return Progress(Stage.IN_HAND, position, _onward(graph, position), in_hand=missing)
    board, board_weight = best_board(game, evidence, best.placement())
    if board_weight - weights[best] < CONTRADICTION:
        if any(_unseen(evidence, position, best) for position in _rivals(weights, best)):
            return NOTHING_SEEN
        return _reached(graph, plays, best)
    strange = tuple(place for place in game.places if board.at(place) != best.at(place))
    return Progress(Stage.UNEXPLAINED, strange=strange)


def _rivals(weights: Mapping[Position, float], best: Position) -> list[Position]:
    return [position for position, weight in weights.items() if position != best and weight == weights[best]]


def _unseen(evidence: Evidence, position: Position, best: Position) -> bool:
    """Whether two positions that weigh the same differ at hidden places only."""
    return all(position.at(place) == best.at(place) for place in evidence.weights)


def _reached(graph: MoveGraph, plays: Mapping[Position, Play], position: Position) -> Progress:
    play = plays.get(position)
    if graph.steps[position].complete and play is not None:
        return Progress(Stage.COMPLETE, position, play=play)
    stage = Stage.NOT_MOVED if position == graph.start else Stage.ON_THE_WAY
    return Progress(stage, position, _onward(graph, position))


def _onward(graph: MoveGraph, position: Position) -> tuple[Move, ...]:
    return tuple(move for move, _ in graph.steps[position].onward)


def _in_hand(
    mover: Seat, graph: MoveGraph, evidence: Evidence, weights: Mapping[Position, float]
) -> tuple[Position, tuple[tuple[Place, Seat], ...]] | None:
    """Gets the position of which the board shows everything but a few checkers, and those checkers.

    Of several positions the one that needs the fewest moves: a lifted checker counts from where it was. The mover lifts
    its own checkers, and those that it hits on their way to the bar.
    """
    seen = Counter(_checkers(evidence, evidence.best))
    found: list[tuple[tuple[int, int], Position, Counter[tuple[Place, Seat]]]] = []
    for position in sorted(weights, key=lambda position: -weights[position])[:_LIKELIEST]:
        whole = Counter(_checkers(evidence, position))
        missing = whole - seen
        liftable = all(seat is mover or place.kind is PlaceKind.BAR for place, seat in missing)
        if liftable and not seen - whole and 0 < missing.total() <= _MOST_IN_HAND:
            found.append(((missing.total(), len(graph.steps[position].used)), position, missing))
    if not found:
        return None
    _, position, missing = min(found, key=lambda entry: entry[0])
    return position, tuple(sorted(missing.elements(), key=lambda item: (str(item[0]), item[1])))


def _checkers(evidence: Evidence, board: Placement | Position) -> list[tuple[Place, Seat]]:
    stacks = board if isinstance(board, Placement) else board.placement()
    return [(place, seat) for place in evidence.weights for seat in stacks.at(place)]
