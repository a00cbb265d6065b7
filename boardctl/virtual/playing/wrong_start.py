"""A game that its players begin from a wrong set-up all the same, and put right some rolls later.

A checker stands where it does not belong, or was left in the case. The rules count one that was left there as on the
board nowhere and never borne off; in positions it lies in its seat's tray, so that they are whole.
"""

from dataclasses import dataclass
from random import Random

from boardctl.rules import Faults, Game, Place, Placement, Result, Seat, tray

LATEST = 9
"""After so many rolls at most the players notice: some of them after every window for putting it right."""

STILL_TOLD = 3
"""For so many rolls more they can tell which checker it was, where they could not put it right at once."""


@dataclass(frozen=True, slots=True)
class WrongStart:
    """One checker of ``seat`` that belongs to ``belongs`` and ``stands`` elsewhere; None: it was left in the case.

    ``noticed_after``: so many rolls; None: never.
    """

    seat: Seat
    belongs: Place
    stands: Place | None
    noticed_after: int | None

    def is_noticed(self, rolls: int) -> bool:
        """Whether the players see after so many rolls that they began wrongly."""
        first = self.noticed_after
        return first is not None and first <= rolls <= first + STILL_TOLD

    @property
    def counted_at(self) -> Place:
        """Where it is in positions."""
        return tray(self.seat) if self.stands is None else self.stands

    def whole(self, board: Placement) -> Placement:
        """Gets the board with all checkers, from where they lie on the table."""
        if self.stands is not None:
            return board
        off = tray(self.seat)
        return board.replaced({off: (*board.at(off), self.seat)})

    def put_right(self, game: Game, board: Placement) -> Placement | None:
        """Gets a whole board with the checker where it belongs; None where it has gone, or others hold that place."""
        stack = board.at(self.counted_at)
        if self.seat not in stack:
            return None
        left = board.replaced({self.counted_at: stack[:-1]})
        right = left.replaced({self.belongs: (*left.at(self.belongs), self.seat)})
        return right if game.faults(right) is Faults.NONE and stack[-1] is self.seat else None

    def result(self, game: Game, board: Placement) -> Result | None:
        """Gets what a game came to: one that was left in the case was not borne off, and saves nobody from a gammon."""
        result = game.result(game.position_of(board))
        off = tray(self.seat)
        if self.stands is not None or result is None or result.winner is self.seat or len(board.at(off)) > 1:
            return result
        place = next(place for place in board if place != off and board.count(place, self.seat))
        there = (*board.at(place), self.seat)
        return game.result(game.position_of(board.replaced({off: (), place: there})))


def begun(right: Placement, wrong: Placement, random: Random) -> WrongStart:
    """Gets what is wrong with a set-up of which one checker lies elsewhere, or nowhere."""
    ((belongs, seat),) = _missing(right, wrong)
    stands = [place for place, one in _missing(wrong, right) if one is seat]
    return WrongStart(seat, belongs, stands[0] if stands else None, random.randint(1, LATEST))


def _missing(here: Placement, there: Placement) -> list[tuple[Place, Seat]]:
    """Gets the checkers of one board that the other lacks."""
    differing = here.differences(there)
    return [(place, stack[-1]) for place, (stack, other) in differing.items() if len(stack) > len(other)]
