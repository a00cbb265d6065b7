"""How the points of a photograph would look if they were bare: told by those that are.

In any position many points are bare, and the bare ones of one colour look alike, but for the light on them. So for
each place along a point the look is taken that most points of its colour share there, made sure step by step: at first
in blocks as long as half a checker, then pixel by pixel, each point moved to where it fits the others, what differs
being left out. The light is a smooth function of the place on the board, and shadows of bar and rail lie along a point.
"""

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.columns import POINTS
from boardctl.vision.point_strips import PointStrips
from calibration.difference import DARK_OFFSET

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

POWERS = [(x, y) for x in range(4) for y in range(4 - x) if x + y]
SMOOTH = np.array([x + y <= 2 for x, y in POWERS])
"""Light over the board: a polynomial of the third degree of its logarithm, of the second where little is known."""

BLOCK = 13
"""Rows of a block: half a checker."""

MIDDLE_FROM = 0.93
"""Share of a strip's length from which on it shows the board between the tips of the points."""

TIPS = (0.35, 0.7)
"""The same of the part of a point in which few checkers lie and its colour is still seen."""

ALIKE, LEAST_ALIKE = 2.0, 0.025
"""Two blocks look alike up to so many times the difference (logarithm) that blocks near the middle of the board have,
those that differ least, which is at least so much."""

OTHER_COLOUR = 2.0
"""Weight of a point's middle having another colour than further in, in points that look alike."""

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


def disagreement(picture: Picture, strips: PointStrips) -> float:
    """Gets how much bare points of one colour differ (logarithm), as far as that can be told at a glance: more where
    the strips do not lie on the points."""
    seen = logarithms(strips.cut(picture))
    seen = seen - _basis(strips)[..., SMOOTH] @ _light_of_middle(seen, strips)
    part = seen[:, int(seen.shape[1] * 0.2) : int(seen.shape[1] * 0.75)]
    total = 0.0
    for alike in points_by_colour(seen):
        apart = np.abs(part[alike][:, None] - part[alike][None]).mean(axis=(3, 4))
        pairs = apart[np.triu_indices(len(alike), 1)]
        total += float(np.percentile(pairs, 35, axis=0).mean())
    return total


def bare_points(picture: Picture, strips: PointStrips) -> Picture:
    """Gets how a photograph (H x W x 3) would look with no checker on its points."""
    basis = _basis(strips)
    seen = logarithms(strips.cut(picture))
    light = np.zeros((len(POWERS), 3))
    light[SMOOTH] = _light_of_middle(seen, strips)
    groups = points_by_colour(seen - basis @ light)
    usual = np.zeros_like(seen)
    for _ in range(2):
        usual, whole = _usual_blocks(seen - basis @ light, groups)
        light = _smooth(basis[whole].mean(axis=1), np.median((seen - usual)[whole], axis=1), 6)
    moved_px = np.zeros((POINTS, 3))
    shadow = np.zeros_like(seen[:, :1])
    weights, whole = np.zeros(seen.shape[:3]), np.zeros(seen.shape[:2], dtype=np.bool_)
    for step, (spread, blur_px) in enumerate(zip(SPREADS, BLURS_PX, strict=True)):
        shadow = _shadows(seen - basis @ light - usual)
        lit = seen - shadow
        _, whole = _usual_blocks(lit - basis @ light, groups)
        weights = _likeness(lit - basis @ light - usual, groups, spread, step >= FINE)
        usual = _usual_pixels(lit - basis @ light, weights * whole[..., None], groups)
        some = (slice(None), slice(None, None, 3), slice(None, None, 3))
        sure = weights[some] > 0.3
        light = _smooth(basis[some][sure], (lit - usual)[some][sure], 4)
        if step < len(SPREADS) - 1:
            further_px = _moves(lit - basis @ light - usual, usual, weights, blur_px)
            moved_px = np.clip(moved_px + further_px, -MOST_MOVED_PX, MOST_MOVED_PX)
            seen = logarithms(strips.cut(picture, moved_px))
    made = usual + basis @ light + shadow
    trusted = np.where(weights > 0.3, weights * whole[..., None], 0.0)[..., None]
    made += _blurred((seen - made) * trusted, *AROUND_PX) / (_blurred(trusted, *AROUND_PX) + 0.15)
    return strips.laid_back(picture, np.clip(np.exp(made) - DARK_OFFSET, 0, 255), moved_px)


def logarithms(strips: NDArray[np.uint8]) -> Floats:
    """Gets strips on a scale on which light is a sum."""
    return _blurred(np.log(strips + DARK_OFFSET), 0.6, 0.6)


