"""A table in the terminal: from 80x24 up, also narrow, also without colour. Seat A sits below.

Every sign has a symbol, so that nothing is told by colour alone. With a time the lights blink as they do on the board.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.text import Text as RichText

from boardctl.lights.colour_vision import screen_colour
from boardctl.lights.grammar import SLOTS, End, Grammar, standard_grammar
from boardctl.lights.scene_frame import Spot, signs_shown
from boardctl.lights.table_view import DieShown, TableView
from boardctl.referee.effects import Sign
from boardctl.rules import Place, Seat, Stack, bar, point, tray
from firmware_bridge.leds import PATTERN_SLOT_MS

SYMBOLS: dict[Sign, str] = {
    Sign.SOURCE: "^",
    Sign.TARGET: "v",
    Sign.PROBLEM: "!",
    Sign.MISSING: "+",
    Sign.EXTRA: "-",
    Sign.TURN: "*",
    Sign.REROLL: "%",
    Sign.UNCLEAR: "?",
    Sign.READY: "=",
    Sign.LOST: "~",
}
"""ASCII, so that every terminal and every font has them."""

ROWS = 5
_EDGES = (0, 6, 7)
"""The columns with a line of the frame before them: the first, the bar, and the one after it."""
_ASCII_LINES = str.maketrans("─│┌┐└┘┬┴▁·…", "-|++++++_-.")
_UPPER = (*range(13, 19), None, *range(19, 25))
_LOWER = (*range(12, 6, -1), None, *range(6, 0, -1))


class _Scale(NamedTuple):
    """How large a board is drawn: the terminal it needs, the width of a point, the size of a checker."""

    from_width: int
    from_height: int
    cell: int
    checker_width: int
    checker_rows: int


_SCALES = (_Scale(108, 36, 7, 5, 2), _Scale(78, 0, 5, 3, 1), _Scale(50, 0, 3, 3, 1))
"""From the largest; where none fits, the places are listed."""

_PAGE = Style()
_FRAME = Style(color="#a98f6f")
_FIELDS = (Style(bgcolor="#33474c"), Style(bgcolor="#2a3a3f"))
_BAR = Style(bgcolor="#4a3426")
_NUMBER = Style(color="#a98f6f")
_CHECKERS = {
    Seat.A: Style(color="#2a2118", bgcolor="#f0e7d4"),
    Seat.B: Style(color="#d8cfbe", bgcolor="#100c0e"),
    Seat.C: Style(color="#ffffff", bgcolor="#4a6fb5"),
    Seat.D: Style(color="#20160a", bgcolor="#c98f3c"),
}
_DIE = Style(color="#101010", bgcolor="#fffdf6", bold=True)
_TITLE = Style(bold=True)
_FAINT = Style(dim=True)
_ASKING = Style(color="#ffcd60", bold=True)

Run = tuple[str, Style]
Line = list[Run]


class TableDrawing:
    """A rich renderable of one :class:`TableView`.

    ``at_ms``: the lights as they are at that instant of the board's clock; None: all that is lit at any time.
    """

    def __init__(self, view: TableView, at_ms: int | None = None, grammar: Grammar | None = None) -> None:
        self._view = view
        self._grammar = grammar or standard_grammar()
        self._slot = None if at_ms is None else at_ms // PATTERN_SLOT_MS % SLOTS
        self._shown = signs_shown(view.scene, self._grammar)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        plain = console.no_color or console.color_system is None
        fitting = (scale for scale in _SCALES if options.max_width >= scale.from_width)
        height = console.size.height if console.is_terminal and not plain else 0
        scale = next((scale for scale in fitting if height >= scale.from_height), None)
        lines = list(self._lines(options.max_width, scale, plain))
        legend = list(self._legend(options.max_width))
        if console.is_terminal:
            # A drawing that is higher than the terminal scrolls at every refresh; the legend can be spared.
            legend = legend[: max(0, console.size.height - 1 - len(lines))]
        for line in (*lines, *legend):
            for text, style in line:
                yield Segment(text.translate(_ASCII_LINES) if options.ascii_only else text, style)
            yield Segment.line()

    def _lines(self, width: int, scale: _Scale | None, plain: bool) -> Iterator[Line]:
        view = self._view
        yield from self._head(width)
        yield from _wrapped(view.clock_line, width, _PAGE)
        if scale is None:
            yield from self._list_of_places(width)
        else:
            board = list(self._board(scale, plain))
            margin = " " * max(0, (width - max(_width(line) for line in board)) // 2)
            yield from ([(margin, _PAGE), *line] for line in board)
        yield from _wrapped(view.judgement, width, _PAGE)
        yield from _wrapped(view.advice, width, _FAINT)
        yield from _wrapped(view.prompt, width, _ASKING)

    def _head(self, width: int) -> Iterator[Line]:
        view = self._view
        roll = f"  {view.roll}" if view.roll else ""
        left, right = view.phase_line + roll, view.score_line
        if len(left) + len(right) + 4 > width:
            yield from _wrapped(left, width, _TITLE)
            yield from _wrapped(right, width, _PAGE)
            return
        room = width - len(left) - len(right)
        title = view.title if len(view.title) + 4 <= room else ""
        yield [(left, _TITLE), (title.center(room), _FAINT), (right, _TITLE)]

    def _board(self, scale: _Scale, plain: bool) -> Iterator[Line]:
        cell = scale.cell
        parts = ("─" * (6 * cell), "─" * cell, "─" * (6 * cell))
        yield self._numbers(_UPPER, cell, Seat.A, Seat.B)
        yield [(f"┌{'┬'.join(parts)}┐", _FRAME), *self._tray_count(Seat.B)]
        upper = [_column(self._view.placement.at(place)) for place in _places(_UPPER, Seat.A)]
        lower = [_column(self._view.placement.at(place)) for place in _places(_LOWER, Seat.B)]
        for row in range(ROWS):
            yield from self._checkers([column[row] for column in upper], scale, plain)
        yield self._tips(_UPPER, Seat.A, cell, tray_of=Seat.B)
        yield self._middle(cell)
        yield self._tips(_LOWER, Seat.B, cell, tray_of=Seat.A)
        for row in reversed(range(ROWS)):
            yield from self._checkers([column[row] for column in lower], scale, plain)
        yield [(f"└{'┴'.join(parts)}┘", _FRAME), *self._tray_count(Seat.A)]
        yield self._numbers(_LOWER, cell, Seat.B, Seat.A)

    def _numbers(self, row: tuple[int | None, ...], cell: int, bar_of: Seat, tray_of: Seat) -> Line:
        line: Line = []
        for index, number in enumerate(row):
            if index in _EDGES:
                line.append((" ", _PAGE))
            place = bar(bar_of) if number is None else point(number)
            name = "" if number is None else str(number)
            side = " " * ((cell - 3) // 2)
            line += [(side, _PAGE), self._lamp(place, End.BASE, 3, _NUMBER, name), (side, _PAGE)]
        return [*line, ("  ", _PAGE), self._lamp(tray(tray_of), End.BASE, 3, _PAGE)]

    def _checkers(self, cells: list[str], scale: _Scale, plain: bool) -> Iterator[Line]:
        for part in range(scale.checker_rows):
            line: Line = []
            for index, text in enumerate(cells):
                if index in _EDGES:
                    line.append(("│", _FRAME))
                ground = _BAR if index == 6 else _FIELDS[index % 2 if index < 6 else (index + 1) % 2]
                side = (" " * ((scale.cell - scale.checker_width) // 2), ground)
                checker = _checker(text, scale, part, plain) if text else (" " * scale.checker_width, ground)
                line += [side, checker, side]
            yield [*line, ("│", _FRAME)]

    def _tips(self, row: tuple[int | None, ...], bar_of: Seat, cell: int, tray_of: Seat) -> Line:
        line: Line = []
        for index, number in enumerate(row):
            if index in _EDGES:
                line.append(("│", _FRAME))
            ground = _BAR if number is None else _FIELDS[1]
            place = bar(bar_of) if number is None else point(number)
            side = " " * ((cell - 3) // 2)
            line += [(side, ground), self._lamp(place, End.TIP, 3, ground), (side, ground)]
        return [*line, ("│", _FRAME), (" ", _PAGE), self._lamp(tray(tray_of), End.TIP, 3, _PAGE)]

    def _middle(self, cell: int) -> Line:
        """Draws the dice zones: B's at the left, A's at the right, with their dice."""
        line: Line = [("│", _FRAME)]
        for seat, ends in ((Seat.B, (End.BASE, End.TIP)), (Seat.A, (End.TIP, End.BASE))):
            dice = [_die(die) for die in self._view.dice if die.section is seat]
            drawn = [run for die in dice for run in (die, (" ", _FIELDS[1]))][:-1]
            room = max(0, 6 * cell - 6 - _width(drawn))
            lamps = [self._lamp(seat, end, 3, _FIELDS[1]) for end in ends]
            line += [lamps[0], (" " * (room // 2), _FIELDS[1]), *drawn]
            line += [(" " * (room - room // 2), _FIELDS[1]), lamps[1], ("│", _FRAME)]
            if seat is Seat.B:
                line += [("bar".center(cell), _BAR + _NUMBER), ("│", _FRAME)]
        elsewhere = [_die(die) for die in self._view.dice if die.section not in (Seat.A, Seat.B)]
        return line + [run for die in elsewhere for run in ((" ", _PAGE), die)]

    def _tray_count(self, seat: Seat) -> Line:
        return [(f" {seat} off {len(self._view.placement.at(tray(seat)))}", _NUMBER)]

    def _lamp(self, spot: Spot, end: End, width: int, ground: Style, name: str = "") -> Run:
        """Gets one light, ``width`` wide: its sign's symbol on its colour, after the name of its place."""
        sign = self._shown.get(spot, {}).get(end)
        if sign is None or (self._slot is not None and self._grammar.signs[sign].pattern(end)[self._slot] == "."):
            return (f"{name:^{width}}", ground)
        return (f"{name + SYMBOLS[sign]:^{width}}", self._style(sign))

    def _style(self, sign: Sign) -> Style:
        red, green, blue = screen_colour(self._grammar.levels(sign))
        dark = 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128
        return Style(color="#ffffff" if dark else "#101010", bgcolor=f"#{red:02x}{green:02x}{blue:02x}", bold=True)

    def _legend(self, width: int) -> Iterator[Line]:
        present = {sign for lit in self._shown.values() for sign in lit.values()}
        line: Line = []
        for sign in (sign for sign in Sign if sign in present):
            words = f" {self._grammar.signs[sign].means}  "
            if line and _width(line) + 3 + len(words.rstrip()) > width:
                yield line
                line = []
            line += [(f" {SYMBOLS[sign]} ", self._style(sign)), (words, _FAINT)]
        if line:
            yield line

    def _list_of_places(self, width: int) -> Iterator[Line]:
        """Draws places one after the other, for terminals too narrow for a board."""
        places = [*map(point, range(1, 25)), bar(Seat.A), bar(Seat.B), tray(Seat.A), tray(Seat.B)]
        spots: list[Spot] = [*places, Seat.A, Seat.B]
        line: Line = []
        for spot in spots:
            stack = self._view.placement.at(spot) if isinstance(spot, Place) else ()
            dice = [die for die in self._view.dice if not isinstance(spot, Place) and die.section is spot]
            if not stack and not dice and spot not in self._shown:
                continue
            name = str(spot).removeprefix("point ") if isinstance(spot, Place) else f"dice {spot}"
            held = " ".join([*_counts(stack), *(str(die.value or "?") for die in dice)])
            lights = [run for end in End if (run := self._lamp(spot, end, 1, _PAGE))[0] != " "]
            entry: Line = [(f"{name}:", _NUMBER), (held, _PAGE), *lights, ("  ", _PAGE)]
            if line and _width(line) + _width(entry) > width:
                yield line
                line = []
            line += entry
        if line:
            yield line


