"""Multi-Gam: four seats, six points, five checkers each, all moving the same way; ranks instead of a winner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from boardctl.rules import quarter_diagram
from boardctl.rules.board import Place, Placement, Seat, bar, point, tray
from boardctl.rules.game import Move, Opening, Position, Result, Roll, WinKind
from boardctl.rules.opening import check_dice
from boardctl.rules.stack_game import SingleMoves, StackGame
from boardctl.rules.stack_position import StackPosition
from boardctl.rules.turn_graph import TurnSearch

CHECKERS = 5
POINTS = quarter_diagram.POINTS
OFF = POINTS + 1  # how far the exit is from the bar
RANK_POINTS = (5, 3, 2, 1)
"""What the seats score in the order in which they finish: "1st Place: 5 Points, [...] 3 [...] 2 [...] 1 Point"."""

_SEATS = (Seat.A, Seat.B, Seat.C, Seat.D)
_BAR = {seat: POINTS + at for at, seat in enumerate(_SEATS)}
_TRAY = {seat: POINTS + len(_SEATS) + at for at, seat in enumerate(_SEATS)}
_FINISHED = POINTS + 2 * len(_SEATS)  # behind the stacks: the seats that have finished, in that order


class Oblige(StrEnum):
    """How much of a roll a seat must play."""

    MAX = "max"
    GREEDY = "greedy"


class MultiGamPosition(StackPosition):
    """The six points, the four bars, the four trays, and the seats that have finished in the order in which they did.

    A board does not show that order: positions made from a placement have it clockwise from seat A, those that follow
    from a play as it happened.
    """

    __slots__ = ()

    title = "Multi-Gam"
    places = (
        *(point(number) for number in range(1, POINTS + 1)),
        *(bar(seat) for seat in _SEATS),
        *(tray(seat) for seat in _SEATS),
    )
    seats = _SEATS
    checkers = CHECKERS
    shared_points = False

    @classmethod
    def of(cls, placement: Placement) -> "MultiGamPosition":
        """Gets the position that a placement is; seats that have finished did so clockwise from A.

        :raises ValueError: when it is not one of this game; the message says why and draws it.
        """
        stacks = super().of(placement)
        return cls([*stacks, "".join(seat for seat in _SEATS if len(stacks[_TRAY[seat]]) == CHECKERS)])

    @classmethod
    def draw(cls, placement: Placement) -> str:
        """Gets any placement drawn on a board of six points."""
        return quarter_diagram.draw(placement, _SEATS)

    @classmethod
    def read(cls, drawn: str) -> Placement:
        """Gets the placement of a drawn board of six points."""
        return quarter_diagram.read(drawn)

    @property
    def finished(self) -> tuple[Seat, ...]:
        """The seats that have borne off all five, in the order in which they did."""
        return tuple(Seat(letter) for letter in self[_FINISHED])

    def with_finished(self, finished: Sequence[Seat]) -> "MultiGamPosition":
        """Gets the same position with another order of finishing.

        :raises ValueError: when these are not the seats that have finished.
        """
        if sorted(finished) != sorted(self.finished):
            raise ValueError(f"{[seat.value for seat in finished]} are not the seats that have finished in\n{self}")
        return MultiGamPosition([*self[:_FINISHED], "".join(finished)])


@dataclass(frozen=True, slots=True)
class MultiGam(StackGame):
    """Multi-Gam. All four seats move from the bar through points 1 to 6 and off, and play clockwise.

    >>> from boardctl.rules import MultiGam, Seat
    >>> game = MultiGam()
    >>> opening = game.opening({Seat.A: 2, Seat.B: 6, Seat.C: 4, Seat.D: 3})
    >>> opening.starter.value, str(opening.roll)
    ('B', '6-2')
    """

    oblige: Oblige = Oblige.MAX
    """"Hitting is mandatory if it is the only legal move, but otherwise optional if other moves exist." No sentence
    says how much of a roll must be played. ``MAX``: as many numbers as possible, and the larger if only one can be.
    ``GREEDY``: on and on while any number left can be played, in whatever order the seat chose."""

    position_class: ClassVar[type[StackPosition]] = MultiGamPosition

    @property
    def name(self) -> str:
        """The name on the command line."""
        return "multigam"

    def start(self) -> MultiGamPosition:
        """Gets the starting position: "All 20 checkers (5 per player) begin on the BAR." """
        on_bars = [seat.value * CHECKERS for seat in _SEATS]
        return MultiGamPosition([""] * POINTS + on_bars + [""] * len(_SEATS) + [""])

    def opening(self, dice: Mapping[Seat, int], rerolled: Sequence[Seat] = ()) -> Opening:
        """Gets who starts: the highest die, played with the lowest die showing among the losers.

        "If there is a tie for highest, only the tied players re-roll": ``dice`` then holds their new dice and the
        others' old ones, ``rerolled`` names them, and one of them starts even if another shows more.

        :raises ValueError: when a seat's die is missing or is not 1 to 6.
        """
        check_dice(dice, _SEATS)
        contenders = tuple(seat for seat in _SEATS if seat in rerolled) or _SEATS
        highest = max(dice[seat] for seat in contenders)
        leaders = tuple(seat for seat in contenders if dice[seat] == highest)
        if len(leaders) > 1:
            return Opening(None, None, leaders)
        starter = leaders[0]
        return Opening(starter, Roll(highest, min(dice[seat] for seat in _SEATS if seat is not starter)))

    def result(self, position: Position) -> Result | None:
        """Gets the ranks as points, or None while the game runs: "The game ends when the 3rd player finishes." """
        finished = _ranked(self.checked(position)).finished
        if len(finished) < len(_SEATS) - 1:
            return None
        ranks = (*finished, *(seat for seat in _SEATS if seat not in finished))
        return Result(ranks[0], WinKind.SINGLE, dict(zip(ranks, RANK_POINTS, strict=True)))

    def next_seat(self, position: Position, seat: Seat) -> Seat:
        """Gets the next seat clockwise that has not finished."""
        finished = _ranked(self.checked(position)).finished
        at = _SEATS.index(self.player(seat))
        in_order = (*_SEATS[at + 1 :], *_SEATS[: at + 1])
        return next((other for other in in_order if other not in finished), seat)

    def search(self, position: Position, seat: Seat, numbers: Sequence[int]) -> TurnSearch:
        """Gets the search of what ``seat`` may do with ``numbers``; bearing off the fifth checker ends the turn."""
        start, mover = self.checked(position), self.player(seat)

        def singles(at: Position, number: int) -> SingleMoves:
            return self.single_moves(_ranked(at), mover, number)

        def ended(at: Position) -> bool:
            return mover in _ranked(at).finished

        return TurnSearch(start, numbers, singles, ended=ended, greedy=self.oblige is Oblige.GREEDY)

    def single_moves(self, position: StackPosition, seat: Seat, number: int) -> SingleMoves:
        """Gets every move of one checker by ``number``, and where it leads."""
        moves: SingleMoves = []
        own = [at for at in range(OFF) if seat in position[_index(seat, at)]]
        for source in own:
            target = source + number
            if target < OFF:
                stack = position[_index(seat, target)]
                if len(stack) <= 1 or seat in stack:
                    moves.append(_moved(position, seat, source, target, number))
            elif target == OFF or source == own[0]:
                moves.append(_moved(position, seat, source, OFF, number))
        return moves


def _ranked(position: Position) -> MultiGamPosition:
    assert isinstance(position, MultiGamPosition)
    return position


def _index(seat: Seat, at: int) -> int:
    """Gets where a position keeps the point, bar (0) or exit that is ``at`` steps along the way of ``seat``."""
    if at == 0:
        return _BAR[seat]
    return _TRAY[seat] if at == OFF else at - 1


def _moved(position: StackPosition, seat: Seat, source: int, target: int, number: int) -> tuple[Move, MultiGamPosition]:
    places: tuple[Place, ...] = position.places
    start, end = _index(seat, source), _index(seat, target)
    stacks = list(position)
    stacks[start] = stacks[start][:-1]
    hit = Seat(stacks[end]) if target != OFF and len(stacks[end]) == 1 and stacks[end] != seat.value else None
    if hit:
        stacks[end] = ""
        stacks[_BAR[hit]] += hit.value
    stacks[end] += seat.value
    if target == OFF and len(stacks[end]) == CHECKERS:
        stacks[_FINISHED] += seat.value
    return Move(places[start], places[end], number, hit), MultiGamPosition(stacks)
