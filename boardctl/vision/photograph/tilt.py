"""Whether dice in a photograph lean, where the camera is only known by the field's corners.

By a camera that is believed some degrees off a flat die looks tilted, and one that leans may look flat. But all dice of
a photograph are seen by one camera, and most dice lie flat: so those cameras count most by which the dice lie flat.
"""

from dataclasses import replace
from math import radians, tan

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.look import DieView, Sight, leaning
from boardctl.vision.dice.patch import die_size_px, obliqueness
from boardctl.vision.dice.tilt import LookForTilt, look_for_tilt, tilt_of
from calibration.camera import CameraModel
from calibration.field.plausible_cameras import CamerasSeeing, PlausibleCamera

Floats = NDArray[np.float64]

MAY_LEAN = 0.3
"""Likelihood of a tilt by the likeliest camera up to which, for all dice of a photograph, no other camera is tried: of
949 photographs of drawn and traced boards, and of parts of renders, no die was told otherwise for it."""

FLAT_SPEAKS = 3.0
"""How much a die that lies flat speaks for a camera by which it does (logarithm of odds): with 2 to 4 as many of these
dice are said to lean, with less more of those that lie flat."""

MOST_ASLANT = tan(radians(50))
"""Whether a die leans is told up to so far off the upright (tangent of the angle): the networks have learned from
cameras that hang, which see none from further aside. Of 50 flat dice of two sets of slanted photographs that were seen
so 27 looked tilted, of 292 others 11."""

SMALL_PX, PLAINLY, OPEN = 11.0, 0.9, 0.4
"""A die smaller than this in the picture leans only if it does so plainly; what is less is left open. Of 240 flat dice
of about this size and less on these boards 11 looked as if they leaned with 0.5, six with 0.9, of 15 that lean 14 with
either; of 1,438 larger ones five looked so with 0.5."""


def look_by_all(cameras: CamerasSeeing) -> LookForTilt:
    """Gets what looks for the tilt of the dice of a photograph by all cameras that may have taken it together; what it
    is given to see by is the likeliest one. Of a die that is seen too much from the side it tells nothing."""

    def looked(sight: Sight, die_mm: float | None, views: list[DieView], free: list[bool]) -> list[DieView]:
        return [
            replace(view, tilted=min(view.tilted, OPEN)) if _is_too_aslant(sight.camera, view) else view
            for view in by_all(sight, die_mm, views, free)
        ]

    def by_all(sight: Sight, die_mm: float | None, views: list[DieView], free: list[bool]) -> list[DieView]:
        seen = look_for_tilt(sight, die_mm, views, free)
        if not any(view.tilted > MAY_LEAN for view in seen):
            return seen
        sizes_mm = [view.size_mm if die_mm is None else die_mm for view in views]
        middles = [(*view.spot_mm, size / 2) for view, size in zip(views, sizes_mm, strict=True)]
        pixels = sight.camera.project(middles)
        x, y = pixels.mean(axis=0)
        tried = cameras((float(x), float(y)))
        if not tried:
            return seen
        tilts = np.array([_tilts(sight, each.camera, pixels, sizes_mm, views) for each in tried])
        tilted, tilt_deg = np.tensordot(_likely(tried, tilts[..., 0]), tilts, axes=1).T
        sizes_px = [die_size_px(sight.camera, middle, size) for middle, size in zip(middles, sizes_mm, strict=True)]
        told = map(_as_plainly, tilted.tolist(), sizes_px)
        return [
            view if stands_free else replace(view, tilted=likelihood, tilt_deg=degrees)
            for view, stands_free, likelihood, degrees in zip(seen, free, told, tilt_deg.tolist(), strict=True)
        ]

    return looked


def _is_too_aslant(camera: CameraModel, view: DieView) -> bool:
    return obliqueness(camera, (*view.spot_mm, view.size_mm / 2)) > MOST_ASLANT


def _as_plainly(tilted: float, size_px: float) -> float:
    """Gets how likely a die of a size is to be told as tilted that looks so."""
    return min(tilted, OPEN) if tilted < PLAINLY and size_px < SMALL_PX else tilted


def _tilts(
    sight: Sight, camera: CameraModel, pixels: Floats, sizes_mm: list[float], views: list[DieView]
) -> list[tuple[float, float]]:
    """Gets how likely dice at some pixels are tilted, and by how many degrees, as a camera shows them."""
    seen = []
    by_camera = Sight(sight.picture, camera, halved=sight.half_picture)
    for view, pixel, size_mm in zip(views, pixels, sizes_mm, strict=True):
        x, y = camera.to_plane([pixel], size_mm / 2)[0]
        spot = (float(x), float(y))
        there = replace(view, spot_mm=spot, tilted=leaning(by_camera, spot, size_mm))
        seen.append(tilt_of(by_camera, size_mm, there))
    return seen


def _likely(cameras: list[PlausibleCamera], tilted: Floats) -> Floats:
    """Gets how likely each camera took the photograph (in all 1), by which its dice are so likely tilted (cameras x
    dice)."""
    off = np.array([(camera.off, camera.unusual) for camera in cameras])
    logs = FLAT_SPEAKS * (1 - tilted).sum(axis=1) - np.square(off).sum(axis=1) / 2
    likely = np.exp(logs - logs.max())
    return np.asarray(likely / likely.sum(), dtype=np.float64)
