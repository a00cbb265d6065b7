"""Light that falls more on one end of the board than on the other: pictures as they would be under an even light.

A dark checker under the lamp is as light as a light one far from it: colours alone, as they are told wherever they lie,
tell such seats wrongly, and surely. How the light falls the empty board tells: what differs between its points of one
colour, or over its field, is light. The checkers of the starting position have no part in that; where it makes those
of a seat look more alike, pictures are brought to even light before the board is read.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from calibration import BoardGeometry, Calibration
from calibration.colours import checker_colours
from calibration.difference import DARK_OFFSET, at_every_pixel
from calibration.installation import INSTALLATIONS_KEPT
from calibration.second_order import second_order
from calibration.starting_position import starting_checkers

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

LEAST_UNEVEN = 0.3
"""Difference of light (logarithm) between the lightest and the darkest spot of the field from which it is evened."""

TOLD = 0.7
"""The levels of both seats' checkers spread, once the light is taken out, over no more than this share of what they
did, and those of neither over more: a polished board mirrors the lamp, and what it seems to say of light is not so."""

NOISE = 1.0
"""Variance of levels that means nothing."""

STEP_MM = 4.0
"""The empty board is looked at so closely."""

EDGE = 0.35
"""So far from rails and bar, in checkers, their shadows end."""

PRINT_MM = 2.5
"""So far from a point's sides its colour is surely its own, or the field's."""

KINDS = 3
"""Colours of an empty board: points of one colour, of the other, and the field between them."""

LEAST_PLACES = 50
"""Of each kind so many places are seen, or it is not told how light falls."""

ROUNDS = 6
USUAL = 1.5
"""What differs from the light that is found by more than so many times what is usual counts less (Huber's rule, in so
many rounds): a die, a cup, an ornament, the lamp mirrored."""

BEYOND = 1.2
"""Light is followed so far beyond the field, in halves of it."""

GAINS = (0.4, 2.5)
"""A pixel is multiplied by so much at least, and at most."""

FINE = 100
"""Steps of a gain of one."""

GRID_PX = 32
"""The light is worked out at every 32nd pixel; it is smooth."""


@dataclass(frozen=True, eq=False)
class EvenLight:
    """How pictures of one installation are brought to even light: its calibration in that light, and what each pixel
    of the part in which its board lies is multiplied by."""

    calibration: Calibration
    gains: "Gains"

    def picture(self, picture: Picture) -> Picture:
        """Gets a picture (H x W x 3) in even light."""
        return self.gains.applied(picture)


@dataclass(frozen=True, eq=False)
class Gains:
    """What pixels of a part of a picture (rows, columns) are multiplied by: whole numbers of ``1 / FINE``, three
    channels, as OpenCV multiplies fastest."""

    part: tuple[slice, slice]
    steps: Picture

    def applied(self, picture: Picture) -> Picture:
        """Gets a picture (H x W x 3) so multiplied."""
        lit = picture.copy()
        cv2.multiply(picture[self.part], self.steps, lit[self.part], 1 / FINE)
        return lit


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def even_light(calibration: Calibration) -> EvenLight | None:
    """Gets how pictures are brought to even light; None where the light is even, or how it falls is not plain."""
    light = _uneven_light(calibration)
    return None if light is None or not _makes_alike(calibration, light) else _evened(calibration, light)


def light_evened(calibration: Calibration) -> EvenLight | None:
    """Gets the same, whatever the checkers of the starting position say of it: of a photograph they are not known."""
    light = _uneven_light(calibration)
    return None if light is None else _evened(calibration, light)


def in_even_light(picture: Picture, calibration: Calibration) -> tuple[Picture, Calibration]:
    """Gets a picture (H x W x 3) and its calibration in even light; as they are where it is even."""
    even = even_light(calibration)
    return (picture, calibration) if even is None else (even.picture(picture), even.calibration)


def _uneven_light(calibration: Calibration) -> Floats | None:
    """Gets the light (logarithm) as a surface over the board; None where it is even, or not plain."""
    light = _light_on_empty(calibration)
    if light is None or np.ptp(second_order(_over_field(calibration.geometry)) @ light) < LEAST_UNEVEN:
        return None
    return light


def _evened(calibration: Calibration, light: Floats) -> EvenLight:
    gains = _gains(calibration, light)
    return EvenLight(calibration.in_light(gains.applied), gains)


def _light_on_empty(calibration: Calibration) -> Floats | None:
    """Gets the light (logarithm) as a surface over the board, told by the empty board; None where too little of it is
    seen. Least squares, with a colour for each kind of places, and outliers counting less in rounds."""
    places, kinds = _kinds_of_places(calibration.geometry)
    if min(np.count_nonzero(kinds == kind) for kind in range(KINDS)) < LEAST_PLACES:
        return None
    half = _half_mm(calibration.geometry)
    pixels = calibration.camera.project(np.column_stack([places * half, np.zeros(len(places))]))
    height, width = calibration.empty.shape[:2]
    columns, rows = np.rint(pixels.T).astype(int).clip(0, [[width - 1], [height - 1]])
    levels = np.log(cv2.blur(calibration.empty, (3, 3))[rows, columns].mean(axis=1) + DARK_OFFSET)
    told = np.hstack([second_order(places), kinds[:, None] == np.arange(KINDS)])
    weights = np.ones(len(places))
    for _ in range(ROUNDS):
        found: Floats = np.linalg.lstsq(told * weights[:, None], levels * weights, rcond=None)[0]
        off = np.abs(levels - told @ found)
        weights = np.sqrt(np.minimum(1.0, USUAL * np.median(off) / np.maximum(off, 1e-9)))
    return found[:-KINDS]


def _makes_alike(calibration: Calibration, light: Floats) -> bool:
    """Whether a light explains how the levels of each seat's checkers differ in the starting position.

    Levels are compared, not their logarithms: what dark checkers mirror of the lamp is added to them, and is no light
    on them.
    """
    colours = checker_colours(calibration.camera, calibration.geometry, calibration.start)
    places = [(seat, np.array((x, y))) for seat, (x, y, _) in starting_checkers(calibration.geometry)]
    before, after = list[float](), list[float]()
    for seat in (Seat.A, Seat.B):
        own = np.array([place for owner, place in places if owner is seat]) / _half_mm(calibration.geometry)
        if len(own) != len(colours[seat]):
            return False  # not all of them are in the picture
        levels, fallen = colours[seat].mean(axis=1), second_order(own) @ light
        before.append(float(levels.var()))
        after.append(float((levels * np.exp(fallen.mean() - fallen)).var()))
    return sum(after) < TOLD**2 * sum(before) and bool((np.array(after) <= np.array(before) + NOISE).all())


def _gains(calibration: Calibration, light: Floats) -> Gains:
    """Gets what makes a light even: as strong everywhere as it is in the mean."""
    camera, half = calibration.camera, _half_mm(calibration.geometry)
    part = _part_px(calibration)
    rows, columns = (np.arange(side.start, side.stop + GRID_PX, GRID_PX) for side in part)
    pixels = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2).astype(np.float64)
    places = np.clip(camera.to_plane(pixels) / half, -BEYOND, BEYOND)
    usual = (second_order(_over_field(calibration.geometry)) @ light).mean()
    grid = np.exp(usual - second_order(places) @ light).clip(*GAINS).reshape(len(rows), len(columns)).astype(np.float32)
    height, width = (side.stop - side.start for side in part)
    gains = at_every_pixel(grid, GRID_PX, (width, height))
    return Gains(part, np.repeat(np.rint(gains * FINE).astype(np.uint8)[..., None], 3, axis=2))


def _part_px(calibration: Calibration) -> tuple[slice, slice]:
    """Gets rows and columns of the part of the picture in which the board lies, its trays with it."""
    geometry = calibration.geometry
    outer = np.array((abs(geometry.tray_x_mm()) + geometry.tray_width_mm, geometry.field_height_mm / 2 * BEYOND))
    sides = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]) * outer
    return calibration.camera.part(np.column_stack([sides, np.zeros(len(sides))]))


def _half_mm(geometry: BoardGeometry) -> Floats:
    """Gets half the field's width and height: places are told in shares of these."""
    return np.array((geometry.field_width_mm, geometry.field_height_mm)) / 2


