"""What the players of the virtual table do with the doubling cube: offer, take, drop, and where they put it."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from random import Random

from boardctl.referee.effects import Effect, Prompt
from boardctl.referee.facts import Choice, Role
from boardctl.rules import Cube, Game, Match, Outcome, Position, Seat
from boardctl.virtual.acts import Act
from boardctl.virtual.motions import Motions
from boardctl.virtual.players import Rates
from boardctl.virtual.truth import CubeTruth
from boardctl.virtual.world import CUBE_SIZE_MM, World
from boardctl.virtual.world import Cube as CubeBody

OWNED_AT = 0.42
"""Where on the bar the cube of a seat lies, in shares of the field's height from the middle: at its end of the bar."""

CENTRED_SHOWS = 64
"""What a cube in the middle shows before it was turned."""

_SHOWN = 2  # times: the eyes may miss it once


class Doubling:
    """The cube of one game in the players' hands."""

    def __init__(self, ledger: Match, hands: Motions, rates: Rates, random: Random) -> None:
        self.ledger = ledger
        self.cube: Cube = ledger.opening_cube()
        self.outcome: Outcome | None = None  # of a dropped double
        self.bound: Seat | None = None  # who has shown too early that he doubles, and is held to it
        self._hands = hands
        self._rates = rates
        self._random = random

    def opening_was_equal(self) -> None:
        """Turns the cube where equal opening dice do so."""
        self.cube = self.cube.doubled_automatically(self.ledger.rules.automatic_doubles)

    def may(self, game: Game, position: Position, seat: Seat) -> bool:
        """Whether a seat that is to roll may double."""
        closed_out = not game.may_roll(position, seat)
        return self.ledger.refusal(self.cube, seat, opening_played=True, closed_out=closed_out) is None

    def before_roll(self, game: Game, position: Position, seat: Seat) -> Generator[Act, Sequence[Effect], bool]:
        """Lets a seat double now and then before it rolls; whether that has ended the game."""
        if not self.may(game, position, seat):
            self.bound = None if self.bound is seat else self.bound  # nobody is held to what is not possible
            return False
        if self.bound is not seat and self._random.random() >= self._rates.double:
            return False
        self.bound = None if self.bound is seat else self.bound
        self.cube = self.cube.double(seat)
        assert self.cube.offer is not None
        self._put(seat, self.cube.offer.value, on_the_field=True)
        yield from self._hands.double(Role(seat.value), seat, CubeTruth(self._hands.now_ms, seat, "double"))
        other = seat.other
        taken = self._random.random() < self._rates.take
        step = "take" if taken else "drop"
        prompt = self._hands.ear.take_prompt()
        truth = CubeTruth(self._hands.now_ms, other, step)
        if not taken:
            self.outcome = self.ledger.dropped(self.cube)
        else:
            self.cube = self.cube.take()
            self._put(other, self.cube.value, on_the_field=False)
        if prompt is not None and Choice(step) in prompt.choices:
            yield from self._hands.answer(Role(other.value), other, prompt.number, Choice(step), truth)
        else:
            yield from self._hands.rest(other, truth)
        return not taken

    def is_for_later(self, prompt: Prompt) -> bool:
        """Whether nobody answers a question yet: whoever is held to a double offers it first, with the cube."""
        doubles = dict(prompt.text.arguments).get("seat")
        return prompt.text.key == "ask.double" and self.bound is not None and doubles == self.bound.value

    def show(self) -> Generator[Act, Sequence[Effect], None]:
        """Lays the cube anew where it belongs: what players do who are told of a double that nobody has made."""
        for _ in range(_SHOWN):
            world = self._hands.world
            assert world.cube is not None
            self._hands.world = replace(world, cube=turned(world.cube, self._random))
            yield from self._hands.rest()

    def _put(self, seat: Seat, value: int, *, on_the_field: bool) -> None:
        """Puts the cube on the playing surface in front of a seat, or at its end of the bar."""
        world = self._hands.world
        cube = turned(CubeBody(value, 0.0, 0.0, 0.0, 0.0), self._random)
        put = on_field if on_the_field else owned_by
        self._hands.world = replace(world, cube=put(world, cube, seat))


def turned(cube: CubeBody, random: Random) -> CubeBody:
    """Gets the cube as a hand lays it down: never twice the same way round."""
    return replace(cube, yaw_deg=random.uniform(-12, 12))


def on_field(world: World, cube: CubeBody, seat: Seat) -> CubeBody:
    """Gets the cube as it lies on the playing surface in front of a seat."""
    geometry = world.geometry
    x = _side(seat) * (geometry.field_width_mm + geometry.bar_width_mm) / 4
    return replace(cube, x_mm=x, y_mm=0.0, z_mm=CUBE_SIZE_MM / 2)


def owned_by(world: World, cube: CubeBody, seat: Seat) -> CubeBody:
    """Gets the cube as it lies at a seat's end of the bar."""
    geometry = world.geometry
    y = -_side(seat) * OWNED_AT * geometry.field_height_mm
    return replace(cube, x_mm=0.0, y_mm=y, z_mm=geometry.bar_height_mm + CUBE_SIZE_MM / 2)


def _side(seat: Seat) -> float:
    return 1.0 if seat is Seat.A else -1.0
