"""The lamp mirrored in what is polished: where the law of reflection wants it, as wide as it is, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest

from boardctl.rules import Seat, point
from boardctl.virtual.drawing.brush import Picture
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import GREEN_FELT, CheckerLook, Look
from boardctl.virtual.world import Checker, World
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
LAMP_MM = (-120.0, 200.0, 960.0)
MIDWAY_MM = (-40.0, 45.0)
"""Where the board mirrors the lamp: midway between it and the camera of GREEN_FELT, which hangs as high."""

LIGHT = replace(GREEN_FELT.light, at_mm=LAMP_MM, mirrored=(0.01, 0.03), exposure=0.6)
MATT = replace(GREEN_FELT, light=LIGHT)
POLISHED = replace(MATT, polish=0.8)


def scene(look: Look, *checkers: Checker) -> Picture:
    return Renderer(look, GEOMETRY, seed=2).scene(World(GEOMETRY, checkers))


def brightest_mm(look: Look, matt: Look, *checkers: Checker) -> np.ndarray:
    """Gets the middle (x, y) of what is brighter in one look than in another by more than half of the most."""
    added = scene(look, *checkers).astype(int).sum(axis=2) - scene(matt, *checkers).astype(int).sum(axis=2)
    rows, columns = np.nonzero(added > added.max() / 2)
    return np.asarray(look.camera.to_plane([(columns.mean(), rows.mean())], 0.0)[0])


def with_polish(part: float, dish: float = 0.0) -> Look:
    light, dark = MATT.checkers
    return replace(MATT, checkers=(light, CheckerLook(dark.colour, dish, 0.0, part)))


def checker(x_mm: float, y_mm: float) -> Checker:
    return Checker(Seat.B, point(7), 0, x_mm, y_mm, GEOMETRY.checker_height_mm / 2)


def test_a_polished_board_mirrors_the_lamp_midway_between_it_and_the_camera() -> None:
    assert MATT.camera.position_mm[2] == pytest.approx(LAMP_MM[2])
    assert brightest_mm(POLISHED, MATT) == pytest.approx(np.array(MIDWAY_MM), abs=3.0)


def test_the_wider_the_lamp_the_more_of_the_board_shines() -> None:
    shines = []
    for slope in (0.01, 0.03, 0.06):
        wide = replace(POLISHED, light=replace(LIGHT, mirrored=(slope, slope + 0.01)))
        shines.append(int((scene(wide) != scene(replace(wide, polish=0.0))).any(axis=2).sum()))
    assert shines[0] * 2 < shines[1] < shines[2] / 2


def test_a_polished_checker_shines_where_the_board_would_and_a_matt_one_does_not() -> None:
    there, elsewhere = checker(*MIDWAY_MM), checker(150.0, -100.0)
    assert brightest_mm(with_polish(1.0), with_polish(0.0), there) == pytest.approx(np.array(MIDWAY_MM), abs=8.0)
    assert (scene(with_polish(1.0), elsewhere) == scene(with_polish(0.0), elsewhere)).all()


def test_a_dish_shows_the_lamp_smaller() -> None:
    there = checker(*MIDWAY_MM)
    flat, deep = (
        int((scene(with_polish(1.0, dish), there) != scene(with_polish(0.0, dish), there)).any(axis=2).sum())
        for dish in (0.0, 0.9)
    )
    assert 0 < deep < flat / 2


def test_a_matt_checker_hides_what_the_board_below_it_mirrors() -> None:
    there = checker(*MIDWAY_MM)
    difference = scene(POLISHED, there).astype(int) - scene(MATT, there)
    u, v = MATT.camera.project([(*MIDWAY_MM, GEOMETRY.checker_height_mm)])[0]
    assert np.abs(difference[round(v), round(u)]).max() <= 1
    assert difference.max() > 40
