"""Lets incidents happen at one table now and then, and remembers what they leave behind."""

from collections.abc import Sequence
from random import Random

from boardctl.referee.roll.whose_dice import REMEMBERED
from boardctl.rules import Game, Position, Roll, Seat
from boardctl.rules.traits import following
from boardctl.virtual.playing.doubling import Doubling
from boardctl.virtual.playing.house import HouseRules
from boardctl.virtual.playing.incidents import BEGUN_WRONGLY, UNTIDY, Incident, When, happen, possible
from boardctl.virtual.playing.motions import Acts, Motions
from boardctl.virtual.playing.occasion import Occasion
from boardctl.virtual.playing.players import Rates
from boardctl.virtual.playing.wrong_start import WrongStart, begun

_TOLD_APART_FROM = 2 * REMEMBERED
"""After so many throws of both seats, each with the own dice, everybody knows whose are whose."""


class Mishaps:
    """What may go wrong in one game. ``last_roll``: what was thrown last; ``untidy``: something lasts until the players
    tidy up; ``with_others_dice``: so many dice of the next throw are the other seat's.
    """

    def __init__(
        self, game: Game, hands: Motions, rates: Rates, random: Random, house: HouseRules, doubling: Doubling
    ) -> None:
        self.last_roll: Roll | None = None
        self.untidy = False
        self.with_others_dice = 0
        self.wrong_start: WrongStart | None = None
        self._throws: list[bool] = []
        self._game = game
        self._hands = hands
        self._rates = rates
        self._random = random
        self._house = house
        self._doubling = doubling

    def may_happen(self, when: When, seat: Seat, position: Position) -> Acts:
        """Lets something happen now and then, if anything can here."""
        incident = self.drawn(when, seat, position)
        if incident is not None:
            yield from happen(incident, self.occasion(seat, position))
            self._held_to_double(incident, seat, position)
            self.untidy = self.untidy or incident in UNTIDY
            if incident is Incident.OPPONENTS_DICE:
                self.with_others_dice = self._random.choice((1, 2))
            elif incident in BEGUN_WRONGLY:
                self.wrong_start = begun(position.placement(), self._hands.world.placement(), self._random)

    def drawn(self, when: When, seat: Seat, position: Position) -> Incident | None:
        """Gets what happens now, if anything."""
        if self._rates.incident == 0 or self._random.random() >= self._rates.incident:
            return None
        kinds = possible(when, self.occasion(seat, position))
        return self._random.choice(kinds) if kinds else None

    def occasion(self, seat: Seat, position: Position) -> Occasion:
        """Gets how the game stands, for who lets something happen."""
        doubling = self._doubling
        cube = doubling.ledger.has_cube and not doubling.ledger.is_crawford
        may_double = cube and self.last_roll is not None and doubling.may(self._game, position, seat)
        return Occasion(
            self._game,
            self._hands,
            self._random,
            self._house,
            seat,
            position,
            self.last_roll,
            cube,
            may_double,
            doubling.cube.owner,
            doubling.ledger.has_cube and doubling.ledger.is_crawford,
            self._rates.incidents,
            self._house.own_dice and len(self._throws) >= _TOLD_APART_FROM and all(self._throws[-_TOLD_APART_FROM:]),
            self.wrong_start,
        )

    def noticed(self, position: Position) -> Position | None:
        """Gets where the game goes on from if the players see now that its set-up was wrong, and can put that right."""
        wrong = self.wrong_start
        if wrong is None or not wrong.is_noticed(len(self._throws)):
            return None
        right = wrong.put_right(self._game, position.placement())
        return None if right is None else following(self._game.position_of(right), position)

    def owners(self, seats: Sequence[Seat]) -> tuple[Seat | None, ...]:
        """Gets of whose sets the dice of a throw are, one by one, that some seats throw."""
        if not self._house.own_dice:
            return (None,) * len(seats)
        count, self.with_others_dice = self.with_others_dice, 0
        return tuple(seat.other if number < count else seat for number, seat in enumerate(seats))

    def counted(self, roll: Roll, *, with_own_dice: bool) -> None:
        """Remembers a throw that counts."""
        self.last_roll = roll
        self._throws.append(with_own_dice)

    def _held_to_double(self, incident: Incident, seat: Seat, position: Position) -> None:
        """Remembers who has to double when its turn comes, because it was shown too early."""
        if not self._doubling.ledger.has_cube:
            return
        if incident is Incident.DOUBLED_TOO_EARLY and self._house.double_binds:
            self._doubling.bound = self._game.next_seat(position, seat)
        elif incident is Incident.DOUBLED_AFTER_ROLLING and self._house.own_double_binds:
            self._doubling.bound = seat
