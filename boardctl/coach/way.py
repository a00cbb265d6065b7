"""The way of a seat around the board, for any game: single moves, how far a checker has to go, pip counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from boardctl.rules import Backgammon, Bar, Game, MiniGam, Move, MultiGam, Place, PlaceKind, Position, Roll, Seat
from boardctl.rules.backgammon_plays import single_moves
from boardctl.rules.backgammon_position import BackgammonPosition
from boardctl.rules.stack_game import StackGame
from boardctl.rules.stack_position import StackPosition


def singles(game: Game, position: Position, seat: Seat, number: int) -> Sequence[tuple[Move, Position]]:
    """Gets every move of one checker by ``number``, whether or not a legal play has it, and where it leads.

    :raises ValueError: for a game that is none of ours.
    """
    if isinstance(game, Backgammon) and isinstance(position, BackgammonPosition):
        return single_moves(position, seat, number, game.options.blocked_higher)
    if isinstance(game, StackGame) and isinstance(position, StackPosition):
        return game.single_moves(position, seat, number)
    raise ValueError(f"{game.name}: how its checkers move one by one is not known to the coach")


@dataclass(frozen=True, slots=True)
class Way:
    """The points of a game as one seat goes along them. Points may be counted towards the exit or away from the start.

    ``last_point``: how many points there are; a checker that waits to enter has one more to go.
    """

    game: Game
    seat: Seat
    last_point: int
    falling: bool  # whether the numbers of the points fall along the way

    @classmethod
    def of(cls, game: Game, seat: Seat) -> "Way":
        """Gets the way of a seat."""
        last = sum(place.kind is PlaceKind.POINT for place in game.places)
        start = game.start()
        for first in range(1, 7):
            for move, _ in singles(game, start, seat, first):
                source, target = game.point_for(seat, move.source), game.point_for(seat, move.target)
                if target.isdecimal():
                    falling = int(target) < int(source) if source.isdecimal() else int(target) != move.number
                    return cls(game, seat, last, falling)
        raise ValueError(f"{game.name}: {seat} cannot make a first move")

    def distance(self, place: Place) -> int:
        """Gets how many pips a checker at ``place`` has to go until it is borne off."""
        name = self.game.point_for(self.seat, place)
        if name.isdecimal():
            return int(name) if self.falling else self.last_point + 1 - int(name)
        return 0 if place.kind is PlaceKind.TRAY else self.last_point + 1

    def point_after(self, place: Place, number: int) -> Place | None:
        """Gets the point ``number`` pips onward; None where that is off the board."""
        left = self.distance(place) - number
        for other in self.game.places:
            if other.kind is PlaceKind.POINT and self.distance(other) == left:
                return other
        return None

    def pips(self, position: Position) -> int:
        """Gets how many pips the seat has to go in all."""
        places = self.game.places
        return sum(self.distance(place) * position.at(place).count(self.seat) for place in places)


def entering_comes_first(game: Game) -> bool:
    """Whether nothing else may be moved while a checker waits to enter."""
    if isinstance(game, MiniGam):
        return game.bar is Bar.CLEAR
    return not isinstance(game, MultiGam)


def pip_counts(game: Game, position: Position) -> dict[Seat, int]:
    """Gets the pip count of every seat."""
    return {seat: Way.of(game, seat).pips(position) for seat in game.seats}


def move_name(game: Game, seat: Seat, move: Move) -> str:
    """Gets a move in standard notation, as its seat counts: ``13/7*``."""
    star = "*" if move.hit is not None else ""
    return f"{game.point_for(seat, move.source)}/{game.point_for(seat, move.target)}{star}"


def numbers_of(roll: Roll) -> tuple[int, ...]:
    """Gets the different numbers of a roll, the higher first."""
    return tuple(dict.fromkeys(roll.numbers))
