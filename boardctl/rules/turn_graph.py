"""Every position on the way of a turn's legal plays, for any game whose numbers may be played in any order.

A turn binds the mover to play as many numbers as possible, and the larger one if only one can be played. Both follow
from one search: how many of the numbers left can still be played from a position, and which first moves keep that
many.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from boardctl.rules.game import Move, MoveGraph, Play, Position, Step

Singles = Callable[[Position, int], Sequence[tuple[Move, Position]]]
"""Every move of one checker by one number, and the position after it."""

_Numbers = tuple[int, ...]


class TurnSearch:
    """The search of one turn. It remembers what it found, so its graph and its plays come from one search.

    ``ended`` says whether a position ends the turn however many numbers are left. A ``greedy`` turn binds the mover
    only to go on while any number left can be played.
    """

    def __init__(
        self,
        start: Position,
        numbers: Sequence[int],
        singles: Singles,
        *,
        ended: Callable[[Position], bool] = lambda _: False,
        greedy: bool = False,
    ) -> None:
        self._start = start
        self._numbers = tuple(numbers)
        self._make_singles = singles
        self._ended = ended
        self._greedy = greedy
        self._singles: dict[tuple[Position, int], Sequence[tuple[Move, Position]]] = {}
        self._most: dict[tuple[Position, _Numbers], int] = {}

    def graph(self) -> MoveGraph:
        """Gets the positions that legal plays pass through.

        Some positions are reached with different numbers (a checker borne off with a five or with a six). They are one
        step of the graph: a hand that moves checkers does not say which number it plays, so a play is legal when one
        way to its position is.
        """
        onward: dict[Position, dict[tuple[Move, Position], None]] = {}
        used: dict[Position, _Numbers] = {}
        complete: set[Position] = set()
        for position, way, moves in self._walk():
            used.setdefault(position, tuple(move.number for move in way))
            onward.setdefault(position, {}).update(dict.fromkeys(moves))
            if not moves:
                complete.add(position)
        steps = {at: Step(tuple(moves), complete=at in complete, used=used[at]) for at, moves in onward.items()}
        return MoveGraph(self._start, steps)

    def plays(self) -> list[Play]:
        """Gets one complete play for each position that can result: the way found first, higher numbers first."""
        found: dict[Position, Play] = {}
        for position, way, moves in self._walk():
            if not moves and position not in found:
                found[position] = Play(way, position)
        return list(found.values())

    def _walk(self) -> Iterator[tuple[Position, tuple[Move, ...], list[tuple[Move, Position]]]]:
        """Gets each position with the numbers left there once: it, a way to it, and the legal moves from it."""
        seen = {(self._start, self._numbers)}
        queue: deque[tuple[Position, _Numbers, tuple[Move, ...]]] = deque([(self._start, self._numbers, ())])
        binding = self._binding_numbers()
        while queue:
            position, left, way = queue.popleft()
            moves: list[tuple[Move, Position]] = []
            for number in dict.fromkeys(left if way else binding):
                rest = without(left, number)
                for move, result in self._legal(position, left, number, rest):
                    moves.append((move, result))
                    if (result, rest) not in seen:
                        seen.add((result, rest))
                        queue.append((result, rest, (*way, move)))
            yield position, way, moves

    def _binding_numbers(self) -> _Numbers:
        """Gets the numbers a turn may start with: only the larger one when no more than one can be played."""
        larger = max(self._numbers)
        if self._greedy or self._most_from(self._start, self._numbers) != 1 or not self._moves(self._start, larger):
            return self._numbers
        return (larger,)

    def _legal(
        self, position: Position, left: _Numbers, number: int, rest: _Numbers
    ) -> Iterator[tuple[Move, Position]]:
        if self._greedy or not rest:  # whatever plays the last number is legal
            yield from self._moves(position, number)
            return
        most = self._most_from(position, left)
        for move, result in self._moves(position, number):
            if 1 + self._most_from(result, rest) == most:
                yield move, result

    def _moves(self, position: Position, number: int) -> Sequence[tuple[Move, Position]]:
        known = self._singles.get((position, number))
        if known is None:
            known = () if self._ended(position) else self._make_singles(position, number)
            self._singles[position, number] = known
        return known

    def _most_from(self, position: Position, left: _Numbers) -> int:
        """Gets how many of the numbers left can be played from a position; all, where the turn has ended."""
        if not left:
            return 0
        known = self._most.get((position, left))
        if known is not None:
            return known
        most = len(left) if self._ended(position) else self._most_onward(position, left)
        self._most[position, left] = most
        return most

    def _most_onward(self, position: Position, left: _Numbers) -> int:
        most = 0
        for number in dict.fromkeys(left):
            rest = without(left, number)
            for _, result in self._moves(position, number):
                most = max(most, 1 + self._most_from(result, rest))
                if most == len(left):
                    return most
        return most


def without(numbers: _Numbers, number: int) -> _Numbers:
    """Gets the numbers that are left when one of them has been played."""
    at = numbers.index(number)
    return numbers[:at] + numbers[at + 1 :]
