"""Boards of six points as text, drawn and read back.

      1  2  3  4  5  6
    +------------------+
    | A  A     B       |
    | A                |
    |                  |
    +------------------+
    bar: A 3, B 5
    off: A 2, B 2

The points are numbered as seat A counts them; stacks grow from the top, bottom checker first. A number in the last
row is the height of a stack that is too high to draw.
"""

import re
import textwrap
from collections.abc import Callable, Sequence

from boardctl.rules.board import Place, Placement, Seat, Stack, bar, point, tray

POINTS = 6
_ROWS = 5
_EDGE = "+" + "-" * 3 * POINTS + "+"
_BESIDE: tuple[tuple[str, Callable[[Seat], Place]], ...] = (("bar", bar), ("off", tray))
_COUNT = re.compile(r"^\s*([A-D]) (\d+)\s*$")


def draw(placement: Placement, seats: Sequence[Seat]) -> str:
    """Gets a placement drawn as a board of six points, whether or not it is a position of any game."""
    points = [point(number) for number in range(1, POINTS + 1)]
    rows = max([_ROWS, *(len(placement.at(place)) for place in points if len(set(placement.at(place))) > 1)])
    columns = [_column(placement.at(place), rows) for place in points]
    lines = [" " + "".join(f"{place.number:>2} " for place in points).rstrip(), _EDGE]
    lines += ["|" + "".join(f" {column[row]:<2}" for column in columns) + "|" for row in range(rows)]
    lines.append(_EDGE)
    for word, place_of in _BESIDE:
        lines.append(f"{word}: " + ", ".join(f"{seat.value} {placement.count(place_of(seat), seat)}" for seat in seats))
    known = {*points, *(place_of(seat) for _, place_of in _BESIDE for seat in seats)}
    for place, stack in placement.items():
        strangers = stack if place not in known else tuple(seat for seat in stack if place.seat not in (None, seat))
        if strangers:
            lines.append(f"and at {place}: {''.join(seat.value for seat in strangers)}")
    return "\n".join(lines)


def read(text: str) -> Placement:
    """Gets the placement of a drawn board of six points.

    :raises ValueError: when the drawing is not as :func:`draw` draws it; the message says why and quotes it.
    """
    lines = [line.rstrip() for line in textwrap.dedent(text).strip("\n").splitlines()]
    edges = [number for number, line in enumerate(lines) if line == _EDGE]
    if len(edges) != 2 or len(lines) != edges[1] + 1 + len(_BESIDE):
        raise ValueError(f"a board of six points has two edges {_EDGE}, then lines 'bar: ...' and 'off: ...':\n{text}")
    stacks: dict[Place, Stack] = {}
    for number in range(1, POINTS + 1):
        cells = [line[3 * number - 2 : 3 * number + 1].strip() for line in lines[edges[0] + 1 : edges[1]]]
        stacks[point(number)] = _stack(cells, number, text)
    for (word, place_of), line in zip(_BESIDE, lines[edges[1] + 1 :], strict=True):
        name, _, counts = line.partition(":")
        for found in map(_COUNT.match, counts.split(",")):
            if name.strip() != word or found is None:
                raise ValueError(f"{line!r} below the board; expected such as '{word}: A 3, B 5':\n{text}")
            seat = Seat(found[1])
            stacks[place_of(seat)] = (seat,) * int(found[2])
    return Placement(stacks)


def _column(stack: Stack, rows: int) -> list[str]:
    if len(stack) > rows:
        return [stack[0].value] * (rows - 1) + [str(len(stack))]
    return [seat.value for seat in stack] + [""] * (rows - len(stack))


def _stack(cells: list[str], number: int, text: str) -> Stack:
    filled = [cell for cell in cells if cell]
    if cells[: len(filled)] != filled:
        raise ValueError(f"a gap in the stack at point {number}:\n{text}")
    if len(filled) > 1 and filled[-1].isdecimal():
        filled = [filled[0]] * int(filled[-1])
    try:
        return tuple(Seat(cell) for cell in filled)
    except ValueError:
        raise ValueError(f"{''.join(filled)!r} at point {number} is not a stack of seats:\n{text}") from None
