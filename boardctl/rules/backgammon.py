"""Standard backgammon as a game: start, plays, result, faults."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from boardctl.rules.backgammon_options import HOUSE_RULES, STANDARD, BackgammonOptions
from boardctl.rules.backgammon_plays import legal_plays, single_moves
from boardctl.rules.backgammon_position import BAR_BYTE, CHECKERS, POINTS, TRAY_BYTE, BackgammonPosition, byte_of
from boardctl.rules.board import Place, PlaceKind, Placement, Seat, bar, point, tray
from boardctl.rules.faults import placement_faults
from boardctl.rules.game import Faults, Move, MoveGraph, Opening, Play, Position, Result, Roll, WinKind
from boardctl.rules.opening import opening_of_two
from boardctl.rules.refusals import checked_roll, foreign_position
from boardctl.rules.turn_graph import TurnSearch

_SEATS = (Seat.A, Seat.B)
_PLACES = (
    *(point(number) for number in range(1, POINTS + 1)),
    *(bar(seat) for seat in _SEATS),
    *(tray(seat) for seat in _SEATS),
)


@dataclass(frozen=True, slots=True)
class Backgammon:
    """Standard backgammon for two seats with fifteen checkers each.

    >>> from boardctl.rules import Backgammon, Roll, Seat
    >>> game = Backgammon()
    >>> plays = game.plays(game.start(), Seat.A, Roll.of(6, 5))
    >>> len(plays)
    7
    """

    options: BackgammonOptions = STANDARD

    @property
    def name(self) -> str:
        """The name on the command line: ``house-rules`` for that preset, ``backgammon`` otherwise."""
        return "house-rules" if self.options == HOUSE_RULES else "backgammon"

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in the order of play."""
        return _SEATS

    @property
    def places(self) -> tuple[Place, ...]:
        """The 24 points as seat A counts them, the two bars, the two trays."""
        return _PLACES

    @property
    def checkers_a_seat(self) -> int:
        """How many checkers each seat has."""
        return CHECKERS

    def start(self) -> BackgammonPosition:
        """Gets the starting position."""
        return BackgammonPosition.start()

    def opening(self, dice: Mapping[Seat, int], rerolled: Sequence[Seat] = ()) -> Opening:
        """Gets who starts: the higher die, and both dice are the first roll; equal dice are rolled again.

        :raises ValueError: when a seat's die is missing or is not 1 to 6.
        """
        return opening_of_two(dice, _SEATS)

    def plays(self, position: Position, seat: Seat, roll: Roll) -> list[Play]:
        """Gets every distinct complete play, one for each position that can result; never empty.

        Each play's moves can be made in their order. See :func:`~boardctl.rules.backgammon_plays.legal_plays` for
        which of several ways to one position it is.

        :raises ValueError: when the position is not one of this game, or a die is not 1 to 6.
        """
        return legal_plays(_own(position), _player(seat), checked_roll(roll, position), self.options.blocked_higher)

    def moves(self, position: Position, seat: Seat, roll: Roll) -> MoveGraph:
        """Gets every position on the way of a legal play, and what may still be moved from it.

        From each position in the graph a complete legal play can be reached.

        :raises ValueError: when the position is not one of this game, or a die is not 1 to 6.
        """
        singles = partial(self._single_moves, seat=_player(seat))
        return TurnSearch(_own(position), checked_roll(roll, position).numbers, singles).graph()

    def result(self, position: Position) -> Result | None:
        """Gets the result, or None while the game runs; the winner scores what the win multiplies the stake by.

        A gammon when the loser has borne off nothing; a backgammon when he then has a checker on the bar or in the
        winner's home board; a double backgammon, with that option, when one is on the bar.
        """
        played = _own(position)
        for winner in _SEATS:
            if played.borne_off(winner) == CHECKERS:
                kind = self.win_kind(played, winner.other)
                return Result(winner, kind, {winner: int(kind), winner.other: 0})
        return None

    def win_kind(self, position: BackgammonPosition, loser: Seat) -> WinKind:
        """Gets what ``loser`` has lost if the game is lost in this position."""
        counts = position.counts(loser)
        if counts[TRAY_BYTE] or not self.options.gammons:
            return WinKind.SINGLE
        if counts[BAR_BYTE] and self.options.double_backgammon:
            return WinKind.DOUBLE_BACKGAMMON
        # The winner's home board is the loser's points 19 to 24; his bar lies one further.
        return WinKind.BACKGAMMON if any(counts[19 : BAR_BYTE + 1]) else WinKind.GAMMON

    def may_roll(self, position: Position, seat: Seat) -> bool:
        """Whether ``seat`` rolls on its turn; one that no roll could enter does not, unless the options say so."""
        played = _own(position)
        if self.options.closed_out_rolls or not played.bar(_player(seat)):
            return True
        return any(count < 2 for count in played.counts(seat.other)[1:7])

    def next_seat(self, position: Position, seat: Seat) -> Seat:
        """Gets the other seat."""
        return _player(seat).other

    def faults(self, placement: Placement) -> Faults:
        """Gets what is wrong with a physical placement; ``Faults.NONE`` when it is a position of this game."""
        return placement_faults(placement, _PLACES, _SEATS, CHECKERS, shared_points=False)

    def position_of(self, placement: Placement) -> BackgammonPosition:
        """Gets the position that a placement without faults is.

        :raises ValueError: when the placement has faults; the message draws it.
        """
        return BackgammonPosition.of(placement)

    def point_for(self, seat: Seat, place: Place) -> str:
        """Gets how ``seat`` calls a place in standard notation: ``"6"``, ``"bar"`` or ``"off"``."""
        if place not in _PLACES:
            raise ValueError(f"{place} is no place of {self.name}")
        if place.kind is PlaceKind.POINT:
            return str(byte_of(place, _player(seat)))
        return "bar" if place.kind is PlaceKind.BAR else "off"

    def _single_moves(self, position: Position, number: int, *, seat: Seat) -> list[tuple[Move, BackgammonPosition]]:
        return single_moves(_own(position), seat, number, self.options.blocked_higher)


def _own(position: Position) -> BackgammonPosition:
    if isinstance(position, BackgammonPosition):
        return position
    raise foreign_position("backgammon", position)


def _player(seat: Seat) -> Seat:
    if seat in _SEATS:
        return seat
    raise ValueError(f"seat {seat}: backgammon is played by seats A and B")
