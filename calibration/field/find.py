"""Finds the playing field in one photograph of a board, whatever lies on it.

Pairs of edges that may be points tell from where the board is seen (``upright_view``), any two of them where two rows
of twelve may lie (``point_rows``); camera and board are fitted to each of the best of these (``row_fit``), and that is
taken which explains most of what is seen (``look``, ``edges``). What does not explain all of it is looked at again with
its contrast evened (``contrast``): two looks that show the field at one place are believed, and what explains too
little is refused where no two do; and so is a field that may as well lie at another place.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.corners import Corners, Side, are_within, as_corners, is_seat_a_at
from calibration.errors import CalibrationError
from calibration.field.contrast import colour_contrast_evened, light_contrast_evened
from calibration.field.edges import field_lines, point_lengths
from calibration.field.look import field_look
from calibration.field.point_edges import Wedges, straight_edges, to_search_size, wedges
from calibration.field.point_rows import POINTS_A_ROW, row_guesses
from calibration.field.row_fit import LEAST_PAIRS, RowFit, first_fit, refined
from calibration.field.upright_view import upright_views

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

GUESSES = 20
"""So many first guesses are fitted."""

BESIDE, OF_BEST = (-1, 1), 3
"""Of the best fits those are tried, too, that lie one point further on: they explain nearly as much."""

SAME = 0.3
"""Two fits are the same when no corner is further off than so many widths of points."""

POINTS, GROUND, MIDDLE, BEYOND, BAR = 15.0, 15.0, 1.3, -4.0, -1.3
ENDS, BAR_LINES, BETWEEN = 8.0, 2.5, -2.5
NO_BAR, NARROW_BAR = -2.5, 0.45
STRANGE_BAR, BARS = -10.0, (0.0, 1.4)
"""What a board's parts count beside a point that is found: learned from 1,700 wrong places in pictures of boards, most
of them a point too far to the side, so that the right one wins."""

LEAST = 41.0
"""Least that a field must count: boards in pictures to learn from reach 37 to 75, fields found a width of a point off
or more 39 at most, and what is no board 26."""

LEAST_ALONE = 55.0
"""From so much on a field that the picture shows as it is needs no other look at it. Of 420 pictures of boards, from
above and from beside them, drawn and traced, 155 show such, none of them half a point off. Of 172 others that show one
that counts ``LEAST``, and at no other place, six are; of two of these two other looks agree where it is, and of one
that was seen before and counts 53."""

LEAST_TWICE = 30.0
"""Least that a field must count in each of two looks that show it at the same place. Of 448 pictures of boards of
thirteen sets, drawn and traced, 336 show one that counts ``LEAST`` as they are, four of them with ends half a point off
and more. Of the 112 others two looks show 60, all rightly, and none of 151 pictures of tables, parts of boards and
patterns."""

A_POINT = 1.0
"""A field that counts less than one point more than at another place may as well be there: of a board without a bar the
field was told to end a point further on, in three pictures of four, by 0.3 to 1.0 (drawn 35003-06)."""

FOUND_OUTSIDE = 0.01
"""How far outside a corner may lie, in lengths of the picture's longer side."""


@dataclass(frozen=True)
class FoundField:
    """A field in a picture. ``corners``: A's left, A's right, B's side above A's right, above A's left, in pixels.
    ``bar``: its width in points. ``rating``: how much speaks for it."""

    corners: Corners
    bar: float
    rating: float

    @property
    def turned(self) -> "FoundField":
        """The same with seat A where B was."""
        first, second, third, fourth = self.corners
        return replace(self, corners=(third, fourth, first, second))

    def with_seat_a_at(self, side: Side) -> "FoundField":
        """The same with seat A at a side of the picture."""
        return self if is_seat_a_at(side, self.corners) else self.turned

    def is_at(self, other: "FoundField") -> bool:
        """Whether another field is at the same place, whoever sits where."""
        own = np.array(self.corners)
        near_px = SAME * _point_px(own, self.bar)
        return any(_off_px(own, np.array(each.corners)) < near_px for each in (other, other.turned))


def find_field(picture: Picture, seat_a: Side = Side.BOTTOM) -> FoundField:
    """Gets the playing field in a picture (H x W x 3). Whose row is which nobody can see: that nearer to the side
    ``seat_a`` of the picture is taken for seat A's.

    :raises CalibrationError: when there is none that can be told from all else.
    """
    best = _field_in(picture, seat_a)
    if best is None:
        raise CalibrationError(
            "no backgammon board found in the picture: it must show all of the board from above, tilted by 50 degrees "
            "at most, sharp and not too dark; or give the corners of its field (--corners)"
        )
    found = best.with_seat_a_at(seat_a)
    if not are_within(found.corners, (picture.shape[1], picture.shape[0]), FOUND_OUTSIDE):
        raise CalibrationError(
            "a part of the board seems to be outside the picture: take one that shows all of it, or give the corners "
            f"of its field ({as_option(found.corners)}, if they are right)"
        )
    return found


