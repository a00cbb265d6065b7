"""The board, its checkers and its dice, drawn flat from above."""

import math

from boardctl.lights.canvas import Canvas, Colour
from boardctl.lights.table_view import DieShown
from boardctl.rules import Place, PlaceKind, Placement, Seat, Stack
from calibration.geometry import ROWS_HIGH, XY, BoardGeometry

RAIL: Colour = (74, 52, 38)
RAIL_EDGE: Colour = (48, 33, 24)
FIELD: Colour = (70, 92, 96)
POINTS: tuple[Colour, Colour] = ((176, 152, 116), (42, 60, 66))
NUMBER: Colour = (214, 198, 172)
CHECKERS: dict[Seat, tuple[Colour, Colour, Colour]] = {  # face, rim, writing
    Seat.A: ((240, 231, 212), (176, 158, 128), (70, 58, 44)),
    Seat.B: ((40, 36, 40), (104, 96, 100), (225, 218, 206)),
    Seat.C: ((94, 124, 190), (58, 80, 130), (240, 240, 240)),
    Seat.D: ((206, 148, 62), (140, 96, 34), (40, 30, 20)),
}
DIE: Colour = (250, 248, 242)
DIE_EDGE: Colour = (150, 146, 140)
DIE_BAD: Colour = (222, 190, 150)
PIP: Colour = (28, 28, 30)

LAYER_SHIFT_MM = 2.5
# Dice are drawn larger than they are, so that their pips can be read in a picture of a thousand pixels.
DIE_ENLARGED = 1.45
_PIPS: dict[int, tuple[XY, ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 1), (1, -1), (1, 1), (-1, 0), (1, 0)),
}


def draw_board(canvas: Canvas, geometry: BoardGeometry) -> None:
    """Draws rails, field, points, bar and trays without anything on them."""
    rail, half_width, half_height = geometry.rail_width_mm, geometry.field_width_mm / 2, geometry.field_height_mm / 2
    tray_side = math.copysign(1.0, geometry.tray_x_mm())
    tray_inner = half_width + rail
    tray_outer = tray_inner + geometry.tray_width_mm
    left, right = -half_width - rail, half_width + rail
    outer = tray_side * (tray_outer + rail)
    left, right = min(left, outer), max(right, outer)
    canvas.rectangle((left - 2, -half_height - rail - 2), (right + 2, half_height + rail + 2), RAIL_EDGE)
    canvas.rectangle((left, -half_height - rail), (right, half_height + rail), RAIL)
    canvas.rectangle((-half_width, -half_height), (half_width, half_height), FIELD)
    for number in range(1, 25):
        canvas.polygon(geometry.point_triangle(number), POINTS[number % 2])
        near = -1.0 if geometry.is_near_row(number) else 1.0
        beside = geometry.point_x_mm(number) - geometry.point_width_mm * 0.36
        canvas.text_at(str(number), (beside, near * (half_height + rail / 2)), 5.5, NUMBER)
    canvas.rectangle((-geometry.bar_width_mm / 2, -half_height - 1), (geometry.bar_width_mm / 2, half_height + 1), RAIL)
    canvas.line((0, -half_height), (0, half_height), 0.8, RAIL_EDGE)
    for seat_side in (-1.0, 1.0):
        canvas.rectangle(
            (tray_side * tray_inner, seat_side * 6), (tray_side * tray_outer, seat_side * half_height), RAIL_EDGE
        )


def draw_checkers(canvas: Canvas, geometry: BoardGeometry, placement: Placement) -> None:
    """Draws every checker of ``placement``; what lies beside the board is left out."""
    for place, stack in placement.items():
        if place.kind is PlaceKind.TRAY:
            _draw_tray(canvas, geometry, place, stack)
        elif place.kind in (PlaceKind.POINT, PlaceKind.BAR):
            _draw_stack(canvas, geometry, place, stack)


