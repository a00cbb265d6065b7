"""Traces boards full of checkers for training the eyes, as ``boardctl.virtual.training.boards`` draws them.

    python -m boardctl.virtual.traced.training_boards OUT.npz [--looks 6] [--pictures 7] [--seed 1]

Looks and rows are drawn as there, so that none is one by which the eyes are measured; but light goes its true ways,
bodies are round, and over every third board an arm reaches. What is written is of the same kind.

Needs Mitsuba and Open Image Denoise, as ``boardctl.virtual.traced.dice`` does. Memory grows with each picture: many
looks are best traced by several calls, with seeds of their own.
"""

import logging
import time
from dataclasses import replace
from random import Random

import cv2
import drjit
import mitsuba
import numpy as np

from boardctl.rules import Backgammon, Seat
from boardctl.virtual.drawing.brush import Picture
from boardctl.virtual.drawing.picture_truth import record_of
from boardctl.virtual.drawing.stage import Stage
from boardctl.virtual.traced.arms import Arm, arm_of, covered_by
from boardctl.virtual.traced.board_scene import SOFT_PX, TracedBoard
from boardctl.virtual.traced.taking import Taking, taking_of
from boardctl.virtual.training.boards import Drawn, asked_for, calibrated, drawn_board, drawn_look, filled
from boardctl.virtual.unseen.looks import Installation
from boardctl.virtual.unseen.tables import LIGHT_CHANGES, reaching
from boardctl.virtual.world import World, empty_world, set_up
from boardctl.vision.points.columns import POINTS
from calibration import CameraModel

LOG = logging.getLogger(__name__)

STREAM = 79
"""Beside seed and number: what is drawn here is not what others draw by the same numbers."""
REACHED_OVER = 0.35
"""Over so many boards an arm reaches."""
JPEG_QUALITY = (70, 96)
"""The least of a camera's pictures, and what is better than any."""
WIDTH_PX = 1280
"""Pictures are so wide: larger ones take twice as long, and what is cut from them is as large."""


class Camera:
    """One look's camera, which takes pictures of worlds on one traced board."""

    def __init__(self, rng: np.random.Generator, random: Random) -> None:
        look, self.geometry = drawn_look(rng), drawn_board(rng)
        look = replace(look, camera=_smaller(look.camera))
        self._rng = rng
        quality = int(rng.integers(*JPEG_QUALITY))
        self._board = TracedBoard(Installation("training", look, self.geometry, quality, ""), rng)
        self.stage = Stage(look, self.geometry)
        self.empty = empty_world(self.geometry, random)
        light, colour = self._board.light(self.empty, [])
        self._taking: Taking = taking_of(look, quality, light, colour, self._board.on_field(), SOFT_PX, rng)
        self.picture_of_empty = self._taken(light, 1.0)

    def picture(self, world: World, arms: list[Arm]) -> Picture:
        """Gets a picture of a world with arms over it, in light that is a little brighter or darker."""
        light, _ = self._board.light(self._board.let_down(world), arms)
        return self._taken(light, float(np.exp(self._rng.normal(0, LIGHT_CHANGES))))

    def _taken(self, light: np.ndarray, brighter: float) -> Picture:
        coded = self._taking.coded(self._taking.picture(light, brighter, self._rng))
        return np.asarray(cv2.imdecode(np.frombuffer(coded, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)


def trace(seed: int, looks: int, pictures: int) -> Drawn:
    """Traces so many pictures of each of so many looks."""
    drawn = Drawn()
    for number in range(looks):
        began = time.monotonic()
        rng, random = np.random.default_rng([STREAM, seed, number]), Random(f"{STREAM} {seed} {number}")  # noqa: S311
        camera = Camera(rng, random)
        start = set_up(camera.empty, Backgammon().start().placement(), random)
        drawn.begin(calibrated(camera.stage.camera, camera.picture_of_empty, camera.picture(start, []), rng))
        for _ in range(pictures):
            world = filled(camera.empty, random)
            hands = (reaching(camera.geometry, random),) if random.random() < REACHED_OVER else ()
            arms = [arm_of(hand, rng) for hand in hands]
            world = replace(world, hands=hands)
            truth = record_of(camera.stage, world, Seat.A, "center", covered_by(arms, camera.stage.camera))
            hidden = [float(truth["points"][str(number)]["occluded_frac"]) for number in range(1, POINTS + 1)]
            drawn.add(world, camera.picture(world, arms), hidden)
        LOG.info("look %d: %.1f s a picture", number, (time.monotonic() - began) / (pictures + 2))
    return drawn


def _smaller(camera: CameraModel) -> CameraModel:
    """Gets a camera with coarser pixels that sees the same."""
    part = WIDTH_PX / camera.width_px
    pixels = ("focal_x_px", "focal_y_px", "center_x_px", "center_y_px")
    sizes = {name: round(getattr(camera, name) * part) for name in ("width_px", "height_px")}
    return replace(camera, **sizes, **{name: getattr(camera, name) * part for name in pixels})


def main() -> None:
    """Traces the boards and writes them."""
    given = asked_for(__doc__, 6, 7, 1)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    mitsuba.set_variant("llvm_ad_rgb")
    drjit.set_thread_count(1)
    trace(given.seed, given.looks, given.pictures).write(given.out)


if __name__ == "__main__":
    main()
