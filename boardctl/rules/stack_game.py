"""What the games on :class:`StackPosition` have in common."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from boardctl.rules.board import Place, PlaceKind, Placement, Seat
from boardctl.rules.game import Faults, Move, MoveGraph, Opening, Play, Position, Result, Roll
from boardctl.rules.opening import opening_of_two
from boardctl.rules.refusals import checked_roll, foreign_position
from boardctl.rules.stack_position import StackPosition
from boardctl.rules.turn_graph import TurnSearch

SingleMoves = list[tuple[Move, Position]]


class StackGame(ABC):
    """The part of :class:`~boardctl.rules.game.Game` that follows from how one checker moves."""

    __slots__ = ()

    position_class: ClassVar[type[StackPosition]]

    @property
    @abstractmethod
    def name(self) -> str:
        """The name on the command line."""

    @abstractmethod
    def start(self) -> StackPosition:
        """Gets the starting position."""

    @abstractmethod
    def single_moves(self, position: StackPosition, seat: Seat, number: int) -> SingleMoves:
        """Gets every move of one checker by ``number``, and where it leads, whether or not a legal play has it."""

    @abstractmethod
    def result(self, position: Position) -> Result | None:
        """Gets the result, or None while the game runs."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in the order of play."""
        return self.position_class.seats

    @property
    def places(self) -> tuple[Place, ...]:
        """Every place that can hold checkers, points first, in the order in which seat A counts them."""
        return self.position_class.places

    @property
    def checkers_a_seat(self) -> int:
        """How many checkers each seat has."""
        return self.position_class.checkers

    def opening(self, dice: Mapping[Seat, int], rerolled: Sequence[Seat] = ()) -> Opening:
        """Gets who starts: the higher die, and both dice are the first roll; equal dice are rolled again.

        :raises ValueError: when a seat's die is missing or is not 1 to 6.
        """
        return opening_of_two(dice, self.seats)

    def plays(self, position: Position, seat: Seat, roll: Roll) -> list[Play]:
        """Gets every distinct complete play, one for each position that can result; never empty.

        :raises ValueError: when the position is not one of this game, or a die is not 1 to 6.
        """
        return self.search(position, seat, checked_roll(roll, position).numbers).plays()

    def moves(self, position: Position, seat: Seat, roll: Roll) -> MoveGraph:
        """Gets every position on the way of a legal play, and what may still be moved from it.

        :raises ValueError: when the position is not one of this game, or a die is not 1 to 6.
        """
        return self.search(position, seat, checked_roll(roll, position).numbers).graph()

    def search(self, position: Position, seat: Seat, numbers: Sequence[int]) -> TurnSearch:
        """Gets the search of what ``seat`` may do with ``numbers``."""
        start, mover = self.checked(position), self.player(seat)

        def singles(at: Position, number: int) -> SingleMoves:
            assert isinstance(at, StackPosition)
            return self.single_moves(at, mover, number)

        return TurnSearch(start, numbers, singles)

    def may_roll(self, position: Position, seat: Seat) -> bool:
        """Whether ``seat`` rolls on its turn: always."""
        self.checked(position)
        self.player(seat)
        return True

    def next_seat(self, position: Position, seat: Seat) -> Seat:
        """Gets the other seat."""
        return self.player(seat).other

    def faults(self, placement: Placement) -> Faults:
        """Gets what is wrong with a physical placement; ``Faults.NONE`` when it is a position of this game."""
        return self.position_class.faults(placement)

    def position_of(self, placement: Placement) -> StackPosition:
        """Gets the position that a placement without faults is.

        :raises ValueError: when the placement has faults; the message draws it.
        """
        return self.position_class.of(placement)

    def point_for(self, seat: Seat, place: Place) -> str:
        """Gets how ``seat`` calls a place: its number along the way as ``seat`` counts, ``"bar"`` or ``"off"``."""
        if place not in self.position_class.place_index:
            raise ValueError(f"{place} is no place of {self.position_class.title}")
        if place.kind is PlaceKind.POINT:
            return str(self.number_for(self.player(seat), place))
        return "off" if place.kind is PlaceKind.TRAY else "bar"

    def number_for(self, seat: Seat, place: Place) -> int:
        """Gets the number that ``seat`` gives to a point."""
        return place.number

    def checked(self, position: Position) -> StackPosition:
        """Gets the position, when it is one of this game.

        :raises ValueError: when it is not.
        """
        if isinstance(position, self.position_class):
            return position
        raise foreign_position(self.position_class.title, position)

    def player(self, seat: Seat) -> Seat:
        """Gets the seat, when it takes part in this game.

        :raises ValueError: when it does not.
        """
        if seat in self.seats:
            return seat
        names = ", ".join(each.value for each in self.seats)
        raise ValueError(f"seat {seat}: {self.position_class.title} is played by seats {names}")
