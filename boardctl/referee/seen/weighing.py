"""Likelihoods of whole boards: how well a position fits what the witnesses saw, and what fits best of all.

All weights are natural logarithms of likelihoods ("nats"). Places count as independent of each other; a place that a
witness cannot see says nothing for or against anything.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf, log

from boardctl.referee.readings import BoardReading, PlaceReading, Witness
from boardctl.rules import Game, MoveGraph, Place, PlaceKind, Placement, Position, Seat, Stack, bar

LIKELIHOOD_FLOOR = 1 / 5000
"""The least likelihood that a stack gets, whatever the witness says: a witness is confidently wrong about one place in
five thousand (the bar the reader is held to), so no single place may outweigh more than that."""

UNLISTED_STACKS = 10
"""Among how many stacks the likelihood is shared out that a witness gives to none it lists: what is there instead is
mostly a few checkers more or fewer, of either seat."""

MATERIAL_ODDS = log(10)
"""How much less likely a board is, in nats, on which a checker has vanished or appeared than another that breaks the
rules of play: of ten such boards at most one. Conservation is a fact of the physical world, not of the rules."""

UNSEEN_SHIFT = 0.1
"""What each checker that a hidden place would hold more or less than expected costs, in nats: it only breaks ties."""

ROUNDING = 1e-6
"""Weights that differ by less, in nats, are equal: they were added up in another order."""

AS_LIKELY = 3.0
"""What is at most so many times less likely than something else may as well be the case."""

OPEN_ODDS = log(10)
"""What is not at least so much less likely at a place, in nats, may be there as well: nothing is vouched for that rests
on which of the two it is."""

IN_A_ROW = 5
"""So many checkers lie side by side on a point; more lie on others."""

_BEAM = 30.0  # nats: partial boards this much worse than the best are given up


@dataclass(frozen=True)
class Evidence:
    """What one or more witnesses saw of the same board."""

    readings: tuple[BoardReading, ...]
    places: tuple[Place, ...]

    @cached_property
    def weights(self) -> dict[Place, dict[Stack, float]]:
        """For each place that somebody sees: the stacks that somebody listed, with their weights."""
        return {
            place: {
                stack: sum(known.get(stack, unlisted) for known, unlisted in seen)
                for stack in dict.fromkeys(stack for known, _ in seen for stack in known)
            }
            for place, seen in self._seen.items()
        }

    @cached_property
    def _seen(self) -> dict[Place, list[tuple[dict[Stack, float], float]]]:
        """For each place that somebody sees, by each who does: the weights of listed stacks, and that of all others."""
        seen: dict[Place, list[tuple[dict[Stack, float], float]]] = {}
        for one in self.readings:
            for place in self.places:
                reading = one.at(place)
                if not reading.hidden and reading.chances:
                    known = {chance.stack: log(max(chance.likelihood, LIKELIHOOD_FLOOR)) for chance in reading.chances}
                    seen.setdefault(place, []).append((known, log(unlisted_likelihood(reading))))
        return {place: seen[place] for place in self.places if place in seen}

    @cached_property
    def _unlisted(self) -> dict[Place, float]:
        return {place: sum(unlisted for _, unlisted in seen) for place, seen in self._seen.items()}

    @property
    def hidden(self) -> tuple[Place, ...]:
        """The places that nobody sees."""
        return tuple(place for place in self.places if place not in self.weights)

    @property
    def hand(self) -> bool:
        """Whether a witness saw a hand over the board."""
        return any(reading.hand for reading in self.readings)

    def weight(self, place: Place, stack: Stack) -> float:
        """Gets the weight of a stack at a place; 0 when nobody sees the place."""
        stacks = self.weights.get(place)
        return 0.0 if stacks is None else stacks.get(stack, self._unlisted[place])

    def weight_of(self, board: Placement | Position) -> float:
        """Gets the weight of a whole board."""
        stacks = board if isinstance(board, Placement) else board.placement()
        return sum(self.weight(place, stacks.at(place)) for place in self.weights)

    @cached_property
    def best(self) -> Placement:
        """What is most likely at every place that is seen, each taken for itself; hidden places are left empty."""
        return Placement({place: max(stacks, key=lambda s: stacks[s]) for place, stacks in self.weights.items()})

    def shows(self, board: Placement | Position) -> bool:
        """Whether every point is seen, and no stack at any place that is seen is likelier than the board's."""
        if any(place.kind is PlaceKind.POINT for place in self.hidden):
            return False
        return all(gap < ROUNDING for gap in self.gaps(board).values())

    def vouches_for(self, board: Placement | Position, known_before: bool = False) -> bool:
        """Whether a board is what was seen, and no other could be.

        ``known_before``: the board followed by the rules from one that was known for sure; what lies under other
        checkers is known then, although nobody sees it.
        """
        return self.shows(board) and (known_before or not self.leaves_open(board))

    def leaves_open(self, board: Placement | Position) -> bool:
        """Whether other stacks may be there as well as the board's at some place: of checkers that lie under others, or
        of a stack that could not be counted well."""
        return bool(self.open_places(board))

    def open_places(self, board: Placement | Position) -> tuple[Place, ...]:
        """Gets the places that are seen and where other stacks may be as well as the board's."""
        return tuple(
            place
            for place, stacks in self.weights.items()
            if any(
                stack != board.at(place) and weight > self.weight(place, board.at(place)) - OPEN_ODDS
                for stack, weight in stacks.items()
            )
        )

    def gaps(self, board: Placement | Position) -> dict[Place, float]:
        """Gets, for the places that speak against a board, by how much the best stack there outweighs the board's."""
        gaps = {
            place: max(stacks.values()) - self.weight(place, board.at(place)) for place, stacks in self.weights.items()
        }
        return {place: gap for place, gap in gaps.items() if gap > 0}


