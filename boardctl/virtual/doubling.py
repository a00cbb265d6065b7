"""What the players of the virtual table do with the doubling cube: offer, take, drop, and where they put it."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from random import Random

from boardctl.referee.effects import Effect
from boardctl.referee.facts import Choice, Role
from boardctl.rules import Cube, Game, Match, Outcome, Position, Seat
from boardctl.virtual.acts import Act
from boardctl.virtual.motions import Motions
from boardctl.virtual.players import Rates
from boardctl.virtual.truth import CubeTruth
from boardctl.virtual.world import CUBE_SIZE_MM
from boardctl.virtual.world import Cube as CubeBody

OWNED_AT = 0.42
"""Where on the bar the cube of a seat lies, in shares of the field's height from the middle: at its end of the bar."""

CENTRED_SHOWS = 64
"""What a cube in the middle shows before it was turned."""


class Doubling:
    """The cube of one game in the players' hands."""

    def __init__(self, ledger: Match, hands: Motions, rates: Rates, random: Random) -> None:
        self.ledger = ledger
        self.cube: Cube = ledger.opening_cube()
        self.outcome: Outcome | None = None  # of a dropped double
        self._hands = hands
        self._rates = rates
        self._random = random

    def opening_was_equal(self) -> None:
        """Turns the cube where equal opening dice do so."""
        self.cube = self.cube.doubled_automatically(self.ledger.rules.automatic_doubles)

    def before_roll(self, game: Game, position: Position, seat: Seat) -> Generator[Act, Sequence[Effect], bool]:
        """Lets a seat double now and then before it rolls; whether that has ended the game."""
        closed_out = not game.may_roll(position, seat)
        if self.ledger.refusal(self.cube, seat, opening_played=True, closed_out=closed_out) is not None:
            return False
        if self._random.random() >= self._rates.double:
            return False
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

    def _put(self, seat: Seat, value: int, *, on_the_field: bool) -> None:
        """Puts the cube on the playing surface in front of a seat, or at its end of the bar."""
        world = self._hands.world
        geometry = world.geometry
        side = 1.0 if seat is Seat.A else -1.0
        if on_the_field:
            x = side * (geometry.field_width_mm + geometry.bar_width_mm) / 4
            y, floor = 0.0, 0.0
        else:
            x, y, floor = 0.0, -side * OWNED_AT * geometry.field_height_mm, geometry.bar_height_mm
        yaw_deg = self._random.uniform(-12, 12)
        body = CubeBody(value, x, y, floor + CUBE_SIZE_MM / 2, yaw_deg)
        self._hands.world = replace(world, cube=body)