def _over_field(geometry: BoardGeometry) -> Floats:
    """Gets places (N x 2) all over the field, but for its edges and the bar's."""
    edge = EDGE * geometry.checker_diameter_mm
    x, y = _half_mm(geometry) - edge
    across, along = np.arange(-x, x, STEP_MM), np.arange(-y, y, STEP_MM)
    across = across[np.abs(across) > geometry.bar_width_mm / 2 + edge]
    places: Floats = np.stack(np.meshgrid(across, along), axis=-1).reshape(-1, 2) / _half_mm(geometry)
    return places


def _kinds_of_places(geometry: BoardGeometry) -> tuple[Floats, NDArray[np.intp]]:
    """Gets the places over the field (N x 2) that surely are on a point or between points, and their kinds (N): 0 and 1
    the colours of the points, 2 the field."""
    places = _over_field(geometry)
    x_mm, y_mm = (places * _half_mm(geometry)).T
    kinds = np.full(len(places), -1)
    for number in range(1, 25):
        inwards = 1.0 if geometry.is_near_row(number) else -1.0
        depth = inwards * y_mm + geometry.field_height_mm / 2
        aside = np.abs(x_mm - geometry.point_x_mm(number))
        wide = geometry.point_width_mm / 2 * np.maximum(1 - depth / geometry.point_length_mm, 0.0)
        own = (aside < geometry.point_width_mm / 2) & (depth < geometry.field_height_mm / 2)
        kinds[own & (aside < wide - PRINT_MM)] = number % 2
        kinds[own & (aside > wide + PRINT_MM)] = KINDS - 1
    return places[kinds >= 0], kinds[kinds >= 0]
