"""A table as a picture: board, checkers, dice, lights, and what the referee says. Seen from above, seat A below."""

from dataclasses import dataclass
from pathlib import Path

import cv2

from boardctl.lights.canvas import Canvas, Colour, Picture
from boardctl.lights.grammar import End, Grammar, standard_grammar
from boardctl.lights.picture_board import DIE_ENLARGED, die_center_mm, draw_board, draw_checkers, draw_die
from boardctl.lights.picture_lights import RING_MM, draw_light, draw_lights
from boardctl.lights.scene_frame import frame_of, pattern_bits
from boardctl.lights.table_view import TableView
from boardctl.referee.effects import Sign
from calibration.geometry import BoardGeometry
from firmware_bridge.leds import DARK, ChainLayout, LedFrame, Light

GROUND: Colour = (20, 23, 28)
WORDS: Colour = (236, 232, 224)
FAINT: Colour = (150, 154, 162)
ASKING: Colour = (255, 205, 96)
MARGIN_MM = 12.0
HEAD_MM = 34.0
SPEECH_MM = 34.0
SPEECH_HEIGHTS_MM = (7.0, 5.5, 4.0, 3.0)
LINE_SPACING = 1.7
LEGEND_ROW_MM = 22.0
LEGEND_COLUMNS = 3