def points_by_colour(seen: Floats) -> list[NDArray[np.intp]]:
    """Gets the strips of each of the two colours of points. In each quarter of the board the colours take turns; from
    one quarter to the next they do on some boards and not on others."""
    length, width = seen.shape[1:3]
    middle = seen[:, int(length * TIPS[0]) : int(length * TIPS[1]), width // 2 - 3 : width // 2 + 3]
    colours = np.median(middle.reshape(POINTS, -1, 3), axis=1)
    quarter, odd = np.arange(POINTS) // 6, np.arange(POINTS) % 2
    tried = []
    for turned in product((0, 1), repeat=3):
        which = odd ^ np.array((0, *turned))[quarter]
        groups = [np.flatnonzero(which == colour) for colour in (0, 1)]
        apart = [np.abs(colours[group] - np.median(colours[group], axis=0)).sum(axis=1) for group in groups]
        tried.append((float(np.minimum(np.concatenate(apart), 0.5).sum()), groups))
    return min(tried, key=lambda entry: entry[0])[1]


def _basis(strips: PointStrips) -> Floats:
    """Gets the powers of x and y of which light is made (24 x length x width x 9)."""
    half = np.array((strips.geometry.field_width_mm / 2, strips.geometry.field_height_mm / 2))
    x, y = np.moveaxis(strips.places_mm / half, -1, 0)
    return np.stack([x**right * y**away for right, away in POWERS], axis=-1)


def _light_of_middle(seen: Floats, strips: PointStrips) -> Floats:
    """Gets the light as the bare middle of the board shows it."""
    start = int(seen.shape[1] * MIDDLE_FROM)
    basis = _basis(strips)[:, start:][..., SMOOTH].reshape(-1, int(SMOOTH.sum()))
    with_level = np.column_stack([basis, np.ones(len(basis))])
    return _smooth(with_level, seen[:, start:].reshape(-1, 3), 10)[:-1]


def _smooth(basis: Floats, values: Floats, rounds: int) -> Floats:
    """Gets the factors (K x 3) by which a basis (N x K) gives values (N x 3) but for those that stand out."""
    weights = np.ones(len(basis))
    found: Floats = np.zeros((basis.shape[1], 3))
    for _ in range(rounds):
        weighted = basis * weights[:, None]
        held = 1e-4 * len(basis) * np.eye(basis.shape[1])
        found = np.asarray(np.linalg.solve(weighted.T @ basis + held, weighted.T @ values), dtype=np.float64)
        off = np.abs(values - basis @ found).max(axis=1)
        usual = max(1.5 * float(np.median(off)), 0.02) if len(off) else 1.0
        weights = 1 / np.maximum(1, off / usual) ** 2
    return found


def _usual_blocks(seen: Floats, groups: list[NDArray[np.intp]]) -> tuple[Floats, NDArray[np.bool_]]:
    """Gets how strips look, block by block, that look like most of their colour, and which rows (24 x length) do.

    From the middle of the board to its edge: the middle of a point has the colour of its tip all along.
    """
    count, length, width, _ = seen.shape
    whole = length // BLOCK
    blocks = seen[:, : whole * BLOCK].reshape(count, whole, BLOCK, width, 3)
    usual, bare = np.empty_like(seen), np.zeros((count, length), dtype=np.bool_)
    middle = slice(width // 2 - 3, width // 2 + 3)
    for group in groups:
        own = blocks[group]
        apart = np.abs(own[:, None] - own[None]).mean(axis=(3, 4, 5))
        others = ~np.eye(len(group), dtype=np.bool_)
        alike = max(float(np.percentile(apart[:, :, -6:-2][others], 30)), LEAST_ALIKE) * ALIKE
        nearness = np.exp(-((apart / alike) ** 2))
        look = np.empty((whole, BLOCK, width, 3))
        for block in reversed(range(whole)):
            votes = nearness[:, :, block].sum(axis=1)
            if block < whole - 1:
                known = slice(max(block + 1, int(whole * TIPS[0])), max(block + 2, int(whole * TIPS[1])))
                further_in = np.median(look[known, :, middle].reshape(-1, 3), axis=0)
                off = np.abs(own[:, block, :, middle].mean(axis=(1, 2)) - further_in).mean(axis=1)
                votes = votes - OTHER_COLOUR * np.minimum(off / alike / 2, 1.5)
            look[block] = np.average(own[:, block], axis=0, weights=nearness[int(votes.argmax()), :, block])
        rows = look.reshape(-1, width, 3)
        usual[group] = np.concatenate([rows, np.tile(rows[-1:], (length - len(rows), 1, 1))])
        near = np.abs(own - look).mean(axis=(2, 3, 4)) < alike
        bare[group] = np.repeat(near, BLOCK, axis=1)[:, np.minimum(np.arange(length), whole * BLOCK - 1)]
    return usual, bare


def _likeness(off: Floats, groups: list[NDArray[np.intp]], spread: float, fine: bool) -> Floats:
    """Gets how surely each pixel (24 x length x width) shows a bare point, from how far it is off what is usual."""
    length = off.shape[1]
    around = _blurred(np.abs(off).max(axis=-1)[..., None], 2.0, 2.0)[..., 0]
    weights = np.empty_like(around)
    for group in groups:
        own = 2 * float(np.median(around[group][:, int(length * 0.3) : int(length * 0.8)]))
        weights[group] = np.exp(-((around[group] / (max(own, spread) if fine else spread)) ** 2) / 2)
    return weights


def _usual_pixels(seen: Floats, weights: Floats, groups: list[NDArray[np.intp]]) -> Floats:
    """Gets how strips look, pixel by pixel, as the mean of those of their colour."""
    usual = np.empty_like(seen)
    for group in groups:
        share = weights[group][..., None] + 1e-4
        usual[group] = (seen[group] * share).sum(axis=0) / share.sum(axis=0)
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
