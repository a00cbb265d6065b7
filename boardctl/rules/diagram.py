"""Boards of 24 points as text, drawn and read back. Seat A sits at the bottom with point 1 at her right.

     13 14 15 16 17 18       19 20 21 22 23 24
    +------------------+---+------------------+  B off 0
    | A           B    |   | B              A |
    | A           B    |   | B              A |
    | A           B    |   | B                |
    | A                |   | B                |
    | A                |   | B                |
    |                  |bar|                  |
    | B                |   | A                |
    ...

Stacks grow from the edge, bottom checker first. A number in the row before the bar's name is the height of a stack
that is too high to draw. Checkers of A on the bar are drawn in the upper half, where they enter, those of B in the
lower half. Beside the frame stand the trays and, in games that enter from beside the board, the checkers that wait.
"""

import re
import textwrap
from collections.abc import Sequence

from boardctl.rules.board import Place, PlaceKind, Placement, Seat, Stack, bar, point, tray, waiting

_UPPER = (*range(13, 19), None, *range(19, 25))
_LOWER = (*range(12, 6, -1), None, *range(6, 0, -1))
_ROWS = 5
_EDGE = "+------------------+---+------------------+"
_NAME = "|                  |bar|                  |"
_CELL_COLUMNS = (*range(1, 19, 3), 20, *range(24, 42, 3))
_BESIDE = re.compile(r"^(?P<seat>[A-D]) off (?P<off>\d+)(?:, waiting (?P<waiting>\d+))?$")


def draw(placement: Placement) -> str:
    """Gets a placement drawn as a board, whether or not it is a position of any game."""
    rows = max([_ROWS, *(len(stack) for stack in placement.values() if len(set(stack)) > 1)])
    upper = [_column(placement.at(place), rows) for place in _places(_UPPER, Seat.A)]
    lower = [_column(placement.at(place), rows) for place in _places(_LOWER, Seat.B)]
    lines = [_numbers(_UPPER), _edge(placement, Seat.B)]
    lines += [_row([column[row] for column in upper]) for row in range(rows)]
    lines += [_NAME]
    lines += [_row([column[row] for column in lower]) for row in reversed(range(rows))]
    lines += [_edge(placement, Seat.A), _numbers(_LOWER)]
    elsewhere = [
        f"{place}: {''.join(seat.value for seat in stack)}" for place, stack in placement.items() if not _drawn(place)
    ]
    return "\n".join([*lines, *elsewhere])


def read(text: str) -> Placement:
    """Gets the placement of a drawn board.

    :raises ValueError: when the drawing is not as :func:`draw` draws it; the message names the line and quotes it.
    """
    lines = [line.rstrip() for line in textwrap.dedent(text).strip("\n").splitlines()]
    edges = [number for number, line in enumerate(lines) if line.lstrip().startswith("+")]
    if len(edges) != 2:
        raise ValueError(f"a drawn board has two edges of '+---', this has {len(edges)}:\n{text}")
    margin = lines[edges[0]].index("+")
    inner = [line[margin:] for line in lines[edges[0] + 1 : edges[1]]]
    if "bar" not in "".join(inner) or len(inner) % 2 == 0:
        raise ValueError(f"a drawn board has as many rows above the row named bar as below it:\n{text}")
    half = len(inner) // 2
    stacks: dict[Place, Stack] = {}
    for numbers, seat, rows in ((_UPPER, Seat.A, inner[:half]), (_LOWER, Seat.B, inner[:half:-1])):
        for place, column in zip(_places(numbers, seat), _CELL_COLUMNS, strict=True):
            stacks[place] = _stack([row[column : column + 3].strip() for row in rows], place, text)
    for number in edges:
        stacks.update(_beside(lines[number][margin + len(_EDGE) :].strip(), text))
    return Placement(stacks)


def _places(numbers: Sequence[int | None], bar_of: Seat) -> list[Place]:
    return [bar(bar_of) if number is None else point(number) for number in numbers]


def _drawn(place: Place) -> bool:
    if place.kind is PlaceKind.POINT:
        return 1 <= place.number <= 24
    return place.seat in (Seat.A, Seat.B)


def _column(stack: Stack, rows: int) -> list[str]:
    if len(stack) > rows:
        return [stack[0].value] * (rows - 1) + [str(len(stack))]
    return [seat.value for seat in stack] + [""] * (rows - len(stack))


def _row(cells: Sequence[str]) -> str:
    texts = [f" {cell:<2}" for cell in cells]
    return f"|{''.join(texts[:6])}|{texts[6]}|{''.join(texts[7:])}|"


def _numbers(numbers: Sequence[int | None]) -> str:
    return " " + "".join("     " if number is None else f"{number:>2} " for number in numbers).rstrip()


def _edge(placement: Placement, seat: Seat) -> str:
    text = f"{_EDGE}  {seat.value} off {len(placement.at(tray(seat)))}"
    if waits := len(placement.at(waiting(seat))):
        text += f", waiting {waits}"
    for place in (tray(seat), waiting(seat)):
        for stranger in sorted(set(placement.at(place)) - {seat}):
            text += f" (among them {placement.count(place, stranger)} of {stranger.value})"
    return text


def _stack(cells: Sequence[str], place: Place, text: str) -> Stack:
    filled = [cell for cell in cells if cell]
    if cells[: len(filled)] != filled:
        raise ValueError(f"a gap in the stack at {place}:\n{text}")
    if filled and filled[-1].isdecimal() and len(filled) > 1:
        filled = [filled[0]] * int(filled[-1])
    try:
        return tuple(Seat(cell) for cell in filled)
    except ValueError:
        raise ValueError(f"{''.join(filled)!r} at {place} is not a stack of A and B:\n{text}") from None


def _beside(text: str, drawn: str) -> dict[Place, Stack]:
    if not text:
        return {}
    found = _BESIDE.match(text)
    if found is None:
        raise ValueError(f"{text!r} beside the board; expected 'A off 3' or 'A off 3, waiting 2':\n{drawn}")
    seat = Seat(found["seat"])
    return {tray(seat): (seat,) * int(found["off"]), waiting(seat): (seat,) * int(found["waiting"] or 0)}
