"""A board over a part of which somebody's shadow lies is read as without it; where none lies nothing is changed."""

from random import Random

import cv2
import numpy as np
import pytest
from brown_look import brown
from numpy.typing import NDArray

from boardctl.rules import Backgammon, Place, Placement, Seat, point
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS, Look
from boardctl.virtual.world import Hand, World, empty_world, set_up, with_hand
from boardctl.vision.frame import read_frame
from boardctl.vision.measuring.later_changes import in_shadow
from calibration import BoardGeometry, Calibration
from calibration.difference import halve
from calibration.light import shadows
from calibration.light.shadows import CELL_MM, light_on, sight_of

Picture = NDArray[np.uint8]

GEOMETRY = BoardGeometry()
LAID = ((2, "A", 2), (3, "B", 3), (9, "A", 1), (11, "B", 1), (14, "A", 3), (15, "B", 2), (22, "A", 1), (24, "B", 2))
STACKS: dict[Place, tuple[Seat, ...]] = {point(number): (Seat(seat),) * count for number, seat, count in LAID}


class Table:
    """A board of ours, and pictures of it."""

    def __init__(self, look: Look) -> None:
        self.renderer = Renderer(look, GEOMETRY)
        self.bare = empty_world(GEOMETRY, Random(1))
        start = set_up(self.bare, Backgammon().start().placement(), Random(2))
        frames = (self.renderer.frame(self.bare), self.renderer.frame(start))
        self.calibration = Calibration.of(look.camera, GEOMETRY, *frames)

    def laid(self) -> World:
        return set_up(self.bare, Placement(STACKS), Random(4))


