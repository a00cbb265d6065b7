"""Dice in a picture without a board: where they lie and what they show, and nothing else.

Nothing tells the camera, so that cameras are tried: right above and slantwise, near and far. The right one makes a
plain die of every die of the picture, the others see the pips of one as dice, or two dice as one. Dice of one picture
are about equally large and lie on one plane; a value that only one of several plausible cameras shows is not told.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, exp, hypot, inf, log, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.vision.dice.look import DieView, Sight, look
from boardctl.vision.dice.networks import ALONE_SCAN_FILE, scan_cells
from boardctl.vision.dice.patch import die_size_px
from boardctl.vision.dice.scan import die_peaks, peak_spots_mm, scan_input, scan_picture
from boardctl.vision.dice.size import sized
from calibration import BoardGeometry, CameraModel

Picture = NDArray[np.uint8]
XY = tuple[float, float]

DIE_MM = 16.0
"""The width that all dice are taken to have: without anything to compare with, only its part of the picture counts."""
TABLE = BoardGeometry(point_width_mm=900.0, point_length_mm=5000.0, field_height_mm=12000.0, die_size_mm=DIE_MM)
"""A field on which all of a picture lies, for what asks for a board."""
TILTS_DEG = (0.0, 15.0, 30.0, 45.0)
FINE_TILTS_DEG = (0.0, 10.0, 20.0, 30.0, 40.0, 50.0)
"""The cameras tried, to find dice and then to read them: how far from vertical they look. The near edge of the table is
below in the picture."""
FOCAL = 1.0
"""Their focal length, in longer sides of the picture: 53 degrees, as of telephones and webcams."""
LEAST_DIE_PX, SIZE_STEP, MOST_PART, MOST_ACROSS = 14.0, 1.35, 0.4, 90
"""Widths of a die that are tried: from the first on, by so much larger each, up to this part of the picture's shorter
side; and so many to its longer side at most. The scan sees dice that are a third larger or smaller than it is told."""
SHOWN_PX = 30.0
"""Larger dice are read from a smaller picture, in which they are so wide: what the networks have learned from."""
MOST_PICTURE_PX = 1300
"""Longer pictures are made smaller first: a die that is too small then is no die that anybody photographed."""
LEAST_SCAN, MOST_PLACES, LEAST_DIE = 0.3, 12, 0.8
"""Of so many places of a scan that are likelier than the first, those count that the closer look holds for a die with
the last."""
SAME_PLACE, SAME_SIZE = 0.35, 0.3
"""Finds of two cameras are one thing when they are nearer than this part of its width, and their widths nearer than
this (logarithm)."""
LEAST_SUPPORT = 1.5
"""So many of the four cameras, each counting by how plain it makes the die, must show a thing."""
WITHIN, PART_SIZE = 0.75, 0.6
"""What is smaller than the second part of a thing, and nearer to its middle than the first part of its width, lies in
it."""
LIKE_SIZE = 0.45
"""Dice of one picture differ by no more than this (logarithm): they are of one set, and some are farther away."""
BETWEEN, PART_REACH, AROUND, OTHER_COLOUR = 0.4, 0.7, (0.85, 1.2), 20.0
"""A thing has a body when its colour (median, CIE Lab) within the first part of its width from its middle, and beyond
the second of their widths from the middles of what lies in it, is so far from the colour around it."""
WITH_BODY = 0.7
"""A thing with a body is no chance pattern if it is so plain in parts of how plain the things in it are."""
ALONE = 0.85
"""What a thing counts of whose size there is no other."""
PLANE_SPREAD = 0.05
"""A camera that makes the dice of a picture less plain by so much counts for a third (1/e)."""
VOUCHED = 0.8
"""Likelihood from which a value is told, mean over the cameras."""
MOST_CONFIDENCE = 0.9
"""Most confidence in what is seen by a camera that nobody knows."""


@dataclass(frozen=True, slots=True)
class DieAlone:
    """A die in a picture without a board. ``value`` is None when it is not vouched for; ``center_px``: x, y of its
    middle in the picture; ``width_px``: how wide it comes out."""

    value: int | None
    confidence: float
    center_px: XY
    width_px: float


@dataclass(frozen=True, slots=True)
class _Find:
    """What one camera shows of a place."""

    tilt_deg: float
    center_px: XY
    width_px: float
    view: DieView

    @property
    def quality(self) -> float:
        """How plain a die of how plain a value, of the size that was looked for."""
        return self.view.is_die * max(self.view.values) * exp(-2 * abs(log(self.view.size_mm / DIE_MM)))


class _Cluster:
    """One thing that may be a die: the finds of several cameras at its place, the plainest first."""

    def __init__(self, first: _Find) -> None:
        self.finds = [first]
        self.center_px, self.width_px = first.center_px, first.width_px

    def takes(self, find: _Find) -> bool:
        """Whether a find is of this die."""
        near = _away(self.center_px, find.center_px) < SAME_PLACE * max(self.width_px, find.width_px)
        return near and abs(log(self.width_px / find.width_px)) < SAME_SIZE

    @property
    def support(self) -> float:
        """How many cameras show a die here, each counting by its plainest look."""
        best: dict[float, float] = {}
        for find in self.finds:
            best[find.tilt_deg] = max(best.get(find.tilt_deg, 0.0), find.quality)
        return sum(best.values())

    def is_part_of(self, other: "_Cluster") -> bool:
        """Whether this lies within another, larger one."""
        is_smaller = self.width_px < PART_SIZE * other.width_px
        return is_smaller and _away(self.center_px, other.center_px) < WITHIN * other.width_px

    def is_in_place_of(self, other: "_Cluster") -> bool:
        """Whether two dice could not lie where this and another are."""
        return _away(self.center_px, other.center_px) < WITHIN * max(self.width_px, other.width_px)

    def is_like(self, other: "_Cluster") -> bool:
        """Whether this is about as large as another."""
        return abs(log(self.width_px / other.width_px)) < LIKE_SIZE


def dice_alone(picture: Picture) -> tuple[DieAlone, ...]:
    """Gets the dice in a picture (H x W x 3, any size) of which nothing else is known, the plainest first."""
    longer = max(picture.shape[:2])
    scale = min(1.0, MOST_PICTURE_PX / longer)
    shown = _scaled(picture, scale)
    clusters = _clusters(find for tilt, width in _cameras(shown) for find in _finds(shown, tilt, width))
    dice = _dice(shown, [each for each in clusters if each.support >= LEAST_SUPPORT])
    values = _seen_closer(shown, dice)
    return tuple(_told(cluster, likely, scale) for cluster, likely in zip(dice, values, strict=True))


def _cameras(picture: Picture) -> Iterator[tuple[float, float]]:
    """Gets the cameras to try: their tilt, and how wide a die comes out in the middle of the picture."""
    height, width = picture.shape[:2]
    size = max(LEAST_DIE_PX, max(height, width) / MOST_ACROSS)
    while size <= MOST_PART * min(height, width):
        for tilt in TILTS_DEG:
            yield tilt, size
        size *= SIZE_STEP


def camera_above(width_px: int, height_px: int, tilt_deg: float, die_px: float) -> CameraModel:
    """Gets a camera that looks at the middle of the table so far from vertical, from where a die is so wide."""
    focal = FOCAL * max(width_px, height_px)
    away, tilt = focal * DIE_MM / die_px, radians(tilt_deg)
    eye = np.array([0.0, -away * sin(tilt), away * cos(tilt)])
    forward, right = -eye / away, np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(forward, right), forward])
    turn, move = cv2.Rodrigues(rotation)[0].ravel(), -rotation @ eye
    return CameraModel(
        width_px=width_px,
        height_px=height_px,
        focal_x_px=focal,
        focal_y_px=focal,
        center_x_px=(width_px - 1) / 2,
        center_y_px=(height_px - 1) / 2,
        distortion=(0.0, 0.0, 0.0, 0.0, 0.0),
        rotation_vector=(float(turn[0]), float(turn[1]), float(turn[2])),
        translation_mm=(float(move[0]), float(move[1]), float(move[2])),
    )


def _finds(picture: Picture, tilt_deg: float, die_px: float) -> Iterator[_Find]:
    """Gets what may be dice by one camera."""
    scale = min(1.0, SHOWN_PX / die_px)
    shown = _scaled(picture, scale)
    camera = camera_above(shown.shape[1], shown.shape[0], tilt_deg, die_px * scale)
    scan, frame = scan_picture(shown, camera, TABLE)
    peaks = die_peaks(scan_cells(scan_input(scan), ALONE_SCAN_FILE), LEAST_SCAN, MOST_PLACES)
    for view in look(Sight(shown, camera), TABLE, peak_spots_mm(peaks, frame), sized_right=False):
        if view.is_die < LEAST_DIE or view.is_cube >= 0.5:
            continue
        middle = (*view.spot_mm, DIE_MM / 2)
        x, y = (float(value) for value in camera.project([middle])[0])
        yield _Find(tilt_deg, (x / scale, y / scale), die_size_px(camera, middle, view.size_mm) / scale, view)


def _clusters(finds: Iterator[_Find]) -> list[_Cluster]:
    clusters: list[_Cluster] = []
    for find in sorted(finds, key=lambda find: -find.quality):
        mine = next((cluster for cluster in clusters if cluster.takes(find)), None)
        if mine is None:
            clusters.append(_Cluster(find))
        else:
            mine.finds.append(find)
    return sorted(clusters, key=lambda cluster: -cluster.support)


def _dice(picture: Picture, clusters: list[_Cluster]) -> list[_Cluster]:
    """Gets the clusters that are dice: those of one size, of which none is a part of another."""
    wholes = _outermost(_wholes(picture, clusters))
    if not wholes:
        return []
    common = max(wholes, key=lambda each: _plainness([other.support for other in wholes if other.is_like(each)]))
    dice: list[_Cluster] = []
    for cluster in clusters:
        if cluster.is_like(common) and not any(cluster.is_in_place_of(die) for die in dice):
            dice.append(cluster)
    return dice


def _plainness(supports: list[float]) -> float:
    """Gets how plain things of one size are, by the two plainest: pips are many, but no plainer than their dice."""
    best = sorted(supports)[-2:]
    return sum(best) / 2 if len(best) > 1 else ALONE * best[0]


def _wholes(picture: Picture, clusters: list[_Cluster]) -> list[_Cluster]:
    """Gets the clusters that are no chance pattern of smaller ones.

    The pips of a die may look like dice, and several dice like the pips of one. Whole is what is no less plain than
    what lies in it, or not much less so and has a body of its own.
    """
    wholes: list[_Cluster] = []
    for cluster in sorted(clusters, key=lambda each: each.width_px):
        parts = _outermost([each for each in wholes if each.is_part_of(cluster)])
        support = sum(part.support for part in parts) / max(len(parts), 1)
        plain = cluster.support / support if support else inf
        if plain >= 1 or (plain >= WITH_BODY and _has_body(picture, cluster, parts)):
            wholes.append(cluster)
    return wholes


def _outermost(clusters: list[_Cluster]) -> list[_Cluster]:
    return [each for each in clusters if not any(each.is_part_of(other) for other in clusters)]


def _has_body(picture: Picture, whole: _Cluster, parts: list[_Cluster]) -> bool:
    """Whether what lies between the parts of a thing looks otherwise than what lies around it: a die between its pips,
    not the table between dice."""
    x, y = whole.center_px
    reach = int(AROUND[1] * whole.width_px) + 1
    left, top = max(int(x) - reach, 0), max(int(y) - reach, 0)
    window = picture[top : int(y) + reach + 1, left : int(x) + reach + 1]
    rows, columns = np.mgrid[top : top + window.shape[0], left : left + window.shape[1]]
    away = np.hypot(columns - x, rows - y) / whole.width_px
    between = away < BETWEEN
    for part in parts:
        between &= np.hypot(columns - part.center_px[0], rows - part.center_px[1]) > PART_REACH * part.width_px
    around = (away > AROUND[0]) & (away < AROUND[1])
    if not between.any() or not around.any():
        return False
    lab = cv2.cvtColor(np.asarray(window / 255, dtype=np.float32), cv2.COLOR_BGR2LAB)
    return float(np.linalg.norm(np.median(lab[between], axis=0) - np.median(lab[around], axis=0))) > OTHER_COLOUR


def _seen_closer(picture: Picture, dice: list[_Cluster]) -> NDArray[np.float64]:
    """Gets the likelihoods of the six values of each die (N x 6), by cameras in finer steps; each camera counts by how
    plain it makes all dice of the picture, which lie on one plane and are of one size."""
    if not dice:
        return np.zeros((0, 6))
    width = float(np.median([die.width_px for die in dice]))
    scale = min(1.0, SHOWN_PX / width)
    shown = _scaled(picture, scale)
    quality, values = np.zeros((len(FINE_TILTS_DEG), len(dice))), np.zeros((len(FINE_TILTS_DEG), len(dice), 6))
    for row, tilt in enumerate(FINE_TILTS_DEG):
        camera = camera_above(shown.shape[1], shown.shape[0], tilt, width * scale)
        places = camera.to_plane([(x * scale, y * scale) for x, y in (die.center_px for die in dice)], DIE_MM / 2)
        spots = [(float(x), float(y)) for x, y in places]
        seen_px = [die_size_px(camera, (*spot, DIE_MM / 2), DIE_MM) for spot in spots]
        sizes = [die.width_px * scale / px for die, px in zip(dice, seen_px, strict=True)]
        table = sized(TABLE, DIE_MM * float(np.median(sizes)))
        for column, spot in enumerate(spots):
            for view in look(Sight(shown, camera), table, [spot], sized_right=False):
                quality[row, column] = view.is_die * max(view.values)
                values[row, column] = view.values
    joint = quality.mean(axis=1)
    weights = quality * np.exp((joint - joint.max()) / PLANE_SPREAD)[:, None]
    return np.asarray((values * weights[..., None]).sum(axis=0) / np.maximum(weights.sum(axis=0), 1e-6)[:, None])


def _told(cluster: _Cluster, likely: NDArray[np.float64], scale: float) -> DieAlone:
    sure = float(likely.max())
    x, y = cluster.center_px
    return DieAlone(
        value=int(likely.argmax()) + 1 if sure >= VOUCHED else None,
        confidence=round(min(sure, MOST_CONFIDENCE), 4),
        center_px=(x / scale, y / scale),
        width_px=cluster.width_px / scale,
    )


def _scaled(picture: Picture, scale: float) -> Picture:
    if scale >= 1.0:
        return picture
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def _away(one: XY, other: XY) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
