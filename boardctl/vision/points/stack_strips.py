"""Full rows seen closer: how many checkers lie on each other in each slot, told from finer patches.

A second checker shows itself by a pixel or two of its height. Strips of 24 pixels a checker, fine enough for all else,
lose part of that in pictures where a checker is 35 to 70 pixels wide. How much of its wall and of its shadow a single
checker shows on this board, in this light, is told by the short rows of the same seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import dist

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.networks import said_by
from boardctl.vision.points.column_input import LEANING_PX, ROOT_OF_LEVEL
from boardctl.vision.points.columns import POINTS, SLOTS, Picture, fixed_maps, leaning_px, top_height_mm
from calibration import BoardGeometry, Calibration
from calibration.installation import INSTALLATIONS_KEPT
from calibration.start.stack_rims import TOUCHING

Floats = NDArray[np.float32]

CHECKER_PX = 40
"""From one checker of a row to the next."""

PATCH_PX = 72
"""Width and height of a patch: a checker, the one above it seen beside it, and the rims of its neighbours."""

LENGTH = CHECKER_PX * (SLOTS - 1) + PATCH_PX
MARGIN_PX = (PATCH_PX - CHECKER_PX) / 2
"""Rows of a strip before the first slot: the rail, on which an upper checker may be seen to lean."""

ROWS_A_ROW = 4
"""OpenCV remaps long rows faster: one row of the maps holds so many of a strip."""

CHANNELS = 12
"""The patch (3, root scale), how it differs from the mean of the row's other patches (3), how far a second checker's
top is displaced (right, down), how it differs from single checkers (3), and whether there are any (0 or 1)."""

SINGLES = 6
"""Of so many single checkers, the nearest to a row, is told how one looks."""

NETWORK_FILE = "stacks.onnx"
TRAINED = (1.0, 0.443, 0.085)
"""Odds of one, two and three checkers in a slot, in the training."""

SEEN_SINGLE, LOOKED_AT_SINGLE = -0.7, -2.5
"""Logarithms of likelihoods, for more checkers in a slot against one, below which the usual strip and the closer look
show a single one. Where both do, the slots behind it that the usual strip shows so, too, need no closer look: a second
layer is laid from the edge on. Of 446 full rows this spared half of the slots, and changed no likelihood by more than
0.004 (pictures to learn from, and drawn ones)."""


@dataclass(frozen=True)
class StackCutter:
    """Cuts the patches of one installation from its pictures."""

    maps: tuple[tuple[NDArray[np.int16], NDArray[np.uint16]], ...]
    """Where in the picture each point's pixels are, as OpenCV remaps fastest."""
    leaning: Floats
    """How far a second checker's top is displaced on each point, in pixels of the usual strips (24 x 2)."""

    def cut(self, picture: Picture, strip: int, slots: int = SLOTS) -> NDArray[np.uint8]:
        """Gets the strip (length x width x 3) of a point, with the patches of so many slots."""
        rows = (CHECKER_PX * (slots - 1) + PATCH_PX) // ROWS_A_ROW
        whole, parts = self.maps[strip]
        seen = cv2.remap(picture, whole[:rows], parts[:rows], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, dtype=np.uint8).reshape(-1, PATCH_PX, 3)


def stack_places_mm(geometry: BoardGeometry, strip: int) -> NDArray[np.float64]:
    """Gets x and y (length x width x 2) of a point's pixels on the board plane; row 0 is before its edge."""
    mm_per_px = geometry.checker_diameter_mm * TOUCHING / CHECKER_PX
    inwards = 1.0 if geometry.is_near_row(strip + 1) else -1.0
    depths = (np.arange(LENGTH) + 0.5 - MARGIN_PX) * mm_per_px
    along = inwards * (depths - geometry.field_height_mm / 2)
    across = geometry.point_x_mm(strip + 1) + inwards * (np.arange(PATCH_PX) - (PATCH_PX - 1) / 2) * mm_per_px
    return np.stack(np.broadcast_arrays(across[None, :], along[:, None]), axis=-1)


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def stack_cutter(calibration: Calibration) -> StackCutter:
    """Gets the cutter of a calibration, made on first use."""
    camera, geometry = calibration.camera, calibration.geometry
    maps = []
    for strip in range(POINTS):
        flat = stack_places_mm(geometry, strip).reshape(-1, 2)
        places = np.column_stack([flat, np.full(len(flat), top_height_mm(geometry, strip))])
        maps.append(fixed_maps(camera.project(places).astype(np.float32).reshape(-1, ROWS_A_ROW * PATCH_PX, 2)))
    leaning = np.array([leaning_px(camera, geometry, strip) for strip in range(POINTS)], dtype=np.float32)
    return StackCutter(tuple(maps), leaning)


