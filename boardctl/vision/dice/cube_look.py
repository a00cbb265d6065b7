"""The closer look at where the doubling cube may be: how surely it is there, by the network that reads dice.

A number on a cube may look like a die's pips from near by, and a cube from farther off like a checker's rim; what looks
like a cube in pictures of both widths is one.
"""

import numpy as np

from boardctl.vision.dice.look import Sight, outputs
from boardctl.vision.dice.size import sized
from calibration import BoardGeometry

FIRST_LOOK_MM = 17.0
"""Width of the die that the first look assumes: so a common cube fills a little more than half of what is seen."""
LOOKS = ((FIRST_LOOK_MM, False), (13.5, True), (FIRST_LOOK_MM, True), (13.5, False))
"""The looks at a place, in turn: the assumed width of a die in millimetres, mirrored or not."""
SAID_AT_MOST = 6.0
"""No look counts for more than this (logit), for or against: what one of them is sure of may still be wrong."""
NO_CUBE = -3.0
"""A first look below this (logit) is enough: of 501 cubes, rendered and drawn, none had less than -2; of 1,696 other
places that the scan suspects 96 in a hundred have."""
CLEARLY_ONE = 4.0
"""A mean of two looks from which no more are needed. Of cubes nine in ten have it; of other places none over 0.6."""


def cube_logit(sight: Sight, geometry: BoardGeometry, spot_mm: tuple[float, float]) -> float:
    """Gets how surely the doubling cube is at a place: the mean of up to four looks, fewer where they are plain."""
    said: list[float] = []
    for die_mm, mirrored in LOOKS:
        logit = float(outputs(sight, sized(geometry, die_mm), [spot_mm], mirrored)[0, 1])
        said.append(min(max(logit, -SAID_AT_MOST), SAID_AT_MOST))
        if (len(said) == 1 and logit < NO_CUBE) or (len(said) == 2 and np.mean(said) >= CLEARLY_ONE):
            break
    return float(np.mean(said))
