"""Dice to learn from that lean because the camera is believed elsewhere: the pixels stay, the geometry is exact."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from boardctl.virtual.looks import camera_over
from boardctl.vision.measuring.truth import TruePicture
from boardctl.vision.training.die_render import turn
from boardctl.vision.training.die_turned import MOST_TILT_DEG, believed_off, turned
from boardctl.vision.training.sites import TILTED_DEG, Label, Site, upward_side
from calibration import BoardGeometry

CAMERA = camera_over((40.0, -260.0, 900.0), (0.0, 0.0, 0.0), 1200.0)
GEOMETRY = BoardGeometry()
MIDDLE = (70.0, 20.0, GEOMETRY.die_size_mm / 2)
NOTHING = np.zeros((8, 8, 3), dtype=np.uint8)


def corners_px(yaw: float, tilt_deg: float, towards: float) -> list[list[float]]:
    """Gets where the corners of a die in the middle of the site come out in the picture, in the order of the truth."""
    corners = np.array(list(product((-0.5, 0.5), repeat=3))) * GEOMETRY.die_size_mm
    spots = corners @ turn(yaw, float(np.radians(tilt_deg)), towards).T + MIDDLE
    return [[float(x), float(y)] for x, y in CAMERA.project(spots)]


def site(group: str, tilt_deg: float, towards: float) -> Site:
    rotation = turn(0.0, float(np.radians(tilt_deg)), towards)
    up = (float(rotation[0, 2]), float(rotation[1, 2]))
    return Site(NOTHING, CAMERA, MIDDLE, GEOMETRY.die_size_mm, Label("die", 3, tilt_deg, up=up), group)


@pytest.mark.parametrize(("group", "tilt_deg"), [("true", 0.0), ("leaning", 12.0), ("odd", 25.0), ("beside", 0.0)])
def test_what_is_said_of_a_turned_die_is_what_its_corners_show_to_the_believed_camera(
    group: str, tilt_deg: float
) -> None:
    rng, seen = np.random.default_rng(5), set()
    corners = corners_px(0.7, tilt_deg, 2.0)
    for _ in range(60):
        made = turned(site(group, tilt_deg, 2.0), rng)
        assert made.camera.project([MIDDLE])[0] == pytest.approx(CAMERA.project([MIDDLE])[0], abs=1e-6)
        picture = TruePicture(Path("none"), "none", made.camera, GEOMETRY, {})
        up = upward_side(picture, {"corners_px": corners})
        assert up == pytest.approx(made.label.up, abs=1e-3)
        assert made.label.tilt_deg == pytest.approx(float(np.degrees(np.arcsin(np.hypot(*up)))), abs=0.2)
        seen.add("leans" if made.label.tilt_deg >= TILTED_DEG else "nearly flat")
        assert made.label.tilt_deg <= MOST_TILT_DEG + 0.1
    assert seen == {"leans", "nearly flat"}


def test_a_die_on_a_checker_is_left_as_it_lies() -> None:
    rng = np.random.default_rng(5)
    on_checker = Site(
        NOTHING, CAMERA, MIDDLE, GEOMETRY.die_size_mm, Label("die", 3, 0.0, "checker", (0.0, 0.0)), "true"
    )
    for _ in range(40):
        assert turned(on_checker, rng).label == on_checker.label


def test_a_camera_that_is_a_little_off_changes_nothing_of_what_is_said() -> None:
    rng, leaning = np.random.default_rng(5), site("leaning", 12.0, 2.0)
    off = [believed_off(leaning, rng) for _ in range(20)]
    assert all(one.label == leaning.label for one in off)
    aside = [np.hypot(*(one.camera.position_mm - CAMERA.position_mm)[:2]) for one in off]
    assert 2.0 < np.mean(aside) < 40.0
