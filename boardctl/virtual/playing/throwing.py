"""How the players of the virtual table throw, until the dice count: by the truth, and by the referee."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from random import Random

from boardctl.referee.effects import Effect
from boardctl.referee.facts import Role
from boardctl.rules import Game, Position, Roll, Seat
from boardctl.virtual.dice import Die, ThrowKind, throw_die
from boardctl.virtual.playing.acts import Act
from boardctl.virtual.playing.answers import Answers
from boardctl.virtual.playing.doubling import Doubling
from boardctl.virtual.playing.house import HouseRules
from boardctl.virtual.playing.incidents import Incident, happen
from boardctl.virtual.playing.mishaps import Mishaps
from boardctl.virtual.playing.motions import Acts, Motions
from boardctl.virtual.playing.players import Rates
from boardctl.virtual.truth import opening_truth, roll_truth

PATIENCE = 2
"""How often players wait or tidy up for a referee who says nothing before they go on by themselves."""

MOST_THROWS = 12
"""After so many throws of one turn in vain the players throw with care: a game must come to its end."""

BOTH_BAD = 0.15
"""The share of irregular throws in which both dice come to rest badly."""


class Throwing:
    """The throws of one game. ``owes_press``: who has not ended the turn by the clock, and has lifted the dice."""

    def __init__(
        self,
        game: Game,
        hands: Motions,
        rates: Rates,
        random: Random,
        house: HouseRules,
        mishaps: Mishaps,
        doubling: Doubling,
        answers: Answers,
    ) -> None:
        self.owes_press: Seat | None = None
        self._game = game
        self._hands = hands
        self._rates = rates
        self._random = random
        self._house = house
        self._mishaps = mishaps
        self._doubling = doubling
        self._answers = answers

    def opening(self) -> Generator[Act, Sequence[Effect], tuple[Seat, Roll | None]]:
        """Each seat throws one die; those that tie for highest throw again. The highest one starts; None: with a roll
        of its own."""
        game, hands = self._game, self._hands
        lying: dict[Seat, Die] = {}
        rolling, rerolled, attempt = game.seats, tuple[Seat, ...](), 0
        while True:
            stay = tuple(die for seat, die in lying.items() if seat not in rolling)
            dice = self._thrown(rolling, careful=attempt >= MOST_THROWS, others=stay)
            lying |= zip(rolling, dice, strict=True)
            opening = game.opening({seat: die.value for seat, die in lying.items()}, rerolled)
            thrown = {seat: lying[seat] for seat in game.seats}
            truth = opening_truth(hands.now_ms, thrown, hands.world.geometry, opening)
            yield from hands.throw(None, tuple(thrown.values()), truth)
            yield from self._wait_for_reading()
            if truth.valid and not self._told_to_throw_again():
                break
            if truth.equal and truth.kind is ThrowKind.FLAT and len(game.seats) > 2:
                rolling = rerolled = opening.again
            if truth.equal and truth.kind is ThrowKind.FLAT:
                self._doubling.opening_was_equal()
            yield from hands.lift_dice(
                rolling[attempt % len(rolling)], left=tuple(die for seat, die in lying.items() if seat not in rolling)
            )
            attempt += 1
        assert opening.starter is not None
        if opening.roll is None:
            yield from hands.lift_dice(opening.starter)
        return opening.starter, opening.roll

    def roll(self, seat: Seat, position: Position) -> Generator[Act, Sequence[Effect], Roll | None]:
        """Throws both dice until they count; None: the turn before is to be played again first."""
        hands, mishaps, attempt = self._hands, self._mishaps, 0
        self._answers.on_turn, self._answers.roll = seat, None
        if self.owes_press is not None:
            yield from happen(Incident.CLOCK_FORGOTTEN, mishaps.occasion(self.owes_press, position))
        while True:
            dice = self._thrown((seat, seat), careful=attempt >= MOST_THROWS or mishaps.with_others_dice > 0)
            truth = roll_truth(hands.now_ms, seat, dice, hands.world.geometry, self._house.throws)
            yield from hands.throw(seat, dice, truth)
            yield from self._wait_for_reading()
            if self.owes_press is not None:
                yield from hands.press(Role(self.owes_press.value), self.owes_press)
                self.owes_press = None
            if hands.ear.must_replay(self._answers.last):
                yield from hands.lift_dice(seat)
                return None
            if truth.valid and not self._told_to_throw_again():
                mishaps.counted(truth.roll, with_own_dice=all(die.owner in (None, seat) for die in dice))
                self._answers.roll = truth.roll
                return truth.roll
            yield from hands.lift_dice(seat)
            yield from self._answers.give()  # they may be asked whether that roll counted
            attempt += 1

    def _thrown(self, seats: Sequence[Seat], *, careful: bool, others: tuple[Die, ...] = ()) -> tuple[Die, ...]:
        """Gets one die for each seat given, as it comes to rest beside dice that lie already."""
        dice: tuple[Die, ...] = ()
        kinds, owners = self._throw_kinds(len(seats), careful=careful), self._mishaps.owners(seats)
        for seat, kind, owner in zip(seats, kinds, owners, strict=True):
            dice = (*dice, self._lay(seat, self._random.randint(1, 6), kind, (*others, *dice), owner))
        return dice

    def _lay(self, seat: Seat, value: int, kind: ThrowKind, others: Sequence[Die], owner: Seat | None) -> Die:
        world = self._hands.world
        return replace(throw_die(world.geometry, seat, value, kind, world.checkers, others, self._random), owner=owner)

    def _throw_kinds(self, count: int, *, careful: bool) -> list[ThrowKind]:
        """Gets how each die of a throw comes to rest: now and then one of them badly, seldom both."""
        kinds = [ThrowKind.FLAT] * count
        if careful or self._random.random() >= self._rates.irregular_throw:
            return kinds
        weights = self._rates.throws
        both = self._random.random() < BOTH_BAD
        for number in range(count) if both else [self._random.randrange(count)]:
            kinds[number] = self._random.choices(list(weights), list(weights.values()))[0]
        return kinds

    def _told_to_throw_again(self) -> bool:
        read = self._hands.ear.roll()
        return read is not None and not read.valid

    def _wait_for_reading(self) -> Acts:
        """Waits for a referee who has not read the dice; then lays them anew with the same values, to be read."""
        hands = self._hands
        yield from self._answers.give()
        for attempt in range(PATIENCE if hands.ear.ever else 0):
            if hands.ear.roll() is not None or hands.ear.must_replay(self._answers.last):
                return
            if attempt == 0:
                yield from hands.rest()
                continue
            dice = hands.world.dice
            if any(die.kind is not ThrowKind.FLAT for die in dice):
                return  # the players see for themselves that this is no roll
            sections = [hands.world.geometry.section_of(die.x_mm, die.y_mm) for die in dice]
            laid: tuple[Die, ...] = ()
            for die, section in zip(dice, sections, strict=True):
                laid = (*laid, self._lay(section or self._game.seats[0], die.value, ThrowKind.FLAT, laid, die.owner))
            yield from hands.lift_dice(sections[0] or self._game.seats[0])
            yield from hands.throw(sections[0], laid, None)
