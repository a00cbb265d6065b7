"""Checkers that do not lie where a row of them should: off the middle line of their point, away from the edge, apart
from each other, or between two points.

The network has learned from rows that begin at the edge, within a fifth of a point's width of the middle line. People
leave checkers further off, and of those it may see nothing. So what does not look as on the empty board is measured:
where it lies otherwise, the strip is cut anew with that where a row should lie, and the network is asked again. What
lies between two points may belong to either, and that is what is said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.columns import (
    CHECKER_PX,
    POINTS,
    SLOTS,
    Picture,
    ReferenceStrips,
    mm_per_px,
    reference_strips,
    strip_places_mm,
)
from boardctl.vision.points.covered import (
    changed,
    columns_off_px,
    filled,
    fine_levels,
    in_place,
    is_over_middle,
    is_round,
    stretches,
)
from boardctl.vision.points.flat_bar import middle_off_px, on_middle_px, seen_in_middle, spots_on, without
from boardctl.vision.points.moved_cuts import MovedCuts
from boardctl.vision.points.row_spots import ALOOF_PX, BETWEEN_FROM, Spot, every_spot, own_spots
from boardctl.vision.points.strip_reading import BARE_LOGITS, HAND, LAYERS, NOTHING_IN_MIDDLE, StripsSeen, likelier_seat
from calibration import BoardGeometry, Calibration
from calibration.installation import INSTALLATIONS_KEPT
from calibration.starting_position import STARTING_STACKS

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SURE = 4.0
"""Logarithm of odds from which what the network saw at once needs no other look: fifty to one."""

FULL_ROW = 5
"""Checkers of a row on which others may lie, on them or in the hollows between them, so that it looks like another."""

SAME_PX = 4.0
"""A sixth of a checker: so near each other are the places at which two strips show one checker."""

PLAIN = 3.0
"""Logarithm of the odds (20 to 1) by which a checker is at least of one seat and not of the other: dice that lie side
by side look like neither's."""

DOUBTFUL = 1.7
"""Logarithm of odds (85 to 15) with which a checker is told at most that lies by itself where none should, or does not
look round: two dice that touch may look like one."""

FAR_PX = 30
"""What lies by itself so much further from the edge than it should hardly is a checker."""

UNEXPLAINED_PX = 135
"""So many changed pixels, three tenths of a checker, belong to another one."""
EITHER = 0.0
NEVER = -9.0
"""Logits of what is as likely as anything, and of what is not there."""


class _Masks:
    """What does not look as on the empty board, of the strips of one picture that do not look so in all."""

    def __init__(self, calibration: Calibration, strips: NDArray[np.uint8], seen: StripsSeen, larger: float) -> None:
        self._strips, self._empty, self._larger = strips, _fine_empty(calibration), larger
        self._looked_at = seen.looked_at
        self._known: dict[int, Bools] = {}
        self._look(np.flatnonzero(seen.asked[:POINTS]))

    def __contains__(self, strip: int | None) -> bool:
        return strip is not None and bool(self._looked_at[strip])

    def __getitem__(self, strip: int) -> Bools:
        if strip not in self._known:
            self._look(np.array([strip]))
        return self._known[strip]

    def _look(self, chosen: NDArray[np.intp]) -> None:
        masks = changed(fine_levels(self._strips[chosen]), self._empty[chosen], self._larger)
        self._known.update(zip(chosen.tolist(), masks, strict=True))


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _fine_empty(calibration: Calibration) -> NDArray[np.uint8]:
    """Gets the empty board's strips in the levels in which they are compared."""
    return fine_levels(reference_strips(calibration).empty)


