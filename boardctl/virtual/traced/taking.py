"""How one camera makes pictures of light, the same way from picture to picture: exposure, lens, noise, coding."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.virtual.drawing.brush import Picture
from boardctl.virtual.looks import Look
from boardctl.virtual.traced.meshes import DISPLAY_GAMMA
from boardctl.virtual.traced.sight import LEAST_BLUR_PX, ROUNDED_OFTEN, ROUNDED_WHITE, SHARPENED, SHARPENED_OFTEN, Light

VIGNETTE = (0.0, 0.25)
"""How much darker the corners of a picture are."""
ROUNDED_BRIGHTER = 1.25
"""Bright parts drawn together (``ROUNDED_WHITE``) leave what is as bright as common paper as it was."""
GRAINY_OFTEN, GRAINY_PX = 0.5, 0.6
"""So often noise is not of single pixels, as where a camera has cleaned its pictures."""
DARK_NOISE = 0.4
"""What part of a camera's noise is there in the dark; the rest grows with the root of the light."""


@dataclass(frozen=True)
class Taking:
    """One camera: what light it shows as white, its tint, lens, noise and coding."""

    exposure: float
    tint: tuple[float, float, float]
    rounded: bool
    blur_px: float
    sharpened: float
    vignette: float
    noise: float
    grain_px: float
    jpeg_quality: int

    def picture(self, light: Light, factor: float, rng: np.random.Generator) -> Picture:
        """Gets a picture (blue, green, red) of light (red, green, blue); ``factor``: how much more of it there is."""
        seen = light * np.float32(self.exposure * factor) * np.array(self.tint, dtype=np.float32)
        height, width = seen.shape[:2]
        rows, columns = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
        seen = seen * (1 - self.vignette * (rows**2 + columns**2) / 2)[..., None]
        if self.rounded:
            seen = seen * (1 + seen / ROUNDED_WHITE**2) / (1 + seen) * ROUNDED_BRIGHTER
        seen = np.clip(seen, 0, 1.5)  # what is too bright outshines its surroundings no more than this
        if self.blur_px > LEAST_BLUR_PX:
            seen = cv2.GaussianBlur(seen, (0, 0), self.blur_px)
        seen = np.clip(seen, 0, 1)
        shown = np.where(seen < 0.0031308, 12.92 * seen, 1.055 * seen ** (1 / 2.4) - 0.055)  # sRGB, IEC 61966-2-1
        if self.sharpened:
            shown = shown + self.sharpened * (shown - cv2.GaussianBlur(shown, (0, 0), 1.0))
        noise: NDArray[np.floating] = rng.standard_normal(shown.shape)
        if self.grain_px:
            noise = cv2.GaussianBlur(noise, (0, 0), self.grain_px) * 2 * np.sqrt(np.pi) * self.grain_px
        strength = self.noise * (DARK_NOISE + (1 - DARK_NOISE) * np.sqrt(np.clip(shown, 0, 1)))
        levels = np.clip(shown * 255 + noise * strength, 0, 255).round().astype(np.uint8)[..., ::-1]
        return np.ascontiguousarray(levels)

    def coded(self, picture: Picture) -> bytes:
        """Gets a picture as JPEG."""
        return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg_quality])[1].tobytes()


def taking_of(
    look: Look,
    jpeg_quality: int,
    light: Light,
    colour: Light,
    on_field: NDArray[np.bool_],
    soft_px: float,
    rng: np.random.Generator,
) -> Taking:
    """Draws the camera of a look, which shows what reflects all light as white, times the look's own exposure.

    ``light`` and ``colour`` (height x width x 3): of the empty board, and what it reflects; ``on_field``: where that is
    to be well exposed. ``soft_px``: how soft the light's pixels are by themselves.
    """
    falls = light[on_field].sum(axis=1) / np.maximum(colour[on_field].sum(axis=1), 0.03)
    exposure = look.light.exposure**DISPLAY_GAMMA / float(np.median(falls))
    blue, green, red = (channel**DISPLAY_GAMMA for channel in look.light.tint)
    return Taking(
        exposure,
        (red, green, blue),
        bool(rng.random() < ROUNDED_OFTEN),
        float(np.sqrt(max(look.lens.blur_px**2 - soft_px**2, 0.0))),
        float(rng.uniform(*SHARPENED)) if rng.random() < SHARPENED_OFTEN else 0.0,
        float(rng.uniform(*VIGNETTE)),
        look.lens.noise,
        GRAINY_PX if rng.random() < GRAINY_OFTEN else 0.0,
        jpeg_quality,
    )
