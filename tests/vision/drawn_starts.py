"""Boards of our own renderer in the starting position, with their calibrations, drawn once for all tests."""

from dataclasses import replace
from functools import cache
from random import Random

from boardctl.rules import Backgammon
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.world import World, empty_world, set_up
from calibration import BoardGeometry, Calibration

GEOMETRY = BoardGeometry()


@cache
def renderer(look: str) -> Renderer:
    return Renderer(LOOKS[look], GEOMETRY, 4)


@cache
def starting() -> World:
    return set_up(empty_world(GEOMETRY, Random(2)), Backgammon().start().placement(), Random(2))


@cache
def calibration(look: str) -> Calibration:
    empty, start = (renderer(look).frame(world) for world in (replace(starting(), checkers=()), starting()))
    return Calibration.of(LOOKS[look].camera, GEOMETRY, empty, start)
