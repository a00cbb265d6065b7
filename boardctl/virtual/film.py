"""A film of a virtual table: the frames of a game as a camera of any size and rate would have taken them."""

from collections.abc import Iterator
from dataclasses import replace

from boardctl.devices.faces import Frame
from boardctl.referee import Ruleset
from boardctl.referee.effects import Effect
from boardctl.referee.referee import Referee
from boardctl.rules import Game
from boardctl.virtual.eye_errors import EyeErrors
from boardctl.virtual.looks import Look
from boardctl.virtual.playing.acts import REAL_TIME
from boardctl.virtual.playing.players import FAULTLESS
from boardctl.virtual.standin_eyes import StandInEyes
from boardctl.virtual.table import VirtualTable
from boardctl.vision.tracking import Tracker
from calibration import CameraModel


def sized(look: Look, size_px: tuple[int, int]) -> Look:
    """Gets a look as the same camera with a finer or coarser sensor sees it; as wide as ``size_px`` is."""
    camera = look.camera
    scale = size_px[0] / camera.width_px
    finer = CameraModel(
        width_px=size_px[0],
        height_px=size_px[1],
        focal_x_px=camera.focal_x_px * scale,
        focal_y_px=camera.focal_y_px * scale,
        center_x_px=(camera.center_x_px + 0.5) * scale - 0.5,
        center_y_px=(camera.center_y_px - (camera.height_px - 1) / 2) * scale + (size_px[1] - 1) / 2,
        distortion=camera.distortion,
        rotation_vector=camera.rotation_vector,
        translation_mm=camera.translation_mm,
    )
    return replace(look, camera=finer)


def filmed_table(game: Game, look: Look, ruleset: Ruleset, seed: int, frames_a_second: float) -> VirtualTable:
    """Gets a table whose players play without fault, with frames as often as a camera takes them."""
    pace = replace(REAL_TIME, frame_ms=round(1000 / frames_a_second))
    return VirtualTable(game, look=look, seed=seed, rates=FAULTLESS, ruleset=ruleset, pace=pace)


def film(table: VirtualTable, ruleset: Ruleset, lasts_ms: int) -> Iterator[Frame]:
    """Gets the frames of so long a time. The players hear a referee who sees everything right."""
    referee, tracker = Referee(table.game, ruleset), Tracker()
    eyes = StandInEyes(table.game, table.geometry, EyeErrors.none())
    effects: list[Effect] = []
    while (step := table.advance(effects)) is not None and table.clock_ms() < lasts_ms:
        effects = []
        for frame in step.frames():
            yield frame
            for fact in tracker.feed(eyes.read(step.act.world), frame.at_ms, frame.name):
                effects += referee.feed(fact)
        for answer in table.panel.answers():
            effects += referee.feed(answer)
