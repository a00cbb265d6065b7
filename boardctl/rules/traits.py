"""What sets the games apart for somebody who explains a play: how far it is, who holds a point, what comes first."""

from boardctl.rules.blocking import Blocking, Own
from boardctl.rules.board import Place, PlaceKind, Seat, Stack
from boardctl.rules.game import Game, Position
from boardctl.rules.mini_gam import Bar, MiniGam
from boardctl.rules.multi_gam import MultiGam, MultiGamPosition


def point_count(game: Game) -> int:
    """Gets how many points the board of a game has."""
    return sum(place.kind is PlaceKind.POINT for place in game.places)


def pips_left(game: Game, seat: Seat, place: Place) -> int:
    """Gets how many pips a checker of ``seat`` at ``place`` has to go until it is borne off.

    A tray lies at 0, a bar and a waiting place one beyond the farthest point.
    """
    farthest = point_count(game)
    if place.kind is not PlaceKind.POINT:
        return 0 if place.kind is PlaceKind.TRAY else farthest + 1
    number = int(game.point_for(seat, place))
    # The games on six points count along the way, the others from the end of it.
    return farthest + 1 - number if isinstance(game, (MiniGam, MultiGam)) else number


def is_held(game: Game, stack: Stack, seat: Seat) -> bool:
    """Whether the checkers on a point keep ``seat`` from landing there."""
    if isinstance(game, Blocking):
        others = len(stack) - stack.count(seat)
        return others == 1 and (game.own is Own.MINE1 or len(stack) == 1)
    return any(stack.count(other) >= 2 for other in game.seats if other is not seat)


def hits(game: Game) -> bool:
    """Whether a checker that stands alone is hit by one of another seat that lands there."""
    return not isinstance(game, Blocking)


def enters_first(game: Game) -> bool:
    """Whether nothing else may be moved before every checker has entered."""
    if isinstance(game, MiniGam):
        return game.bar is Bar.CLEAR
    return not isinstance(game, MultiGam)


def bears_off_from_anywhere(game: Game) -> bool:
    """Whether a checker may be borne off by its exact number wherever the seat's other checkers are."""
    return isinstance(game, MultiGam)


def leaves_last_first(game: Game) -> bool:
    """Whether a checker that lies under another cannot leave its point."""
    return isinstance(game, Blocking)


def following(position: Position, earlier: Position) -> Position:
    """Gets a position as it follows from an earlier one: what a board does not show is kept, such as the order in
    which seats have finished."""
    if not isinstance(position, MultiGamPosition) or not isinstance(earlier, MultiGamPosition):
        return position
    kept = [seat for seat in earlier.finished if seat in position.finished]
    return position.with_finished([*kept, *(seat for seat in position.finished if seat not in kept)])
