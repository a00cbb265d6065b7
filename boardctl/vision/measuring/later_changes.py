"""What may have become of a table since its camera was calibrated, laid over pictures of it, to see how the eyes do.

How strong it is, and where, is drawn at random. The truth of a picture holds, but where a nudged camera took it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.light.linear import GAMMA, levels_of, light_of
from calibration.start.moved import carried

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

Change = Callable[[Picture, np.random.Generator], Picture]
"""What has become of the table: it is in all pictures of it while it lies still."""

Moment = Callable[[Picture, np.random.Generator, int], Picture]
"""What differs from each of these pictures to the next, of which the last argument counts."""

LIGHT_LEFT, LIGHT_ADDED = (0.5, 0.8), (1.2, 1.5)
"""What a shadow leaves of the levels of colours, and what the sun makes of them."""
OFF_MIDDLE = (0.1, 0.6)
"""How far from the picture's middle that of a shadow, or of sunlight, is, in shares of the way to its edge."""
LONG, WIDE = (0.5, 0.9), (0.3, 0.5)
"""How long and wide it is, in shares of the picture's height and of its width: head and shoulders, or a window."""
SOFT = (0.003, 0.02)
"""How soft its edge is (standard deviation), in shares of the picture's width."""

OTHER_STRENGTH, OTHER_CAST = 0.3, 0.08
"""How much stronger or fainter the light of another hour is, and each of its channels beside the others (standard
deviations of the logarithm)."""
FROM_ONE_SIDE = (0.3, 0.7)
"""How much more of it falls on one end of the picture than on the other (logarithm)."""

BANDS = (1.5, 7.0)
"""How many bright bands a lamp that flickers at 100 or 120 times a second lays into a picture whose rows the camera
exposes one after the other, in 1/70 to 1/15 of a second."""
FLICKERING = (0.05, 0.3)
"""How far its light goes up and down, averaged over the time for which a row is exposed, in shares of it."""
OVERTONE = 0.3
"""How strong its overtone is at most, beside it: few lamps grow bright and dark as a plain wave does."""

OUT_OF_FOCUS = 0.006
"""Radius of the spot that a lens out of focus makes of a point at most, in shares of the picture's width."""

SATURATIONS = (0.3, 2.0)
"""How saturated a camera's colours become where it takes colour out of its pictures, as in little light, or somebody
turns its setting."""

GAMMAS = (0.55, 1.8)
"""To what power a camera raises levels beyond what it did, where its gamma is turned or it lightens what is dark."""
CONTRASTS, BRIGHTNESS_LEVELS = (0.7, 1.3), 25.0
"""By how much levels are drawn from the middle one, and how far all are moved, up or down, at most: other settings."""
BOWS = (1.2, 2.0)
"""To what power the odds of levels are raised, by a camera that raises contrast in the middle of them."""
BLACK_CONTRASTS, BLACK_LEVELS = (1.15, 1.5), (0.0, 30.0)
"""The same of settings by which what is dark is written as black: more contrast, and all levels moved down."""
VEILED, VEIL_FROM_ONE_SIDE, VEIL_CAST = (0.02, 0.25), (0.0, 0.9), 0.1
"""How much light a veil over the lens adds in the middle of the picture, in parts of white; by what share of that it is
more on one side and less on the other; and how it is coloured (standard deviation of each channel's share)."""

NOISE_LEVELS = (6.0, 16.0)
"""Noise of a camera in little light, in grey levels (standard deviation)."""
COMMON_NOISE_LEVELS = 2.0
"""Noise of a common camera from one picture to the next, in grey levels (standard deviation)."""
TAKEN_TOGETHER = 15
"""A calibration's picture is the mean of so many: a second of a camera of fifteen frames a second."""

TURNED_DEG = 0.3
"""By how much a nudged camera is turned about each of its axes (standard deviation)."""


@dataclass(frozen=True)
class Nudge:
    """A camera that was turned a little where it stands: where what it saw at a pixel is seen then (3 x 3)."""

    homography: NDArray[np.float64]

    @classmethod
    def drawn(cls, width_px: int, height_px: int, rng: np.random.Generator) -> "Nudge":
        """Draws the nudge of a camera whose lens is as long as its pictures are wide."""
        lens = np.array([[width_px, 0, width_px / 2], [0, width_px, height_px / 2], [0, 0, 1]])
        turn = cv2.Rodrigues(np.deg2rad(rng.normal(0, TURNED_DEG, 3)))[0]
        return cls(np.asarray(lens @ turn @ np.linalg.inv(lens), dtype=np.float64))

    def picture(self, picture: Picture) -> Picture:
        """Gets a picture (H x W x 3) as the camera takes it then."""
        return carried(picture, self.homography)

    def pixels(self, pixels: ArrayLike) -> NDArray[np.float64]:
        """Gets where what was seen at pixels (N x 2) is seen then."""
        flat = np.asarray(pixels, dtype=np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(flat, self.homography), dtype=np.float64).reshape(-1, 2)


