"""What the players agree on beside the game: match or session, the cube's customs, Last Roll."""

from dataclasses import dataclass
from enum import StrEnum

_MOST_AUTOMATIC_DOUBLES = 20
"""Nobody throws as many equal opening dice in a row; a limit beyond it is a slip of the pen."""


class TiedCrawford(StrEnum):
    """What a tie in the Crawford game means for the next game."""

    REPLAYED = "replayed"
    SPENT = "spent"


class GammonsJudged(StrEnum):
    """In which position it is judged whether Last Roll's loser was gammoned."""

    AFTER = "after"
    BEFORE = "before"


class Ledger(StrEnum):
    """How a session is written down."""

    GAINS = "gains"
    LOSSES = "losses"


@dataclass(frozen=True, slots=True)
class LastRollRules:
    """Last Roll, and what its text leaves unsaid.

    "The player who did NOT win the first roll of the game is guaranteed the final roll of the game." A dropped
    cube or a resignation ends the game before anybody has borne off everything, so there is nothing left to roll for:
    that cancels it, and is no option.
    """

    tie_points: int = 0
    """"The player with Last Roll achieves a TIE for the game": what a tie scores for each seat is not said. The next
    game starts afresh."""

    gammons_judged: GammonsJudged = GammonsJudged.AFTER
    """"If one player has not borne off any checkers by the time the opponent has borne off all fifteen": whether a
    checker that the last roll bears off still saves the gammon is not said. ``AFTER``: it does. ``BEFORE``: it comes
    too late."""

    cube_action: bool = False
    """"The player with Last Roll may have checkers remaining AFTER the opponent has completed bearing off": whether he
    may double before that roll is not said. False: there is no cube action any more."""

    win_counts_cube: bool = True
    """"The player with Last Roll WINS the game": by as much as the cube shows, once. False: always one point."""

    tied_crawford: TiedCrawford = TiedCrawford.REPLAYED
    """A tie leaves the score as it was; ``REPLAYED``: the next game is the Crawford game again. ``SPENT``: it is not,
    for there was one."""


@dataclass(frozen=True, slots=True)
class MatchRules:
    """A match to ``length`` points, or a money session when that is None.

    :raises ValueError: for a length below 1, or customs of money play in a match.
    """

    length: int | None = None

    cube: bool = True
    """"The optional use of a doubling cube allows players to raise the stakes during the game." """

    crawford: bool = True
    """The game right after a side first reaches match length minus one is played without the cube, once. No text here
    has the rule; it belongs to match play everywhere."""

    jacoby: bool = False
    """"Gammons and backgammons count only as a single game if neither player has offered a double during the course of
    the game." An automatic double is not an offer."""

    beavers: bool = False
    """"When a player is doubled, he may immediately redouble (beaver) while retaining possession of the cube." """

    raccoons: bool = False
    """A beaver may be answered by turning the cube once more; a house option, it needs beavers."""

    automatic_doubles: int = 0
    """"If identical numbers are thrown on the first roll, the stakes are doubled. [...] Players usually agree to limit
    the number of automatic doubles to one per game." The limit for each game; 0: none are played."""

    last_roll: LastRollRules | None = None
    """"Last Roll rule (optional)": None where it is not played."""

    ledger: Ledger = Ledger.GAINS
    """"In backgammon, the winner doesn't gain points, but the loser loses points." A view of the same score."""

    def __post_init__(self) -> None:
        if self.length is not None and self.length < 1:
            raise ValueError(f"a match to {self.length} points: the length is 1 or more; None is a money session")
        if not 0 <= self.automatic_doubles <= _MOST_AUTOMATIC_DOUBLES:
            raise ValueError(f"automatic doubles {self.automatic_doubles}: the limit is 0 to {_MOST_AUTOMATIC_DOUBLES}")
        if self.raccoons and not self.beavers:
            raise ValueError("raccoons answer beavers: allow beavers too")
        customs = {"jacoby": self.jacoby, "beavers": self.beavers, "automatic doubles": bool(self.automatic_doubles)}
        played = [name for name, is_played in customs.items() if is_played]
        if self.length is not None and played:
            raise ValueError(f"{', '.join(played)} in a match to {self.length}: they belong to money play")


MONEY_SESSION = MatchRules()
"""A money session without any optional custom."""
