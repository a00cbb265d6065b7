"""Blocking Express: a double runs on up to 6-6, and what one side cannot play passes to the other and back."""

from dataclasses import dataclass

from boardctl.rules.blocking import Blocking
from boardctl.rules.board import Seat
from boardctl.rules.game import MoveGraph, Play, Position, Roll, Turn
from boardctl.rules.refusals import checked_roll

_GROUP = 4  # how often each number of a run of doubles is to be played


@dataclass(frozen=True, slots=True)
class BlockingExpress(Blocking):
    """Blocking Backgammon, "except that when a player rolls doubles he plays those doubles and all the doubles above".

    The doubles are played strictly in sequence, four of each and as many as possible of each four. "Any time you can't
    play all of your doubles, the opponent takes over, playing the numbers you could not. And if he also cannot finish,
    control returns to you." A turn therefore has several states, one for each four: :meth:`begin` gets the first,
    :meth:`plays_in` what may be played in it, :meth:`proceed` the next. :meth:`plays` and :meth:`moves` are those of
    the first state.

    >>> from boardctl.rules import BlockingExpress, Roll, Seat
    >>> game = BlockingExpress()
    >>> turn = game.begin(game.start(), Seat.A, Roll.of(5, 5))
    >>> turn.numbers, turn.later
    ((5, 5, 5, 5), (6,))
    >>> game.proceed(game.plays_in(game.start(), turn)[0].position, turn, played=4).numbers
    (6, 6, 6, 6)
    """

    @property
    def name(self) -> str:
        """The name on the command line."""
        return "express"

    def begin(self, position: Position, seat: Seat, roll: Roll) -> Turn:
        """Gets the first state of the turn of ``seat`` with ``roll``.

        :raises ValueError: when the position or the seat is not one of this game, or a die is not 1 to 6.
        """
        self.checked(position)
        roller, thrown = self.player(seat), checked_roll(roll, position)
        later = tuple(range(thrown.first + 1, 7)) if thrown.is_double else ()
        return Turn(roller, thrown, roller, thrown.numbers, later)

    def plays_in(self, position: Position, turn: Turn) -> list[Play]:
        """Gets every distinct play of the numbers that are to be played now by the seat in control; never empty."""
        return self.plays_of(position, turn.control, turn.numbers)

    def moves_in(self, position: Position, turn: Turn) -> MoveGraph:
        """Gets every position on the way of these plays."""
        return self.search(position, turn.control, turn.numbers).graph()

    def proceed(self, position: Position, turn: Turn, played: int) -> Turn | None:
        """Gets the state of the turn after ``played`` of its numbers, or None when the turn is over.

        It is over when "all the doubles have been played or until both players are stuck": one could play none of the
        numbers at which the other was stuck just before; and when somebody has borne off everything.

        :raises ValueError: when more was played than there was to play.
        """
        if not 0 <= played <= len(turn.numbers):
            raise ValueError(f"{played} numbers played of {turn.numbers}")
        if not turn.roll.is_double or self.result(position) is not None:
            return None
        left = turn.numbers[played:]
        if not left:
            return self._next_double(turn)
        if not played and turn.passed:
            return None
        return Turn(turn.roller, turn.roll, turn.control.other, left, turn.later, passed=True)

    def _next_double(self, turn: Turn) -> Turn | None:
        if not turn.later:
            return None
        number, *later = turn.later
        return Turn(turn.roller, turn.roll, turn.control, (number,) * _GROUP, tuple(later))