@dataclass(frozen=True, slots=True)
class _Sheet:
    """How the picture is divided, from top to bottom; pixels of the finished picture."""

    width: int
    head: int
    board: int
    speech: int
    legend: int
    px_per_mm: float
    left_mm: float  # from the picture's left edge to the middle of the board

    @classmethod
    def of(cls, geometry: BoardGeometry, width_px: int, legend: bool) -> "_Sheet":
        plain_side = geometry.field_width_mm / 2 + geometry.rail_width_mm + MARGIN_MM
        tray_side = plain_side + geometry.tray_width_mm + geometry.rail_width_mm
        px_per_mm = width_px / (plain_side + tray_side)
        rows = -(-len(Sign) // LEGEND_COLUMNS)
        return cls(
            width=width_px,
            head=round(HEAD_MM * px_per_mm),
            board=round((geometry.field_height_mm + 2 * geometry.rail_width_mm) * px_per_mm),
            speech=round(SPEECH_MM * px_per_mm),
            legend=round((LEGEND_ROW_MM * rows + MARGIN_MM / 2) * px_per_mm) if legend else 0,
            px_per_mm=px_per_mm,
            left_mm=plain_side if geometry.home_on_right else tray_side,
        )

    @property
    def height(self) -> int:
        return self.head + self.board + self.speech + self.legend

    def canvas(self) -> Canvas:
        origin = (self.left_mm * self.px_per_mm, self.head + self.board / 2)
        return Canvas(self.width, self.height, self.px_per_mm, origin, GROUND)


def draw_table(
    view: TableView,
    frame: LedFrame | None = None,
    *,
    geometry: BoardGeometry | None = None,
    grammar: Grammar | None = None,
    layout: ChainLayout | None = None,
    width_px: int = 1200,
    at_ms: int | None = None,
    legend: bool = True,
) -> Picture:
    """Gets a picture of the table, ``width_px`` wide, height x width x 3, blue-green-red.

    ``frame`` is what the chain shows; None: what ``view.scene`` makes it show. ``at_ms`` picks an instant of the
    board's clock, so that a row of pictures blinks; None lights everything that is lit at any time.
    """
    geometry, grammar, layout = geometry or BoardGeometry(), grammar or standard_grammar(), layout or ChainLayout()
    sheet = _Sheet.of(geometry, width_px, legend)
    canvas = sheet.canvas()
    draw_board(canvas, geometry)
    draw_checkers(canvas, geometry, view.placement)
    draw_lights(canvas, geometry, frame or frame_of(view.scene, grammar, layout), layout, at_ms)
    for index, die in enumerate(view.dice):
        center_mm = canvas.inside(
            die_center_mm(geometry, die, index, len(view.dice)), geometry.die_size_mm * DIE_ENLARGED
        )
        draw_die(canvas, geometry, die, center_mm)
    _write_head(canvas, sheet, view)
    _write_speech(canvas, sheet, view)
    if legend:
        _draw_legend(canvas, sheet, grammar, {mark.sign for mark in view.scene.marks})
    return canvas.finished()


def is_format(path: Path) -> bool:
    """Whether the file's ending names a picture format that can be written."""
    return bool(cv2.haveImageWriter(path.name))


def save_picture(picture: Picture, path: Path) -> None:
    """Writes a picture; the file's ending says in which format.

    :raises ValueError: for an ending that names no picture format.
    :raises OSError: when the file cannot be written.
    """
    try:
        worked, data = cv2.imencode(path.suffix or ".", picture)
    except cv2.error as error:
        raise ValueError(f"{path}: the ending {path.suffix!r} names no picture format; use .png or .jpg") from error
    if not worked:
        raise ValueError(f"{path}: the picture cannot be written as {path.suffix!r}; use .png or .jpg")
    path.write_bytes(data.tobytes())


def _write_head(canvas: Canvas, sheet: _Sheet, view: TableView) -> None:
    margin, middle, height = MARGIN_MM * sheet.px_per_mm, sheet.head / 2, 9.0 * sheet.px_per_mm
    canvas.text(view.title, (margin, middle), height * 0.8, FAINT)
    roll = f" {view.roll}" if view.roll else ""
    canvas.text(view.phase_line + roll, (sheet.width / 2, middle), height, WORDS, align=0.5, bold=True)
    canvas.text(view.score_line, (sheet.width - margin, middle), height * 0.8, WORDS, align=1.0)


def _write_speech(canvas: Canvas, sheet: _Sheet, view: TableView) -> None:
    """Writes what was judged and what is asked, as large as it fits."""
    room_px = sheet.width - 2 * MARGIN_MM * sheet.px_per_mm
    spoken: list[tuple[str, Colour]] = []
    for height_mm in SPEECH_HEIGHTS_MM:
        height_px = height_mm * sheet.px_per_mm
        texts = ((view.judgement, WORDS), (view.prompt, ASKING))
        spoken = [(line, colour) for words, colour in texts for line in canvas.lines(words, height_px, room_px)]
        if len(spoken) * height_mm * LINE_SPACING <= SPEECH_MM:
            break
    for index, (words, colour) in enumerate(spoken):
        y = sheet.head + sheet.board + sheet.speech * (index + 1) / (len(spoken) + 1)
        canvas.text(words, (sheet.width / 2, y), height_px, colour, align=0.5)


def _draw_legend(canvas: Canvas, sheet: _Sheet, grammar: Grammar, present: set[Sign]) -> None:
    """Draws each sign as its pair of lights, base first, with what it means; those in the scene stand out."""
    column_px = (sheet.width - 2 * MARGIN_MM * sheet.px_per_mm) / LEGEND_COLUMNS
    pair_px = 2.6 * RING_MM * sheet.px_per_mm
    for index, sign in enumerate(Sign):
        column, row = index % LEGEND_COLUMNS, index // LEGEND_COLUMNS
        x = MARGIN_MM * sheet.px_per_mm + column * column_px
        y = sheet.head + sheet.board + sheet.speech + (row + 0.5) * LEGEND_ROW_MM * sheet.px_per_mm
        for position, end in enumerate(End):
            look = grammar.signs[sign]
            bits = pattern_bits(look.pattern(end))
            light = Light(*grammar.levels(sign), bits) if bits else DARK
            draw_light(canvas, canvas.millimetres(x + pair_px * (position + 0.5), y), light, lit=bool(bits))
        canvas.text(look.means, (x + pair_px * 2.3, y), 6.0 * sheet.px_per_mm, WORDS if sign in present else FAINT)
