"""The closer look at places where there may be a die: what the network says of each, before it is judged."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import exp, hypot

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.memory import Looks, Output
from boardctl.vision.dice.networks import read_patches
from boardctl.vision.dice.patch import (
    DIE_PX,
    SHRINK_ABOVE_PX,
    Patch,
    PatchFrame,
    Picture,
    cut_patch,
    die_size_px,
    network_input,
    obliqueness,
    patch_axes,
)
from boardctl.vision.dice.size import sized
from calibration import BoardGeometry, CameraModel
from calibration.difference import halve

BESIDE_LOOK = 0.25
"""A look counts as from beside the die from this many die widths on: in training they were less far apart."""
SAME_DIE = 0.55
"""Two finds nearer than this many die widths are one die: two dice cannot be nearer than one width."""
TILT_UNIT_DEG = 30.0
LEAST_DIE_LOGIT = -1.5
"""What is less likely a die at the first look (logit; about 1 in 6) is not looked at a second time."""
MOST_OFF = 0.45
"""Most that a die is said to be larger or smaller than assumed (logarithm): training went not quite so far."""
CLEAR_VALUE = 0.98
"""A value that is likelier than this needs no more looks."""
PLAINLY_FLAT = 0.1
"""Likelihood of a tilt under which a die needs no second look."""
PLAIN, PLAIN_WITHIN = 0.99, 0.15
"""Likelihood from which on a flat die and its value need no second look, and from how far beside it (in die widths) it
is then seen well enough. Of 395 second looks at pictures to learn from half would not have been made; none of these
changed a value, took it under 0.98, or spoke of a tilt, nor did they find the die's middle more exactly."""
MORE_LOOKS = ((0.94, False), (1.06, True), (0.94, True), (1.06, False))
"""More looks at a die: with another part of its size assumed, mirrored or not."""
DOUBTED = 0.5
"""Most likelihood of a value that is left open, such as one that is another when the die is taken to be a little larger
or smaller."""


@dataclass(frozen=True)
class Sight:
    """A picture (H x W x 3), the camera that took it, and what looks at places of it have given."""

    picture: Picture
    camera: CameraModel
    looks: Looks = field(default_factory=Looks)
    halved: Picture | None = None

    @cached_property
    def half_picture(self) -> Picture:
        """The picture at half size, from which large dice are cut."""
        return halve(self.picture) if self.halved is None else self.halved

    def patch(self, frame: PatchFrame, die_mm: float, shrink_above_px: float) -> Picture:
        """Gets a patch of the picture around a die; of the picture at half size, where it comes out larger there."""
        large = die_size_px(self.camera, frame.center_mm, die_mm) > shrink_above_px
        return cut_patch(self.picture, self.camera, frame, half_picture=self.half_picture if large else None)


@dataclass(frozen=True, slots=True)
class DieView:
    """What the networks say of one place, before it is judged. Likelihoods 0 to 1; ``size_mm``: how wide it looks."""

    spot_mm: tuple[float, float]
    is_die: float
    is_cube: float
    values: tuple[float, ...]
    tilted: float
    on_checker: float
    on_die: float
    tilt_deg: float
    size_mm: float

    @property
    def doubted(self) -> "DieView":
        """The view with its value left open."""
        return replace(self, values=tuple(min(value, DOUBTED) for value in self.values))


def look(
    sight: Sight, geometry: BoardGeometry, spots: list[tuple[float, float]], sized_right: bool = True
) -> list[DieView]:
    """Gets what the closer look says of each place, without places that turn out to be the same die.

    What may be a die and is not plain is looked at twice: the second time from its found middle, and mirrored. So is
    every die while it is not known that the assumed size is right. Of a large die two places may turn out to be one
    only then.
    """
    if not spots:
        return []
    first = outputs(sight, geometry, spots, mirrored=False)
    likely = [(spot, output) for spot, output in zip(spots, first, strict=True) if output[0] > LEAST_DIE_LOGIT]
    moved = [shifted(spot, output, sight.camera, geometry) for spot, output in likely]
    if not moved:
        return []
    nearest_mm = SAME_DIE * geometry.die_size_mm
    views = []
    for index in _distinct(moved, [float(output[0]) for _, output in likely], nearest_mm):
        middle, (_, before) = moved[index], likely[index]
        away = hypot(before[11], before[12])
        view = _view(middle, before, geometry.die_size_mm)
        if not sized_right or away > PLAIN_WITHIN or not _is_plain(view):
            spot = sight.looks.near(middle, geometry.die_size_mm, mirrored=True)
            (after,) = outputs(sight, geometry, [spot], mirrored=True)
            place = shifted(spot, after, sight.camera, geometry)
            # A first look from beside the die is worth less than nothing once it was looked at from its middle.
            view = _view(place, after if away > BESIDE_LOOK else (before + after) / 2, geometry.die_size_mm)
        views.append(view)
    left = _distinct([view.spot_mm for view in views], [view.is_die for view in views], nearest_mm)
    return [views[index] for index in sorted(left)]


def _is_plain(view: DieView) -> bool:
    """Whether one look shows all that is to be told of a die."""
    sure = min(view.is_die, 1 - view.is_cube, max(view.values))
    stands = (min(on, 1 - on) for on in (view.on_checker, view.on_die))
    return sure > PLAIN and max(view.tilted, *stands) < PLAINLY_FLAT