def half_dark(picture: Picture, left: float = 0.6, soft_px: float = 8.0) -> Picture:
    """Gets a picture whose left half lies in a shadow that leaves so much of its levels."""
    mask = np.zeros(picture.shape[:2], np.float32)
    mask[:, : picture.shape[1] // 2] = 1
    light = 1 - cv2.GaussianBlur(mask, (0, 0), soft_px) * (1 - left)
    return np.asarray(np.rint(picture * light[..., None]), dtype=np.uint8)


@pytest.mark.parametrize("name", list(LOOKS))
def test_where_no_shadow_lies_pictures_stay_as_they_were_taken(name: str) -> None:
    table = Table(LOOKS[name])
    world = table.laid()
    for seen in (world, with_hand(world, Hand(Seat.A, -60.0, -20.0)), with_hand(world, Hand(Seat.B, 140.0, 90.0))):
        picture = table.renderer.frame(seen)
        assert sight_of(picture, table.calibration).picture is picture


def test_light_that_has_changed_everywhere_is_no_shadow() -> None:
    table = Table(brown())
    picture = np.asarray(table.renderer.frame(table.laid()) * 0.7, dtype=np.uint8)
    assert sight_of(picture, table.calibration).picture is picture


def test_checkers_in_a_shadow_are_told_from_dark_ones_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(brown())
    picture = half_dark(table.renderer.frame(table.laid()))

    def told() -> list[bool]:
        board = read_frame(picture, table.calibration).board
        return [board.at(place).best == stack and board.at(place).confidence > 0.9 for place, stack in STACKS.items()]

    assert all(told())
    monkeypatch.setattr(shadows, "light_on", lambda *_: None)
    assert told().count(False) >= 2


@pytest.mark.parametrize(("left", "soft_px"), [(0.5, 4.0), (0.6, 12.0), (0.7, 25.0), (0.8, 8.0)])
def test_without_its_shadow_a_picture_is_what_it_would_be(left: float, soft_px: float) -> None:
    table = Table(LOOKS["green-felt"])
    picture = table.renderer.frame(table.laid())
    shaded = half_dark(picture, left, soft_px)
    seen = sight_of(shaded, table.calibration)
    assert seen.view.holds
    field = np.zeros(picture.shape[:2], np.uint8)
    corners = table.calibration.camera.project([(x, y, 0.0) for x, y in GEOMETRY.corners])
    cv2.fillConvexPoly(field, np.rint(corners).astype(np.int32), 1)
    inside = field > 0
    before, after = (
        np.percentile(np.abs(np.log((each[inside] + 8.0) / (picture[inside] + 8.0))), 75)
        for each in (shaded, seen.picture)
    )
    assert after < before / 3


def round_dark(picture: Picture, radius: float, left: float = 0.5) -> Picture:
    """Gets a picture with a round shadow on its middle, of so large a radius (share of its height), that leaves so much
    of its levels."""
    height, width = picture.shape[:2]
    mask = np.zeros((height, width), np.float32)
    cv2.circle(mask, (width // 2, height // 2), round(radius * height), 1.0, -1)
    light = 1 - cv2.GaussianBlur(mask, (0, 0), 6.0) * (1 - left)
    return np.asarray(np.rint(picture * light[..., None]), dtype=np.uint8)


def in_the_dark(picture: Picture, number: int, level: float) -> Picture:
    """Gets a picture with so much of its levels, and noise of its own."""
    noise = np.random.default_rng(number).normal(0, 2.0, picture.shape)
    return np.asarray(np.clip(np.rint(picture * level + noise), 0, 255), dtype=np.uint8)


@pytest.mark.parametrize("name", ["walnut", "green-felt", "cork"])
@pytest.mark.parametrize(("level", "radius"), [(0.3, 0.3), (0.3, 0.4), (0.3, 0.5), (0.6, 0.5)])
def test_a_shadow_is_as_deep_as_it_is_in_little_light_too_and_ends_where_it_ends(
    name: str, level: float, radius: float
) -> None:
    table = Table(LOOKS[name])
    pictures = (table.calibration.empty, table.calibration.start)
    dark = (in_the_dark(picture, number, level) for number, picture in enumerate(pictures))
    calibration = Calibration.of(table.calibration.camera, GEOMETRY, *dark)
    picture = table.renderer.frame(table.laid())
    light = round_dark(np.full_like(picture, 200), radius)
    shaded = in_the_dark(np.asarray(np.rint(picture * (light / 200)), dtype=np.uint8), 2, level)
    assert sight_of(shaded, calibration).view.holds
    told = light_on(halve(halve(shaded)), calibration)
    assert told is not None
    cells = np.moveaxis(np.mgrid[: told.shape[0], : told.shape[1]], 0, -1).reshape(-1, 2) * CELL_MM
    x, y = cells[:, 1], cells[:, 0]
    places = np.column_stack([x - x.max() / 2, y - y.max() / 2, np.zeros(len(x))])
    columns, rows = np.rint(calibration.camera.project(places)).astype(int).T
    inside = (rows >= 0) & (rows < light.shape[0]) & (columns >= 0) & (columns < light.shape[1])
    off = told.ravel()[inside] - np.log(light[rows[inside], columns[inside], 0] / 200)
    assert np.percentile(np.abs(off - np.median(off)), 90) < 0.15


@pytest.mark.parametrize("number", range(4))
def test_a_shadow_that_is_laid_takes_light_from_a_part_and_adds_none(number: int) -> None:
    picture = Table(LOOKS["cork"]).calibration.empty
    shaded = in_shadow(picture, np.random.default_rng(number))
    assert (shaded <= picture).all()
    darker = (shaded < picture * 0.85).any(axis=2).mean()
    assert 0.02 < darker < 0.7
    assert (in_shadow(picture, np.random.default_rng(number)) == shaded).all()


def test_what_covers_the_board_is_not_taken_for_a_shadow() -> None:
    table = Table(brown())
    cloth = np.full_like(table.calibration.empty, 90)
    cloth[:, ::7] = 80
    for covered in (cloth, cloth * 0, half_dark(cloth)):
        assert not sight_of(covered, table.calibration).view.holds


def test_a_camera_that_has_moved_is_told_in_a_shadow_too() -> None:
    table = Table(LOOKS["walnut"])
    moved = np.roll(table.renderer.frame(table.laid()), 14, axis=1)
    for picture in (moved, half_dark(moved)):
        view = sight_of(picture, table.calibration).view
        assert not view.holds
