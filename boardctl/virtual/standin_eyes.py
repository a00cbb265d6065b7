"""Stand-in eyes: readings of the world itself, with the errors that the real eyes were measured to make.

They say nothing about how well pictures are read; that is what is put in. They let the referee judge thousands of turns
in the time in which the real eyes read some dozens. What they take a place for stays so until something there moves,
as with real eyes that look at the same picture again; where checkers are laid anew they look anew.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from boardctl.referee.readings import (
    BoardReading,
    CubeReading,
    DiceReading,
    DieReading,
    Hand,
    Lab,
    PlaceReading,
    StackChance,
    Support,
    Witness,
)
from boardctl.referee.seen.dice import READABLE
from boardctl.rules import Game, Place, PlaceKind, Seat, Stack
from boardctl.virtual.dice import Die
from boardctl.virtual.eye_errors import TALL_FROM, EyeErrors, Readings
from boardctl.virtual.world import Checker, World, hides
from boardctl.virtual.world import Hand as HandAtTable
from boardctl.vision.frame import FrameReading
from calibration import BoardGeometry
from calibration.drift import View

SPOT_ERROR_MM = 0.8
"""How far off the middle of a die is read (standard deviation); readings of one die scatter by a pixel."""

ASTRAY_FROM = 0.3
"""From so many widths of a point beside its middle line on nobody can tell to which of two points a checker belongs."""

FIRST_SET: Lab = (88.0, 1.0, 9.0)
SECOND_SET: Lab = (36.0, 44.0, 27.0)
"""How the dice of the two sets look to these eyes; B throws the second where seats have dice of their own."""

BODY_ERROR = 2.6
"""How far off that is read, each of its three numbers (standard deviation): of the dice on either side of 15 rendered
boards nine in ten were read within 6.4 of their middle colour (median of the boards' sides)."""

OWNED_FROM = 0.4
"""From this part of half the board's depth on a cube on the bar belongs to a seat."""

DARK = View(None, 0.0, (1.0, 1.0, 1.0))
"""What is told of a picture in which nothing can be seen."""


class StandInEyes:
    """Eyes of one table. ``seed`` decides their errors: the same table looks the same to them every time."""

    def __init__(self, game: Game, geometry: BoardGeometry, errors: EyeErrors, seed: int = 0) -> None:
        self._game = game
        self._geometry = geometry
        self._errors = errors
        self._seed = seed
        self._read_before: dict[tuple[object, ...], PlaceReading] = {}

    def read(self, world: World) -> FrameReading:
        """Gets what a frame of the world would be read as."""
        if world.dark:
            return FrameReading(BoardReading(Witness.CAMERA, ()), DiceReading(()), hand=False, view=DARK)
        at: dict[Place, list[Checker]] = {place: [] for place in self._game.places}
        for checker in world.checkers:
            at.setdefault(checker.place, []).append(checker)
        places = tuple(self._place(world, place, checkers) for place, checkers in at.items())
        places = self._between(places, at)
        hand = bool(world.hands)
        hands = tuple(self._hand(world, one, at) for one in world.hands)
        board = BoardReading(Witness.CAMERA, places, hand, self._cube(world), hands)
        return FrameReading(board, DiceReading(tuple(self._dice(world))), hand)

    def _hand(self, world: World, hand: HandAtTable, at: Mapping[Place, Sequence[Checker]]) -> Hand:
        """Gets what is told of a hand: over which places it is, and from whose side it comes, if that is told."""
        alone = replace(world, hands=(hand,), things=())
        over = (
            place for place, checkers in at.items() if any(hides(alone, *spot) for spot in self._spots(place, checkers))
        )
        open_ = self._errors.hands_left_open.happens(self._random("hand", hand))
        return Hand(None if open_ else hand.seat, tuple(over))

    def _spots(self, place: Place, checkers: Sequence[Checker]) -> list[tuple[float, float]]:
        """Gets where a place is looked at: its checkers, or its middle."""
        return [(one.x_mm, one.y_mm) for one in checkers] or [self._geometry.middle_of(place)]

    def _random(self, *what: object) -> Random:
        """Gets the chances that go with something, always the same."""
        return Random(f"{self._seed} {what}")  # noqa: S311  a game, not a secret

    def _place(self, world: World, place: Place, checkers: Sequence[Checker]) -> PlaceReading:
        if any(hides(world, *spot) for spot in self._spots(place, checkers)):
            return PlaceReading(place, (), hidden=True)
        key = (place, *checkers)
        if key not in self._read_before:
            self._read_before = {} if len(self._read_before) > _MOST_KEPT else self._read_before
            self._read_before[key] = self._looked_at(place, checkers)
        return self._read_before[key]

    def _between(
        self, places: tuple[PlaceReading, ...], at: Mapping[Place, Sequence[Checker]]
    ) -> tuple[PlaceReading, ...]:
        """Gets the readings where a checker lies between two points: it counts here or there, as likely as not."""
        read = {reading.place: reading for reading in places}
        for place, checkers in at.items():
            for checker in checkers if place.kind is PlaceKind.POINT else ():
                away = checker.x_mm - self._geometry.point_x_mm(place.number)
                if abs(away) < ASTRAY_FROM * self._geometry.point_width_mm:
                    continue
                other = self._nearest(checker, [one for one in at if one != place])
                stacks = {one: tuple(c.seat for c in at[one]) for one in (place, other)}
                read[place] = _either(place, stacks[place], stacks[place][:-1])
                read[other] = _either(other, (*stacks[other], checker.seat), stacks[other])
        return tuple(read.values())

    def _nearest(self, checker: Checker, places: Sequence[Place]) -> Place:
        points = [place for place in places if place.kind is PlaceKind.POINT]
        at = (checker.x_mm, checker.y_mm)
        return min(points, key=lambda place: math.dist(self._geometry.middle_of(place), at))

    def _looked_at(self, place: Place, checkers: Sequence[Checker]) -> PlaceReading:
        stack = tuple(one.seat for one in sorted(checkers, key=lambda one: one.index))
        random = self._random(place, checkers)
        drawn = self._kind(place, len(stack)).drawn(random)
        if drawn is None:
            return PlaceReading(place, (), hidden=True)
        confidence, right = drawn
        others = _neighbours(place, stack, self._game.seats)
        random.shuffle(others)
        read = stack if right else others.pop()
        rest = [*others] if right else [stack, *others]
        # What may be there instead is likelier the sooner one thinks of it: twice as likely as the next.
        weights = [0.5**number for number in range(1, len(rest) + 1)]
        share = (1 - confidence) / sum(weights)
        chances = [StackChance(read, confidence)]
        chances += [StackChance(other, share * weight) for other, weight in zip(rest, weights, strict=True)]
        return PlaceReading(place, tuple(sorted(chances, key=lambda chance: -chance.likelihood)))

    def _kind(self, place: Place, count: int) -> Readings:
        match place.kind:
            case PlaceKind.POINT if count == 0:
                return self._errors.bare
            case PlaceKind.POINT:
                return self._errors.tall if count >= TALL_FROM else self._errors.low
            case PlaceKind.BAR:
                return self._errors.bars
        return self._errors.trays

    def _cube(self, world: World) -> CubeReading | None:
        cube = world.cube
        if cube is None or hides(world, cube.x_mm, cube.y_mm):
            return None
        if self._errors.cubes_missed.happens(self._random("cube", cube)):
            return None
        part = cube.y_mm / (self._geometry.field_height_mm / 2)
        at = "bar" if abs(part) < OWNED_FROM else "B" if part > 0 else "A"
        on_field = self._geometry.section_of(cube.x_mm, cube.y_mm) is not None
        return CubeReading(None, "field" if on_field else at, self._errors.cube_likelihood)

    def _dice(self, world: World) -> list[DieReading]:
        seen = [self._die(world, die) for die in world.dice if not hides(world, die.x_mm, die.y_mm)]
        # Something is taken for a die as long as the dice lie as they do: it is the light on them, or a glint.
        random = self._random("invented", world.dice)
        if world.dice and self._errors.invented_dice.happens(random):
            seen.append(self._invented(random))
        return seen

    def _invented(self, random: Random) -> DieReading:
        kinds = self._errors.invented
        kind = random.choices(kinds, [kind.times for kind in kinds])[0]
        places = [place for place in self._game.places if place.kind is PlaceKind.POINT]
        x, y = self._geometry.middle_of(random.choice(places))
        if kind.support is not Support.SURFACE:
            y += math.copysign(self._geometry.field_height_mm / 2, y)
        value = random.randint(1, 6) if kind.confidence >= READABLE else None
        flat = True if value is not None else None
        section = self._geometry.section_of(x, y)
        return DieReading(value, kind.confidence, flat, kind.support, section, 0.0, (x, y), (x, y))

    def _die(self, world: World, die: Die) -> DieReading:
        random = self._random("die", die)
        x, y = random.gauss(die.x_mm, SPOT_ERROR_MM), random.gauss(die.y_mm, SPOT_ERROR_MM)
        section = world.geometry.section_of(die.x_mm, die.y_mm)
        drawn = self._errors.die_values.drawn(random)
        confidence, right = drawn if drawn is not None and not die.moving else (0.0, False)
        value = die.value if right else random.randint(1, 6) if confidence else None
        on, flat = self._lies(die, random)
        tilt = die.tilt_deg if flat is not True else 0.0
        if flat is not False and (not die.flat or die.on is Support.CHECKER):
            confidence = min(confidence, self._errors.unsure_die)
        body = self._body(die) if flat and not die.moving else None
        return DieReading(value, confidence, flat, on, section, tilt, (x, y), (x, y), body)

    def _body(self, die: Die) -> Lab:
        random = self._random("body", die)
        lightness, green_red, blue_yellow = (random.gauss(value, BODY_ERROR) for value in body_of(die.owner))
        return (lightness, green_red, blue_yellow)

    def _lies(self, die: Die, random: Random) -> tuple[Support, bool | None]:
        """Gets on what a die is taken to lie, and whether flat."""
        if not die.flat:
            told = self._errors.leaning_dice.drawn(random)
            return (die.on if told else Support.SURFACE), None if told is None else not told
        if die.on is Support.CHECKER:
            told = self._errors.dice_on_checkers.drawn(random)
            return (Support.CHECKER if told else Support.SURFACE), None if told is None else True
        return die.on, self._errors.flat_dice.drawn(random)


def body_of(owner: Seat | None) -> Lab:
    """Gets how the dice of a seat look, read without error; None: the set that all throw."""
    return SECOND_SET if owner is Seat.B else FIRST_SET


_MOST_KEPT = 20_000  # readings of places; a game looks at some thousand


def _either(place: Place, one: Stack, other: Stack) -> PlaceReading:
    return PlaceReading(place, (StackChance(one, 0.5), StackChance(other, 0.5)))


def _neighbours(place: Place, stack: Stack, seats: Sequence[Seat]) -> list[Stack]:
    """Gets what a stack may be mistaken for: one checker more or fewer."""
    owners = (place.seat,) if place.seat is not None else seats
    if not stack:
        return [(owner,) for owner in owners if owner is not None]
    return [(*stack, stack[-1]), stack[:-1]]
