"""The games, pure: positions, legal plays, results. No clock, no file, no device; usable by others as it stands.

A game is one frozen class in a module of its own, with the face of :class:`boardctl.rules.game.Game`.
"""

from boardctl.rules.board import Place, PlaceKind, Placement, Seat, Stack, bar, point, tray, waiting
from boardctl.rules.game import (
    Faults,
    Game,
    Move,
    MoveGraph,
    Opening,
    Play,
    Position,
    Result,
    Roll,
    Step,
    WinKind,
)

__all__ = [
    "Faults",
    "Game",
    "Move",
    "MoveGraph",
    "Opening",
    "Place",
    "PlaceKind",
    "Placement",
    "Play",
    "Position",
    "Result",
    "Roll",
    "Seat",
    "Stack",
    "Step",
    "WinKind",
    "bar",
    "point",
    "tray",
    "waiting",
]
