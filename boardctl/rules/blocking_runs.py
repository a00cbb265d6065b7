"""Plays of one number again and again, as doubles are played in the Blocking games, found with bit masks.

Nobody is hit and the other side's checkers stay where they are, so every play can be made from the hindmost checker to
the foremost, and that order is the only one for its result: each result is found once. Where a checker that leaves
gives its point back to the other side, all who were to land there have landed before. A position on the way is a mask
of the points from which a checker may leave; the stacks are only built for the plays that turn out to be the longest.
"""

from collections.abc import Sequence
from dataclasses import dataclass

_WAITING = 25  # the place from which a checker enters, in the mover's own count
_OUTSIDE = 1 << 7  # a mask of own places at or above it has a checker outside the home board


@dataclass(frozen=True, slots=True)
class Side:
    """A position as its mover sees it: places 1 to 24 are the own points, 25 is where checkers wait, 0 is the tray."""

    free: Sequence[int]  # by place: how many own checkers lie on top there, one above the other
    own: Sequence[int]  # by place: how many own checkers lie there, covered ones too
    open_points: int  # mask of the points where the mover may land
    entry_first: bool  # nothing moves while a checker waits
    covered_count: bool  # covered checkers count as checkers in the bear-off


def longest_runs(side: Side, number: int, times: int) -> list[tuple[int, ...]]:
    """Gets the longest plays of ``number``, at most ``times`` of it: the places that its moves start from, in order."""
    free, own = list(side.free), list(side.own)
    longest: list[list[tuple[int, ...]]] = [[] for _ in range(times + 1)]  # by how many moves there are

    def run_on(leaving: int, occupied: int, at_most: int, way: tuple[int, ...]) -> None:
        sources = _sources(side, leaving, occupied, number) & (2 << at_most) - 1
        found = longest[len(way) + 1]
        while sources:
            source = sources.bit_length() - 1
            sources ^= 1 << source
            target = source - number
            run = (*way, source)
            found.append(run)
            if len(run) == times:
                continue
            free[source] -= 1
            own[source] -= 1
            leaving_now = leaving if free[source] else leaving ^ 1 << source
            occupied_now = occupied if own[source] else occupied ^ 1 << source
            if target > 0:
                free[target] += 1
                own[target] += 1
                leaving_now |= 1 << target
                occupied_now |= 1 << target
            run_on(leaving_now, occupied_now, source, run)
            free[source] += 1
            own[source] += 1
            if target > 0:
                free[target] -= 1
                own[target] -= 1

    run_on(_mask(side.free), _mask(side.own), _WAITING, ())
    return next((runs for runs in reversed(longest) if runs), [()])


def _sources(side: Side, leaving: int, occupied: int, number: int) -> int:
    """Gets the mask of the places from which ``number`` can be moved."""
    movable = leaving & side.open_points << number
    if occupied >= _OUTSIDE:
        return movable & 1 << _WAITING if side.entry_first and occupied >> _WAITING else movable
    counted = occupied if side.covered_count else leaving
    if counted >> number == 0:
        # No checker on the point of that number or above: the foremost of the others may go.
        return leaving & 1 << counted.bit_length() - 1 if counted else 0
    return movable | leaving & 1 << number


def _mask(counts: Sequence[int]) -> int:
    return sum(1 << place for place, count in enumerate(counts) if count and place)
