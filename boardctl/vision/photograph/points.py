"""Points and bar in a photograph, read as with a calibration against an empty board that was made of the photograph.

What the calibration's pictures tell besides is told by the photograph, too: the seats' colours by what is no bare
point, the size of the checkers by that with which the network knows best what it sees.
"""

from dataclasses import dataclass, replace
from math import atan2, degrees, hypot

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading
from boardctl.rules import Place, Seat, point
from boardctl.vision.light.even_light import light_evened
from boardctl.vision.points.columns import (
    FROM_ABOVE,
    FROM_BESIDE,
    POINTS,
    STRIPS,
    Cutter,
    Picture,
    ReferenceStrips,
    StripNetwork,
    cutter,
    leaning_px,
    strip_places_mm,
    top_height_mm,
)
from boardctl.vision.points.reading import SEATS, CoveredPoint, lying_and_clear, point_reading, read_points_and_bar
from boardctl.vision.points.seat_palette import seat_palette
from boardctl.vision.points.seats_seen import (
    DISCS,
    OWN_SLOTS,
    is_like,
    mixed,
    rows_seen,
    seats_known,
    seats_seen,
    shades,
)
from boardctl.vision.points.strip_reading import LAYERS, see_strips
from calibration import BoardGeometry, Calibration, CameraModel

Floats = NDArray[np.float64]

SIZES = (0.72, 0.76, 0.8, 0.84, 0.88, 0.91, 0.94, 0.97, 1.0)
"""Diameters of checkers that are tried, in widths of a point: tournament boards have 0.9 to 0.98, toys less. First
every other one is, then those beside the best."""

KNOWN = 0.8
"""Likelihood from which what a slot holds tells the colours of its seat."""

LEAST_KNOWN = 2
"""So many checkers of a seat tell its colours better than the first look at all that is no bare point."""

DOUBTED = 0.4
"""Most that is said of a point when colour and shape alone speak against it: less than is vouched for."""

PLAINLY = 0.8
"""A row is of a colour when it is so much nearer to it than to the other: of 388 rows that were read right, on boards
that may be learned from, fewer than one in a hundred was not."""

MISCOUNTED = 4
"""So many checkers too many a seat may seem to have whose high stacks are told wrongly. Where the other seat's, too,
were taken for its own it seemed to have 5 to 13 too many (traced 27011-03)."""

MANY_STRANGE = 0.25
"""Share of the rows of strange colours from which on the colours themselves are not believed."""

BESIDE_DEG = 25.0
"""Cameras that see the board's middle from further off the upright stand beside it: those that hang, from which the
network for boards from above has learned, do not."""

PLAINER = 0.6
"""Light is evened where checkers are so much more plainly of two colours in even light."""


@dataclass(frozen=True)
class SizedPoints:
    """Points and bar as they were read, those of them that are doubted, and the board with the checkers' size."""

    places: tuple[PlaceReading, ...]
    doubted: frozenset[Place]
    unsaid: tuple[PlaceReading, ...]
    covered: tuple[CoveredPoint, ...]
    geometry: BoardGeometry


@dataclass(frozen=True)
class Look:
    """A photograph seen with checkers of one size: the board, its strips, those of the empty board, and the colours of
    seats."""

    geometry: BoardGeometry
    strips: NDArray[np.uint8]
    reference: ReferenceStrips


def points_on_bare_board(
    picture: Picture, camera: CameraModel, geometry: BoardGeometry, empty: Picture, checkers: int
) -> SizedPoints | None:
    """Gets what lies on points and bar in a photograph (H x W x 3), given the same without checkers; None where no
    checkers of two colours are found. ``checkers``: how many each seat has in all; 0 where that is not known."""
    best = clearest_look(picture, camera, geometry, empty, checkers)
    if best is None:
        return None
    calibration = Calibration.of(camera, best.geometry, empty, empty)
    seen = read_points_and_bar(picture, calibration, reference=best.reference)
    doubted = _doubted(best, seen.places)
    places = tuple(place.at_most(DOUBTED) if place in doubted else place for place in seen.places)
    return SizedPoints(places, frozenset(place.place for place in doubted), seen.unsaid, seen.covered, best.geometry)