def put_in_rows(
    picture: Picture,
    calibration: Calibration,
    reference: ReferenceStrips,
    strips: NDArray[np.uint8],
    seen: StripsSeen,
    plain: float = PLAIN,
) -> tuple[StripsSeen, NDArray[np.uint8]]:
    """Gets what the network says of the strips of a picture (26 x length x width x 3), with every checker where it
    should lie in what it is shown, and the strips so: of those about which it was asked in this frame.

    ``plain``: how plain it must be whose a checker is. Of a row of both seats the network does not know it: where there
    are such, it is told by colour.
    """
    if not seen.asked[:POINTS].any():
        return seen, strips
    logits, middle, in_rows = seen.logits.copy(), seen.middle.copy(), strips
    geometry = calibration.geometry
    pitch_px = geometry.point_width_mm / mm_per_px(geometry)
    masks = _Masks(calibration, strips, seen, reference.larger)
    between: list[tuple[int, int, Floats]] = []
    held_by = _held_by(seen.logits[:POINTS])
    plainly_held = held_by > SURE
    asked = np.flatnonzero(seen.asked[:POINTS])
    for strip in asked[~in_place(np.stack([masks[strip] for strip in asked.tolist()]), plainly_held[asked])].tolist():
        told, mask = seen.logits[strip], masks[strip]
        edge_px = _edge_px(calibration, strip)
        every = _every_spot(mask, edge_px, geometry, strip)
        found = own_spots(every, pitch_px)
        if not found:
            mask = filled(mask)
            every = _every_spot(mask, edge_px, geometry, strip)
            found = own_spots(every, pitch_px)
        cuts = MovedCuts(picture, calibration, reference, strips, strip)
        rest, told, middle[strip] = _apart_from_bar(geometry, strip, every, told, cuts, plain)
        if len(rest) < len(every):
            logits[strip] = told
            held_by[strip] = _held_by(told[None])[0]
            plainly_held[strip] = held_by[strip] > SURE
            found = own_spots(rest, pitch_px)
        spots = []
        for slot, spot in enumerate(found):
            is_between = abs(spot.off_px) >= BETWEEN_FROM * pitch_px
            agreed = is_between and _is_seen_beside(masks, geometry, strip, spot)
            if is_between and plainly_held[strip, slot] and not agreed:
                spots.append(replace(spot, off_px=0.0))
            else:
                on_middle = agreed and spot.off_px == middle_off_px(geometry, strip)
                spots.append(replace(spot, on_bar=on_middle and slot > 0))
        if not spots or _is_longer(held_by[strip], spots, mask) or _is_read(plainly_held[strip], spots, pitch_px):
            continue
        anew = _read_anew(cuts, strips[strip], spots, mask, told, pitch_px, plain)
        if anew is None:
            continue
        logits[strip] = anew.told
        in_rows = strips.copy() if in_rows is strips else in_rows
        in_rows[strip] = anew.strip
        for slot, spot in enumerate(spots):
            if abs(spot.off_px) < BETWEEN_FROM * pitch_px or anew.told[0, slot] != EITHER:
                continue
            other = beside(geometry, strip, spot.off_px)
            at = spot.slots[0]
            if other is None or (other in masks and is_over_middle(masks[other], at)):
                continue
            on_middle = spot.off_px == middle_off_px(geometry, strip)
            if on_middle and at > int(np.cumprod(held_by[other] > 0).sum()):
                continue  # beyond the end of that row, where it may lie on the bar
            if not _is_held(seen.logits[other][:, at]):
                between.append((other, at, anew.told[:, slot]))
    for strip, slot, either in between:
        logits[strip][:, slot] = either
    return replace(seen, logits=logits, middle=middle), in_rows


def _apart_from_bar(
    geometry: BoardGeometry, strip: int, spots: Sequence[Spot], told: Floats, cuts: MovedCuts, plain: float
) -> tuple[list[Spot], Floats, Floats]:
    """Gets the spots of a strip but for those on a bar as low as the field, what the network says of the strip (8 x 7)
    without them, and what it says of a checker in the very middle of the board (9)."""
    whose = partial(_looks_like, cuts=cuts, plain=plain)
    on_bar = spots_on(geometry, strip, spots, told, whose)
    lying = [one.spot for one in on_bar]
    checkers = (_look(spot, cuts) if whose(spot) is not None else None for spot in lying)
    seen = [seen_in_middle(look, geometry, strip, spot) for look, spot in zip(checkers, lying, strict=True)]
    middle = next((one for one in seen if one is not None), NOTHING_IN_MIDDLE[strip])
    return [spot for spot in spots if spot not in lying], without(told, on_bar), middle


def _look(spot: Spot, cuts: MovedCuts) -> Floats:
    """Gets what the network says (8) of a spot, cut so that it lies where a row's checker should."""
    return cuts.at(spot.along_px, spot.off_px, spot.stretch.checkers)[1][:, spot.place]


def _looks_like(spot: Spot, cuts: MovedCuts, plain: float) -> int | None:
    """Gets whose a checker in a spot plainly is, by its number; None where it is nobody's."""
    look = _look(spot, cuts)
    return likelier_seat(look) if _is_checker(look, plain) and look[HAND] < 0 else None


