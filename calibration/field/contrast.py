"""Evens how much contrast the parts of a picture have: faint edges, and those in the dark, become as clear as others.

What is made so is for looking where something is; colours and light are not what they were.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

MOST = 4.0
"""So many times the contrast of a part is raised at most."""

LIGHT_TILES, COLOUR_TILES = (6, 6), (4, 4)
"""Parts across and down: finer ones for light alone, as lamps fall off and shadows end; coarser ones for colours."""


def light_contrast_evened(picture: Picture, most: float = MOST, tiles: tuple[int, int] = LIGHT_TILES) -> Picture:
    """Gets a picture (H x W x 3) with the contrast of its lightness evened, its tints as they are (CLAHE: Zuiderveld,
    1994). ``most``, ``tiles``: as those above, where a camera does it."""
    lightness, *tints = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB))
    even = cv2.merge([cv2.createCLAHE(most, tiles).apply(lightness), *tints])
    return np.asarray(cv2.cvtColor(even, cv2.COLOR_LAB2BGR), dtype=np.uint8)


def colour_contrast_evened(picture: Picture) -> Picture:
    """Gets a picture (H x W x 3) with the contrast of each of its channels evened by itself: tints, too, become
    stronger."""
    even = cv2.createCLAHE(MOST, COLOUR_TILES)
    return np.asarray(cv2.merge([even.apply(channel) for channel in cv2.split(picture)]), dtype=np.uint8)
