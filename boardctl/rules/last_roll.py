"""Last Roll: the seat that did not win the opening roll is guaranteed the final roll of the game.

From the text: "The player with Last Roll may have checkers remaining AFTER the opponent has completed bearing off."
What his reply decides depends only on how many checkers he has left and whether he rolls doubles; whether there is a
reply at all, on how the other one finished.
"""

from enum import StrEnum

from boardctl.rules.backgammon import Backgammon
from boardctl.rules.backgammon_position import CHECKERS, BackgammonPosition
from boardctl.rules.board import Seat
from boardctl.rules.cube import Cube
from boardctl.rules.game import Roll
from boardctl.rules.match import EndedBy, Match, Outcome
from boardctl.rules.match_rules import GammonsJudged

_STEALS_WITH_AT_MOST = 3
_TIES_WITH_AT_MOST = 2  # checkers left, without doubles
_TIES_WITH_DOUBLES = 4
_WINS_WITH_AT_MOST = 3  # with doubles


class Finish(StrEnum):
    """What it means that a seat has borne off its last checker."""

    ORDINARY = "ordinary"  # by the seat with Last Roll, who has simply won
    STOLEN = "stolen"  # by the other seat, who has stolen the last roll
    LAST_ROLL_DUE = "last_roll_due"


class Reply(StrEnum):
    """What the last roll has made of the game, for the seat that had it."""

    WIN = "win"
    TIE = "tie"
    LOSS = "loss"


def finish(game: Backgammon, before: BackgammonPosition, seat: Seat, roll: Roll, opening_winner: Seat) -> Finish:
    """Gets what it means that ``seat``, from ``before``, has borne off its last checker with ``roll``.

    The last roll is stolen with doubles, at most three checkers left, and not all four numbers needed: the fewest moves
    that could finish are under four.

    :raises ValueError: when no play of that roll bears off the last checker.
    """
    finishing = [
        len(play.moves)
        for play in game.plays(before, seat, roll)
        if isinstance(play.position, BackgammonPosition) and play.position.borne_off(seat) == CHECKERS
    ]
    if not finishing:
        raise ValueError(f"{seat.value} cannot finish with {roll} from\n{before}")
    if seat is not opening_winner:
        return Finish.ORDINARY
    left = CHECKERS - before.borne_off(seat)
    if roll.is_double and left <= _STEALS_WITH_AT_MOST and min(finishing) < len(roll.numbers):
        return Finish.STOLEN
    return Finish.LAST_ROLL_DUE


def reply(before: BackgammonPosition, after: BackgammonPosition, seat: Seat, roll: Roll) -> Reply:
    """Gets what the last roll of ``seat``, played from ``before`` to ``after``, has made of the game.

    :raises ValueError: when the other seat has not finished.
    """
    if before.borne_off(seat.other) != CHECKERS:
        raise ValueError(f"no last roll for {seat.value}: {seat.other.value} has not finished in\n{before}")
    left = CHECKERS - before.borne_off(seat)
    if after.borne_off(seat) != CHECKERS:
        return Reply.LOSS
    if roll.is_double:
        return Reply.WIN if left <= _WINS_WITH_AT_MOST else Reply.TIE if left == _TIES_WITH_DOUBLES else Reply.LOSS
    return Reply.TIE if left <= _TIES_WITH_AT_MOST else Reply.LOSS


def outcome_after_last_roll(
    game: Backgammon, match: Match, cube: Cube, before: BackgammonPosition, after: BackgammonPosition, seat: Seat,
    roll: Roll,
) -> Outcome:  # fmt: skip
    """Gets the outcome of the game once ``seat`` has played its last roll; gammons are judged as was agreed."""
    verdict = reply(before, after, seat, roll)
    if verdict is Reply.TIE:
        return match.tied(cube)
    if verdict is Reply.WIN:
        return match.won(seat, game.win_kind(after, seat.other), cube, EndedBy.LAST_ROLL)
    rules = match.rules.last_roll
    judged = before if rules is not None and rules.gammons_judged is GammonsJudged.BEFORE else after
    return match.won(seat.other, game.win_kind(judged, seat), cube)
