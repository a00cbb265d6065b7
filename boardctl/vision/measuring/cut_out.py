"""A part of a picture with truth, with dice in it, as the pictures are in which only dice are judged."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.measuring.truth import TruePicture

Picture = NDArray[np.uint8]

WIDTH_PX, HEIGHT_PX = 640, 480
"""How large a part is at most."""
AWAY = 0.3
"""How far the dice's middle is from that of the part at most, in its sizes."""


def cut_out(true: TruePicture, picture: Picture, random: Random) -> tuple[TruePicture, Picture] | None:
    """Gets a part of a picture (H x W x 3) around its dice, drawn by ``random``, with the truth of what is in it; None
    where no dice are in the picture.

    Of the truth it has what is asked of dice: theirs, the field's corners and the camera.
    """
    dice = [die["center_px"] for die in true.truth["dice"] if die["in_image"] and die["in_play"]]
    if not dice:
        return None
    height, width = picture.shape[:2]
    middle = np.mean(dice, axis=0)
    left = _start(middle[0] + random.uniform(-AWAY, AWAY) * WIDTH_PX, WIDTH_PX, width)
    top = _start(middle[1] + random.uniform(-AWAY, AWAY) * HEIGHT_PX, HEIGHT_PX, height)
    part = np.ascontiguousarray(picture[top : top + HEIGHT_PX, left : left + WIDTH_PX])
    shown = (part.shape[1], part.shape[0])
    camera = replace(
        true.camera,
        width_px=shown[0],
        height_px=shown[1],
        center_x_px=true.camera.center_x_px - left,
        center_y_px=true.camera.center_y_px - top,
    )
    corners = true.truth["field_corners_px"]
    truth = {
        **true.truth,
        "field_corners_px": {name: [x - left, y - top] for name, (x, y) in corners.items()},
        "dice": [_moved(die, left, top, shown) for die in true.truth["dice"]],
    }
    return replace(true, camera=camera, truth=truth), part


def _start(middle_px: float, size_px: int, of_px: int) -> int:
    """Gets where a part begins whose middle is asked to be at ``middle_px``, within ``of_px`` pixels."""
    return int(min(max(middle_px - size_px / 2, 0), max(of_px - size_px, 0)))


def _moved(die: dict[str, Any], left: int, top: int, shown_px: tuple[int, int]) -> dict[str, Any]:
    """Gets the truth of a die in a part of the picture; of one that is cut through nothing is judged."""
    corners = [[x - left, y - top] for x, y in die["corners_px"]]
    middle = [die["center_px"][0] - left, die["center_px"][1] - top]
    in_image = die["in_image"] and _within(middle[0], middle[1], shown_px)
    moved = {**die, "center_px": middle, "corners_px": corners, "in_image": in_image}
    whole = all(_within(x, y, shown_px) for x, y in corners)
    return moved if whole else {**moved, "visible_frac": 0.0}


def _within(x: float, y: float, shown_px: tuple[int, int]) -> bool:
    return 0 <= x <= shown_px[0] - 1 and 0 <= y <= shown_px[1] - 1
