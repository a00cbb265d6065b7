"""Mini-Gam: six points, eight checkers a side, opposite directions, and a bar that need not be cleared first."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from boardctl.rules import quarter_diagram
from boardctl.rules.board import Place, Placement, Seat, bar, point, tray
from boardctl.rules.game import Move, Position, Result, WinKind
from boardctl.rules.stack_game import SingleMoves, StackGame
from boardctl.rules.stack_position import StackPosition

CHECKERS = 8
POINTS = quarter_diagram.POINTS
OFF = POINTS + 1  # how far the exit is from the bar

_SEATS = (Seat.A, Seat.B)
_BAR = {seat: POINTS + at for at, seat in enumerate(_SEATS)}
_TRAY = {seat: POINTS + len(_SEATS) + at for at, seat in enumerate(_SEATS)}


class Bar(StrEnum):
    """Whether checkers on the bar come first."""

    LOOSE = "loose"
    CLEAR = "clear"


class Entry(StrEnum):
    """Which points are open to a checker that enters."""

    OWN_OK = "own_ok"
    LITERAL = "literal"


class MiniGamPosition(StackPosition):
    """The six points as seat A counts them, the two bars, the two trays."""

    __slots__ = ()

    title = "Mini-Gam"
    places = (
        *(point(number) for number in range(1, POINTS + 1)),
        *(bar(seat) for seat in _SEATS),
        *(tray(seat) for seat in _SEATS),
    )
    seats = _SEATS
    checkers = CHECKERS
    shared_points = False

    @classmethod
    def draw(cls, placement: Placement) -> str:
        """Gets any placement drawn on a board of six points."""
        return quarter_diagram.draw(placement, _SEATS)

    @classmethod
    def read(cls, drawn: str) -> Placement:
        """Gets the placement of a drawn board of six points."""
        return quarter_diagram.read(drawn)


@dataclass(frozen=True, slots=True)
class MiniGam(StackGame):
    """Mini-Gam. Seat A moves from point 1 to point 6 and off, seat B from point 6 to point 1 and off.

    >>> from boardctl.rules import MiniGam, Roll, Seat
    >>> game = MiniGam()
    >>> print(game.plays(game.start(), Seat.B, Roll.of(2, 1))[0].position)
      1  2  3  4  5  6
    +------------------+
    |             B  B |
    |                  |
    |                  |
    |                  |
    |                  |
    +------------------+
    bar: A 8, B 6
    off: A 0, B 0
    """

    bar: Bar = Bar.LOOSE
    """"A player may not bear off any checker until all 8 of that player's checkers are on the board", "All 8 checkers
    for each player begin on that player's bar", and no sentence says that they enter first: ``LOOSE``. ``CLEAR``: as
    in backgammon, while a checker is on the bar only entering is a move."""

    entry: Entry = Entry.OWN_OK
    """"Entry is allowed only onto an open point (empty or containing a single opposing checker)." ``LITERAL`` forbids
    to enter onto one's own checkers; ``OWN_OK`` takes the words in brackets as said of the opponent's checkers."""

    position_class: ClassVar[type[StackPosition]] = MiniGamPosition

    @property
    def name(self) -> str:
        """The name on the command line."""
        return "minigam"

    def start(self) -> MiniGamPosition:
        """Gets the starting position: everything on the bars."""
        return MiniGamPosition([""] * POINTS + [seat.value * CHECKERS for seat in _SEATS] + [""] * len(_SEATS))

    def result(self, position: Position) -> Result | None:
        """Gets the result, or None while the game runs: "The first player to bear off all 8 checkers wins." """
        stacks = self.checked(position)
        for seat in _SEATS:
            if len(stacks[_TRAY[seat]]) == CHECKERS:
                return Result(seat, WinKind.SINGLE, {seat: 1, seat.other: 0})
        return None

    def number_for(self, seat: Seat, place: Place) -> int:
        """Gets the number that ``seat`` gives to a point: each counts from its own entry side."""
        return place.number if seat is Seat.A else OFF - place.number

    def single_moves(self, position: StackPosition, seat: Seat, number: int) -> SingleMoves:
        """Gets every move of one checker by ``number``, and where it leads."""
        moves: SingleMoves = []
        on_bar = bool(position[_BAR[seat]])
        own = [0] if on_bar else []
        if not (on_bar and self.bar is Bar.CLEAR):
            own += [at for at in range(1, OFF) if seat in position[_index(seat, at)]]
        for source in own:
            target = source + number
            if target < OFF:
                if _is_open(position[_index(seat, target)], seat, entering=source == 0, entry=self.entry):
                    moves.append(_moved(position, seat, source, target, number))
            elif not on_bar and (target == OFF or source == min(own)):
                moves.append(_moved(position, seat, source, OFF, number))
        return moves


def _index(seat: Seat, at: int) -> int:
    """Gets where a position keeps the point, bar (0) or exit that is ``at`` steps along the way of ``seat``."""
    if at == 0:
        return _BAR[seat]
    if at == OFF:
        return _TRAY[seat]
    return at - 1 if seat is Seat.A else POINTS - at


def _is_open(stack: str, seat: Seat, *, entering: bool, entry: Entry) -> bool:
    if seat in stack:
        return not (entering and entry is Entry.LITERAL)
    return len(stack) <= 1


def _moved(position: StackPosition, seat: Seat, source: int, target: int, number: int) -> tuple[Move, MiniGamPosition]:
    places = position.places
    start, end = _index(seat, source), _index(seat, target)
    stacks = list(position)
    stacks[start] = stacks[start][:-1]
    hit = seat.other if stacks[end] == seat.other.value else None
    if hit:
        stacks[end] = ""
        stacks[_BAR[hit]] += hit.value
    stacks[end] += seat.value
    return Move(places[start], places[end], number, hit), MiniGamPosition(stacks)