def unlisted_likelihood(reading: PlaceReading) -> float:
    """Gets how likely a stack is that a reading of a place does not list."""
    left = 1 - sum(chance.likelihood for chance in reading.chances)
    return max(left / UNLISTED_STACKS, LIKELIHOOD_FLOOR)


def combined(readings: Mapping[Witness, BoardReading], places: tuple[Place, ...]) -> Evidence:
    """Gets what all witnesses together saw.

    Where the camera sees a checker between two points, the sensors say nothing of either: it lies over no slot of them.
    """
    return _combined(_Seen(tuple(readings.items())), places)


class _Seen:
    """Readings that are the same as others if they are the very same: comparing them costs more than weighing them."""

    __slots__ = ("_key", "readings")

    def __init__(self, readings: tuple[tuple[Witness, BoardReading], ...]) -> None:
        self.readings = readings
        self._key = tuple(id(reading) for _, reading in readings)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Seen) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@lru_cache(maxsize=32)
def _combined(kept: _Seen, places: tuple[Place, ...]) -> Evidence:
    readings = dict(kept.readings)
    seen = {witness: readings[witness] for witness in Witness if witness in readings}
    if len(seen) > 1 and (between := between_two(seen[Witness.CAMERA])):
        sensed = seen[Witness.SENSORS]
        left = tuple(reading for reading in sensed.places if reading.place not in between)
        seen[Witness.SENSORS] = replace(sensed, places=left)
    return Evidence(tuple(seen.values()), places)


def between_two(reading: BoardReading) -> set[Place]:
    """Gets the points beside each other of which a reading cannot tell on which of the two a checker counts."""
    loose = {one.place.number: seat for one in reading.places if (seat := _loose(one)) is not None}
    pairs = [(number, number + 1) for number in loose if loose.get(number + 1) is loose[number] and number % 6]
    return {Place(PlaceKind.POINT, number) for pair in pairs for number in pair}


def _loose(reading: PlaceReading) -> Seat | None:
    """Gets whose checker may as well lie at a point as not, on top of what else lies there.

    How many lie in a stack that is taller than its row is a matter of counting, and not of where one lies.
    """
    if reading.place.kind is not PlaceKind.POINT or reading.hidden or len(reading.chances) <= 1:
        return None
    first, second, *_ = reading.chances
    less, more = sorted((first.stack, second.stack), key=len)
    alike = first.likelihood < AS_LIKELY * second.likelihood
    return more[-1] if alike and more[:-1] == less and more and len(more) <= IN_A_ROW else None


