"""How the points of a photograph would look if they were bare: told by those that are.

In any position many points are bare, and the bare ones of one colour look alike, but for the light on them
(``point_light``). So for each place along a point the look is taken that bare points of its colour share there, made
sure step by step: at first in blocks as long as half a checker (``drawn_points``), then pixel by pixel, each point
moved to where it fits the others, what differs being left out. Shadows of bar and rail lie along a point. From a slant
a rail hides what lies behind it (``behind_rails``), and checkers are seen before another (``bare_rails``).
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.photograph.bare_rails import rails_without_checkers
from boardctl.vision.photograph.behind_rails import behind_rails
from boardctl.vision.photograph.drawn_points import TIPS_FROM, usual_blocks
from boardctl.vision.photograph.point_light import OUTER, ROUGHLY, WHOLLY, first_light, light_basis, smooth_light
from boardctl.vision.photograph.point_strips import PointStrips
from boardctl.vision.points.columns import POINTS
from calibration.channels import strongest
from calibration.difference import DARK_OFFSET

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

MIRRORED = (0.3, TIPS_FROM)
"""Share of a strip's length from which on, and to which, its halves are held against each other: beyond the tips an
emblem may lie."""

LOPSIDED = 40
"""So many in a hundred strips show there what is mirrored, and neither checkers nor dice."""

ALIKE_FROM = (0.2, 0.75)
"""The same part of strips that are held against others of their colour."""

HARDLY_KNOWN = 0.01
"""Weight of how a place was taken to look before, against one strip in which it is plainly bare."""

SPREADS = (0.3, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05)
BLURS_PX = (2.5, 2.0, 1.5, 1.0, 0.7, 0.5, 0.5)
"""Step by step: the difference (logarithm) up to which a pixel shows a bare point, and how much the strips are blurred
when they are moved. Boards with a grain differ more: from ``FINE`` on, their own differences count."""
FINE = 4

MOST_MOVED_PX = 6.0
HELD_PX = np.diag([0.15, 0.3, 1.5])
"""How firmly a strip is held where it lies: at the edge, in the middle, along itself."""

SHADOWS_FROM = 0.72
"""Share of a strip's length from which on a shadow along it is looked for: few checkers lie there."""

DEEPEST_SHADOW, EVEN, GREY = 1.2, 0.08, 0.15
"""Depth (logarithm) of the deepest shadow, how even along the strip and how nearly grey it is."""

AROUND_PX = (18.0, 1.5)
"""Around a bare place (along, across) the board is as much lighter or darker than it should be as there."""


BARE_SHARE = 0.5
"""A row of a point is bare when so much of it is."""


def disagreement(picture: Picture, strips: PointStrips) -> float:
    """Gets how much bare points of one colour differ (logarithm), as far as that can be told at a glance: more where
    the strips do not lie on the points."""
    seen = logarithms(strips.cut(picture))
    groups, light = first_light(seen, strips)
    seen = seen - light_basis(strips) @ light
    part = seen[:, int(seen.shape[1] * ALIKE_FROM[0]) : int(seen.shape[1] * ALIKE_FROM[1])]
    total = 0.0
    for alike in groups:
        apart = np.abs(part[alike][:, None] - part[alike][None]).mean(axis=(3, 4))
        pairs = apart[np.triu_indices(len(alike), 1)]
        total += float(np.percentile(pairs, 35, axis=0).mean())
    return total


def lopsidedness(picture: Picture, strips: PointStrips) -> float:
    """Gets how far the points' halves are from being mirrored (logarithm): more where the strips do not lie on the
    points' middle lines."""
    seen = logarithms(strips.cut(picture))
    part = seen[:, int(seen.shape[1] * MIRRORED[0]) : int(seen.shape[1] * MIRRORED[1])]
    apart = np.abs(part - part[:, :, ::-1]).mean(axis=(2, 3))
    return float(np.percentile(apart, LOPSIDED, axis=0).mean())


