"""Every position on the way of a turn's legal plays, for any game whose numbers may be played in any order.

A turn binds the mover to play as many numbers as possible, and the larger one if only one can be played. Both follow
from one search: how many of the numbers left can still be played from a position, and which first moves keep that
many.
"""

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from boardctl.rules.game import Move, MoveGraph, Position, Step

Singles = Callable[[Position, int], Sequence[tuple[Move, Position]]]
"""Every move of one checker by one number, and the position after it."""


def turn_graph(start: Position, numbers: Sequence[int], singles: Singles) -> MoveGraph:
    """Gets the positions that legal plays of ``numbers`` pass through.

    Some positions are reached with different numbers (a checker borne off with a five or with a six). They are one
    step of the graph: a hand that moves checkers does not say which number it plays, so a play is legal when one way
    to its position is.
    """
    reach: dict[tuple[Position, tuple[int, ...]], int] = {}
    longest = partial(_longest, singles=singles, reach=reach)
    total = longest(start, tuple(numbers))
    binding = max(numbers)
    larger_only = total == 1 and len(set(numbers)) > 1 and bool(singles(start, binding))
    onward: dict[Position, dict[tuple[Move, Position], None]] = {}
    used: dict[Position, tuple[int, ...]] = {start: ()}
    complete: set[Position] = set()
    seen = {(start, tuple(numbers))}
    queue: deque[tuple[Position, tuple[int, ...], tuple[int, ...]]] = deque([(start, tuple(numbers), ())])
    while queue:
        position, left, played = queue.popleft()
        moves = onward.setdefault(position, {})
        depth = longest(position, left)
        if depth == 0:
            complete.add(position)
            continue
        for number in [binding] if larger_only else dict.fromkeys(left):
            rest = without(left, number)
            for move, result in singles(position, number):
                if longest(result, rest) != depth - 1:
                    continue
                moves[move, result] = None
                used.setdefault(result, (*played, number))
                if (result, rest) not in seen:
                    seen.add((result, rest))
                    queue.append((result, rest, (*played, number)))
    return MoveGraph(
        start,
        {
            position: Step(tuple(moves), complete=position in complete, used=used[position])
            for position, moves in onward.items()
        },
    )


def without(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Gets the numbers that are left when one of them has been played."""
    at = numbers.index(number)
    return numbers[:at] + numbers[at + 1 :]


def _longest(
    position: Position,
    left: tuple[int, ...],
    *,
    singles: Singles,
    reach: dict[tuple[Position, tuple[int, ...]], int],
) -> int:
    """Gets how many of the numbers left can be played from a position; ``reach`` remembers what was found."""
    known = reach.get((position, left))
    if known is not None:
        return known
    most = 0
    for number in dict.fromkeys(left):
        rest = without(left, number)
        for _, result in singles(position, number):
            most = max(most, 1 + _longest(result, rest, singles=singles, reach=reach))
            if most == len(left):
                break
    reach[position, left] = most
    return most