def clearest_look(
    picture: Picture, camera: CameraModel, geometry: BoardGeometry, empty: Picture, checkers: int
) -> Look | None:
    """Gets a photograph as it is seen with checkers of that size with which the network knows best what lies there, and
    with the colours of those that it knows; else as :func:`points_on_bare_board`."""
    looks: dict[int, tuple[float, Look]] = {}
    for tried in (range(0, len(SIZES), 2), (-1, 1)):
        middle = max(looks, key=lambda index: looks[index][0]) if looks else 0
        for index in (middle + step for step in tried):
            if 0 <= index < len(SIZES):
                look = _look(picture, camera, _with_checkers(geometry, SIZES[index]), empty)
                if look is not None:
                    looks[index] = (_clearness(look, checkers), look)
    if not looks:
        return None
    _, best = max(looks.values(), key=lambda entry: entry[0])
    # By the colours of those that it knows the network knows more of them.
    return replace(best, reference=_with_known_colours(best))


def in_plainer_light(
    picture: Picture, camera: CameraModel, geometry: BoardGeometry, empty: Picture
) -> tuple[Picture, Picture]:
    """Gets a photograph (H x W x 3) and the same without checkers as they would be in even light, where in that the
    checkers are more plainly of two colours; else as they are."""
    even = light_evened(Calibration.of(camera, geometry, empty, empty))
    if even is None:
        return picture, empty
    tool = _cutter(camera, geometry)
    strips = tool.cut(picture)
    rows = rows_seen(strips, tool.cut(empty))
    lit, bare = even.picture(picture), even.calibration.empty
    if mixed(tool.cut(lit), rows) < PLAINER * mixed(strips, rows):
        return lit, bare
    return picture, empty


def _with_checkers(geometry: BoardGeometry, size: float) -> BoardGeometry:
    """Gets a board with checkers of a diameter, in widths of a point, and as thick as is usual for that."""
    diameter = geometry.point_width_mm * size
    thickness = geometry.checker_height_mm / geometry.checker_diameter_mm
    return replace(geometry, checker_diameter_mm=diameter, checker_height_mm=diameter * thickness)


def _look(picture: Picture, camera: CameraModel, geometry: BoardGeometry, empty: Picture) -> Look | None:
    tool = _cutter(camera, geometry)
    strips, bare = tool.cut(picture), tool.cut(empty)
    seats = seats_seen(strips, bare)
    if seats is None:
        return None
    leaning = np.array([leaning_px(camera, geometry, strip) for strip in range(STRIPS)], dtype=np.float32)
    palette = seat_palette(seats[Seat.A], seats[Seat.B], bare.reshape(-1, 3))
    look = Look(geometry, strips, ReferenceStrips(tool, bare, leaning, palette, network=_network(camera)))
    return replace(look, reference=_with_known_colours(look))


def _network(camera: CameraModel) -> StripNetwork:
    """Gets the network that has learned from cameras that see a board from as far aside."""
    x_mm, y_mm, z_mm = camera.position_mm
    return FROM_BESIDE if degrees(atan2(hypot(x_mm, y_mm), z_mm)) > BESIDE_DEG else FROM_ABOVE


def _cutter(camera: CameraModel, geometry: BoardGeometry) -> Cutter:
    return cutter(
        camera, [(strip_places_mm(geometry, strip), top_height_mm(geometry, strip)) for strip in range(STRIPS)]
    )


def _clearness(look: Look, checkers: int) -> float:
    """Gets how well the network knows what lies on the points, as a mean likelihood."""
    logits = see_strips(look.strips, look.reference).logits
    places = tuple(point_reading(point(strip + 1), logits[strip]) for strip in range(POINTS))
    doubted = _doubted(look, places) | rows_of_too_many(places, checkers)
    return float(np.mean([place.confidence * (DOUBTED if place in doubted else 1.0) for place in places]))


