"""A picture -> all dice in it: value, flat or not, what each stands on, in whose right-hand section."""

from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading, CubeReading, DieReading
from boardctl.vision.dice.checker_faces import CheckerFaces
from boardctl.vision.dice.cube import cube_of_scan
from boardctl.vision.dice.fixed import Background
from boardctl.vision.dice.hand_near import is_thing_near
from boardctl.vision.dice.in_cups import is_in_cup
from boardctl.vision.dice.leaning import known_from, stands_free
from boardctl.vision.dice.look import SAME_DIE, DieView, Sight, look, look_again, look_longer, outputs, shifted
from boardctl.vision.dice.memory import (
    BARE_KEY,
    DiceMemory,
    Looks,
    Output,
    ScanSeen,
    looks_left,
    new_in_scan,
    scan_all,
    scan_changes,
)
from boardctl.vision.dice.or_checker import SURELY_A_DIE, checkers_last, is_checker
from boardctl.vision.dice.patch import Patch, Picture
from boardctl.vision.dice.pips_below import with_doubted_fives
from boardctl.vision.dice.scan import (
    Peak,
    Scan,
    ScanFrame,
    die_peaks,
    peak_spots_mm,
    peaks_beside,
    shoulders,
)
from boardctl.vision.dice.size import DieSize, sized
from boardctl.vision.dice.tilt import LookForTilt, look_for_tilt
from boardctl.vision.dice.told import TILTED, VALUE_VOUCHED, told_of
from calibration import BoardGeometry, CameraModel

XY = tuple[float, float]

LEAST_SCAN = 0.15
"""Likelihood above which a place of the scan is looked at closely: low, for what the scan misses nobody reads."""
LIKELY_SCAN = 0.4
"""Places below this likelihood are only looked at while a roll is not complete: they cost time, and few are dice."""
DICE_A_ROLL = 2
MOST_PLACES, MOST_UNLIKELY = 20, 8
"""So many likely places are looked at at most, and so many unlikely ones where no roll was found."""
PEAKS, PEAKS_WITH_FACES = 2 * MOST_PLACES, 3 * MOST_PLACES
"""Of so many places, the likeliest of the scan, these are chosen: of more where each checker may look like a die."""
LEAST_DIE, LEAST_ELSE, A_NUMBER = 0.8, 0.96, 0.6
"""Likelihoods from which a die is said to be there: of what shows two pips and more (one such number is likelier than
the last), and of all else. A light, a knot of wood and the gap between checkers may look like a one: a white light of
the board that burns without much of a glow has up to 0.95. Of 1,052 dice on 95 drawn and traced boards that nothing had
learned from 16 are lost by it, 13 of them less than 12 px wide, and 5 other things are taken for one; with 0.96 for all
23 are, and 2, with 0.8 for all 11, and 7."""
SECOND_DIE = 0.8
"""The same where one die alone was found: a throw has two. On eight traced and four drawn sets of boards three of 22
dice that must be rolled again and were not seen so are found by it, seven others, and nothing that is no die; with 0.5
one more."""
MAYBE_BESIDE = 0.2
"""Likelihood from which a place is looked at once more, from where the die seems to be: its middle."""
MAYBE_DIE = 0.5
"""Likelihood from which a place tells of the size of the dice."""
MOST_SIZINGS = 2
"""So often the places are looked at anew because the dice are larger or smaller than was assumed."""
SAME_SIZE = 0.06
"""Sizes nearer than this (logarithm) are one: a die is read alike with them."""
MUCH_LARGER, LARGER_AGAIN = 1.35, 15
"""Dice so much larger than the scan is made for are missed by it; for these is looked where something has changed, and
in each so-many-th frame."""
OTHER_SIZES = (0.89, 1.12)
"""While the size of the dice is not settled, a value counts only if dice this much smaller and larger would show it
too: twice what the picture of one die leaves open."""
BESIDE = (0.75, 1.7)
"""Middles of dice that touch are this far apart, in die widths; the scan's cells are half a width wide."""
LEAST_BESIDE = 0.15
"""Likelihood from which a cell of the scan beside a found die is looked at."""


@dataclass(frozen=True, slots=True)
class FoundDice:
    """The dice and the cube of one picture, what is believed of the dice's size after it, and what spares the next
    picture of the same camera to be looked at all over."""

    dice: tuple[DieReading, ...]
    cube: CubeReading | None
    size: DieSize
    memory: DiceMemory


