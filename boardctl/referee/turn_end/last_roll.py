"""Last Roll at the table: who did not win the opening roll is guaranteed the last one."""

from boardctl.referee.effects import Text
from boardctl.referee.response import Response
from boardctl.referee.state import Turn
from boardctl.referee.turn.turns import begin_turn
from boardctl.referee.turn_end.finishing import finish_by, finish_game
from boardctl.rules import Backgammon, BackgammonPosition, Position, Result
from boardctl.rules.backgammon_position import CHECKERS
from boardctl.rules.last_roll import Finish, finish, outcome_after_last_roll


def result_at(response: Response, position: Position) -> Result | None:
    """Gets the result that a position would give the game; None while it runs, or while the last roll is due and its
    seat has checkers left."""
    result = response.game.result(position)
    if result is None or not response.state.last_roll_due:
        return result
    seat = response.state.seat
    done = isinstance(position, BackgammonPosition) and seat is not None and position.borne_off(seat) == CHECKERS
    return result if done else None


def ends_game(response: Response, turn: Turn, position: Position) -> bool:
    """Ends the game if a turn that led to ``position`` has ended it, or lets the seat with the last roll roll first."""
    state = response.state
    game, ledger = response.game, state.ledger
    result = game.result(position)
    if result is None or (result.winner is None and not state.position_sure):
        # That nobody can ever move again hangs on every checker: it is not said of a position that is presumed.
        return False
    if (
        ledger.rules.last_roll is None
        or not isinstance(game, Backgammon)
        or not isinstance(position, BackgammonPosition)
        or not isinstance(turn.before, BackgammonPosition)
    ):
        finish_game(response, result)
        return True
    if state.last_roll_due:
        cube = state.cube
        finish_by(response, outcome_after_last_roll(game, ledger, cube, turn.before, position, turn.seat, turn.roll))
        return True
    if state.opening_winner is None:
        response.notice(Text.of("last_roll.unknown"))
        finish_game(response, result)
        return True
    match finish(game, turn.before, turn.seat, turn.roll, state.opening_winner):
        case Finish.LAST_ROLL_DUE:
            response.change(last_roll_due=True)
            begin_turn(response, turn.seat.other)
            response.notice(Text.of("last_roll.due", seat=turn.seat.other))
        case Finish.STOLEN:
            response.notice(Text.of("last_roll.stolen", seat=turn.seat))
            finish_game(response, result)
        case Finish.ORDINARY:
            finish_game(response, result)
    return True