def _with_known_colours(look: Look) -> ReferenceStrips:
    """Gets the reference with the colours of all checkers that the network knows: of the two kinds of which they
    plainly are; else of the seats for whose it takes them. What an arm had of a seat's part is not among them."""
    logits = see_strips(look.strips, look.reference).logits
    tops: list[NDArray[np.uint8]] = []
    taken_for: dict[Seat, list[NDArray[np.uint8]]] = {seat: [] for seat in SEATS}
    for strip in range(POINTS):
        lying, clear = lying_and_clear(logits[strip])
        held = (lying[1:] * clear).reshape(len(SEATS), LAYERS, -1).sum(axis=1)[:, :OWN_SLOTS]
        for slot in np.flatnonzero(held.sum(axis=0) > KNOWN):
            tops.append(look.strips[strip][DISCS.tops[slot]])
            if held[:, slot].max() > KNOWN:
                taken_for[SEATS[int(held[:, slot].argmax())]].append(tops[-1])
    colours = seats_known(tops)
    if colours is None:
        if min(len(found) for found in taken_for.values()) < LEAST_KNOWN:
            return look.reference
        colours = {seat: np.concatenate(found) for seat, found in taken_for.items()}
    board = look.reference.empty.reshape(-1, 3)
    return replace(look.reference, palette=seat_palette(colours[Seat.A], colours[Seat.B], board))


def _doubted(look: Look, places: tuple[PlaceReading, ...]) -> set[PlaceReading]:
    """Gets the points that are read otherwise than colour and shape alone say: as holding fewer checkers than seem to
    lie there, or checkers that look like the other seat's. Where that is so of many, all rows are doubted."""
    points = places[:POINTS]
    doubted = set()
    rows = rows_seen(look.strips, look.reference.empty)
    for strip, place in enumerate(points):
        read = 0 if place.best is None else len(place.best)
        beyond = [slot for slot in rows[strip] if slot >= read]
        if any(is_like(seat, look.strips[strip], slot, look.reference.palette) for seat in SEATS for slot in beyond):
            doubted.add(place)
    held = [(place, _row_shades(look.strips[strip], place)) for strip, place in enumerate(points) if place.best]
    strange = _strange(held)
    if len(strange) > MANY_STRANGE * len(held):
        strange = {place for place, _ in held}
    return doubted | strange


def rows_of_too_many(points: tuple[PlaceReading, ...], checkers: int) -> set[PlaceReading]:
    """Gets the rows of seats that would have far more checkers than each has (0: not known): they are of both seats,
    one of which is not told from the board there."""
    rows = [(place, place.best) for place in points if checkers and place.best]
    held = {seat: sum(len(stack) for _, stack in rows if stack[0] is seat) for seat in SEATS}
    return {place for place, stack in rows if held[stack[0]] > checkers + MISCOUNTED}


def _row_shades(strip: NDArray[np.uint8], place: PlaceReading) -> Floats:
    """Gets the shades (N x 5) of the first checkers of a row."""
    assert place.best
    slots = range(min(len(place.best), OWN_SLOTS))
    return np.array([shades(strip[DISCS.tops[slot]]) for slot in slots], dtype=np.float64)


def _strange(rows: list[tuple[PlaceReading, Floats]]) -> set[PlaceReading]:
    """Gets the rows whose colour is not plainly nearer to that of their seat than to the other's."""
    by_seat: dict[Seat, list[Floats]] = {Seat.A: [], Seat.B: []}
    for place, colours in rows:
        assert place.best
        by_seat[place.best[0]].append(colours)
    if not all(by_seat.values()):
        return set()
    usual = {seat: np.median(np.concatenate(colours), axis=0) for seat, colours in by_seat.items()}
    strange = set()
    for place, colours in rows:
        assert place.best
        colour, seat = np.median(colours, axis=0), place.best[0]
        own, other = (float(np.linalg.norm(colour - usual[each])) for each in (seat, seat.other))
        if own > PLAINLY * other:
            strange.add(place)
    return strange
