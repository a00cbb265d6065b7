"""What the other places tell of one: a seat has so many checkers in all, and what is seen elsewhere is not here.

A row with a second layer can hardly be counted from above; but when everything else is seen well, it holds the rest. A
board need not be whole: a checker may lie on the floor, or a position be laid out for study. That is a chance beside
the others, and what is seen well is not overruled.

Only for a picture that stands alone. At the table the referee weighs whole boards, and wants each place as it was seen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, PlaceReading, StackChance
from boardctl.rules import Place, PlaceKind, Seat, Stack, tray
from boardctl.vision.frame import FrameReading
from boardctl.vision.points.hands import is_explained
from boardctl.vision.points.partly_seen import ONE_MORE_UNSEEN, PartlySeen, partly_seen
from boardctl.vision.points.reading import SEATS
from boardctl.vision.points.row_counts import LEAST_LIKELY
from boardctl.vision.trays.bearing_off import HOMES, NOTHING_BORNE_OFF, Homes, ways_to_bear_off

Floats = NDArray[np.float64]
Number = TypeVar("Number", np.float64, np.complex128)

WHOLE = 0.98
"""How often the checkers of a seat are all on the board and in the trays: one board in fifty is taken not to be whole,
and then to hold any other number."""

OPEN, LEAST_SHARE = 0.9, 0.05
"""Most that is said of what lies at a place that nothing explains, and the least share of that which either seat and
nothing at all have in it: whose it is, is told by the little that was seen."""

NOTHING_COVERED: Mapping[Place, PartlySeen] = {}

ONE_MORE_ON_BAR = 0.22
"""How often a seat's bar that holds so many checkers, from none on, holds one more (positions of games, as for
:data:`~boardctl.vision.points.partly_seen.ONE_MORE_UNSEEN`: 0.22 to 0.28)."""


def with_whole_sets(reading: FrameReading, checkers: int) -> FrameReading:
    """Gets the reading of a picture in which each seat has so many ``checkers``, as a rule; 0: nobody knows.

    Hidden places stay hidden; they may hold any number. What most likely lies there is told of points, as of such as
    nothing explains.
    """
    if checkers == 0:
        return reading
    if reading.memory.board is None:
        return replace(reading, board=weighed_by_sets(reading.board, checkers))
    points = reading.memory.board.points
    return replace(reading, board=weighed_by_sets(reading.board, checkers, points.unsaid, partly_seen(points.covered)))


def unseen_tray(seat: Seat, checkers: int) -> PlaceReading:
    """Gets the reading of a tray into which nobody looked: with as many of ``checkers`` as usually lie there."""
    held = _usual(tray(seat), checkers).sum(axis=1 if seat is Seat.A else 0)
    return PlaceReading(tray(seat), tuple(StackChance((seat,) * count, chance) for count, chance in enumerate(held)))


def weighed_by_sets(
    board: BoardReading,
    checkers: int,
    unsaid: tuple[PlaceReading, ...] = (),
    partly: Mapping[Place, PartlySeen] = NOTHING_COVERED,
    homes: Homes = HOMES,
) -> BoardReading:
    """Gets the reading of a board, all of whose places were looked at, on which each seat has so many ``checkers``.

    ``unsaid``: what little was seen at places of which the board says nothing; ``partly``: what may lie on points over
    which a hand may lie; ``homes``: which quarters may be a seat's home. A board of which no place was looked at is
    given back as it is.
    """
    if not board.places:
        return board
    little = {place.place: place for place in unsaid}
    looked_at = (place if place.chances else little.get(place.place, place) for place in board.places)
    opened = tuple(_opened(place, checkers, board.hand, partly.get(place.place)) for place in looked_at)
    counts = _counted(opened, checkers)
    likely = np.zeros_like(counts)
    for way in ways_to_bear_off([place.place for place in opened], counts, homes):
        likely += way * _told_by_others(way)
    likely /= likely.sum(axis=(1, 2), keepdims=True)
    places = []
    for seen, place, of_place in zip(board.places, opened, likely, strict=True):
        if place.hidden and place.place.kind is not PlaceKind.POINT:
            places.append(place)
            continue
        weighed = _weighed(place, of_place, 1.0 if place is seen else OPEN)
        if place.place in partly:
            weighed = replace(weighed, hidden=partly[place.place].is_hidden(weighed.chances))
        # With a hand over the board any number may lie elsewhere: what was seen with doubt is not surer for it.
        places.append(weighed.at_most(_as_seen(place)) if board.hand and place is seen else weighed)
    return replace(board, places=tuple(places))


def _as_seen(place: PlaceReading) -> float:
    """Gets how sure a place may be that is told with nothing but what is seen of it."""
    return max(OPEN, place.likeliest.likelihood if place.likeliest else 0.0)


def _opened(place: PlaceReading, checkers: int, hand: bool, partly: PartlySeen | None) -> PlaceReading:
    """Gets a place that nothing explains as one at which any number may lie, and each as likely. So is a tray that is
    hidden though there is no ``hand``: what stands in it is not counted. What may lie on a covered point is ``partly``
    seen, or what is usual."""
    if partly is not None:
        return replace(place, chances=partly.chances)
    if place.hidden and place.place.kind is PlaceKind.POINT:
        return _with_usual(place, checkers)
    uncounted = place.hidden and place.place.kind is PlaceKind.TRAY and not hand
    if not uncounted and (place.hidden or is_explained(place)):
        return place
    return replace(place, chances=_any_number(place, checkers), hidden=False)


def _with_usual(place: PlaceReading, checkers: int) -> PlaceReading:
    """Gets a hidden point with what usually lies there where what is seen of it does not tell."""
    likely = {chance.stack: chance.likelihood for chance in place.chances}
    usual = _unlisted(place) * _usual(place.place, checkers)
    for of_a, of_b in np.argwhere(usual).tolist():
        stack = (Seat.A,) * of_a + (Seat.B,) * of_b
        likely[stack] = likely.get(stack, 0.0) + float(usual[of_a, of_b])
    return replace(place, chances=tuple(StackChance(stack, chance) for stack, chance in likely.items()))


def _unlisted(place: PlaceReading) -> float:
    """Gets how likely none of the stacks that are listed lies at a place."""
    return max(0.0, 1 - sum(chance.likelihood for chance in place.chances))


def _is_seen_to_hold(place: PlaceReading) -> bool:
    """Whether a point is not hidden, and only stacks are listed for it: none of 239 such ones of which nine tenths and
    less are listed was bare (rendered, drawn and traced boards of twelve sets, things on some of them)."""
    is_seen = place.place.kind is PlaceKind.POINT and not place.hidden and bool(place.chances)
    return is_seen and all(chance.stack for chance in place.chances)


def _any_number(place: PlaceReading, checkers: int) -> tuple[StackChance, ...]:
    """Gets chances of nothing and of any number of checkers, all as likely; of whose, by what was seen of them. What is
    listed of a row on a point is as likely beside them as it was seen: of 55 such rows, not covered, of which seven
    tenths or less are listed, what lay there was (rendered, drawn and traced boards of eleven sets). Elsewhere a part
    is left for what is usual there."""
    seen = sum(chance.likelihood for chance in place.chances)
    able = [seat for seat in SEATS if place.place.seat in (None, seat)]
    shares = dict.fromkeys((None, *able), LEAST_SHARE)
    for chance in place.chances:
        shares[chance.stack[-1] if chance.stack else None] += chance.likelihood / seen
    is_row = place.place.kind is PlaceKind.POINT
    listed = place.chances if is_row else ()
    rest = ((1.0 if is_row else OPEN) - sum(chance.likelihood for chance in listed)) / sum(shares.values())
    likely: dict[Stack, float] = {(): rest * shares[None]}
    for seat in able:
        likely |= {(seat,) * count: rest * shares[seat] / checkers for count in range(1, checkers + 1)}
    for chance in listed:
        likely[chance.stack] = likely.get(chance.stack, 0.0) + chance.likelihood
    return tuple(StackChance(stack, chance) for stack, chance in likely.items())


def _weighed(place: PlaceReading, likely: Floats, most: float) -> PlaceReading:
    """Gets a place with its stacks as ``likely`` as their numbers of A's checkers and of B's (counts x counts) are, all
    together at ``most``."""
    numbers = len(likely) - 1
    told = [(most * float(likely[_counts(each.stack, numbers)]), each.stack) for each in place.chances]
    listed = sorted((each for each in told if each[0] >= LEAST_LIKELY), key=lambda each: -each[0])
    return replace(place, chances=tuple(StackChance(stack, chance) for chance, stack in listed))


def _counted(places: Sequence[PlaceReading], checkers: int) -> Floats:
    """Gets how likely 0, 1, ... of A's checkers and 0, 1, ... of B's lie at each place (places x counts x counts): as
    is listed, and for the rest as is usual there; where a row is seen, and nothing lies over it, with some."""
    counts = np.stack([_usual(place.place, checkers) for place in places])
    counts[[_is_seen_to_hold(place) for place in places], 0, 0] = 0.0
    counts *= (np.array([_unlisted(place) for place in places]) / counts.sum(axis=(1, 2)))[:, None, None]
    for of_place, place in zip(counts, places, strict=True):
        for chance in place.chances:
            of_place[_counts(chance.stack, checkers)] += chance.likelihood
    return counts


def _told_by_others(counts: Floats) -> Floats:
    """Gets for each place how likely what is seen elsewhere is, were 0, 1, ... of A's checkers there and 0, 1, ... of
    B's, from how likely they are there (both places x counts x counts).

    Both seats together: a checker seen as the wrong seat's is one too many there and one too few here. ``counts`` may
    be a part of all that is likely (:func:`~boardctl.vision.trays.bearing_off.ways_to_bear_off`), and what is seen
    elsewhere is as likely as that part of it is.
    """
    size = counts.shape[-1]
    forth, back, forth_half, back_half = _roots(size)
    # Sums of chances are products of their generating functions (z-transforms).
    said = forth @ (counts @ forth_half)
    rest = np.maximum((back @ (_products_of_others(said) @ back_half)).real, 0.0)[:, ::-1, ::-1]
    other = (1 - WHOLE) / size
    of_either = rest.sum(axis=2, keepdims=True) + rest.sum(axis=1, keepdims=True)
    of_any = _products_of_others(counts.sum(axis=(1, 2)))[:, None, None]
    return np.asarray(WHOLE**2 * rest + WHOLE * other * of_either + other**2 * of_any, dtype=np.float64)


def _products_of_others(factors: NDArray[Number]) -> NDArray[Number]:
    """Gets for each of some factors (the first axis) the product of all others."""
    others = np.ones_like(factors)
    np.cumprod(factors[:-1], axis=0, out=others[1:])
    others[:-1] *= np.cumprod(factors[:0:-1], axis=0)[::-1]
    return others


@lru_cache(maxsize=64)
def _usual(place: Place, checkers: int) -> Floats:
    """Gets how likely so many checkers of A and so many of B lie at a place in positions of games (counts x counts)."""
    numbers = np.arange(checkers + 1)
    if place.kind is PlaceKind.TRAY:
        held = np.where(numbers == 0, NOTHING_BORNE_OFF, (1 - NOTHING_BORNE_OFF) / checkers)
    else:
        held = (ONE_MORE_ON_BAR if place.kind is PlaceKind.BAR else ONE_MORE_UNSEEN) ** numbers
    found = np.zeros((checkers + 1, checkers + 1))
    if place.seat is not Seat.B:
        found[:, 0] = held
    if place.seat is not Seat.A:
        found[0] = held
    if place.seat is None:
        found[0, 0] *= len(SEATS)
    return np.asarray(found / found.sum(), dtype=np.float64)


@lru_cache(maxsize=4)
def _roots(size: int) -> tuple[NDArray[np.complex128], ...]:
    """Gets the matrices that bring chances of 0, 1, ... (``size``) to their generating function's values at points on a
    circle, and back; and both turned, with the half of the circle that says all, for the second of two numbers.

    The circle is so small that sums beyond ``around``, which would be counted from 0 on again, come to nothing: to no
    more than a share of 6e-8.
    """
    around, radius, powers = max(24, 2 * -(-3 * size // 4)), 0.5, np.arange(size)
    turns = np.exp(2j * np.pi * np.outer(np.arange(around), powers) / around)
    forth, back = turns * radius**powers, (turns.conj() / around / radius**powers).T
    weights = np.array([1.0, *[2.0] * (around // 2 - 1), 1.0])
    half = len(weights)
    return forth, back, forth[:half].T, back[:, :half].T * weights[:, None]


def _counts(stack: Stack, checkers: int) -> tuple[int, int]:
    """Gets how many of A's checkers and of B's lie in a stack."""
    return min(stack.count(Seat.A), checkers), min(stack.count(Seat.B), checkers)
