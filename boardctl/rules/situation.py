"""Everything that the usual identifiers can say about one moment of a game of backgammon."""

from dataclasses import dataclass
from enum import IntEnum

from boardctl.rules.backgammon_position import BackgammonPosition
from boardctl.rules.board import Seat
from boardctl.rules.cube import CENTRED, Cube
from boardctl.rules.game import Roll, WinKind

_LONGEST_QUOTE = 120  # characters; an XGID has up to about 70


class Stage(IntEnum):
    """Where a game stands, with the numbers that a Match ID gives it."""

    NOT_STARTED = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


@dataclass(frozen=True, slots=True)
class Situation:
    """One moment of a game. Seat A is what the identifiers call the lower player, player 1 or X."""

    position: BackgammonPosition
    seat: Seat  # who is on roll; an offered double is of this seat, and its answer of the other one
    roll: Roll | None = None  # None before rolling
    cube: Cube = CENTRED
    length: int = 0  # of the match; 0 for a money session
    score: tuple[int, int] = (0, 0)  # of seats A and B
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    stage: Stage = Stage.PLAYING
    resignation: WinKind | None = None  # offered, and still without an answer
    beaver_dropped: bool = False  # the game ended because the doubler dropped a beaver

    @property
    def decides(self) -> Seat:
        """The seat that has to do something now: answer an offer, or roll and play; after a drop, who dropped."""
        if self.stage is Stage.DROPPED:
            return self.seat if self.beaver_dropped else self.seat.other
        if self.cube.offer is not None:
            return self.cube.offer.answers
        offered = self.resignation is not None and self.stage is not Stage.RESIGNED
        return self.seat.other if offered else self.seat


def quoted(text: str) -> str:
    """Gets a text in quotation marks for a message, cut where it is far too long to be an identifier."""
    return repr(text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}...")


class IdentifierError(ValueError):
    """A text is no identifier of its kind; the message quotes it."""
