"""Things on the board that belong to no game: where they are drawn, and what they hide."""

from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest

from boardctl.virtual.drawing.brush import mask_of
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.drawing.things import MUG_RADIUS_MM, any_thing, mug, outline_px
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.world import Thing, World, hides
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
COLOURS = ((30, 60, 190), (200, 190, 180), (25, 30, 35))
BLURRED_PX = 7
"""What a thing's edge reaches through the lens, twice, and its middle."""


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(LOOKS["cork"], GEOMETRY)


def things() -> list[Thing]:
    random = Random(4)
    return [mug(60.0, -40.0), *(any_thing(GEOMETRY, COLOURS, random) for _ in range(30))]


def test_a_mug_hides_what_is_within_its_rim() -> None:
    world = World(GEOMETRY, things=(mug(50.0, 20.0),))
    for angle in np.linspace(0, 2 * np.pi, 23):
        across, along = np.cos(angle) * MUG_RADIUS_MM, np.sin(angle) * MUG_RADIUS_MM
        assert hides(world, 50.0 + 0.98 * across, 20.0 + 0.98 * along)
        assert not hides(world, 50.0 + 1.02 * across, 20.0 + 1.02 * along)


@pytest.mark.parametrize("thing", things())
def test_a_thing_hides_its_middle_parts_and_nothing_beyond_its_corners(thing: Thing) -> None:
    world = World(GEOMETRY, things=(thing,))
    rim = np.array(thing.rim_mm) + np.array([thing.x_mm, thing.y_mm])
    assert hides(world, *rim.mean(axis=0))
    for corner in rim:
        assert not hides(world, *(corner + 0.02 * (corner - rim.mean(axis=0))))


@pytest.mark.parametrize("thing", things())
def test_a_thing_is_seen_where_its_outline_is_and_its_shadow_beside_it(renderer: Renderer, thing: Thing) -> None:
    bare, lit = (
        renderer.scene(World(GEOMETRY, things=each)).astype(int) for each in ((), (replace(thing, shadow=0.0),))
    )
    camera = LOOKS["cork"].camera
    outline = outline_px(renderer.stage, thing)
    mask = mask_of((camera.width_px, camera.height_px), [outline])
    around = cv2.dilate(mask, np.ones((BLURRED_PX, BLURRED_PX), np.uint8))
    assert (np.abs(lit - bare).sum(axis=2)[mask > 0] > 0).mean() > 0.9
    assert not np.abs(lit - bare).sum(axis=2)[around == 0].any()
    shaded = renderer.scene(World(GEOMETRY, things=(replace(thing, shadow=0.5),))).astype(int)
    assert (shaded - lit).max() <= 0
    assert (lit - shaded).sum() > 0