def bare_points(picture: Picture, strips: PointStrips) -> Picture:
    """Gets how a photograph (H x W x 3) would look with no checker on its points."""
    basis = light_basis(strips)
    seen = logarithms(strips.cut(picture))
    behind = behind_rails(picture, strips)
    groups, light = first_light(seen, strips)
    usual = np.zeros_like(seen)
    inner = np.arange(seen.shape[1]) >= int(seen.shape[1] * OUTER)
    for looked_at, powers in ((inner, ROUGHLY), (True, ROUGHLY), (True, WHOLLY)):
        usual, whole = usual_blocks(seen - basis @ light, groups, behind.may)
        whole &= looked_at
        light = np.zeros_like(light)
        light[powers] = smooth_light(basis[whole].mean(axis=1)[:, powers], np.median((seen - usual)[whole], axis=1), 6)
    moved_px = np.zeros((POINTS, 3))
    shadow = np.zeros_like(seen[:, :1])
    weights, whole = np.zeros(seen.shape[:3]), np.zeros(seen.shape[:2], dtype=np.bool_)
    for step, (spread, blur_px) in enumerate(zip(SPREADS, BLURS_PX, strict=True)):
        shadow = _shadows(seen - basis @ light - usual)
        lit = seen - shadow
        _, whole = usual_blocks(lit - basis @ light, groups, behind.may)
        weights = np.where(behind.may, 0.0, _likeness(lit - basis @ light - usual, groups, spread, step >= FINE))
        usual = _usual_pixels(lit - basis @ light, usual, weights * whole[..., None], groups)
        some = (slice(None), slice(None, None, 3), slice(None, None, 3))
        sure = weights[some] > 0.3
        light = smooth_light(basis[some][sure], (lit - usual)[some][sure], 4)
        if step < len(SPREADS) - 1:
            further_px = _moves(lit - basis @ light - usual, usual, weights, blur_px)
            moved_px = np.clip(moved_px + further_px, -MOST_MOVED_PX, MOST_MOVED_PX)
            seen = logarithms(strips.cut(picture, moved_px))
    made = usual + basis @ light + shadow
    trusted = np.where(weights > 0.3, weights * whole[..., None], 0.0)[..., None]
    made += _blurred((seen - made) * trusted, *AROUND_PX) / (_blurred(trusted, *AROUND_PX) + 0.15)
    looks = np.where(behind.surely[..., None], strips.cut(picture, moved_px), np.exp(made) - DARK_OFFSET)
    shown = strips.laid_back(picture, np.clip(looks, 0, 255), moved_px)
    return rails_without_checkers(shown, strips, whole & (weights.mean(axis=-1) > BARE_SHARE))


def logarithms(strips: NDArray[np.uint8]) -> Floats:
    """Gets strips on a scale on which light is a sum."""
    return _blurred(np.log(strips + DARK_OFFSET), 0.6, 0.6)


def _likeness(off: Floats, groups: list[NDArray[np.intp]], spread: float, fine: bool) -> Floats:
    """Gets how surely each pixel (24 x length x width) shows a bare point, from how far it is off what is usual."""
    length = off.shape[1]
    around = _blurred(strongest(np.abs(off))[..., None], 2.0, 2.0)[..., 0]
    weights = np.empty_like(around)
    for group in groups:
        own = 2 * float(np.median(around[group][:, int(length * 0.3) : int(length * 0.8)]))
        weights[group] = np.exp(-((around[group] / (max(own, spread) if fine else spread)) ** 2) / 2)
    return weights


def _usual_pixels(seen: Floats, before: Floats, weights: Floats, groups: list[NDArray[np.intp]]) -> Floats:
    """Gets how strips look, pixel by pixel, as the mean of those of their colour."""
    usual = np.empty_like(seen)
    for group in groups:
        share = weights[group][..., None]
        usual[group] = ((seen[group] * share).sum(axis=0) + HARDLY_KNOWN * before[group[0]]) / (
            share.sum(axis=0) + HARDLY_KNOWN
        )
    return usual


def _shadows(off: Floats) -> Floats:
    """Gets the shadows of bar and rail (24 x 1 x width x 3) from how far strips are off: at the sides of a strip, along
    all of it, and grey."""
    deep = off[:, int(off.shape[1] * SHADOWS_FROM) :]
    middle = np.median(deep, axis=1)
    uneven = np.median(np.abs(deep - middle[:, None]), axis=1).max(axis=-1, keepdims=True)
    tint = middle.max(axis=-1, keepdims=True) - middle.min(axis=-1, keepdims=True)
    width = off.shape[2]
    at_side = np.clip((np.abs(np.arange(width) - (width - 1) / 2) - 4) / 3, 0, 1)[None, :, None]
    sure = np.clip(1.5 - uneven / EVEN, 0, 1) * np.clip(1.5 - tint / GREY, 0, 1) * at_side
    return np.asarray((np.clip(middle, -DEEPEST_SHADOW, 0) * sure)[:, None], dtype=np.float64)


def _moves(off: Floats, usual: Floats, weights: Floats, blur_px: float) -> Floats:
    """Gets how far to move each strip (24 x 3) so that it fits what is usual (Lucas and Kanade, 1981)."""
    off, usual = _blurred(off, blur_px, blur_px), _blurred(usual, blur_px, blur_px)
    right, inwards = np.gradient(usual, axis=2), np.gradient(usual, axis=1)
    share = np.linspace(0, 1, usual.shape[1])[:, None, None]
    moves = np.zeros((POINTS, 3))
    for strip in range(POINTS):
        slopes = np.stack([right[strip], right[strip] * share, inwards[strip]], axis=-1).reshape(-1, 3)
        weighted = slopes * np.repeat(weights[strip].ravel(), 3)[:, None]
        moves[strip] = np.linalg.solve(weighted.T @ slopes + HELD_PX, weighted.T @ off[strip].ravel())
    return -np.clip(moves, -1.0, 1.0)


def _blurred(strips: Floats, along_px: float, across_px: float) -> Floats:
    """Gets strips (24 x length x width x C), each blurred by itself."""
    made = np.empty_like(strips)
    for strip, out in zip(strips, made, strict=True):
        soft = cv2.GaussianBlur(strip, (0, 0), across_px, sigmaY=along_px, borderType=cv2.BORDER_REPLICATE)
        out[:] = soft.reshape(strip.shape)
    return made
