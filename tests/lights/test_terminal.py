"""The table in the terminal."""

import io
from dataclasses import replace

import pytest
from drawn_tables import HINTS, PLAYED, START
from rich.console import Console

from boardctl.lights import TableDrawing, TableView
from boardctl.referee.effects import Mark, Scene, Sign
from boardctl.rules import Seat, point, tray


def drawn(view: TableView, width: int = 80, height: int = 24, at_ms: int | None = None, encoding: str = "utf-8") -> str:
    """Draws without colour."""
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding)
    console = Console(file=file, width=width, height=height, color_system=None)
    console.print(TableDrawing(view, at_ms))
    file.flush()
    return raw.getvalue().decode(encoding)


def coloured(view: TableView, at_ms: int | None = None) -> str:
    console = Console(
        file=io.StringIO(), width=80, height=24, color_system="truecolor", force_terminal=True, record=True
    )
    console.print(TableDrawing(view, at_ms))
    return console.export_text(styles=True)


def test_a_board_in_80_columns_without_colour() -> None:
    expected = """\
A to move  3-1                    boardctl                    A 2  B 1   match to 5
   13   14   15   16   17   18          19   20   21   22   23   24
 ┌──────────────────────────────┬─────┬──────────────────────────────┐ B off 0
 │ (A)                 (B)      │     │ (B)                      (A) │
 │ (A)                 (B)      │     │ (B)                      (A) │
 │ (A)                 (B)      │     │ (B)                          │
 │ (A)                          │     │ (B)                          │
 │ (A)                          │     │ (B)                          │
 │                              │     │                              │
 │                              │ bar │ *         [3] [1]          * │
 │                              │     │       v                      │
 │ (B)                          │     │ A7                           │
 │ (B)                          │     │ (A)                          │
 │ (B)                 (A)      │     │ (A)                          │
 │ (B)                 (A)      │     │ (A)                      (B) │
 │ (B)                 (A)      │ (B) │ (A)                      (B) │
 └──────────────────────────────┴─────┴──────────────────────────────┘ A off 3
   12   11   10    9   8^    7           6    5    4    3    2    1
B 6-2: 24/18 13/11, legal
 ^  may move from here   v  may move to here   *  whose turn it is
"""
    lines = [line.rstrip() for line in drawn(PLAYED).splitlines()]
    assert lines[1:] == expected.splitlines()[1:]
    assert lines[0].split() == expected.splitlines()[0].split()


@pytest.mark.parametrize("width", [20, 34, 49, 50, 60, 77, 78, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    view = replace(PLAYED, judgement="word " * 60, prompt="question " * 30)
    assert max(map(len, drawn(view, width).splitlines())) <= width


def test_a_drawing_fits_80_by_24_with_every_sign_lit() -> None:
    marks = tuple(Mark(sign, point(number)) for number, sign in enumerate(Sign, 1))
    view = replace(PLAYED, scene=Scene(marks), prompt="Was it 24/18? (confirm / deny)")
    assert len(coloured(view).splitlines()) <= 24


def test_a_low_terminal_spares_the_legend_and_keeps_the_board() -> None:
    console = Console(file=io.StringIO(), width=80, height=20, color_system=None, force_terminal=True, record=True)
    console.print(TableDrawing(PLAYED))
    text = console.export_text()
    assert "may move from here" not in text
    assert "B 6-2" in text


@pytest.mark.parametrize("width", [80, 60, 40])
@pytest.mark.parametrize("sign", Sign)
def test_every_sign_is_told_without_colour(sign: Sign, width: int) -> None:
    dark = drawn(replace(PLAYED, scene=Scene(())), width)
    texts = {drawn(replace(PLAYED, scene=Scene((Mark(other, point(3)),))), width) for other in Sign}
    assert drawn(replace(PLAYED, scene=Scene((Mark(sign, point(3)),))), width) != dark
    assert len(texts) == len(Sign)


def test_a_large_terminal_gets_a_larger_board() -> None:
    console = Console(
        file=io.StringIO(), width=120, height=40, color_system="truecolor", force_terminal=True, record=True
    )
    console.print(TableDrawing(PLAYED))
    lines = console.export_text().splitlines()
    assert len(lines) > 28
    assert max(map(len, lines)) <= 120
    assert sum("B" in line for line in lines if "│" in line) >= 10
    assert any("▁▁▁▁▁" in line for line in lines)


def test_blinking_lights_go_out_and_steady_ones_stay() -> None:
    first, second = coloured(PLAYED, at_ms=0), coloured(PLAYED, at_ms=500)
    assert " v " in first.split("may move")[0]
    assert " v " not in second.split("may move")[0]
    assert "8^" in first
    assert "8^" in second


def test_a_place_with_both_seats_shows_who_lies_where() -> None:
    view = TableView(START.replaced({point(3): (Seat.A, Seat.B)}))
    rows = [line for line in drawn(view).splitlines() if line.startswith(" │")]
    column = rows[-1].rindex("(B)") - 10
    assert rows[-1][column : column + 3] == "(A)"
    assert rows[-2][column : column + 3] == "(B)"


@pytest.mark.parametrize("width", [80, 40])
def test_a_terminal_without_unicode_gets_ascii(width: int) -> None:
    view = replace(PLAYED, title="boardctl")
    assert drawn(view, width, encoding="ascii").isascii()


def test_a_narrow_terminal_lists_the_places() -> None:
    text = drawn(replace(PLAYED, scene=HINTS), width=40)
    for part in ("6:7A", "8:3A^", "5:v", "bar B:1B", "tray A:3A", "dice A:3 1"):
        assert part in text


def test_dice_without_a_value_or_not_flat_are_shown_as_such() -> None:
    cocked = replace(PLAYED.dice[0], flat=False)
    unread = replace(PLAYED.dice[1], value=None)
    text = drawn(replace(PLAYED, dice=(cocked, unread)))
    assert "/3/" in text
    assert "[?]" in text


def test_a_die_beside_the_board_is_shown_beside_it() -> None:
    away = replace(PLAYED.dice[0], section=None)
    line = next(line for line in drawn(replace(PLAYED, dice=(away,))).splitlines() if " bar " in line)
    assert line.rstrip().endswith("│ [3]")


def test_borne_off_checkers_are_counted() -> None:
    view = TableView(START.replaced({tray(Seat.B): (Seat.B,) * 15}))
    assert "B off 15" in drawn(view)