def _every_spot(mask: Bools, edge_px: int, geometry: BoardGeometry, strip: int) -> list[Spot]:
    """Gets where checkers seem to lie in a strip by what of it has changed (``mask``: length x width)."""
    spots = every_spot(mask, edge_px, geometry.point_width_mm / mm_per_px(geometry))
    return [replace(spot, off_px=on_middle_px(geometry, strip, spot.off_px)) for spot in spots]


def _is_seen_beside(masks: _Masks, geometry: BoardGeometry, strip: int, spot: Spot) -> bool:
    """Whether the strip beside shows the same checker as a strip, from its own side."""
    other = beside(geometry, strip, spot.off_px)
    if other is None or other not in masks:
        return False
    middle = spot.along_px + round((spot.place + 0.5) * CHECKER_PX)
    seen_px = on_middle_px(geometry, other, columns_off_px(masks[other], middle))
    if spot.off_px == middle_off_px(geometry, strip):
        return seen_px == middle_off_px(geometry, other)
    pitch_px = geometry.point_width_mm / mm_per_px(geometry)
    return bool(abs(seen_px - (spot.off_px - np.sign(spot.off_px) * pitch_px)) <= SAME_PX)


def beside(geometry: BoardGeometry, strip: int, off_px: float) -> int | None:
    """Gets the strip of the point that lies next to a strip's, to that side; None where the bar or the edge of the
    board is."""
    return _beside(geometry, strip, off_px > 0)


@lru_cache(maxsize=8 * POINTS)
def _beside(geometry: BoardGeometry, strip: int, to_right: bool) -> int | None:
    places = strip_places_mm(geometry, strip)
    right = places[0, -1, 0] - places[0, 0, 0]
    wanted = geometry.point_x_mm(strip + 1) + (1 if to_right else -1) * np.sign(right) * geometry.point_width_mm
    for other in (strip - 1, strip + 1):
        row = 0 <= other < POINTS and geometry.is_near_row(other + 1) == geometry.is_near_row(strip + 1)
        if row and abs(geometry.point_x_mm(other + 1) - wanted) < geometry.point_width_mm / 2:
            return other
    return None