@dataclass(frozen=True, slots=True)
class _Scene:
    """A picture as its camera took it, and the board in it with dice of the size that is believed in."""

    sight: Sight
    geometry: BoardGeometry
    is_sized: bool
    """Whether the size is settled."""
    board: BoardReading | None = None
    faces: CheckerFaces | None = None
    background: Background | None = None

    def look(self, spots: list[XY]) -> list[DieView]:
        """Gets what the closer look says of places; what may be a die beside the place is looked at once more."""
        views = look(self.sight, self.geometry, spots, self.is_sized)
        doubtful = [view for view in views if view.is_die >= MAYBE_BESIDE and not _is_die(view)]
        again = look(self.sight, self.geometry, [view.spot_mm for view in doubtful], self.is_sized)
        sure = [view for view in views if view not in doubtful]
        return [*sure, *_apart(again, sure, self.geometry)]

    def is_checker(self, view: DieView, surely: float = SURELY_A_DIE) -> bool:
        """Whether what is taken for a die on a checker may be that checker itself."""
        return is_checker(view, self.sight, self.board, self.geometry, self.faces, surely)

    def sure_dice(self, views: list[DieView]) -> list[DieView]:
        """Gets the views that are dice."""
        sure = (view for view in views if _is_die(view) and view.is_cube < 0.5)
        return [view for view in sure if not self.is_checker(view)]

    def second_die(self, views: list[DieView]) -> list[DieView]:
        """Gets the view that is most likely the second die of a throw of which one was found; nothing where none is
        likely."""
        likely = [view for view in views if view.is_die >= SECOND_DIE and view.is_cube < 0.5]
        best = sorted(likely, key=lambda view: -view.is_die)[:1]
        return [view for view in best if not self.is_checker(view, SECOND_DIE)]

    def is_in_cup(self, view: DieView, views: list[DieView]) -> bool:
        """Whether a die of some lies in a cup, or on what else was put down on the board."""
        if self.board is None or self.background is None:
            return False
        others = [other.spot_mm for other in views if other is not view]
        return is_in_cup(view.spot_mm, self.sight, self.background.empty, self.board, self.geometry, others)

    def is_roll(self, views: list[DieView]) -> bool:
        """Whether as many dice as a roll has lie in the seats' sections: in no cup, and not where one may stand."""
        lying = [view for view in views if self.geometry.section_of(*view.spot_mm) is not None]
        if self.board is not None and len(lying) >= DICE_A_ROLL:
            lying = [view for view in lying if not is_thing_near(self.board, view.spot_mm, self.geometry)]
        if len(lying) < DICE_A_ROLL:
            return False
        return sum(not self.is_in_cup(view, views) for view in lying) >= DICE_A_ROLL

    def with_dice(self, die_mm: float) -> "_Scene":
        return replace(self, geometry=sized(self.geometry, die_mm))


@dataclass(frozen=True, slots=True)
class _Found:
    """What is found in a picture: the dice, in what scene, the scan of it, and what is believed of their size."""

    views: list[DieView]
    scene: _Scene
    scan: ScanSeen
    size: DieSize


def _is_die(view: DieView) -> bool:
    return view.is_die >= (LEAST_DIE if max(view.values[1:]) >= A_NUMBER else LEAST_ELSE)


def find_dice(
    picture: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    board: BoardReading | None = None,
    size: DieSize | None = None,
    background: Background | None = None,
    memory: DiceMemory | None = None,
    tilted_from: float = TILTED,
    halved: Picture | None = None,
    may_be_larger: bool = True,
    faces: CheckerFaces | None = None,
    tilts: LookForTilt | None = None,
) -> FoundDice:
    """Gets all dice and the cube in a picture of a known camera and board; the scan is made once for both.

    Without ``size`` the dice are as large as the board says. ``background`` tells what is no die, ``memory`` what was
    seen in the picture before. From the likelihood ``tilted_from`` on a die is said to be tilted.
    ``may_be_larger``: whether dice that the scan misses, as they are far larger than usual, are looked for where it
    finds none, or one alone that looks so. ``faces`` tells what lies on checkers and belongs to them. ``tilts``: what
    looks for the tilt of what may lean.
    """
    before = size or DieSize.around(geometry.die_size_mm, is_given=True)
    found = _find(picture, camera, geometry, board, before, background, memory, halved, may_be_larger, faces)
    views, scene, after = found.views, found.scene, found.size
    middles = [view.spot_mm for view in views]
    free = [
        stands_free(view.spot_mm, board, scene.geometry, [*middles[:i], *middles[i + 1 :]], known_from(view.on_checker))
        for i, view in enumerate(views)
    ]
    if not after.is_settled:
        views = look_again(scene.sight, scene.geometry, views, OTHER_SIZES)
    else:
        views = look_longer(scene.sight, scene.geometry, views)
    die_mm = scene.geometry.die_size_mm if after.is_settled else None
    views = (tilts or look_for_tilt)(scene.sight, die_mm, with_doubted_fives(scene.sight, die_mm, views), free)
    dice = tuple(
        told_of(view, camera, scene.geometry, board, stands, scene.is_in_cup(view, views), tilted_from)
        for view, stands in zip(views, free, strict=True)
    )
    cube = cube_of_scan(found.scan.cells, found.scan.frame, scene.sight, geometry, board, faces, background)
    frames = 0 if memory is None else memory.frames + 1
    return FoundDice(dice, cube, after, DiceMemory(found.scan, scene.sight.looks.kept(), frames))


