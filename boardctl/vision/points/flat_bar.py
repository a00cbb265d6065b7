"""The bar of a board that has none: printed ones, and those that are rolled up or only folded.

Checkers on such a bar lie on the field, between the two points beside its middle line. The bar's strips show half of
those points' own checkers, too, and the network takes them for its own. But two checkers do not lie in one place: where
a row of a point is seen, there is no room for one on the bar. And the strips of those points show half of the checkers
on the bar: what lies on the middle line, and not at the end of a row of the same seat, is not the row's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.columns import (
    CHECKER_PX,
    POINTS,
    SLOTS,
    STRIPS,
    mm_per_px,
    slot_middles_mm,
    strip_places_mm,
)
from boardctl.vision.points.row_spots import ALOOF_PX, BETWEEN_TO, Spot
from boardctl.vision.points.strip_reading import BARE_LOGITS, HAND, StripsSeen, likelier_seat
from calibration import BoardGeometry
from calibration.installation import INSTALLATIONS_KEPT

Floats = NDArray[np.float64]

REACHES = (0.65, 0.6)
"""A point's checker is taken for one in a slot of the bar when their middles are so near (across the bar, along it; in
diameters): one that is further aside is seen to lie beside the bar, one further on, with some room for rows that do not
lie quite at the edge, in the next slot."""

TAKES_ROOM = 0.97
"""How surely a row leaves no room: three times in a hundred somebody is taken to lay a checker half upon it."""

UNSEEN = 0.1
"""How often one more checker lies on such a bar than is seen: in the very middle of the board, where the bar's strips
do not reach, or beside a full row, which leaves it no room. In 51 pictures of drawn boards it was so in five."""

ASIDE, BEYOND = 0.25, 0.17
"""What lies from so far off the middle line of a point, towards that of the board, to so far beyond the latter (in
widths of a point) is taken to lie on that: half of it is out of the strip, and of the other half the side is seen, too,
so that it seems to lie up to a fifth nearer than it does."""

NEAR_MIDDLE, SHOWN_FROM = 0.85, 0.35
"""Checkers up to so far from the middle of the board, in checkers, are not shown whole by the bar's strips, and from so
far on may all the same be seen there."""

PLAINLY_THERE = 2.0
"""Logarithm of odds (7 to 1) by which a checker is at least seen there: a cube comes to 0.6, of six checkers that
were seen in the middle of drawn boards five come to more."""

_POSSIBLE = (1e-6, 1 - 1e-6)
"""Likelihoods that have a finite logarithm of their odds."""


def unseen_on(geometry: BoardGeometry) -> float:
    """Gets how likely one more checker of a seat lies on the bar than its strips show."""
    return 0.0 if geometry.bar_height_mm else UNSEEN


def bar_logits(logits: Floats, geometry: BoardGeometry) -> Floats:
    """Gets the network's numbers of the bar's strips (2 x 8 x 7) of those of all (26 x 8 x 7): on a bar that is as low
    as the field, a slot holds nothing as likely as a row of a point lies there."""
    bars = logits[POINTS:]
    if geometry.bar_height_mm:
        return bars
    lying = logits[:, :HAND]
    exponents = np.exp(lying - lying.max(axis=1, keepdims=True))
    held = 1 - exponents[:, 0] / exponents.sum(axis=1)
    rows = np.cumprod(held[:POINTS], axis=1)  # a row lies without a gap from the edge on
    taken = (rows * _in_the_way(geometry)).max(axis=-1)
    room = (1 - TAKES_ROOM * taken).prod(axis=-1)
    still_held = np.clip(held[POINTS:] * room, *_POSSIBLE)
    freed = bars.copy()
    checkers = exponents[POINTS:, 1:].sum(axis=1)
    freed[:, 0] = lying[POINTS:].max(axis=1) + np.log(checkers * (1 - still_held) / still_held)
    return freed


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _in_the_way(geometry: BoardGeometry) -> NDArray[np.bool_]:
    """Gets which slots of points leave no room for a checker in a slot of the bar (2 x bar slots x points x slots)."""
    middles = np.array([slot_middles_mm(geometry, strip) for strip in range(STRIPS)])
    apart = np.abs(middles[POINTS:, :, None, None] - middles[None, None, :POINTS])
    near = apart < np.array(REACHES) * geometry.checker_diameter_mm
    return np.asarray(near.all(axis=-1), dtype=np.bool_)


@dataclass(frozen=True)
class OnBar:
    """A spot on such a bar, the slots of a point's strip in which it is seen beyond the point's row, and whether it may
    be the cube, at an end of the bar."""

    spot: Spot
    slots: list[int]
    is_cube: bool


def on_middle_px(geometry: BoardGeometry, strip: int, off_px: float) -> float:
    """Gets how far to the right of a point's middle line a checker lies in its strip that seems to lie ``off_px`` from
    it: on the middle line of a board with such a bar, if it seems to lie about there."""
    middle_px = middle_off_px(geometry, strip)
    if middle_px is None:
        return off_px
    pitch_px, way = geometry.point_width_mm / mm_per_px(geometry), 1.0 if middle_px > 0 else -1.0
    is_there = ASIDE * pitch_px <= way * off_px <= way * middle_px + BEYOND * pitch_px
    return middle_px if is_there else off_px


def spots_on(
    geometry: BoardGeometry, strip: int, spots: Sequence[Spot], told: Floats, whose: Callable[[Spot], int | None]
) -> list[OnBar]:
    """Gets those of the spots of a strip on such a bar, or at an end of it, where the cube may lie, that are none of
    its point's own: apart from its row, or not of the same seat.

    ``told`` (8 x 7): what the network says of the strip; ``whose``: whose a checker in a spot plainly is, 0 or 1, or
    None.
    """
    middle_px = middle_off_px(geometry, strip)
    if middle_px is None:
        return []
    pitch_px = geometry.point_width_mm / mm_per_px(geometry)
    held = told[1:HAND].max(axis=0) > told[0]
    found, row = list[OnBar](), 0
    for spot in spots:
        while row < SLOTS and held[row] and spot.away_px(row) > ALOOF_PX:
            row += 1  # of the colour of its point, so that it is no spot
        if spot.off_px == middle_px and (spot.away_px(row) > ALOOF_PX or _is_no_part(told, row, spot, whose)):
            at_end = row == 0 and spot.away_px(0) <= ALOOF_PX and spot.stretch.checkers == 1
            found.append(OnBar(spot, [slot for slot in spot.slots if slot >= row], at_end))
        elif abs(spot.off_px) <= BETWEEN_TO * pitch_px:
            row += 1
    return found


def _is_no_part(told: Floats, row: int, spot: Spot, whose: Callable[[Spot], int | None]) -> bool:
    """Whether what lies at the end of a row of so many checkers is none of it: where the row would begin, what the
    network sees nothing of, or what is plainly nobody's checker; at its end, what is plainly the other seat's."""
    if row == 0:
        return bool(told[1:HAND, 0].max() < told[0, 0]) or whose(spot) is None
    return whose(spot) == 1 - likelier_seat(told[:, 0])


def seen_in_middle(look: Floats | None, geometry: BoardGeometry, strip: int, spot: Spot) -> Floats | None:
    """Gets what the network says (``look``: 8; None: no checker) of a spot on such a bar, and how far it lies from the
    middle of the board towards B, in checkers, where a checker is plainly seen that the bar's own strips do not show.
    """
    if look is None:
        return None
    along_mm = (spot.along_px + (spot.place + 0.5) * CHECKER_PX) * mm_per_px(geometry)
    from_middle = (geometry.field_height_mm / 2 - along_mm) / geometry.checker_diameter_mm
    if abs(from_middle) > NEAR_MIDDLE or look[1:HAND].max() < look[0] + PLAINLY_THERE:
        return None
    return np.append(look, -from_middle if geometry.is_near_row(strip + 1) else from_middle)


def in_middle(seen: StripsSeen, bars: Floats) -> Floats:
    """Gets what the network says (8) of a checker in the very middle of the board: what it says most plainly by the
    strip of a point. ``bars`` (2 x 8 x 7): what it says of the bar's strips, one of which may show it, too."""
    held = seen.middle[:, 1:HAND].max(axis=1) - seen.middle[:, 0]
    plainest = seen.middle[int(held.argmax())]
    towards_b = float(plainest[-1])
    first = bars[int(towards_b > 0), :HAND, 0]
    is_shown = abs(towards_b) >= SHOWN_FROM and first[1:].max() > first[0]
    return BARE_LOGITS[:, 0] if is_shown else plainest[:-1]


def without(told: Floats, on_bar: Sequence[OnBar]) -> Floats:
    """Gets what the network says of a strip (8 x 7) as if nothing of what lies on such a bar were seen in it. What is
    as long as a cube, at an end of the bar, is no hand."""
    bare = told.copy()
    for one in on_bar:
        bare[: HAND + one.is_cube, one.slots] = BARE_LOGITS[: HAND + one.is_cube, one.slots]
    return bare


@lru_cache(maxsize=INSTALLATIONS_KEPT * POINTS)
def middle_off_px(geometry: BoardGeometry, strip: int) -> float | None:
    """Gets how far to the right of the middle line of a point the board's is seen in its strip, in pixels; None but
    beside a bar that is as low as the field."""
    middle_mm = geometry.point_x_mm(strip + 1)
    if geometry.bar_height_mm or abs(middle_mm) > geometry.point_width_mm:
        return None
    places = strip_places_mm(geometry, strip)
    return float(-middle_mm / (places[0, 1, 0] - places[0, 0, 0]))
