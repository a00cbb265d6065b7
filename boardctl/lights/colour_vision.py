"""How far apart two colours of light are, for every kind of eye.

Only the hue and its strength count, not the brightness: a dim light and a bright one are not two signs.
"""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

Levels = tuple[int, int, int]
"""Red, green and blue of an LED, 0 to 255 each; linear in light, as pulse-width modulation is."""

Floats = NDArray[np.float64]


class Vision(Enum):
    """Kinds of colour vision, each with the matrix that turns linear RGB into what is seen.

    Source: Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
    IEEE TVCG 15 (2009), severity 1.0.
    """

    COMMON = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    PROTANOPIA = (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    )
    DEUTERANOPIA = (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    )
    TRITANOPIA = (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    )


# Linear sRGB to CIE XYZ, D65 (IEC 61966-2-1). An LED's primaries are more saturated, so real lights lie further apart.
_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])

DISTINCT = 0.055
"""The least distance at which two lights count as two colours, in CIE 1976 u'v' units.

Fifty times the just noticeable step of 0.0011 (ANSI C78.377, one-step ellipse): small lights, seen across a table.
"""


def chromaticity(levels: Levels, vision: Vision = Vision.COMMON) -> Floats:
    """Gets u', v' (CIE 1976 UCS) of a light as ``vision`` sees it.

    :raises ValueError: for a light that is dark.
    """
    if not any(levels):
        raise ValueError("the levels 0, 0, 0 are no colour of light; give at least one of them a value")
    seen = np.clip(np.array(vision.value) @ np.array(levels, dtype=np.float64), 0.0, None)
    x, y, z = _TO_XYZ @ seen
    return np.asarray([4 * x, 9 * y], dtype=np.float64) / float(x + 15 * y + 3 * z)


SCREEN_GAMMA = 2.2
"""What a screen makes of a value: light grows with the power of 2.2 (IEC 61966-2-1, nearly)."""


def screen_colour(levels: Levels) -> Levels:
    """Gets the red, green and blue values that make a screen look like a light of these linear levels."""
    red, green, blue = (round(255 * (level / 255) ** (1 / SCREEN_GAMMA)) for level in levels)
    return (red, green, blue)


def distance(first: Levels, second: Levels, vision: Vision = Vision.COMMON) -> float:
    """Gets how far apart two lights are in CIE 1976 u'v' units, whatever their brightness."""
    return float(np.linalg.norm(chromaticity(first, vision) - chromaticity(second, vision)))


def least_distance(first: Levels, second: Levels) -> tuple[float, Vision]:
    """Gets the distance for the eye that tells the two lights apart worst, and which that is."""
    return min(((distance(first, second, vision), vision) for vision in Vision), key=lambda found: found[0])
