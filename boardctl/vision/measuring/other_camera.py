"""The same scene as another camera would have taken it: to see how the eyes do with cameras that nobody has measured.

Its colours, contrast, sharpness, noise and packing are drawn at random. What it sees, and from where, stays as it is,
so that the truth of the picture holds.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

SHARPENED_PX = 1.2
"""What a camera that sharpens takes away from each pixel: the mean around it, so wide (standard deviation)."""
DRIFT = 0.05
"""How much brighter or darker the light is from picture to picture (standard deviation of its logarithm)."""


@dataclass(frozen=True)
class OtherCamera:
    """What a camera makes of the light: ``gains`` of blue, green and red, exponent, ``saturation``, blur and noise in
    pixels and grey levels (standard deviations), how much it sharpens, and the quality of its JPEG."""

    gains: tuple[float, float, float]
    exponent: float
    saturation: float
    blur_px: float
    sharpening: float
    noise_levels: float
    jpeg_quality: int

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> "OtherCamera":
        """Draws a camera: dull or brilliant, soft or sharpened, of those sold for such use."""
        gain, cast = np.exp(rng.normal(0, 0.12)), np.exp(rng.normal(0, 0.06, 3))
        blue, green, red = (float(value) for value in gain * cast)
        return cls(
            gains=(blue, green, red),
            exponent=float(np.exp(rng.normal(0, 0.18))),
            saturation=float(np.exp(rng.normal(0, 0.2))),
            blur_px=float(rng.choice([0.0, 0.5, 0.8, 1.1])),
            sharpening=float(rng.choice([0.0, 0.0, 0.5, 1.0])),
            noise_levels=float(rng.choice([1.0, 2.0, 4.0, 6.0])),
            jpeg_quality=int(rng.choice([60, 75, 90])),
        )

    def take(self, picture: Picture, rng: np.random.Generator) -> Picture:
        """Gets the picture (H x W x 3) that this camera takes, in a light a little other than the one before."""
        light = picture.astype(np.float32) / 255
        if self.blur_px:
            light = cv2.GaussianBlur(light, (0, 0), self.blur_px).astype(np.float32)
        if self.sharpening:
            light = light + self.sharpening * (light - cv2.GaussianBlur(light, (0, 0), SHARPENED_PX))
        grey = light.mean(axis=2, keepdims=True)
        light = grey + self.saturation * (light - grey)
        light = light * np.array(self.gains, dtype=np.float32) * np.exp(rng.normal(0, DRIFT))
        seen = np.clip(light, 0, 1) ** self.exponent * 255 + rng.normal(0, self.noise_levels, light.shape)
        packed = cv2.imencode(
            ".jpg", np.clip(seen, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, self.jpeg_quality]
        )[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
