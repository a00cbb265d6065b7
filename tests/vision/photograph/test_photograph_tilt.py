"""Dice of a photograph whose camera is known within some degrees: those that lie flat tell which it was."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from boardctl.virtual.looks import camera_over
from boardctl.vision.dice.look import DieView, Sight
from boardctl.vision.dice.tilt import look_for_tilt
from boardctl.vision.measuring.truth import TruePicture, read_truth
from boardctl.vision.photograph import tilt as photograph_tilt
from boardctl.vision.photograph.tilt import look_by_all
from boardctl.vision.training.die_turned import camera_turned
from boardctl.vision.training.sites import die_center
from calibration.camera import CameraModel
from calibration.field.plausible_cameras import PlausibleCamera

PICTURES = Path(__file__).parents[2] / "data" / "vision" / "dice"
OFF_DEG = 13.0


def turned(true: TruePicture, degrees: float) -> CameraModel:
    """Gets the camera of a picture, believed to be so far off about its first die."""
    rotation = cv2.Rodrigues(np.radians([degrees, 0.0, 0.0]))[0]
    camera = camera_turned(true.camera, die_center(true, true.truth["dice"][0]), np.asarray(rotation, dtype=np.float64))
    assert camera is not None
    return camera


def seen_by(true: TruePicture, camera: CameraModel) -> tuple[Sight, list[DieView]]:
    """Gets a picture as a camera is believed to have taken it, and where its dice are then."""
    size_mm = true.geometry.die_size_mm
    views = []
    for die in true.truth["dice"]:
        pixel = true.camera.project([die_center(true, die)])[0]
        x, y = camera.to_plane([pixel], size_mm / 2)[0]
        spot = (float(x), float(y))
        views.append(DieView(spot, 1.0, 0.0, (1.0, 0.0, 0.0, 0.0, 0.0, 0.0), 0.5, 0.0, 0.0, 1.0, size_mm))
    return Sight(true.picture(), camera), views


def looked(true: TruePicture, believed: CameraModel, *others: PlausibleCamera) -> list[DieView]:
    sight, views = seen_by(true, believed)
    look = look_by_all(lambda _: [PlausibleCamera(believed, 0.0), *others])
    return look(sight, true.geometry.die_size_mm, views, [False] * len(views))


@pytest.mark.parametrize("name", ["d017", "d083"])
def test_by_a_camera_believed_off_flat_dice_seem_to_lean_until_another_is_plausible(name: str) -> None:
    true = read_truth(PICTURES / f"{name}.json")
    believed = turned(true, OFF_DEG)
    sight, views = seen_by(true, believed)
    alone = look_for_tilt(sight, true.geometry.die_size_mm, views, [False] * len(views))
    assert all(view.tilted > 0.9 for view in alone)
    assert all(view.tilted > 0.9 for view in looked(true, believed))
    flat = looked(true, believed, PlausibleCamera(true.camera, 2.0))
    assert all(view.tilted < 0.3 for view in flat)
    assert all(view.tilt_deg < alone_view.tilt_deg for view, alone_view in zip(flat, alone, strict=True))


@pytest.mark.parametrize("name", ["d014", "d004", "d078"])
def test_one_that_leans_does_by_every_camera_by_which_the_other_lies_flat(name: str) -> None:
    """The likeliest camera is off, and by another one both would lean."""
    true = read_truth(PICTURES / f"{name}.json")
    plausible = (PlausibleCamera(true.camera, 1.0), PlausibleCamera(turned(true, -OFF_DEG), -2.0))
    seen = looked(true, turned(true, OFF_DEG), *plausible)
    assert [view.tilted > 0.5 for view in seen] == [die["tilt_deg"] >= 8 for die in true.truth["dice"]]


def test_where_all_dice_plainly_lie_flat_no_other_camera_is_asked_for() -> None:
    true = read_truth(PICTURES / "d083.json")
    sight, views = seen_by(true, true.camera)
    asked: list[tuple[float, float]] = []

    def cameras(spot_px: tuple[float, float]) -> list[PlausibleCamera]:
        asked.append(spot_px)
        return []

    flat = look_by_all(cameras)(sight, true.geometry.die_size_mm, views, [False] * len(views))
    assert flat == look_for_tilt(sight, true.geometry.die_size_mm, views, [False] * len(views))
    assert asked == []
    sight, views = seen_by(true, turned(true, OFF_DEG))
    look_by_all(cameras)(sight, true.geometry.die_size_mm, views, [False] * len(views))
    middle = np.mean([die["center_px"] for die in true.truth["dice"]], axis=0)
    assert len(asked) == 1
    assert np.hypot(*np.subtract(asked[0], middle)) < 6


def test_one_that_stands_free_is_flat_by_all_of_them() -> None:
    true = read_truth(PICTURES / "d017.json")
    believed = turned(true, OFF_DEG)
    sight, views = seen_by(true, believed)
    look = look_by_all(lambda _: [PlausibleCamera(believed, 0.0), PlausibleCamera(true.camera, 2.0)])
    first, second = look(sight, true.geometry.die_size_mm, views, [True, False])
    assert first == views[0]
    assert second != views[1]


@pytest.mark.parametrize(("times", "looks", "told"), [(1.0, 0.8, 0.8), (0.3, 0.8, 0.4), (0.3, 0.95, 0.95)])
def test_a_small_die_leans_only_if_it_does_so_plainly(
    monkeypatch: pytest.MonkeyPatch, times: float, looks: float, told: float
) -> None:
    true = read_truth(PICTURES / "d083.json")
    camera = replace(true.camera, focal_x_px=true.camera.focal_x_px * times, focal_y_px=true.camera.focal_y_px * times)
    sight, views = seen_by(true, camera)
    monkeypatch.setattr(photograph_tilt, "look_for_tilt", lambda *_: [replace(view, tilted=looks) for view in views])
    monkeypatch.setattr(photograph_tilt, "tilt_of", lambda *_: (looks, 12.0))
    look = look_by_all(lambda _: [PlausibleCamera(camera, 0.0), PlausibleCamera(camera, 1.0)])
    seen = look(sight, true.geometry.die_size_mm, views, [False] * len(views))
    assert [view.tilted for view in seen] == pytest.approx([told] * len(views))
    assert [view.tilt_deg for view in seen] == pytest.approx([12.0] * len(views))


@pytest.mark.parametrize(("aslant_deg", "told"), [(47.0, 0.99), (53.0, 0.4)])
def test_a_die_that_is_seen_too_much_from_the_side_is_not_said_to_lean(
    monkeypatch: pytest.MonkeyPatch, aslant_deg: float, told: float
) -> None:
    angle = np.radians(aslant_deg)
    camera = camera_over((0.0, -900.0 * np.sin(angle), 900.0 * np.cos(angle) + 8.0), (0.0, 0.0, 8.0), 900.0)
    sight = Sight(np.zeros((camera.height_px, camera.width_px, 3), np.uint8), camera)
    view = DieView((0.0, 0.0), 1.0, 0.0, (1.0, 0.0, 0.0, 0.0, 0.0, 0.0), 0.99, 0.0, 0.0, 20.0, 16.0)
    monkeypatch.setattr(photograph_tilt, "look_for_tilt", lambda _sight, _die_mm, views, _free: views)
    [seen] = look_by_all(lambda _: [])(sight, 16.0, [view], [False])
    assert seen == replace(view, tilted=told)
