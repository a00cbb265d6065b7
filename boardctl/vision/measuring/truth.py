"""Reads pictures with exact truth: the JSON beside each rendered picture, in millimetres."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration import BoardGeometry, CameraModel
from calibration.corners import Corners, as_corners

MM_A_CM = 10.0

POINT = 1 / 13
"""A point's width over the field's: a row has twelve points and a bar."""


@dataclass(frozen=True)
class TruePicture:
    """One picture's truth."""

    path: Path
    installation: str
    camera: CameraModel
    geometry: BoardGeometry
    truth: dict[str, Any]

    def picture(self) -> NDArray[np.uint8]:
        """Gets the picture, height x width x 3, blue first.

        :raises ValueError: if it cannot be read.
        """
        image = cv2.imread(str(self.path.with_suffix(".jpg")))
        if image is None:
            raise ValueError(f"{self.path.with_suffix('.jpg')}: not a picture")
        return np.asarray(image, dtype=np.uint8)

    @cached_property
    def checkers_mm(self) -> NDArray[np.float64]:
        """Gets x, y, z of the tops of the checkers that lie flat."""
        found = []
        for checker in self.truth["checkers"]:
            if checker["on_edge"] or checker.get("px") is None:
                continue
            raised = self.geometry.bar_height_mm if checker["at"] == "bar" else 0.0
            top = raised + (checker["layer"] + 1) * self.geometry.checker_height_mm
            x, y = self.camera.to_plane([checker["px"]], top)[0]
            found.append((x, y, top))
        return np.array(found, dtype=np.float64).reshape(-1, 3)


def corners_of(truth: dict[str, Any]) -> Corners:
    """Gets the field's outer corners of a truth record, in pixels."""
    names = ("A_left", "A_right", "B_right_of_A_view", "B_left_of_A_view")
    return as_corners(truth["field_corners_px"][name] for name in names)


def moved_corners(corners: Corners, spread: float, path: Path) -> Corners:
    """Gets corners as somebody might give them who is not exact: each moved at random, each way by so many widths of
    points (standard deviation), by the names of a picture and its folder always alike."""
    rng = np.random.default_rng([*path.parent.name.encode(), *path.stem.encode()])
    places = np.array(corners)
    width_px = float(np.linalg.norm(places[1] - places[0])) * POINT
    return as_corners(places + rng.normal(0, spread * width_px, (4, 2)))


def camera_of(truth: dict[str, Any]) -> CameraModel:
    """Gets the camera of a truth record, in millimetres."""
    camera = truth["camera"]
    rotation = np.array(camera["R_world_to_cam"])
    shift = -rotation @ (np.array(camera["C_world_cm"]) * MM_A_CM)
    k1, k2, p1, p2, k3 = (float(v) for v in camera["dist_k1k2p1p2k3"])
    turn = [float(v) for v in cv2.Rodrigues(rotation)[0].ravel()]
    return CameraModel(
        camera["width"],
        camera["height"],
        camera["fx"],
        camera["fy"],
        camera["cx"],
        camera["cy"],
        (k1, k2, p1, p2, k3),
        (turn[0], turn[1], turn[2]),
        (float(shift[0]), float(shift[1]), float(shift[2])),
    )


def geometry_of(truth: dict[str, Any]) -> BoardGeometry:
    """Gets the board of a truth record."""
    size = {name: value * MM_A_CM for name, value in truth["geometry_cm"].items()}
    return BoardGeometry(
        point_width_mm=size["point_width"],
        point_length_mm=size["point_length"],
        field_height_mm=size["field_height"],
        bar_width_mm=size["bar_width"],
        checker_diameter_mm=size["checker_diameter"],
        checker_height_mm=size["checker_height"],
        die_size_mm=size["die_size"],
        rail_height_mm=size["rail_height"],
        bar_height_mm=size["bar_height"],
        home_on_right=truth["home_side_is_A_right"],
    )


def read_truth(path: Path) -> TruePicture:
    """Reads one truth file."""
    truth = json.loads(path.read_text())
    return TruePicture(path, f"{truth['installation']:04d}", camera_of(truth), geometry_of(truth), truth)


def is_held_out(picture: TruePicture, session_installations: frozenset[int], every: int) -> bool:
    """Whether a picture is kept from training: by its installation, or each ``every``-th of the dice pictures."""
    number = int(picture.installation)
    if picture.truth.get("type") == "dice":
        return number % every == 0
    return number in session_installations


HELD_OUT_SESSIONS = frozenset({3, 6, 11, 13})
HELD_OUT_EVERY = 5


def training_pictures(folder: Path) -> Iterator[TruePicture]:
    """Gets the truth of all pictures below a folder that are not held out, in a fixed order."""
    for path in sorted(folder.glob("**/*.json")):
        if path.name in ("installation.json", "manifest.json"):
            continue
        picture = read_truth(path)
        if not is_held_out(picture, HELD_OUT_SESSIONS, HELD_OUT_EVERY):
            yield picture