def _edge_px(calibration: Calibration, strip: int) -> int:
    """Gets where rows begin to be seen: a high rail may hide a part of their first checker."""
    return _edges_px(calibration)[calibration.geometry.is_near_row(strip + 1)]


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _edges_px(calibration: Calibration) -> dict[bool, int]:
    """Gets where the rows of the starting position begin, for those of the far side (False) and of the near one."""
    start = reference_strips(calibration).cutter.cut(calibration.start)
    begins: dict[bool, list[int]] = {False: [], True: []}
    for number, _, _ in STARTING_STACKS:
        [mask] = changed(fine_levels(start[number - 1 : number]), _fine_empty(calibration)[number - 1 : number])
        for stretch in list(stretches(mask))[:1]:
            begins[calibration.geometry.is_near_row(number)].append(min(stretch.first, CHECKER_PX // 2))
    return {side: int(np.median(rows)) if rows else 0 for side, rows in begins.items()}


def _is_read(plainly_held: Bools, spots: list[Spot], pitch_px: float) -> bool:
    """Whether everything lies where it should, or was seen all the same."""
    if any(abs(spot.off_px) >= BETWEEN_FROM * pitch_px for spot in spots):
        return False
    if plainly_held[: len(spots)].all():
        return True
    return all(spot.is_in(slot) for slot, spot in enumerate(spots))


def _is_longer(held_by: Floats, spots: list[Spot], mask: Bools) -> bool:
    """Whether the network saw a row (``held_by``: one number a slot) of more checkers than ``spots``: a full one, its
    end plainly, or one of which the ``mask`` (length x width) shows more than these. Of checkers of the colour of their
    point little does not look as on the empty board."""
    length = int(np.cumprod(held_by > 0).sum())
    if length <= len(spots):
        return False
    if length >= FULL_ROW and held_by[length - 1] > SURE:
        return True
    rest = mask[: length * CHECKER_PX].copy()
    for spot in spots:
        rest[spot.stretch.first : spot.stretch.end] = False
    return bool(rest.sum() > UNEXPLAINED_PX)


@dataclass(frozen=True, slots=True)
class _Anew:
    """What the network says (8 x 7) of a strip's checkers, each where it should lie, and the strip that shows them so
    (length x width x 3)."""

    told: Floats
    strip: NDArray[np.uint8]


def _read_anew(
    cuts: MovedCuts,
    strip: NDArray[np.uint8],
    spots: list[Spot],
    mask: Bools,
    before: Floats,
    pitch_px: float,
    plain: float,
) -> _Anew | None:
    """Gets a strip's checkers as they look where they should lie: of ``spots``, found in the strip's ``mask`` (length x
    width). The first that the network does not hold to be a checker ends the row: dice lie about, too, and hands. None
    where that is the very first."""
    told, in_rows = BARE_LOGITS.copy(), strip.copy()
    row, placed, doubted = 0, list[Spot](), set[int]()
    for spot in spots:
        while row < SLOTS and spot.away_px(row) > ALOOF_PX and _is_held(before[:, row], by=SURE):
            told[:, row], row = before[:, row], row + 1  # of its point's colour, so that it is no spot
        if row == SLOTS:
            break
        placed.append(spot)
        if spot.is_in(row) and _is_held(before[:, row], by=SURE):
            told[:, row], row = before[:, row], row + 1
            continue
        cut, logits = cuts.at(spot.along_px, spot.off_px, spot.stretch.checkers)
        look = logits[:, spot.place]
        if not _is_checker(look, plain) or look[HAND] > 0:
            if not _is_held(before[:, row], by=SURE):
                placed.pop()
                doubted = {row} & set(spot.slots)
                break
            # Where its stretch seems to begin a shadow may, or half a rim.
            told[:, row], row = before[:, row], row + 1
            continue
        away_px = spot.away_px(row)
        if away_px > FAR_PX or spot.on_bar:
            told[:, row], row = _rather_bare(look), row + 1
            break
        if abs(spot.off_px) >= BETWEEN_FROM * pitch_px:
            told[:, row] = _either(look)
        else:
            doubtful = spot.stretch.checkers == 1 and (away_px > ALOOF_PX or not is_round(mask, spot.stretch))
            told[:, row] = _tempered(look) if doubtful else look
        in_rows[_rows_of(row)] = cut[_rows_of(spot.place)]
        row += 1
    if row == 0:
        return None
    over = {slot for spot in spots if spot in placed or spot.on_bar for slot in spot.slots}
    beyond = [slot for slot in range(row, SLOTS) if slot not in over - doubted]
    told[HAND, beyond] = before[HAND, beyond]
    for slot in beyond:
        if _is_held(before[:, slot]):
            # Seen where it should lie and not where it seemed to: half under a hand, or a die beside the row.
            told[:, slot] = _either(before[:, slot])
    return _Anew(told, in_rows)


def _rows_of(slot: int) -> slice:
    return slice(slot * CHECKER_PX, (slot + 1) * CHECKER_PX)


def _held_by(logits: Floats) -> Floats:
    """Gets of strips (N x 8 x slots) by how much of the logarithm of odds something lies in each slot."""
    return np.asarray(logits[:, 1:HAND].max(axis=1) - logits[:, 0], dtype=np.float64)


def _is_held(logits: Floats, by: float = 0.0) -> bool:
    """Whether something most likely lies in a slot (8 numbers), by so much of the logarithm of odds."""
    return bool(logits[1:HAND].max() > logits[0] + by)


def _is_checker(logits: Floats, plain: float) -> bool:
    """Whether a checker most likely lies in a slot (8 numbers), and it is plain whose."""
    of_a, of_b = logits[1 : 1 + LAYERS].max(), logits[1 + LAYERS : HAND].max()
    return bool(max(of_a, of_b) > logits[0] and abs(of_a - of_b) >= plain)


def _tempered(logits: Floats) -> Floats:
    """Gets numbers (8) for a slot that say what ``logits`` (8) say, but no surer than what may be dice is told."""
    told = logits.copy()
    told[0] = max(logits[0], logits[1:HAND].max() - DOUBTFUL)
    return told


def _rather_bare(logits: Floats) -> Floats:
    """Gets numbers (8) for a slot in which most likely nothing lies, and else what ``logits`` (8) tell."""
    told = logits.copy()
    told[0] = logits[1:HAND].max() + DOUBTFUL
    return told


def _either(logits: Floats) -> Floats:
    """Gets numbers (8) for a slot in which lies what ``logits`` (8) tell, or nothing."""
    told = np.full_like(logits, NEVER)
    told[HAND] = logits[HAND]
    told[0] = told[1 + int(logits[1:HAND].argmax())] = EITHER
    return told