def single_beside(
    picture: Picture, tool: StackCutter, geometry: BoardGeometry, strip: int, rows: Sequence[tuple[int, int]]
) -> NDArray[np.uint8] | None:
    """Gets how a single checker looks (72 x 72 x 3, in the middle) near the row on a strip; None where there is none.

    ``rows``: the strips of single checkers of the row's seat, each with how many lie in its first slots.
    """

    def middle_mm(of_strip: int, slot: float) -> tuple[float, float]:
        depth = (slot + 0.5) * geometry.checker_diameter_mm * TOUCHING - geometry.field_height_mm / 2
        return geometry.point_x_mm(of_strip + 1), depth if geometry.is_near_row(of_strip + 1) else -depth

    def away_mm(of_strip: int, slot: int) -> float:
        return dist(middle_mm(of_strip, slot), middle_mm(strip, 2.0))

    nearest = sorted((away_mm(each, slot), each, slot) for each, length in rows for slot in range(length))[:SINGLES]
    if not nearest:
        return None
    cuts = {
        each: tool.cut(picture, each, 1 + max(slot for _, of, slot in nearest if of == each)) for _, each, _ in nearest
    }
    patches = []
    for _, each, slot in nearest:
        patch = cuts[each][slot * CHECKER_PX : slot * CHECKER_PX + PATCH_PX]
        is_opposite = geometry.is_near_row(each + 1) != geometry.is_near_row(strip + 1)
        patches.append(patch[::-1, ::-1] if is_opposite else patch)  # strips of opposite rows are turned
    return np.asarray(np.rint(np.mean(patches, axis=0)), dtype=np.uint8)


def stack_input(
    strip: NDArray[np.uint8], leaning: Floats, length: int, single: NDArray[np.uint8] | None = None
) -> Floats:
    """Gets the network's input (length x 12 x 72 x 72) for the first slots of a strip, a row of two and more.
    ``single``: how a single checker looks there (:func:`single_beside`)."""
    blob = np.empty((length, CHANNELS, PATCH_PX, PATCH_PX), np.float32)
    for channel, plane in enumerate(cv2.split(strip[: CHECKER_PX * (length - 1) + PATCH_PX])):
        roots = cv2.LUT(plane, ROOT_OF_LEVEL)
        for slot in range(length):
            blob[slot, channel] = roots[slot * CHECKER_PX : slot * CHECKER_PX + PATCH_PX]
    # A slot less the mean of the others: what it is less the mean of all, by so much more.
    np.subtract(blob[:, :3], blob[:, :3].mean(axis=0), out=blob[:, 3:6])
    blob[:, 3:6] *= 2 * length / (length - 1)
    blob[:, 6:8] = (leaning / LEANING_PX)[None, :, None, None]
    blob[:, 8:] = 0.0 if single is None else 1.0
    if single is not None:
        for channel, plane in enumerate(cv2.split(single)):
            np.subtract(blob[:, channel], cv2.LUT(plane, ROOT_OF_LEVEL), out=blob[:, 8 + channel])
        blob[:, 8:11] *= 2
    return blob


def layer_evidence(
    picture: Picture,
    calibration: Calibration,
    strip: int,
    length: int,
    seen: NDArray[np.float64] | None = None,
    singles: Sequence[tuple[int, int]] = (),
) -> NDArray[np.float64]:
    """Gets what a picture says for one, two and three checkers in each of the first slots of a full row (3 x length),
    as logarithms of likelihoods against one; zeros for slots that need no closer look.

    ``seen``: the most that the usual strip says for more checkers than one in each slot (length), in the same terms;
    left out, every slot is looked at. ``singles``: where single checkers of its seat lie, as in :func:`single_beside`.
    """
    tool = stack_cutter(calibration)
    single = single_beside(picture, tool, calibration.geometry, strip, singles)
    evidence = np.zeros((len(TRAINED), length))
    behind_single = False
    row = tool.cut(picture, strip, length)
    for slot, patch in enumerate(stack_input(row, tool.leaning[strip], length, single)):
        seems_single = seen is not None and bool(seen[slot] < SEEN_SINGLE)
        if behind_single and seems_single:
            continue
        logits = np.asarray(said_by(NETWORK_FILE, patch[None])[0], dtype=np.float64)
        evidence[:, slot] = logits - logits[0] - np.log(TRAINED)
        behind_single = seems_single and bool(evidence[1:, slot].max() < LOOKED_AT_SINGLE)
    return evidence
