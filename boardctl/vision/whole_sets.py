"""What the other places tell of one: a seat has so many checkers in all, and what is seen elsewhere is not here.

A row with a second layer can hardly be counted from above; but when everything else is seen well, it holds the rest. A
board need not be whole: a checker may lie on the floor, or a position be laid out for study. That is a chance beside
the others, and what is seen well is not overruled.

Only for a picture that stands alone. At the table the referee weighs whole boards, and wants each place as it was seen.
"""

from dataclasses import replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, PlaceReading, StackChance
from boardctl.rules import PlaceKind, Seat
from boardctl.vision.frame import FrameReading
from boardctl.vision.hands import is_explained
from boardctl.vision.points import LEAST_LIKELY, SEATS

Floats = NDArray[np.float64]

WHOLE = 0.98
"""How often the checkers of a seat are all on the board and in the trays: one board in fifty is taken not to be whole,
and then to hold any other number."""

OPEN, LEAST_SHARE = 0.9, 0.05
"""Most that is said of what lies at a place that nothing explains, and the least share of that which either seat and
nothing at all have in it: whose it is, is told by the little that was seen."""


def with_whole_sets(reading: FrameReading, checkers: int) -> FrameReading:
    """Gets the reading of a picture in which each seat has so many ``checkers``, as a rule; 0: nobody knows.

    Hidden places stay hidden; they may hold any number. What most likely lies there is told of points, as of such as
    nothing explains.
    """
    if checkers == 0:
        return reading
    unsaid = () if reading.memory.board is None else reading.memory.board.points.unsaid
    return replace(reading, board=weighed_by_sets(reading.board, checkers, unsaid))


def weighed_by_sets(board: BoardReading, checkers: int, unsaid: tuple[PlaceReading, ...] = ()) -> BoardReading:
    """Gets the reading of a board, all of whose places were looked at, on which each seat has so many ``checkers``.

    ``unsaid``: what little was seen at places of which the board says nothing.
    """
    little = {place.place: place for place in unsaid}
    looked_at = (place if place.chances else little.get(place.place, place) for place in board.places)
    opened = replace(board, places=tuple(_opened(place, checkers, board.hand) for place in looked_at))
    told = _told(opened, checkers).tolist()
    places = []
    for seen, place, of_seats in zip(board.places, opened.places, told, strict=True):
        if place.hidden and place.place.kind is not PlaceKind.POINT:
            places.append(place)
            continue
        place = _partly_seen(place, checkers) if place.hidden else place
        factors = [
            prod(
                by_count[min(chance.stack.count(seat), checkers)]
                for seat, by_count in zip(SEATS, of_seats, strict=True)
            )
            for chance in place.chances
        ]
        unlisted = max(0.0, 1 - sum(chance.likelihood for chance in place.chances))
        anything = unlisted * prod(sum(by_count) / len(by_count) for by_count in of_seats)
        places.append(_weighed(place, factors, anything, 1.0 if place is seen else OPEN))
    return replace(board, places=tuple(places))


def _opened(place: PlaceReading, checkers: int, hand: bool) -> PlaceReading:
    """Gets a place that nothing explains as one at which any number may lie, and each as likely. So is a tray that is
    hidden though there is no ``hand``: what stands in it is not counted."""
    uncounted = place.hidden and place.place.kind is PlaceKind.TRAY and not hand
    if not uncounted and (place.hidden or is_explained(place)):
        return place
    return replace(place, chances=_any_number(place, checkers), hidden=False)


def _partly_seen(place: PlaceReading, checkers: int) -> PlaceReading:
    """Gets a hidden point with any number of checkers where what is seen of it does not tell."""
    likely = {chance.stack: chance.likelihood for chance in place.chances}
    covered = max(0.0, 1 - sum(likely.values()))
    for chance in _any_number(place, checkers):
        likely[chance.stack] = likely.get(chance.stack, 0.0) + covered * chance.likelihood
    return replace(place, chances=tuple(StackChance(stack, chance) for stack, chance in likely.items()))


def _any_number(place: PlaceReading, checkers: int) -> tuple[StackChance, ...]:
    """Gets chances of nothing and of any number of checkers, all as likely; of whose, by what was seen of them."""
    seen = sum(chance.likelihood for chance in place.chances)
    able = [seat for seat in SEATS if place.place.seat in (None, seat)]
    shares = dict.fromkeys((None, *able), LEAST_SHARE)
    for chance in place.chances:
        shares[chance.stack[-1] if chance.stack else None] += chance.likelihood / seen
    whole = sum(shares.values())
    chances = [StackChance((), OPEN * shares[None] / whole)]
    for seat in able:
        each = OPEN * shares[seat] / whole / checkers
        chances += [StackChance((seat,) * count, each) for count in range(1, checkers + 1)]
    return tuple(chances)


def _weighed(place: PlaceReading, factors: list[float], anything: float, most: float) -> PlaceReading:
    weights = [chance.likelihood * factor for chance, factor in zip(place.chances, factors, strict=True)]
    share = most / (sum(weights) + anything)
    chances = [StackChance(each.stack, weight * share) for each, weight in zip(place.chances, weights, strict=True)]
    listed = sorted((each for each in chances if each.likelihood >= LEAST_LIKELY), key=lambda each: -each.likelihood)
    return replace(place, chances=tuple(listed))


def _told(board: BoardReading, checkers: int) -> Floats:
    """Gets for each place and each seat how likely what is seen elsewhere is, were 0, 1, ... of its checkers there
    (places x seats x counts)."""
    counts = np.array([[_counts(place, seat, checkers) for seat in SEATS] for place in board.places])
    # From the first place on and from the last one back: two rows of the same sums, worked out side by side.
    both_ways = np.stack([counts, counts[::-1]], axis=1)
    sums = np.zeros_like(both_ways)
    sums[0, ..., 0] = 1.0
    for place, added in enumerate(_adding(both_ways[:-1]), start=1):
        sums[place] = (sums[place - 1][..., None, :] @ added)[..., 0, :]
    rest = (sums[:, 0, :, None, :] @ _adding(sums[::-1, 1]))[..., 0, :]
    return np.asarray(WHOLE * rest[..., ::-1] + (1 - WHOLE) / (checkers + 1), dtype=np.float64)


def _counts(place: PlaceReading, seat: Seat, checkers: int) -> list[float]:
    """Gets how likely each number of checkers of a seat lies at a place; what is not listed is any number."""
    counts = [0.0] * (checkers + 1)
    for chance in place.chances:
        counts[min(chance.stack.count(seat), checkers)] += chance.likelihood
    unlisted = max(0.0, 1 - sum(counts)) / (checkers + 1)
    return [count + unlisted for count in counts]


def _adding(counts: Floats) -> Floats:
    """Gets of chances of 0, 1, ... (... x N) the matrices (... x N x N) that bring the chances of another number to
    those of the sum of both; sums over all checkers are left out."""
    size = counts.shape[-1]
    further = np.arange(size) - np.arange(size)[:, None]
    return np.where(further >= 0, counts[..., np.maximum(further, 0)], 0.0)
