"""A five that is less: through a clear die the pips of its lower face are seen between its own, fainter than these.

A four has a three below it, and shows a fifth pip in its middle; a two has a five below it, and a three a four. So what
looks like a five is looked at once more without what is faint: a five stays one. Other numbers do not come about so: a
six has a one below it, a one a six.
"""

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.look import DOUBTED, DieView, Sight, die_patch, said_of
from boardctl.vision.dice.patch import DIE_PX, PATCH_PX, Patch, die_size_px

FIVE = 4
"""Which of a view's values is a five."""

LEAST_PX = 20.0
"""Dice so wide in the picture are looked at so. Of 41 fives so wide, drawn, traced and rendered, all stay fives, and of
four clear dice that look like one and are none (30001-04 and -22) none does; of 52 fives 14 to 20 pixels wide four do
not."""

FAINT, PLAIN, PLAINEST = 0.4, 0.7, 92
"""What differs from the body by the first share of what its plainest spots do is taken for body, what differs by the
second or more is shown as it is; how plain those are (percentile)."""

FACE, DIE = 0.42, 0.6
"""How far from its middle a die's upper face is surely seen, and how far all of it, in die widths."""

_AWAY_PX = np.hypot(*(np.mgrid[0:PATCH_PX, 0:PATCH_PX] - (PATCH_PX - 1) / 2))


def with_doubted_fives(sight: Sight, die_mm: float | None, views: list[DieView]) -> list[DieView]:
    """Gets the views, with the value left open of those that look like a five only by what is faint. ``die_mm``: how
    wide the dice are; None where that is not settled."""

    def is_doubted(view: DieView) -> bool:
        if view.values[FIVE] <= DOUBTED:
            return False
        size_mm = die_mm or view.size_mm
        if die_size_px(sight.camera, (*view.spot_mm, size_mm / 2), size_mm) < LEAST_PX:
            return False
        plain = without_faint(die_patch(sight, size_mm, view.spot_mm))
        return int(said_of(sight, size_mm, view.spot_mm, plain)[2:8].argmax()) != FIVE

    return [view.doubted if is_doubted(view) else view for view in views]


def without_faint(patch: Patch) -> NDArray[np.uint8]:
    """Gets a patch (H x W x 3) in which what is faint on the die in its middle has the colour of its body."""
    face = _AWAY_PX < FACE * DIE_PX
    body = np.median(patch[face], axis=0)
    off = patch - body
    differs = np.linalg.norm(off, axis=2)
    plainest = max(float(np.percentile(differs[face], PLAINEST)), 1e-3)
    left = np.clip((differs / plainest - FAINT) / (PLAIN - FAINT), 0, 1)
    shown = body + off * np.where(_AWAY_PX < DIE * DIE_PX, left, 1)[..., None]
    return np.asarray(np.clip(shown, 0, 255).astype(np.uint8))
