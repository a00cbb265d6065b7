"""What else goes wrong at a table, at instants that are known: all that a referee must notice beside plays and throws.

Every incident is a generator of acts that begins where a turn stands and puts everything back, so that the game goes
on as if it had not been.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from random import Random

from boardctl.referee.facts import Role
from boardctl.rules import Game, PlaceKind, Placement, Position, Roll, Seat
from boardctl.virtual.dice import Die, ThrowKind, throw_die
from boardctl.virtual.motions import Acts, Motions, moves_between
from boardctl.virtual.players import HandMove
from boardctl.virtual.truth import IncidentTruth
from boardctl.virtual.world import set_up

KNOCKED_CHECKERS = 3
"""How many checkers a sleeve takes along: more than a play would move."""


class Incident(StrEnum):
    """What happens."""

    WRONG_SET_UP = "wrong_set_up"  # a checker is put on the point beside its own before the game
    THREE_DICE = "three_dice"
    PREMATURE_ROLL = "premature_roll"  # before the opponent has ended the turn
    DIE_TIPPED = "die_tipped"  # after it has come to rest
    MOVED_WITHOUT_ROLLING = "moved_without_rolling"
    BOARD_KNOCKED = "board_knocked"
    DOUBLED_TOO_EARLY = "doubled_too_early"  # by the seat that is not on turn, while the other plays


SIGNS: Mapping[Incident, tuple[str, ...]] = {
    Incident.WRONG_SET_UP: ("setup.wrong",),
    Incident.THREE_DICE: ("dice.wrong_number",),
    Incident.PREMATURE_ROLL: ("dice.premature", "dice.early", "ask.premature"),
    Incident.DIE_TIPPED: ("dice.changed",),
    Incident.MOVED_WITHOUT_ROLLING: ("roll.played_without_rolling",),
    Incident.BOARD_KNOCKED: ("roll.board_changed",),
    Incident.DOUBLED_TOO_EARLY: ("cube.too_early", "cube.binds", "cube.none"),
}
"""The texts with which a referee says what has happened."""

BEFORE_A_ROLL = (Incident.THREE_DICE, Incident.MOVED_WITHOUT_ROLLING, Incident.BOARD_KNOCKED)
BEFORE_A_PLAY = (Incident.PREMATURE_ROLL, Incident.DIE_TIPPED, Incident.DOUBLED_TOO_EARLY)
"""When each may happen; a wrong set-up happens before the game."""


class Mishaps:
    """Lets incidents happen at one table."""

    def __init__(self, game: Game, hands: Motions, random: Random) -> None:
        self.game = game
        self._hands = hands
        self._random = random

    def happen(self, incident: Incident, seat: Seat, position: Position) -> Acts:
        """Lets one incident happen on the turn of ``seat``, and puts everything back."""
        match incident:
            case Incident.WRONG_SET_UP:
                yield from self._wrong_set_up(position)
            case Incident.THREE_DICE:
                yield from self._three_dice(seat)
            case Incident.PREMATURE_ROLL:
                yield from self._more_dice(incident, self._thrown(self.game.next_seat(position, seat), 2), seat)
            case Incident.DIE_TIPPED:
                yield from self._tipped(seat)
            case Incident.MOVED_WITHOUT_ROLLING:
                yield from self._moved(seat, position)
            case Incident.BOARD_KNOCKED:
                yield from self._knocked(seat)
            case Incident.DOUBLED_TOO_EARLY:
                other = self.game.next_seat(position, seat)
                yield from self._hands.double(Role(other.value), other, self._truth(incident))
        self._hands.ear.clear()

    def _truth(self, incident: Incident) -> IncidentTruth:
        return IncidentTruth(self._hands.now_ms, incident.value, SIGNS[incident])

    def _thrown(self, seat: Seat, count: int) -> tuple[Die, ...]:
        world = self._hands.world
        dice: tuple[Die, ...] = ()
        for _ in range(count):
            value, others = self._random.randint(1, 6), (*world.dice, *dice)
            die = throw_die(world.geometry, seat, value, ThrowKind.FLAT, world.checkers, others, self._random)
            dice = (*dice, die)
        return dice

    def _wrong_set_up(self, position: Position) -> Acts:
        right = position.placement()
        own = sorted((place for place in right if place.kind is PlaceKind.POINT), key=str)
        empty = [place for place in self.game.places if place.kind is PlaceKind.POINT and not right.at(place)]
        source, target = self._random.choice(own), self._random.choice(empty)
        stack = right.at(source)
        wrong = right.replaced({source: stack[:-1], target: stack[-1:]})
        yield from self._set_up_as(wrong, Incident.WRONG_SET_UP)
        yield from self._hands.set_up(right)

    def _set_up_as(self, placement: Placement, incident: Incident) -> Acts:
        self._hands.world = set_up(self._hands.world, placement, self._random)
        yield from self._hands.rest(None, self._truth(incident))

    def _three_dice(self, seat: Seat) -> Acts:
        yield from self._hands.throw(seat, self._thrown(seat, 3), self._truth(Incident.THREE_DICE))
        yield from self._hands.lift_dice(seat)

    def _more_dice(self, incident: Incident, more: tuple[Die, ...], seat: Seat) -> Acts:
        lying = self._hands.world.dice
        yield from self._hands.lay(seat, (*lying, *more), self._truth(incident))
        yield from self._hands.lay(seat, lying, None)

    def _tipped(self, seat: Seat) -> Acts:
        lying = self._hands.world.dice
        if not lying:
            return
        first, *others = lying
        self._hands.world = replace(self._hands.world, dice=tuple(others))
        (tipped,) = self._thrown(seat, 1)
        tipped = replace(tipped, value=first.value % 6 + 1)
        yield from self._hands.lay(seat, (tipped, *others), self._truth(Incident.DIE_TIPPED))
        yield from self._hands.lay(seat, lying, None)

    def _moved(self, seat: Seat, position: Position) -> Acts:
        plays = self.game.plays(position, seat, Roll.of(self._random.randint(1, 3), self._random.randint(4, 6)))
        move = next((play.moves[0] for play in plays if play.moves and play.moves[0].hit is None), None)
        if move is None:
            return
        yield from self._hands.carry_out(seat, [HandMove(seat, move.source, move.target)])
        yield from self._hands.rest(seat, self._truth(Incident.MOVED_WITHOUT_ROLLING))
        yield from self._hands.carry_out(seat, [HandMove(seat, move.target, move.source)])
        yield from self._hands.rest()

    def _knocked(self, seat: Seat) -> Acts:
        before = self._hands.world.placement()
        board = before
        empty = [place for place in self.game.places if place.kind is PlaceKind.POINT and not before.at(place)]
        for target in self._random.sample(empty, min(KNOCKED_CHECKERS, len(empty))):
            sources = sorted((place for place in before if place.kind is PlaceKind.POINT and board.at(place)), key=str)
            source = self._random.choice(sources)
            stack = board.at(source)
            board = board.replaced({source: stack[:-1], target: stack[-1:]})
        yield from self._set_up_as(board, Incident.BOARD_KNOCKED)
        yield from self._hands.carry_out(seat, moves_between(board, before))
        yield from self._hands.rest()
