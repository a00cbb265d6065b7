"""What the players of the virtual table do with the doubling cube: offer, take, drop, and where they put it."""

from dataclasses import replace
from random import Random

from boardctl.referee.effects import Prompt
from boardctl.referee.facts import Choice, Role
from boardctl.rules import Cube, Game, Match, Outcome, Position, Seat
from boardctl.virtual.playing.motions import Acts, Motions
from boardctl.virtual.playing.players import Rates
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

    def offers(self, game: Game, position: Position, seat: Seat) -> bool:
        """Whether a seat that is to roll doubles now: who is held to it does, others now and then."""
        held, self.bound = self.bound is seat, None if self.bound is seat else self.bound
        return self.may(game, position, seat) and (held or self._random.random() < self._rates.double)

    def offer(self, seat: Seat) -> Acts:
        """Doubles: says so and lays the cube on the board."""
        self.cube = self.cube.double(seat)
        assert self.cube.offer is not None
        self._put(seat, self.cube.offer.value, on_the_field=True)
        yield from self._hands.double(Role(seat.value), seat, CubeTruth(self._hands.now_ms, seat, "double"))

    def takes(self) -> bool:
        """Whether the seat that is offered the cube takes it."""
        return self._random.random() < self._rates.take

    def take(self, seat: Seat) -> Acts:
        """Says that it takes, and puts the cube on its side."""
        self.cube = self.cube.take()
        self._put(seat, self.cube.value, on_the_field=False)
        yield from self._say(seat, Choice.TAKE)

    def drop(self, seat: Seat) -> Acts:
        """Says that it drops; the game is over."""
        self.outcome = self.ledger.dropped(self.cube)
        yield from self._say(seat, Choice.DROP)

    def take_unsaid(self, seat: Seat, put_down: Acts) -> Acts:
        """Reaches for the cube and lets it be put down as a take; it is said where it is asked for all the same."""
        self.cube = self.cube.take()
        cube = self._hands.world.cube
        assert cube is not None
        self._hands.world = replace(self._hands.world, cube=replace(cube, value=self.cube.value))
        yield from self._hands.reach_for_cube(seat, CubeTruth(self._hands.now_ms, seat, "take"))
        yield from put_down
        if self._hands.ear.is_asked_to_take():
            yield from self._say(seat, Choice.TAKE)

    def _say(self, seat: Seat, choice: Choice) -> Acts:
        """Answers a double at the page, if that is asked there; otherwise to the opponent only."""
        prompt = self._hands.ear.take_prompt()
        truth = CubeTruth(self._hands.now_ms, seat, choice.value)
        if prompt is not None and choice in prompt.choices:
            yield from self._hands.answer(Role(seat.value), seat, prompt.number, choice, truth)
        else:
            yield from self._hands.rest(seat, truth)

    def is_for_later(self, prompt: Prompt) -> bool:
        """Whether nobody answers a question yet: whoever is held to a double offers it first, with the cube."""
        doubles = dict(prompt.text.arguments).get("seat")
        return prompt.text.key == "ask.double" and self.bound is not None and doubles == self.bound.value

    def show(self) -> Acts:
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


def in_the_middle(world: World, cube: CubeBody) -> CubeBody:
    """Gets the cube as it lies in the middle of the bar."""
    return replace(cube, x_mm=0.0, y_mm=0.0, z_mm=world.geometry.bar_height_mm + CUBE_SIZE_MM / 2)


def owned_by(world: World, cube: CubeBody, seat: Seat) -> CubeBody:
    """Gets the cube as it lies at a seat's end of the bar."""
    geometry = world.geometry
    y = -_side(seat) * OWNED_AT * geometry.field_height_mm
    return replace(cube, x_mm=0.0, y_mm=y, z_mm=geometry.bar_height_mm + CUBE_SIZE_MM / 2)


def _side(seat: Seat) -> float:
    return 1.0 if seat is Seat.A else -1.0
