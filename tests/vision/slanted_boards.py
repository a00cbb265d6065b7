"""Boards as they are seen from beside them, with their cameras known."""

from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Backgammon, Placement
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.drawing.stage import Stage
from boardctl.virtual.looks import camera_over
from boardctl.virtual.unseen.looks import drawn_installation, slanted
from boardctl.virtual.world import World, empty_world, set_up
from boardctl.vision.photograph.point_strips import PointStrips
from calibration import BoardGeometry

Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class SlantedBoard:
    """A board of a seed and number, seen at a slant or, ``upright``, from above its middle."""

    seed: int
    number: int
    upright: bool = False

    @cached_property
    def renderer(self) -> Renderer:
        drawn = slanted(drawn_installation(self.seed, self.number))
        look = drawn.look
        if self.upright:
            look = replace(look, camera=camera_over((0.0, 1.0, 1200.0), (0.0, 0.0, 0.0), 1100.0))
        return Renderer(look, drawn.geometry, self.number)

    @property
    def stage(self) -> Stage:
        return self.renderer.stage

    @property
    def geometry(self) -> BoardGeometry:
        return self.stage.geometry

    @cached_property
    def strips(self) -> PointStrips:
        return PointStrips(self.stage.camera, self.geometry)

    @cached_property
    def empty(self) -> Picture:
        return self.picture(Placement())

    def picture(self, placement: Placement) -> Picture:
        """Gets a picture of checkers, without cube and dice."""
        return self.renderer.frame(self.world(placement))

    def world(self, placement: Placement) -> World:
        random = Random(self.number)
        return set_up(empty_world(self.geometry, random, cube=False), placement, random)

    @cached_property
    def start(self) -> Picture:
        return self.picture(Backgammon().start().placement())
