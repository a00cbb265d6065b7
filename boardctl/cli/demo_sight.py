"""How the virtual table of ``boardctl demo`` is seen and felt: by the real eyes over the real wire, or by stand-ins."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from boardctl.cli.board_choice import BoardKind, make_rig
from boardctl.devices.faces import Picture
from boardctl.devices.sensor_witness import SensorWitness
from boardctl.lights.on_board import layout_for
from boardctl.referee.facts import Fact
from boardctl.rules import Game
from boardctl.table import Lighting, Output, SensorsInStep
from boardctl.virtual import VirtualTable
from boardctl.virtual.eye_errors import EyeErrors, measured_errors
from boardctl.virtual.felt import FeltSensors
from boardctl.virtual.standin_eyes import StandInEyes
from boardctl.vision.frame import FrameReading
from boardctl.vision.game_eyes import eyes_for
from calibration import bar_columns, calibrate
from firmware_bridge import SensorBoard

_CONNECT_S = 5.0


class EyeKind(StrEnum):
    """Who sees the virtual table."""

    CAMERA = "camera"
    STANDIN = "standin"
    PERFECT = "perfect"


EYES_HELP = (
    "camera: rendered frames through the real eyes. standin: no pictures and no wire; what lies there is read with the "
    "errors that the real eyes were measured to make, to try the referee on thousands of turns. perfect: without any."
)

SAID = {
    EyeKind.CAMERA: "",
    EyeKind.STANDIN: "seen by stand-in eyes, which err as the real ones were measured to (config/standin_eyes.yaml): "
    "this is how the referee does, not how well pictures are read",
    EyeKind.PERFECT: "seen by stand-in eyes without any fault: this is how the referee does, and nothing else",
}
"""What the report says of who saw the table."""


class Sensors(Protocol):
    """What tells of the sensors, in step with the table."""

    def facts(self, at_ms: int) -> list[Fact]:
        """Gets the facts until now, oldest first."""
        ...


@dataclass(frozen=True)
class Sight:
    """A virtual table with what sees and feels it, and the lights that go with it."""

    table: VirtualTable
    see: Callable[[Picture], FrameReading]
    sensors: Sensors
    lights: tuple[Output, ...] = ()


class TableMaker(Protocol):
    """Makes the table of a demo, told what belongs to who sees it."""

    def __call__(self, **seen_by: object) -> VirtualTable:
        """Gets the table."""
        ...


def sight_of(
    stack: ExitStack,
    kind: EyeKind,
    make_table: TableMaker,
    game: Game,
    witness: SensorWitness,
    board: BoardKind,
    seed: int,
) -> Sight:
    """Gets a table and who sees it; what must be closed is left to ``stack``."""
    if kind is EyeKind.CAMERA:
        return _through_devices(stack, make_table, game, witness, board)
    errors = measured_errors() if kind is EyeKind.STANDIN else EyeErrors.none()
    sensors = FeltSensors(witness, errors, seed)
    table = stack.enter_context(make_table(pictures=False, sensed=sensors.changed, sensors_lost=sensors.lost))
    eyes = StandInEyes(game, table.geometry, errors, seed)
    return Sight(table, lambda picture: eyes.read(table.world), sensors)


def _through_devices(
    stack: ExitStack, make_table: TableMaker, game: Game, witness: SensorWitness, board: BoardKind
) -> Sight:
    rig = stack.enter_context(closing(make_rig(board)))
    connected = stack.enter_context(SensorBoard(rig.path, wait_s=_CONNECT_S))
    sensors = SensorsInStep(connected, witness)
    table = stack.enter_context(make_table(board=rig, sensed=sensors.changed))
    lighting = Lighting(connected, layout=layout_for(game.seats), bar_columns=bar_columns(game))
    stack.callback(lighting.close)
    installation = calibrate(table.empty_frame(), table.starting_frame())
    return Sight(table, eyes_for(game, installation, table.game_frame()), sensors, (lighting,))
