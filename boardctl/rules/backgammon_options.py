"""What the texts of backgammon leave open or to the players, each with the sentence that it settles."""

from dataclasses import dataclass
from enum import StrEnum


class BlockedHigher(StrEnum):
    """What a higher checker that is blocked means for a number larger than the points below it need."""

    WAITS = "waits"
    LICENSES = "licenses"


@dataclass(frozen=True, slots=True)
class BackgammonOptions:
    """How standard backgammon is played. What belongs to a match or a session is not here but in its own options."""

    blocked_higher: BlockedHigher = BlockedHigher.WAITS
    """"If you roll a number for which there is no checker on the related point, you must make a legal move using a
    checker on a higher-numbered point. [...] If no such move is possible, you must remove a checker from the highest
    possible point." ``WAITS``: "If *all* of a player's checkers are on points lower than the number", so a higher
    checker that merely is blocked keeps the lower ones in. ``LICENSES``: the sentence read literally."""

    gammons: bool = True
    """"If one player has not borne off any checkers [...], then the player has lost a gammon, which counts for double
    a normal loss." False where a win is a win: "The first player to bear off all 15 of their checkers wins the
    game." """

    double_backgammon: bool = False
    """"If the losing player has not borne off any checkers and still has checkers on the bar, then the player has lost
    a double backgammon, which counts for four times a normal loss." False: he has lost a backgammon, three times."""

    closed_out_rolls: bool = False
    """"There is no roll that will allow a player to enter a checker from the bar, and that player stops rolling and
    playing until at least one point becomes open." True where everybody rolls on his turn."""

    cube: bool = True
    """"The optional use of a doubling cube allows players to raise the stakes during the game." """

    closed_out_may_double: bool = True
    """"He may do this only at the start of his own turn and before he has rolled the dice." A seat that is closed out
    has a turn, though no roll; False gives it neither."""


STANDARD = BackgammonOptions()
"""Backgammon as it is played everywhere."""

HOUSE_RULES = BackgammonOptions(gammons=False, closed_out_rolls=True, cube=False)
"""Backgammon as the house rules tell it: no cube, no gammons; the first to bear off fifteen checkers wins."""
