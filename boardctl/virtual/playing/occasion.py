"""Where a game at the virtual table stands when something happens there."""

from dataclasses import dataclass, replace
from random import Random

from boardctl.rules import Game, Placement, Position, Roll, Seat
from boardctl.virtual.dice import Die, ThrowKind, throw_die
from boardctl.virtual.playing.house import HouseRules
from boardctl.virtual.playing.motions import Motions
from boardctl.virtual.playing.wrong_start import WrongStart


@dataclass(frozen=True)
class Occasion:
    """A moment in the turn of ``seat``: ``position`` is where the checkers belong before its play.

    ``roll``: the last one thrown, None in the first turn. ``with_cube``: a cube is used; ``may_double``: by the seat,
    now. ``cube_owner``: None while the cube is in the middle. ``is_crawford``: it would be used but for that rule.
    ``kinds``: what may happen at this table; None: anything. ``dice_told_apart``: everybody at the table has seen by
    now whose dice are whose. ``wrong_start``: what was wrong with the set-up that the game began from.
    """

    game: Game
    hands: Motions
    random: Random
    house: HouseRules
    seat: Seat
    position: Position
    roll: Roll | None = None
    with_cube: bool = False
    may_double: bool = False
    cube_owner: Seat | None = None
    is_crawford: bool = False
    kinds: frozenset[str] | None = None
    dice_told_apart: bool = False
    wrong_start: WrongStart | None = None

    @property
    def other(self) -> Seat:
        """The seat whose turn comes next."""
        return self.game.next_seat(self.position, self.seat)

    @property
    def board(self) -> Placement:
        """Where the checkers lie."""
        return self.hands.world.placement()

    @property
    def whole_board(self) -> Placement:
        """Where the checkers lie, one that was left in the case counted in its seat's tray."""
        return self.board if self.wrong_start is None else self.wrong_start.whole(self.board)

    def thrown(self, seat: Seat, count: int, kind: ThrowKind = ThrowKind.FLAT) -> tuple[Die, ...]:
        """Gets dice thrown by a seat, clear of those that lie there."""
        owner = seat if self.house.own_dice else None
        world = self.hands.world
        dice: tuple[Die, ...] = ()
        for _ in range(count):
            value, others = self.random.randint(1, 6), (*world.dice, *dice)
            die = throw_die(world.geometry, seat, value, kind, world.checkers, others, self.random)
            dice = (*dice, replace(die, owner=owner))
        return dice
