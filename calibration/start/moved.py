"""What moved between the picture of the empty board and that of the starting position: the camera, or the board.

Who sets up thirty checkers nudges the board, or the arm that holds the camera, by some millimetres. What the two
pictures show alike is found again in the second one; what has moved together, as one plane does, is one motion. The one
that most of the board has made is the board's: by it the empty board is seen where the other picture has it.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.follow import found_again, without_light

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

WIDEST = 48
"""A picture shows a board of at least so many checkers' width: it is as wide as fifteen, and fills a third of it."""

CORNERS, QUALITY, BLOCK_PX = 1500, 0.01, 7
"""So many corners are looked for, of so much of the best one's contrast, each told by a block of so many pixels."""

WINDOW, THERE_AND_BACK = 1.5, 0.03
"""How much around a corner is compared, and how near it must be found again from there, in checkers of that size."""

OFF_PX = 0.0008
"""A corner moves with others if it is found as close to where they say, in widths of the picture: a pixel of 1280."""

ROUNDS = 2000
"""So many motions are tried, each told by four corners."""

MOTIONS, LEAST = 4, 40
"""So many motions are looked for, each borne out by so many: what stands around the board, the board itself, and what
seems to move, as checkers do."""

AS_WELL = 4.0
"""What is off a motion by so much more than what bears it out may still have made it, and bears out no other."""

MOVED_PX = 2 * OFF_PX
"""What moved by less has not moved: noise and checkers that lie near seem to move others by as much."""


@dataclass(frozen=True, eq=False)
class Motion:
    """How something has moved from the first picture to the second (3 x 3), and where in the second it bears that out
    (N x 2). ``is_none``: it stands where it stood."""

    homography: Floats
    seen_at: Floats
    is_none: bool

    def moved(self, picture: Picture) -> Picture:
        """Gets the first picture (H x W x 3) as it would be if all of it had moved so."""
        return carried(picture, self.homography)


def carried(picture: Picture, homography: Floats) -> Picture:
    """Gets a picture (H x W x 3) as it is where what was seen at a pixel is seen elsewhere, by a homography (3 x 3)."""
    size = (picture.shape[1], picture.shape[0])
    seen = cv2.warpPerspective(picture, homography, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.uint8)


def motions(first: Picture, second: Picture) -> list[Motion]:
    """Gets what moved from one picture to the other (each H x W x 3), what most of them shows first."""
    checker_px = first.shape[1] / WIDEST
    one, other = without_light(first, checker_px), without_light(second, checker_px)
    corners = cv2.goodFeaturesToTrack(one, CORNERS, QUALITY, checker_px / 4, blockSize=BLOCK_PX)
    if corners is None:
        return []
    places = np.asarray(corners, dtype=np.float32)
    kept, now = found_again(one, other, places, places, round(WINDOW * checker_px), THERE_AND_BACK * checker_px)
    was = places.reshape(-1, 2)[kept].astype(np.float64)
    return _together(was, now, first.shape[1])


def _together(was: Floats, now: Floats, width_px: int) -> list[Motion]:
    found: list[Motion] = []
    cv2.setRNGSeed(1)
    while len(found) < MOTIONS and len(was) >= LEAST:
        told, borne = cv2.findHomography(was, now, cv2.RANSAC, OFF_PX * width_px, None, ROUNDS)
        bears = np.zeros(len(was), bool) if told is None else borne.ravel() > 0
        if bears.sum() < LEAST:
            break
        by_px = float(np.median(np.linalg.norm(now[bears] - was[bears], axis=1)))
        found.append(Motion(np.asarray(told, dtype=np.float64), now[bears], by_px < MOVED_PX * width_px))
        off_px = np.linalg.norm(cv2.perspectiveTransform(was[:, None], told)[:, 0] - now, axis=1)
        left = off_px > AS_WELL * OFF_PX * width_px
        was, now = was[left], now[left]
    return found
