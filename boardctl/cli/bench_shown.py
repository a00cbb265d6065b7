"""What a bench shows the eyes of an installation: its pictures as they are, or with what has become of the table."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from boardctl.devices.faces import Picture
from boardctl.devices.pictures import read_picture
from boardctl.vision.later_changes import Change, Lamp, Nudge, exposed_otherwise, in_shadow
from boardctl.vision.other_camera import OtherCamera

EMPTY, START = "f00", "f01"
"""Pictures of an installation by which it is calibrated: the empty board, and the starting position."""

Drawn = tuple[Change, int]
"""What has become of a table, and the number by which it is drawn."""


def shown_by(
    place: Path,
    camera_number: int | None,
    lamp_number: int | None,
    later: Sequence[Drawn],
    between: Mapping[str, Sequence[Drawn]],
) -> Callable[[Path], Picture]:
    """Gets what reads an installation's pictures: as they are, or as the other camera took them that a number draws,
    below a lamp that flickers where a number draws that, with what has become of the table: ``later``, since the camera
    was calibrated, and ``between`` the two pictures by which it is, of these that which is named."""
    seed = [camera_number or 0, *place.name.encode()]
    camera, rng = OtherCamera.drawn(np.random.default_rng(seed)), np.random.default_rng([*seed, 1])
    lamp: list[Drawn] = []
    if lamp_number is not None:
        drawn = Lamp.drawn(np.random.default_rng([lamp_number, *place.name.encode()]))
        lamp.append((drawn.picture, lamp_number))

    def shown(path: Path) -> Picture:
        picture = read_picture(path)
        changes = between.get(path.stem, ()) if path.stem in (EMPTY, START) else later
        for change, number in (*changes, *lamp):
            drawn_by = np.random.default_rng([number, *place.name.encode(), *path.stem.encode()])
            picture = change(picture, drawn_by)
        return picture if camera_number is None else camera.take(picture, rng)

    return shown


def changes_between(place: Path, exposure: int | None, shadow: int | None) -> dict[str, list[Drawn]]:
    """Gets what makes the light of an installation's two first pictures differ: another exposure of the empty board's,
    and a shadow over one of the two, each where a number draws it."""
    changes: dict[str, list[Drawn]] = {EMPTY: [], START: []}
    if exposure is not None:
        changes[EMPTY].append((exposed_otherwise, exposure))
    if shadow is not None:
        in_which = np.random.default_rng([shadow, *place.name.encode()]).integers(2)
        changes[(EMPTY, START)[in_which]].append((in_shadow, shadow))
    return changes


def nudge_of(number: int | None, place: Path, picture: Picture) -> Nudge | None:
    """Gets what takes an installation's camera back to where it stood before it was nudged."""
    if number is None:
        return None
    height, width = picture.shape[:2]
    return Nudge.drawn(width, height, np.random.default_rng([number, *place.name.encode()]))
