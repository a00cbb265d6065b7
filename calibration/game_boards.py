"""Where the checkers of each game lie on an ordinary board.

The games on six points are played on a quarter of it, seat A's home board: the same board, the same camera. Checkers
on the bar lie in columns in the other half of the board, where they can be counted. Where four play, each has a quarter
of the board for its dice: clockwise from seat A's, as they play. Checkers that wait to be entered in the Blocking games
stand in the trays opposite to those into which they are borne off.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from boardctl.rules import Game, MiniGam, MultiGam, PlaceKind, Seat
from calibration.geometry import BoardGeometry

MINI_GAM_BARS: Mapping[Seat, tuple[int, ...]] = {Seat.A: (12, 11), Seat.B: (13, 14)}
"""The points on which the eight checkers of a bar lie, four on each."""

MULTI_GAM_BARS: Mapping[Seat, tuple[int, ...]] = {Seat.A: (7,), Seat.B: (12,), Seat.C: (13,), Seat.D: (18,)}
"""The points on which the five checkers of a bar lie."""

_FAR_SIDE = (Seat.B, Seat.C)
_LEFT_SIDE = (Seat.C, Seat.D)


def bar_columns(game: Game) -> Mapping[Seat, tuple[int, ...]]:
    """Gets the points on which checkers on the bar lie; empty where they lie on the bar itself, or there is none."""
    if isinstance(game, MiniGam):
        return MINI_GAM_BARS
    return MULTI_GAM_BARS if isinstance(game, MultiGam) else {}


def board_for(game: Game, geometry: BoardGeometry) -> BoardGeometry:
    """Gets a board as a game uses it."""
    if isinstance(game, MiniGam):
        return MiniGamBoard(**asdict(geometry))
    return MultiGamBoard(**asdict(geometry)) if isinstance(game, MultiGam) else geometry


def is_played_on_quarter(game: Game) -> bool:
    """Whether a game has the points of one quarter of a board only."""
    return sum(place.kind is PlaceKind.POINT for place in game.places) < 24


@dataclass(frozen=True, slots=True)
class MiniGamBoard(BoardGeometry):
    """A board on which Mini-Gam is played."""

    def on_bar(self, seat: Seat, index: int) -> tuple[float, float, float]:
        """Gets x, y, z of the middle of the ``index``-th checker of a seat on its bar: four in each of two columns."""
        columns = MINI_GAM_BARS[seat]
        column = min(index // 4, len(columns) - 1)
        return self.on_point(columns[column], index - 4 * column)


@dataclass(frozen=True, slots=True)
class MultiGamBoard(BoardGeometry):
    """A board on which Multi-Gam is played."""

    def on_bar(self, seat: Seat, index: int) -> tuple[float, float, float]:
        """Gets x, y, z of the middle of the ``index``-th checker of a seat on its bar: a column."""
        return self.on_point(MULTI_GAM_BARS[seat][0], index)

    def in_tray(self, seat: Seat, index: int) -> tuple[float, float, float]:
        """Gets x, y, z of the middle of the ``index``-th checker in a seat's tray; C's and D's are at the left."""
        x, y, z = BoardGeometry.in_tray(self, Seat.B if seat in _FAR_SIDE else Seat.A, index)
        return (-x if seat in _LEFT_SIDE else x, y, z)

    def section_of(self, x_mm: float, y_mm: float) -> Seat | None:
        """Gets the seat in whose quarter a spot lies; None on the bar and off the field."""
        half = BoardGeometry.section_of(self, x_mm, y_mm)
        if half is None:
            return None
        if half is Seat.A:
            return Seat.A if y_mm < 0 else Seat.D
        return Seat.B if y_mm < 0 else Seat.C

    def section_mm(self, seat: Seat) -> tuple[float, tuple[float, float]]:
        """Gets on which side of the bar (1 right, -1 left) a seat's quarter lies, and from and to which y."""
        side = 1.0 if seat in (Seat.A, Seat.D) else -1.0
        edge = self.field_height_mm / 2
        return side, ((0.0, edge) if seat in (Seat.C, Seat.D) else (-edge, 0.0))