def _places(row: tuple[int | None, ...], bar_of: Seat) -> list[Place]:
    return [bar(bar_of) if number is None else point(number) for number in row]


def _column(stack: Stack) -> list[str]:
    """Gets what the rows of one place show, from the edge inwards; a high stack ends in its height."""
    if len(stack) > ROWS:
        return [*(seat.value for seat in stack[: ROWS - 1]), f"{stack[-1].value}{len(stack)}"]
    return [seat.value for seat in stack] + [""] * (ROWS - len(stack))


def _checker(text: str, scale: _Scale, part: int, plain: bool) -> Run:
    """Gets one row of a checker: first its seat, or what follows the seat; last a line that ends it."""
    width, style = scale.checker_width, _CHECKERS[Seat(text[0])]
    if plain:
        return (f"{f'({text})' if len(text) == 1 else text:^{width}}", style)
    if part > 0:
        return ("▁" * width, style)
    return (f"{text[1:] or text:^{width}}", style + Style(underline=scale.checker_rows == 1))


def _die(die: DieShown) -> Run:
    value = "?" if die.value is None else str(die.value)
    return (f"[{value}]" if die.flat else f"/{value}/", _DIE)


def _counts(stack: Stack) -> list[str]:
    return [f"{stack.count(seat)}{seat}" for seat in Seat if seat in stack]


def _width(line: Iterable[Run]) -> int:
    return sum(len(text) for text, _ in line)


def _wrapped(words: str, width: int, style: Style) -> Iterator[Line]:
    if words:
        wrapped = RichText(words).wrap(Console(width=max(width, 1), color_system=None), max(width, 1))
        yield from ([(line.plain.rstrip(), style)] for line in wrapped)