def draw_die(canvas: Canvas, geometry: BoardGeometry, die: DieShown, center_mm: XY) -> None:
    """Draws one die; one that is not flat is tinted and struck through, one without a value shows a question mark."""
    half = geometry.die_size_mm * DIE_ENLARGED / 2
    turn = math.radians(die.angle_deg)

    def placed(x: float, y: float) -> XY:
        return (
            center_mm[0] + x * math.cos(turn) - y * math.sin(turn),
            center_mm[1] + x * math.sin(turn) + y * math.cos(turn),
        )

    face = DIE if die.flat else DIE_BAD
    for size, colour in ((half + 0.9, DIE_EDGE), (half, face)):
        corner = size * 0.28
        inner = size - corner
        canvas.polygon(
            [placed(x, y) for x, y in ((-size, -inner), (size, -inner), (size, inner), (-size, inner))], colour
        )
        canvas.polygon(
            [placed(x, y) for x, y in ((-inner, -size), (inner, -size), (inner, size), (-inner, size))], colour
        )
        for x, y in ((-inner, -inner), (inner, -inner), (inner, inner), (-inner, inner)):
            canvas.disc(placed(x, y), corner, colour)
    if die.value is None:
        canvas.text_at("?", center_mm, half * 1.1, PIP, bold=True)
    for x, y in _PIPS.get(die.value or 0, ()):
        canvas.disc(placed(x * half * 0.52, y * half * 0.52), half * 0.2, PIP)
    if not die.flat:
        canvas.line(placed(-half, -half), placed(half, half), 1.2, PIP)


def die_center_mm(geometry: BoardGeometry, die: DieShown, index: int, count: int) -> XY:
    """Gets where a die is drawn: where it was seen, else side by side in the middle of its section."""
    if die.center_mm is not None:
        return die.center_mm
    side = {Seat.A: 1.0, Seat.B: -1.0}.get(die.section, 0.0) if die.section else 0.0
    middle = side * (geometry.bar_width_mm / 2 + 3 * geometry.point_width_mm)
    return (middle + (index - (count - 1) / 2) * geometry.point_width_mm, 0.0)


def _draw_stack(canvas: Canvas, geometry: BoardGeometry, place: Place, stack: Stack) -> None:
    spots: list[XY] = []
    top = (0.0, 0.0)
    for index, seat in enumerate(stack):
        if place.kind is PlaceKind.POINT:
            x, y, _ = geometry.on_point(place.number, index)
        else:
            x, y, _ = geometry.on_bar(place.seat or seat, index)
        # A checker on top of others is shifted a little, so that those below stay visible.
        layers = sum(math.dist((x, y), spot) < 1.0 for spot in spots)
        spots.append((x, y))
        top = (x + LAYER_SHIFT_MM * layers, y + LAYER_SHIFT_MM * layers)
        _draw_checker(canvas, geometry, top, seat)
    if len(stack) > ROWS_HIGH:
        height_mm = geometry.checker_diameter_mm * 0.3
        canvas.text_at(str(len(stack)), top, height_mm, CHECKERS[stack[-1]][2], bold=True)


def _draw_checker(canvas: Canvas, geometry: BoardGeometry, center_mm: XY, seat: Seat) -> None:
    face, rim, _ = CHECKERS[seat]
    radius = geometry.checker_diameter_mm / 2
    canvas.disc((center_mm[0] + 0.8, center_mm[1] - 1.2), radius, _darker(FIELD))
    canvas.disc(center_mm, radius - 0.3, rim)
    canvas.disc(center_mm, radius - 1.7, face)
    canvas.disc(center_mm, radius * 0.62, rim)
    canvas.disc(center_mm, radius * 0.62 - 0.9, face)


def _draw_tray(canvas: Canvas, geometry: BoardGeometry, place: Place, stack: Stack) -> None:
    if place.seat is None:
        return
    half_length, half_thickness = geometry.checker_diameter_mm / 2, geometry.checker_height_mm / 2
    for index, seat in enumerate(stack):
        x, y, _ = geometry.in_tray(place.seat, index)
        face, rim, _ = CHECKERS[seat]
        canvas.rectangle((x - half_length, y - half_thickness), (x + half_length, y + half_thickness), rim)
        low, high = (x - half_length + 1, y - half_thickness + 1), (x + half_length - 1, y + half_thickness - 1)
        canvas.rectangle(low, high, face)
    side = -1.0 if place.seat is Seat.A else 1.0
    canvas.text_at(str(len(stack)), (geometry.tray_x_mm(), side * 30.0), 9.0, NUMBER, bold=True)


def _darker(colour: Colour) -> Colour:
    red, green, blue = (value * 6 // 10 for value in colour)
    return (red, green, blue)
