"""Leads a board back to what it should be, one difference at a time."""

from boardctl.referee.effects import Text
from boardctl.referee.response import Response, difference_marks
from boardctl.rules import Place, Placement, Stack


def differing(response: Response, expected: Placement, board: Placement) -> tuple[Place, ...]:
    """Gets where a board is not what it should be, in the order in which it is put right."""
    return tuple(place for place in response.game.places if board.at(place) != expected.at(place))


def lead_back(response: Response, expected: Placement, board: Placement) -> None:
    """Lights the first place where a board is not what it should be, and says what is wrong there."""
    places = differing(response, expected, board)
    first = places[0]
    if response.state.unexplained != places:
        response.change(said=(), unexplained=places)  # a step may come again, when the board is moved to and fro
    response.show_turn(difference_marks(expected, board, [first]))
    response.notice(_step(str(first), board.at(first), expected.at(first), len(places) - 1))


def _step(place: str, here: Stack, wanted: Stack, more: int) -> Text:
    extra, lacking = len(here) - len(wanted), len(wanted) - len(here)
    if extra > 0:
        return Text.of("repair.too_many", place=place, count=extra, more=more)
    if lacking > 0:
        return Text.of("repair.missing", place=place, count=lacking, more=more)
    return Text.of("repair.other_seat", place=place, more=more)