def as_option(corners: Iterable[Iterable[float]]) -> str:
    """Gets corners in the words in which a user gives them, to a tenth of a pixel."""
    return "--corners " + " ".join(f"{round(x, 1):g},{round(y, 1):g}" for x, y in corners)


def _as_it_is(picture: Picture) -> Picture:
    return picture


Look = Callable[[Picture], Picture]
"""A way to look at a picture (H x W x 3), which it may change."""

LOOKS: tuple[Look, ...] = (_as_it_is, light_contrast_evened, colour_contrast_evened)
"""How a picture is looked at, one after the other, until two looks show the field at the same place."""


def _field_in(picture: Picture, seat_a: Side) -> FoundField | None:
    """Gets the field that a picture (H x W x 3) shows as it is, or two looks at it show at the same place; None where
    there is none. Of a field that it does not show beyond doubt two other looks that agree know better. ``seat_a``: at
    which side of the picture she sits, to name corners by.

    :raises CalibrationError: where the picture shows it plainly, but at two places as well.
    """
    as_it_is: FoundField | None = None
    likely: list[FoundField] = []
    for look in LOOKS:
        rated = rated_fields(picture, look)
        if not rated or rated[0].rating < LEAST_TWICE:
            continue
        best = rated[0]
        if look is _as_it_is and best.rating >= LEAST:
            if any(best.rating - other.rating < A_POINT and not best.is_at(other) for other in rated[1:]):
                raise CalibrationError(
                    "a backgammon board is found in the picture, but not which of its lines are the ends of the field: "
                    f"give its corners ({as_option(best.with_seat_a_at(seat_a).corners)}, if they are right)"
                )
            if best.rating >= LEAST_ALONE:
                return best
            as_it_is = best
        for other in likely:
            if best.is_at(other):  # evened contrast shows corners no more exactly than the picture as it is
                return other if other is as_it_is else max(best, other, key=lambda field: field.rating)
        likely.append(best)
    return as_it_is


def rated_fields(picture: Picture, look: Look = _as_it_is) -> list[FoundField]:
    """Gets the places at which the field may be in a picture (H x W x 3), the likeliest first; seats as they come."""
    small, scale = to_search_size(picture)
    small = look(small)
    edges = straight_edges(small)
    pairs = wedges(edges)
    if len(pairs) < LEAST_PAIRS:
        return []
    size_px = (small.shape[1], small.shape[0])
    found = []
    for fit in _fits(pairs, edges, size_px):
        near, far = point_lengths(small, fit, pairs)
        corners = (fit.field_px(near, far) + 0.5) / scale - 0.5
        found.append(FoundField(as_corners(corners), fit.bar, _rating(small, fit, near, far)))
    return sorted(found, key=lambda field: -field.rating)


def _fits(pairs: Wedges, edges: Floats, size_px: tuple[int, int]) -> list[RowFit]:
    """Gets the fits that are worth a look."""
    guesses = [guess for view in upright_views(pairs, edges, size_px) for guess in row_guesses(pairs, view)]
    guesses.sort(key=lambda guess: -guess.found)
    fits = [refined(fit, pairs) for fit in map(first_fit, guesses[:GUESSES]) if fit is not None]
    different = _different(sorted((fit for fit in fits if fit is not None), key=lambda fit: -fit.found))
    beside = [refined(fit.moved(points), pairs) for fit in different[:OF_BEST] for points in BESIDE]
    return _different([*different, *(fit for fit in beside if fit is not None)])


def _different(fits: list[RowFit]) -> list[RowFit]:
    """Gets the fits without those that are about the same as one before them."""
    kept: list[tuple[Floats, RowFit]] = []
    for fit in fits:
        corners = fit.field_px(0.0, 0.0)
        if not any(_off_px(corners, other) < SAME * _point_px(corners, fit.bar) for other, _ in kept):
            kept.append((corners, fit))
    return [fit for _, fit in kept]


def _point_px(corners: Floats, bar: float) -> float:
    """Gets how wide a point is at the first side of a field (4 x 2), whose bar has so many widths of points."""
    return float(np.linalg.norm(corners[1] - corners[0])) / (POINTS_A_ROW + bar)


def _off_px(corners: Floats, others: Floats) -> float:
    """Gets how far corners (4 x 2) are off others, each way, at most."""
    return float(np.abs(corners - others).max())


def _rating(small: Picture, fit: RowFit, near: float, far: float) -> float:
    """Gets how much speaks for a fit, in points that are found."""
    look, lines = field_look(small, fit, near, far), field_lines(small, fit, near, far)
    rating = fit.found + POINTS * look.points + GROUND * look.ground + MIDDLE * look.middle
    rating += BEYOND * look.beyond + BAR * look.bar
    rating += ENDS * lines.ends + BAR_LINES * lines.bar + BETWEEN * lines.between
    strange = max(BARS[0] - fit.bar, fit.bar - BARS[1], 0.0)
    return rating + STRANGE_BAR * strange + (NO_BAR if fit.bar < NARROW_BAR else 0.0)
