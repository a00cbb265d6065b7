"""What a bench shows the eyes of an installation: its pictures as they are, or with what has become of the table."""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from boardctl.devices.faces import Picture
from boardctl.devices.pictures import read_picture
from boardctl.vision.later_changes import Change, Nudge, exposed_otherwise
from boardctl.vision.other_camera import OtherCamera

EMPTY, START = "f00", "f01"
"""Pictures of an installation by which it is calibrated: the empty board, and the starting position."""


def shown_by(
    place: Path, camera_number: int | None, later: Iterable[tuple[Change, int]], exposure_number: int | None = None
) -> Callable[[Path], Picture]:
    """Gets what reads an installation's pictures: as they are, or as the other camera took them that a number draws,
    and all but those by which the camera is calibrated with what has become of the table ``later``, each drawn by a
    number. Where there is an ``exposure_number``, it draws how the empty board was exposed otherwise than all after."""
    seed = [camera_number or 0, *place.name.encode()]
    camera, rng = OtherCamera.drawn(np.random.default_rng(seed)), np.random.default_rng([*seed, 1])
    first = [] if exposure_number is None else [(exposed_otherwise, exposure_number)]
    changes = {EMPTY: first, START: []}

    def shown(path: Path) -> Picture:
        picture = read_picture(path)
        for change, number in changes.get(path.stem, later):
            drawn_by = np.random.default_rng([number, *place.name.encode(), *path.stem.encode()])
            picture = change(picture, drawn_by)
        return picture if camera_number is None else camera.take(picture, rng)

    return shown


def nudge_of(number: int | None, place: Path, picture: Picture) -> Nudge | None:
    """Gets what takes an installation's camera back to where it stood before it was nudged."""
    if number is None:
        return None
    height, width = picture.shape[:2]
    return Nudge.drawn(width, height, np.random.default_rng([number, *place.name.encode()]))
