"""The colours of dice: alike for one set in every light and on either side of the board, unlike for two."""

from collections.abc import Iterator
from dataclasses import replace
from math import dist
from random import Random

import pytest

from boardctl.referee.readings import DieReading, Lab, Support
from boardctl.referee.roll.whose_dice import OF_A_SET, SETS_APART, of_the_other_set
from boardctl.rules import Backgammon, Seat
from boardctl.virtual import LOOKS
from boardctl.virtual.dice import Die, ThrowKind, throw_die
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import Look
from boardctl.virtual.world import World, empty_world, set_up
from boardctl.vision.dice.colour import coloured
from calibration import BoardGeometry, Calibration, calibrate
from calibration.drift import relit, view_of

GEOMETRY = BoardGeometry()
LIGHTS = ((1.0, (1.0, 1.0, 1.0)), (0.75, (1.0, 1.0, 1.0)), (1.2, (0.9, 1.0, 1.1)))
"""As calibrated, darker, and brighter with a warmer tint."""


class Board:
    """One installation of the virtual table, with dice of two sets."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._random = Random(3)
        empty = empty_world(GEOMETRY, self._random)
        self._start = set_up(empty, Backgammon().start().placement(), self._random)
        renderer = Renderer(look, GEOMETRY, 1)
        self.calibration: Calibration = calibrate(renderer.frame(empty), renderer.frame(self._start))

    def throws(self, owner: Seat, section: Seat, light: int = 0, count: int = 3) -> list[tuple[Lab, ...]]:
        """Gets the colours of pairs of one seat's dice that come to rest in a section."""
        strength, tint = LIGHTS[light]
        lamp = self.look.light
        blue, green, red = (one * other for one, other in zip(lamp.tint, tint, strict=True))
        lit = replace(self.look, light=replace(lamp, exposure=lamp.exposure * strength, tint=(blue, green, red)))
        renderer = Renderer(lit, GEOMETRY, 1)
        return [tuple(self._seen(renderer, world)) for world in self._worlds(owner, section, count)]

    def _worlds(self, owner: Seat, section: Seat, count: int) -> Iterator[World]:
        for _ in range(count):
            dice: tuple[Die, ...] = ()
            for _ in range(2):
                value = self._random.randint(1, 6)
                checkers = self._start.checkers
                die = throw_die(GEOMETRY, section, value, ThrowKind.FLAT, checkers, dice, self._random)
                dice = (*dice, replace(die, owner=owner))
            yield replace(self._start, dice=dice)

    def _seen(self, renderer: Renderer, world: World) -> Iterator[Lab]:
        picture = renderer.frame(world)
        picture = relit(picture, view_of(picture, self.calibration))
        lying = [_reading(die) for die in world.dice]
        for die in coloured(lying, picture, self.calibration, GEOMETRY.die_size_mm):
            if die.body is not None:
                yield die.body


def _reading(die: Die) -> DieReading:
    spot = (die.x_mm, die.y_mm)
    return DieReading(die.value, 0.999, True, Support.SURFACE, None, 0.0, (0.0, 0.0), spot)


@pytest.fixture(scope="module", params=["green-felt", "cork"])
def board(request: pytest.FixtureRequest) -> Board:
    return Board(LOOKS[request.param])


@pytest.mark.parametrize("light", range(len(LIGHTS)))
def test_two_sets_are_far_apart_and_each_is_alike_on_both_sides_of_the_board(board: Board, light: int) -> None:
    seen = {
        (owner, section): [body for pair in board.throws(owner, section, light) for body in pair]
        for owner in (Seat.A, Seat.B)
        for section in (Seat.A, Seat.B)
    }
    assert all(len(bodies) >= 5 for bodies in seen.values())
    first, second = ([*seen[owner, Seat.A], *seen[owner, Seat.B]] for owner in (Seat.A, Seat.B))
    for one in first:
        assert min(dist(one, other) for other in second) > SETS_APART
    for bodies in (first, second):
        assert max(dist(one, other) for one in bodies for other in bodies) < SETS_APART * 2 * OF_A_SET


def test_the_opponents_dice_are_told_and_the_own_are_not_in_another_light(board: Board) -> None:
    own, others = board.throws(Seat.A, Seat.A, 0), board.throws(Seat.B, Seat.B, 1)
    for bodies in board.throws(Seat.B, Seat.A, 2):
        assert of_the_other_set(own, others, bodies) == len(bodies)
    for bodies in board.throws(Seat.A, Seat.A, 2):
        assert of_the_other_set(own, others, bodies) == 0


@pytest.mark.parametrize("owner", [Seat.A, Seat.B])
def test_one_set_that_both_throw_in_changing_light_is_never_told_to_be_two(board: Board, owner: Seat) -> None:
    own, others = board.throws(owner, Seat.A, 1), board.throws(owner, Seat.B, 2)
    for section in (Seat.A, Seat.B):
        for light in range(len(LIGHTS)):
            for bodies in board.throws(owner, section, light, count=1):
                assert of_the_other_set(own, others, bodies) == of_the_other_set(others, own, bodies) == 0


def test_a_die_that_leans_or_lies_outside_the_picture_has_no_colour(board: Board) -> None:
    picture, calibration = board.calibration.empty, board.calibration
    flat = _reading(Die(3, 100.0, 0.0, 6.75, 0.0))
    for die in (replace(flat, flat=None), replace(flat, flat=False), replace(flat, center_mm=(900.0, 0.0))):
        assert coloured([die], picture, calibration, 13.5) == (die,)