@dataclass(frozen=True)
class Lamp:
    """A lamp that flickers, below which a camera exposes the rows of a picture one after the other: how many bands that
    lays into a picture, how far their light goes up and down, and how strong an overtone is beside it and how far along
    (turns)."""

    bands: float
    depth: float
    overtone: float
    along: float

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> "Lamp":
        """Draws a lamp."""
        return cls(rng.uniform(*BANDS), rng.uniform(*FLICKERING), rng.uniform(0, OVERTONE), rng.uniform())

    def picture(self, picture: Picture, rng: np.random.Generator, frame: int = 0) -> Picture:
        """Gets a picture (H x W x 3) as the camera takes it: the bands lie elsewhere in each."""
        turns = self.bands * np.arange(len(picture)) / len(picture) + _at(rng, frame).uniform()
        wave = np.sin(2 * np.pi * turns) + self.overtone * np.sin(2 * np.pi * (2 * turns + self.along))
        levels = (1 + self.depth * wave) ** (1 / GAMMA)
        return _lit(picture, levels.astype(np.float32)[:, None, None])


def in_shadow(picture: Picture, rng: np.random.Generator) -> Picture:
    """Gets a picture (H x W x 3) with somebody's shadow over a part of it, who leans over the board."""
    return _lit(picture, _over_a_part(picture, rng, LIGHT_LEFT)[..., None])


def in_sunlight(picture: Picture, rng: np.random.Generator) -> Picture:
    """Gets a picture (H x W x 3) with sunlight on a part of it."""
    return _lit(picture, _over_a_part(picture, rng, LIGHT_ADDED)[..., None])


def at_another_hour(picture: Picture, rng: np.random.Generator) -> Picture:
    """Gets a picture (H x W x 3) in light of another strength, colour and direction."""
    along = _along(picture, rng)
    strength = _strength(rng)
    logs = along[..., None] * np.float32(rng.uniform(*FROM_ONE_SIDE)) + strength
    return _lit(picture, np.exp(logs))


def exposed_otherwise(picture: Picture, rng: np.random.Generator) -> Picture:
    """Gets a picture (H x W x 3) as a camera takes it that has chosen another exposure and another white."""
    return _lit(picture, np.exp(_strength(rng)))


def out_of_focus(picture: Picture, rng: np.random.Generator) -> Picture:
    """Gets a picture (H x W x 3) as a lens takes it that is in focus elsewhere: each point becomes an even spot."""
    radius_px = float(rng.uniform(0, OUT_OF_FOCUS)) * picture.shape[1]
    reach = int(np.ceil(radius_px))
    away = np.hypot(*np.mgrid[-reach : reach + 1, -reach : reach + 1])
    spot = np.clip(radius_px + 0.5 - away, 0, 1)  # half covered at its edge
    return np.asarray(cv2.filter2D(picture, -1, spot / spot.sum()), dtype=np.uint8)