def look_again(sight: Sight, geometry: BoardGeometry, views: list[DieView], sizes: Iterable[float]) -> list[DieView]:
    """Gets the views with their values doubted where dice of other sizes (parts of the assumed) would show others."""
    if not views:
        return []
    best = np.array([view.values for view in views])
    doubted = np.zeros(len(views), dtype=bool)
    for size in sizes:
        other = sized(geometry, size * geometry.die_size_mm)
        found = np.stack([_seen_there(sight, other, view.spot_mm, mirrored=False) for view in views])
        doubted |= found[:, 2:8].argmax(axis=1) != best.argmax(axis=1)
    return [view.doubted if doubt else view for view, doubt in zip(views, doubted, strict=True)]


def look_longer(sight: Sight, geometry: BoardGeometry, views: list[DieView]) -> list[DieView]:
    """Gets the views, those whose value is open with the mean of what more looks say."""
    seen = []
    for view in views:
        if max(view.values) * view.is_die >= CLEAR_VALUE:
            seen.append(view)
            continue
        more = [
            _view(view.spot_mm, _seen_there(sight, sized(geometry, mm), view.spot_mm, mirrored), geometry.die_size_mm)
            for mm, mirrored in [(part * geometry.die_size_mm, mirrored) for part, mirrored in MORE_LOOKS]
        ]
        values = np.mean([each.values for each in (view, view, *more)], axis=0)
        seen.append(replace(view, values=tuple(float(v) for v in values)))
    return seen


def outputs(
    sight: Sight, geometry: BoardGeometry, spots: list[tuple[float, float]], mirrored: bool
) -> NDArray[np.float32]:
    """Gets the network's numbers (N x 15) of places on the board, mirrored ones turned back."""
    return np.stack([_output(sight, geometry.die_size_mm, spot, mirrored) for spot in spots])


def _seen_there(sight: Sight, geometry: BoardGeometry, spot: tuple[float, float], mirrored: bool) -> Output:
    """Gets the network's numbers of a place, or of one as good that was looked at before: where in it a die lies is
    not asked."""
    die_mm = geometry.die_size_mm
    return _output(sight, die_mm, sight.looks.near(spot, die_mm, mirrored), mirrored)


def _output(sight: Sight, die_mm: float, spot: tuple[float, float], mirrored: bool) -> Output:
    def cut() -> Picture:
        return die_patch(sight, die_mm, spot, mirrored)

    def ask(patch: Patch) -> Output:
        output = said_of(sight, die_mm, spot, patch)
        if mirrored:
            output[11] *= -1
        return output

    return sight.looks.see((*spot, die_mm, mirrored), cut, ask)


def die_patch(sight: Sight, die_mm: float, spot: tuple[float, float], mirrored: bool = False) -> Picture:
    """Gets the patch by which a die is read that is so wide and lies at a place."""
    return sight.patch(PatchFrame((*spot, die_mm / 2), die_mm / DIE_PX, mirrored=mirrored), die_mm, SHRINK_ABOVE_PX)


def said_of(sight: Sight, die_mm: float, spot: tuple[float, float], patch: Patch) -> Output:
    """Gets the network's numbers (15) of such a patch."""
    (output,) = read_patches(network_input([patch], [obliqueness(sight.camera, (*spot, die_mm / 2))]))
    return np.asarray(output)


def shifted(
    spot: tuple[float, float], output: NDArray[np.float32], camera: CameraModel, geometry: BoardGeometry
) -> tuple[float, float]:
    """Gets where the die is that a patch around ``spot`` shows."""
    up, right = patch_axes(camera, spot)
    shift = geometry.die_size_mm * (output[11] * right - output[12] * up)
    return (float(spot[0] + shift[0]), float(spot[1] + shift[1]))


def leaning(sight: Sight, spot: tuple[float, float], die_mm: float) -> float:
    """Gets how likely a die at a place is tilted by what the reader says, by two looks, one of them mirrored."""
    looks = [_output(sight, die_mm, spot, mirrored) for mirrored in (False, True)]
    return _view(spot, np.mean(looks, axis=0), die_mm).tilted


def _view(spot: tuple[float, float], output: NDArray[np.float32], die_mm: float) -> DieView:
    is_die, is_cube, *_, tilted, on_checker, on_die = (1 / (1 + np.exp(-output[:11]))).tolist()
    values = np.exp(output[2:8] - output[2:8].max())
    values /= values.sum()
    return DieView(
        spot_mm=spot,
        is_die=is_die,
        is_cube=is_cube,
        values=tuple(values.tolist()),
        tilted=tilted,
        on_checker=on_checker,
        on_die=on_die,
        tilt_deg=min(max(float(output[13]), 0.0), 1.5) * TILT_UNIT_DEG,
        size_mm=die_mm * exp(min(max(float(output[14]), -MOST_OFF), MOST_OFF)),
    )


def _distinct(spots: list[tuple[float, float]], likely: list[float], nearest_mm: float) -> list[int]:
    """Gets which of some places to keep, the likeliest die first: of places nearer to each other than ``nearest_mm``
    only that one."""
    kept: list[int] = []
    for index in sorted(range(len(spots)), key=lambda index: -likely[index]):
        x, y = spots[index]
        if all(np.hypot(x - spots[k][0], y - spots[k][1]) >= nearest_mm for k in kept):
            kept.append(index)
    return kept