def weigh_graph(evidence: Evidence, graph: MoveGraph) -> dict[Position, float]:
    """Gets the weight of every position of a turn.

    Only the places that a move touches are weighed again: its source, its target and the bar of a checker that is hit.
    """
    weights = {graph.start: evidence.weight_of(graph.start)}
    open_positions = [graph.start]
    while open_positions:
        position = open_positions.pop()
        for move, result in graph.steps[position].onward:
            if result in weights:
                continue
            touched = {move.source, move.target} | ({bar(move.hit)} if move.hit is not None else set())
            change = sum(
                evidence.weight(place, result.at(place)) - evidence.weight(place, position.at(place))
                for place in touched
            )
            weights[result] = weights[position] + change
            open_positions.append(result)
    return weights


def best_board(
    game: Game, evidence: Evidence, expected: Placement, material_odds: float = MATERIAL_ODDS
) -> tuple[Placement, float]:
    """Gets the board that fits the evidence best whatever the rules of play say, and its weight.

    Boards that keep every checker of every seat are preferred to others by ``material_odds``. Hidden places are
    filled with what should be there, or what conservation leaves for them.
    """
    kept = _best_conserved(game, evidence, expected)
    seen = evidence.best
    free = Placement({**seen, **{place: expected.at(place) for place in evidence.hidden}})
    free_weight = evidence.weight_of(free)
    if any(free.total(seat) != game.checkers_a_seat for seat in game.seats):
        free_weight -= material_odds
    if kept is not None and kept[1] >= free_weight:
        return kept
    return free, free_weight


def whole_board(
    game: Game, evidence: Evidence, least_weight: float, expected: Placement | None = None
) -> Placement | None:
    """Gets the board with all checkers of every seat that fits the evidence best; None when none reaches a weight.

    ``expected``: what should be at the hidden places; by default nothing.
    """
    kept = _best_conserved(game, evidence, evidence.best if expected is None else expected)
    return kept[0] if kept is not None and kept[1] >= least_weight else None


def _best_conserved(game: Game, evidence: Evidence, expected: Placement) -> tuple[Placement, float] | None:
    """Gets the best board with all checkers of every seat; None when what was listed for the places allows none."""
    whole = game.checkers_a_seat
    unlike = {place for place, gap in evidence.gaps(expected).items() if gap >= ROUNDING}
    free = {place: evidence.best.at(place) if place in unlike else expected.at(place) for place in evidence.places}
    if all(sum(stack.count(seat) for stack in free.values()) == whole for seat in game.seats):
        board = Placement(free)
        return board, evidence.weight_of(board)
    # Dynamic programming over the places: the best way to have spent so many checkers of every seat so far. How many
    # of each is packed into one number, eight bits a seat; one too many carries into the highest of them.
    packed = {seat: 1 << 8 * number for number, seat in enumerate(game.seats)}
    left, too_many = (sum(value * one for one in packed.values()) for value in (127 - whole, 128))
    table: dict[int, tuple[float, tuple[Stack, ...]]] = {0: (0.0, ())}
    for place in evidence.places:
        longer: dict[int, tuple[float, tuple[Stack, ...]]] = {}
        options = [
            (sum(packed[seat] for seat in stack), stack, weight)
            for stack, weight in _options(game, evidence, place, expected.at(place))
        ]
        best = max(weight for weight, _ in table.values())
        for spent, (weight, stacks) in table.items():
            if weight < best - _BEAM:
                continue
            for count, stack, stack_weight in options:
                total = spent + count
                if (total + left) & too_many:
                    continue
                sum_weight = weight + stack_weight
                known = longer.get(total)
                if known is None or sum_weight > known[0]:
                    longer[total] = (sum_weight, (*stacks, stack))
        if not longer:
            return None
        table = longer
    found = table.get(sum(whole * one for one in packed.values()))
    if found is None:
        return None
    return Placement(dict(zip(evidence.places, found[1], strict=True))), found[0]