def otherwise_saturated(picture: Picture, rng: np.random.Generator) -> Picture:
    """Gets a picture (H x W x 3) with its colours drawn nearer to their greys, or further from them."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)[..., None]
    saturation = np.float32(np.exp(rng.uniform(*np.log(SATURATIONS))))
    return np.asarray(np.rint(np.clip(grey + saturation * (picture - grey), 0, 255)), dtype=np.uint8)


def with_other_tones(picture: Picture, rng: np.random.Generator) -> Picture:
    """Gets a picture (H x W x 3) as a camera writes it whose tone curve has become another one: another gamma, another
    brightness and contrast, or more contrast in the middle."""
    levels = (np.arange(256) + 0.5) / 256
    gamma, contrast, bow = (np.exp(rng.uniform(*np.log(each))) for each in (GAMMAS, CONTRASTS, BOWS))
    brightness = rng.uniform(-BRIGHTNESS_LEVELS, BRIGHTNESS_LEVELS) / 255
    odds = (levels / (1 - levels)) ** bow
    curves = (levels**gamma, contrast * (levels - 0.5) + 0.5 + brightness, odds / (1 + odds))
    curve = np.rint(255 * np.clip(curves[rng.integers(len(curves))], 0, 1)).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, curve), dtype=np.uint8)


def blackened(picture: Picture, rng: np.random.Generator) -> Picture:
    """Gets a picture (H x W x 3) as a camera writes it that makes all that is dark black: with more contrast, and less
    brightness."""
    contrast, down = np.exp(rng.uniform(*np.log(BLACK_CONTRASTS))), rng.uniform(*BLACK_LEVELS)
    curve = np.rint(np.clip(contrast * (np.arange(256) - 127.5) + 127.5 - down, 0, 255)).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, curve), dtype=np.uint8)


def veiled(picture: Picture, rng: np.random.Generator) -> Picture:
    """Gets a picture (H x W x 3) as a camera takes it on whose lens the sun shines, or a lamp: light lies over all of
    it, more on one side."""
    along = _along(picture, rng)
    shares = 1 + 2 * np.float32(rng.uniform(*VEIL_FROM_ONE_SIDE)) * along
    cast = (1 + VEIL_CAST * rng.standard_normal(3)).astype(np.float32)
    added = np.clip(np.float32(np.exp(rng.uniform(*np.log(VEILED)))) * shares[..., None] * cast, 0, 1)
    return levels_of(light_of(picture) * (1 - added) + added)


def noisy(picture: Picture, rng: np.random.Generator, frame: int = 0) -> Picture:
    """Gets a picture (H x W x 3) as a camera takes it in little light; each has as much noise, of its own."""
    return with_noise(picture, float(rng.uniform(*NOISE_LEVELS)), _at(rng, frame))


def with_common_noise(picture: Picture, rng: np.random.Generator, frame: int) -> Picture:
    """Gets a picture (H x W x 3) as a common camera takes it once more: the first is as it was taken."""
    return with_noise(picture, COMMON_NOISE_LEVELS, _at(rng, frame)) if frame else picture


def _at(rng: np.random.Generator, frame: int) -> np.random.Generator:
    """Gets what draws that which is of one picture alone."""
    return rng.spawn(frame)[-1] if frame else rng


def with_noise(picture: Picture, levels: float, rng: np.random.Generator) -> Picture:
    """Gets a picture (H x W x 3) with noise of so many grey levels (standard deviation)."""
    noise = np.float32(levels) * rng.standard_normal(picture.shape, dtype=np.float32)
    return np.asarray(np.rint(np.clip(picture + noise, 0, 255)), dtype=np.uint8)


def noisy_together(picture: Picture, rng: np.random.Generator) -> Picture:
    """Gets the mean of some pictures (each H x W x 3) of one scene that a camera takes in little light."""
    together = np.mean([noisy(picture, rng) for _ in range(TAKEN_TOGETHER)], axis=0, dtype=np.float32)
    return np.asarray(np.rint(together), dtype=np.uint8)


def _along(picture: Picture, rng: np.random.Generator) -> Floats:
    """Gets how far each pixel of a picture (H x W) is from its middle in a direction that is drawn, in parts of its
    sides."""
    height, width = picture.shape[:2]
    turn = rng.uniform(0, 2 * np.pi)
    down, right = np.mgrid[:height, :width].astype(np.float32)
    along = (right / width - 0.5) * np.float32(np.cos(turn)) + (down / height - 0.5) * np.float32(np.sin(turn))
    return np.asarray(along, dtype=np.float32)


def _strength(rng: np.random.Generator) -> Floats:
    """Draws how much more there is of each channel (logarithm)."""
    return np.asarray(rng.normal(0, OTHER_STRENGTH) + rng.normal(0, OTHER_CAST, 3), dtype=np.float32)


def _over_a_part(picture: Picture, rng: np.random.Generator, levels: tuple[float, float]) -> Floats:
    """Gets what is left of the levels at each pixel (H x W), where a part of the picture lies in another light."""
    height, width = picture.shape[:2]
    turn = rng.uniform(0, 2 * np.pi)
    away = rng.uniform(*OFF_MIDDLE) * np.array([np.cos(turn) * width, np.sin(turn) * height]) / 2
    middle = (float(width / 2 + away[0]), float(height / 2 + away[1]))
    size = (float(width * rng.uniform(*WIDE)), float(height * rng.uniform(*LONG)))
    mask = np.zeros((height, width), np.uint8)
    cv2.ellipse(mask, (middle, size, float(np.degrees(turn))), (255,), -1)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(*SOFT) * width).astype(np.float32) / 255
    return np.asarray(1 - soft * np.float32(1 - rng.uniform(*levels)), dtype=np.float32)


def _lit(picture: Picture, light: Floats) -> Picture:
    """Gets a picture in a light (H x W x 1 or 3): beyond the highest level colours are lost, as a camera loses them."""
    return np.asarray(np.rint(np.clip(picture * light, 0, 255)), dtype=np.uint8)