def dice_places(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> tuple[XY, ...]:
    """Gets where there are dice in a picture, or what looks like such, as :func:`find_dice` finds them."""
    size = DieSize.around(geometry.die_size_mm, is_given=True)
    found = _find(picture, camera, geometry, None, size, None, None, None, True, None)
    return tuple(view.spot_mm for view in found.views)


def _find(
    picture: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    board: BoardReading | None,
    before: DieSize,
    background: Background | None,
    memory: DiceMemory | None,
    halved: Picture | None,
    may_be_larger: bool,
    faces: CheckerFaces | None,
) -> _Found:
    """Gets where the dice of a picture are, and what the closer look shows of them."""
    scan_geometry = sized(geometry, before.scan_mm(geometry.die_size_mm))
    empty = None if background is None else background.scan_of_empty(scan_geometry.die_size_mm)
    seen, looks, has_changed = _scanned(picture, camera, scan_geometry, memory, empty, halved)
    cells, frame = new_in_scan(seen, empty, LEAST_SCAN), seen.frame
    peaks = die_peaks(cells, LEAST_SCAN, PEAKS if faces is None else PEAKS_WITH_FACES)
    spots = [looks.near(spot, before.mm) for spot in peak_spots_mm(peaks, frame)]
    sight = Sight(picture, camera, looks, halved)
    scene = _Scene(sight, sized(geometry, before.mm), before.is_settled, board, faces, background)
    many = sum(peak.likelihood >= LIKELY_SCAN for peak in peaks)
    likely = checkers_last(spots[:many], sight, board, geometry, faces)[:MOST_PLACES]
    views, scene = _in_their_size(scene, scene.look(likely), before, background)
    found = scene.sure_dice(views)
    if not scene.is_roll(found):
        beside = (spot for spot in checkers_last(spots, sight, board, geometry, faces) if spot not in likely)
        beside = (spot for spot in beside if background is None or not _is_bare(spot, background, sight))
        others = [*islice(beside, MOST_UNLIKELY)]
        more = scene.look(others)
        if not found and scene.sure_dice(more):
            more, scene = _in_their_size(scene, more, before, background)
        found, views = found + _apart(scene.sure_dice(more), found, scene.geometry), views + more
    if not scene.is_roll(found):
        aside = peak_spots_mm(shoulders(cells, LIKELY_SCAN, len(likely)), frame)
        more = scene.look([spot for spot in aside if _is_apart(spot, found, scene.geometry)])
        found, views = found + _apart(scene.sure_dice(more), found, scene.geometry), views + more
    found += _beside(scene, found, cells, frame)
    found = _new(found, background, picture)
    after = before.after((view.spot_mm, view.size_mm) for view in found)
    told_mm = after.scan_mm(geometry.die_size_mm)
    if not before.is_settled and not scene.is_roll(found):
        again = partial(_find, picture, camera, geometry, board, background=background, halved=halved, faces=faces)
        if told_mm != scan_geometry.die_size_mm:  # one more may be of that size
            return again(before=after, memory=memory, may_be_larger=may_be_larger)
        larger_mm = scan_geometry.die_size_mm * MUCH_LARGER
        seen_mm = max((view.size_mm for view in found), default=larger_mm)
        is_due = has_changed or memory is None or memory.frames % LARGER_AGAIN == 0
        if may_be_larger and is_due and seen_mm >= larger_mm:
            larger = again(before=DieSize.around(seen_mm, is_given=False), memory=None, may_be_larger=False)
            if larger.scene.is_roll(larger.views):
                return larger
    if len(found) == 1:
        found += _new(scene.second_die(_apart(views, found, scene.geometry)), background, picture)
    return _Found(found, scene, seen, after)


def _scanned(
    picture: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    memory: DiceMemory | None,
    empty: ScanSeen | None,
    halved: Picture | None,
) -> tuple[ScanSeen, Looks, bool]:
    """Gets what the scan of a picture shows, the looks of pictures before that are still of use, and whether anything
    has changed since the picture before."""
    scan = Scan(picture, camera, geometry, halved=halved)
    if memory is None or memory.scan.frame != scan.frame:
        return scan_all(scan), Looks(), True
    same = empty if empty is not None and empty.frame == scan.frame else None
    seen, changed = scan_changes(scan, memory.scan, memory.frames, same)
    return seen, Looks(looks_left(memory, changed)), bool(changed.any())


def _is_bare(spot: XY, background: Background, sight: Sight) -> bool:
    """Whether nothing can lie at a place, as the frames before have told where it has not changed since."""

    def cut() -> Picture:
        return background.patch(spot, sight.picture)

    def ask(patch: Patch) -> Output:
        return np.array([background.is_bare(spot, patch)], dtype=np.float32)

    return bool(sight.looks.see((*spot, BARE_KEY, False), cut, ask)[0])


def _in_their_size(
    scene: _Scene, views: list[DieView], size: DieSize, background: Background | None
) -> tuple[list[DieView], _Scene]:
    """Gets what is seen of places, with the size that they tell the dice to have; and the scene with dice so large."""
    if size.is_settled:
        return views, scene
    for _ in range(MOST_SIZINGS):
        views = [view for view in views if view.is_die >= MAYBE_DIE and view.is_cube < 0.5]
        views = [view for view in views if not scene.is_checker(view)]
        dice = _new(views, background, scene.sight.picture)
        told_mm = size.after((view.spot_mm, view.size_mm) for view in dice).mm
        if not dice or abs(np.log(told_mm / scene.geometry.die_size_mm)) < SAME_SIZE:
            break
        scene = scene.with_dice(told_mm)
        views = scene.look([view.spot_mm for view in views])
    return views, scene


def _new(views: list[DieView], background: Background | None, picture: Picture) -> list[DieView]:
    """Gets the views without what the empty board showed already, and what a table that shows such things may show
    where something on it was moved."""
    if background is None:
        return views
    surely = [view for view in views if max(view.values) >= VALUE_VOUCHED or not background.may_be_table(view.spot_mm)]
    return [view for view in surely if not background.is_as_before(view.spot_mm, picture)]


def _beside(scene: _Scene, found: list[DieView], cells: NDArray[np.float32], frame: ScanFrame) -> list[DieView]:
    """Gets the dice that touch a found die and had no peak of their own in the scan."""
    if not found:
        return []
    at = [Peak(x, y, 1.0) for x, y in frame.to_pixels(np.array([view.spot_mm for view in found]))]
    die_px = scene.geometry.die_size_mm / frame.mm_a_px
    ring = (BESIDE[0] * die_px, BESIDE[1] * die_px)
    spots = peak_spots_mm(peaks_beside(cells, at, ring, LEAST_BESIDE), frame)
    if not spots:
        return []
    # The likeliest cell may be some way from the middle: look there once only to learn where the middle is.
    first = outputs(scene.sight, scene.geometry, spots, mirrored=False)
    moved = [
        shifted(spot, output, scene.sight.camera, scene.geometry) for spot, output in zip(spots, first, strict=True)
    ]
    return _apart(scene.sure_dice(scene.look(moved)), found, scene.geometry)


def _apart(views: list[DieView], found: list[DieView], geometry: BoardGeometry) -> list[DieView]:
    """Gets of ``views`` the dice that are none of those already found."""
    return [view for view in views if _is_apart(view.spot_mm, found, geometry)]


def _is_apart(spot: XY, found: list[DieView], geometry: BoardGeometry) -> bool:
    """Whether none of the dice already found lies at a place."""
    nearest_mm = SAME_DIE * geometry.die_size_mm
    return all(np.hypot(*np.subtract(spot, other.spot_mm)) >= nearest_mm for other in found)