def _options(game: Game, evidence: Evidence, place: Place, expected: Stack) -> Iterator[tuple[Stack, float]]:
    seen = evidence.weights.get(place)
    # What was expected comes first: of stacks that look alike it is the one that is taken.
    yield expected, evidence.weight(place, expected)
    if seen is not None:
        yield from ((stack, weight) for stack, weight in seen.items() if stack != expected)
        return
    for seat in holders(game, place):
        for count in range(game.checkers_a_seat + 1):
            stack = (seat,) * count
            if stack != expected:
                yield stack, -UNSEEN_SHIFT * _moved(stack, expected)


def _moved(stack: Stack, expected: Stack) -> int:
    seats = {*stack, *expected}
    return sum(abs(stack.count(seat) - expected.count(seat)) for seat in seats)


def holders(game: Game, place: Place) -> tuple[Seat, ...]:
    """Gets the seats whose checkers belong at a place."""
    return game.seats if place.kind is PlaceKind.POINT or place.seat is None else (place.seat,)


def cheapest_loss(evidence: Evidence, board: Placement) -> float:
    """Gets how much weight the next best board loses that lacks one checker on a point or the bar: from a tall stack
    one may be taken off the board without anybody seeing it. Infinite when nothing that is seen holds any."""
    return min(
        (
            evidence.weight(place, board.at(place)) - evidence.weight(place, board.at(place)[:-1])
            for place in evidence.weights
            if place.kind in (PlaceKind.POINT, PlaceKind.BAR) and board.at(place)
        ),
        default=inf,
    )


def cheapest_gain(game: Game, evidence: Evidence, board: Placement) -> float:
    """Gets the same of the next best board that has one checker more there: put on a stack that is hardly counted."""
    return min(
        (
            evidence.weight(place, board.at(place)) - evidence.weight(place, (*board.at(place), seat))
            for place in evidence.weights
            if place.kind in (PlaceKind.POINT, PlaceKind.BAR)
            for seat in ({*board.at(place)} or holders(game, place))
        ),
        default=inf,
    )


def cheapest_exchange(
    game: Game, evidence: Evidence, board: Placement, but_not: Iterable[Placement | Position]
) -> float:
    """Gets how much weight the next best board loses that differs at two places and keeps every checker.

    One of the two may be a hidden place, where any change costs nothing. Boards of ``but_not`` do not count. Infinite
    when what was listed allows no such board.
    """
    excluded = {_stacks(other, evidence.places) for other in but_not}
    changes = [
        (evidence.weight(place, board.at(place)) - weight, place, stack)
        for place, stacks in evidence.weights.items()
        for stack, weight in stacks.items()
        if stack != board.at(place)
    ]
    unseen = [
        (0.0, place, (seat,) * count)
        for place in evidence.hidden
        for seat in holders(game, place)
        for count in range(len(board.at(place)) + 3)
        if (seat,) * count != board.at(place)
    ]
    by_difference: dict[frozenset[tuple[Seat, int]], list[tuple[float, Place, Stack]]] = {}
    for change in sorted((*unseen, *changes), key=lambda change: change[0]):
        _, place, stack = change
        by_difference.setdefault(frozenset(_difference(board.at(place), stack).items()), []).append(change)
    cheapest = inf
    for cost, place, stack in changes:
        opposite = frozenset(_difference(stack, board.at(place)).items())
        for other_cost, other_place, other_stack in by_difference.get(opposite, ()):
            if cost + other_cost >= cheapest:
                break
            if other_place == place:
                continue
            if _stacks(board.replaced({place: stack, other_place: other_stack}), evidence.places) not in excluded:
                cheapest = cost + other_cost
    return cheapest


def _difference(here: Stack, there: Stack) -> dict[Seat, int]:
    counts = {seat: there.count(seat) - here.count(seat) for seat in {*here, *there}}
    return {seat: count for seat, count in counts.items() if count}


def _stacks(board: Placement | Position, places: Sequence[Place]) -> tuple[Stack, ...]:
    return tuple(board.at(place) for place in places)
