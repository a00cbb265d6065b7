"""The face of a game: what the referee, the lights and the coach may ask of the rules.

Every game is one frozen class with this face. A position is immutable and hashable; comparing it with what a camera
or a sensor saw goes through its :class:`~boardctl.rules.board.Placement`.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import NamedTuple, Protocol

from boardctl.rules.board import Place, Placement, Seat, Stack


class Roll(NamedTuple):
    """Two dice, in the order in which they were read. Which die is which never matters to the rules."""

    first: int
    second: int

    @property
    def is_double(self) -> bool:
        """Whether both dice show the same number."""
        return self.first == self.second

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers to play, the higher first: two of them, or four for a double."""
        if self.is_double:
            return (self.first,) * 4
        return (max(self), min(self))

    def __str__(self) -> str:
        return f"{max(self)}-{min(self)}"

    @classmethod
    def of(cls, first: int, second: int) -> "Roll":
        """Gets a checked roll.

        :raises ValueError: when a die is not 1 to 6.
        """
        if not (1 <= first <= 6 and 1 <= second <= 6):
            raise ValueError(f"roll {first}-{second}: a die shows 1 to 6")
        return cls(first, second)


class Move(NamedTuple):
    """One checker moved by one number. ``hit`` names the seat whose blot was hit there, if any."""

    source: Place
    target: Place
    number: int
    hit: Seat | None = None


class Position(Hashable, Protocol):
    """Where all checkers of a game are: immutable, hashable, legal in shape."""

    def at(self, place: Place, /) -> Stack:
        """Gets the stack at ``place`` from bottom to top."""
        ...

    def placement(self) -> Placement:
        """Gets where all checkers are, to be compared with what was seen."""
        ...


@dataclass(frozen=True, slots=True)
class Play:
    """All moves of one turn, in an order in which they can be made, and the position they lead to.

    A turn in which nothing can be played is one play without moves.
    """

    moves: tuple[Move, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Step:
    """One position on the way of a turn: what may be moved from it, and whether the turn may end there."""

    onward: tuple[tuple[Move, Position], ...]
    complete: bool
    used: tuple[int, ...]  # the numbers played so far, in the order of the first way that was found


@dataclass(frozen=True, slots=True)
class MoveGraph:
    """Every position that a legal play passes through. ``steps[start]`` is the position before the first move."""

    start: Position
    steps: Mapping[Position, Step]


class WinKind(IntEnum):
    """How a game was won; the value is what it multiplies the stake by (see the game for what it counts)."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3
    DOUBLE_BACKGAMMON = 4


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended. ``winner`` is None for a tie or a drawn lock; ``points`` are what each seat scores."""

    winner: Seat | None
    kind: WinKind
    points: Mapping[Seat, int]


class Faults(IntFlag):
    """What is wrong with a placement as a position of the game."""

    NONE = 0
    TOO_FEW = 1
    TOO_MANY = 2
    MIXED_POINT = 4  # checkers of two seats on one point
    WRONG_BAR = 8
    WRONG_TRAY = 16
    UNKNOWN_PLACE = 32


@dataclass(frozen=True, slots=True)
class Opening:
    """What the opening dice decide: who starts with which roll, or who must roll again.

    ``roll`` is None when the starter rolls afresh. ``again`` lists the seats that must roll again; ``starter`` is then
    None.
    """

    starter: Seat | None
    roll: Roll | None
    again: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a turn stands beside its position: whose numbers are to be played, and what follows.

    In most games a turn is one such state: the roller plays the numbers of the roll. Where control passes within a turn
    there are several; see :mod:`boardctl.rules.turn`.
    """

    roller: Seat
    roll: Roll
    control: Seat  # who plays now
    numbers: tuple[int, ...]  # what is to be played now, as many of them as possible
    later: tuple[int, ...] = ()  # the doubles that follow these, each of which is four numbers
    passed: bool = False  # whether the other seat was stuck at these numbers and passed them on


class Game(Hashable, Protocol):
    """One variant with its options."""

    @property
    def name(self) -> str:
        """The name on the command line, such as ``backgammon``."""
        ...

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in the order of play."""
        ...

    @property
    def places(self) -> tuple[Place, ...]:
        """Every place that can hold checkers, points first, in the order in which seat A counts them."""
        ...

    @property
    def checkers_a_seat(self) -> int:
        """How many checkers each seat has."""
        ...

    def start(self) -> Position:
        """Gets the starting position."""
        ...

    def opening(self, dice: Mapping[Seat, int], rerolled: Sequence[Seat] = ()) -> Opening:
        """Gets what one die of each seat decides. ``rerolled`` names the seats that had to roll again, if any did.

        :raises ValueError: when a seat's die is missing or is not 1 to 6.
        """
        ...

    def plays(self, position: Position, seat: Seat, roll: Roll) -> Sequence[Play]:
        """Gets every distinct complete play, one for each position that can result; never empty.

        :raises ValueError: when the position is not one of this game, or a die is not 1 to 6.
        """
        ...

    def moves(self, position: Position, seat: Seat, roll: Roll) -> MoveGraph:
        """Gets every position on the way of a legal play, and what may still be moved from it."""
        ...

    def result(self, position: Position) -> Result | None:
        """Gets the result, or None while the game runs."""
        ...

    def may_roll(self, position: Position, seat: Seat) -> bool:
        """Whether ``seat`` rolls on its turn; False when the rules make it wait because no roll could be played."""
        ...

    def next_seat(self, position: Position, seat: Seat) -> Seat:
        """Gets who is on turn after ``seat``."""
        ...

    def faults(self, placement: Placement) -> Faults:
        """Gets what is wrong with a physical placement; ``Faults.NONE`` when it is a position of this game."""
        ...

    def position_of(self, placement: Placement) -> Position:
        """Gets the position that a placement without faults is.

        :raises ValueError: when the placement has faults; the message draws it.
        """
        ...

    def point_for(self, seat: Seat, place: Place) -> str:
        """Gets how ``seat`` calls a place in standard notation: ``"6"``, ``"bar"`` or ``"off"``."""
        ...
