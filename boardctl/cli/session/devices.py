"""The devices of a table beside its camera, connected as the configuration or the command line names them."""

import time
from contextlib import ExitStack, closing
from dataclasses import dataclass

import typer

from boardctl.cli.board_choice import BoardKind, connected_board, make_rig
from boardctl.devices.panel import GpioPanel, PanelSettings
from boardctl.devices.sensor_witness import SensorWitness, is_felt
from boardctl.devices.settings import DeviceSettings
from boardctl.lights.on_board import layout_for
from boardctl.referee import Referee
from boardctl.rules import Game
from boardctl.table import Buzzer, Lighting, Output, PanelSource, SensorSource, Source, TurnLamps
from boardctl.table.following import seat_shown
from calibration import BoardGeometry, bar_columns
from firmware_bridge import SlotMap

CAMERA_ALONE = "seen by the camera alone: the sensors do not know where this game has its checkers"


@dataclass
class Devices:
    """What the devices of the table put in: outputs that hear, sources that tell beside the camera."""

    outputs: list[Output]
    beside: list[Source]


class SessionClock:
    """Milliseconds since the session began; a session that is taken up again goes on from its last fact."""

    def __init__(self) -> None:
        self._began_s = time.monotonic()
        self.least_ms = 0

    def __call__(self) -> int:
        return round((time.monotonic() - self._began_s) * 1000)

    def go_on_from(self, at_ms: int) -> None:
        """Lets it be at least ``at_ms`` now."""
        self._began_s -= max(0, at_ms - self()) / 1000


def connect_sensor_board(
    stack: ExitStack,
    found: Devices,
    settings: DeviceSettings,
    port: str | None,
    kind: BoardKind | None,
    geometry: BoardGeometry,
    clock: SessionClock,
    game: Game,
) -> None:
    """Connects the sensor board that was asked for, if any: it lights and, behind a port, bears witness.

    Nothing lies over the sensors of a board without hardware, so that it is not asked what it sees. Of a game whose
    checkers the sensors cannot tell of, the board tells of its buttons alone, and that is said.
    """
    if kind is not None:
        rig = stack.enter_context(closing(make_rig(kind)))
        board = stack.enter_context(connected_board(rig.path))
    elif path := port or settings.sensor_board:
        slots = settings.slots if is_felt(game) else SlotMap({})
        if not is_felt(game):
            typer.echo(CAMERA_ALONE, err=True)
        witness = SensorWitness(slots, geometry, seats=settings.seats)
        source = SensorSource(witness, clock)
        stack.callback(source.close)
        board = stack.enter_context(connected_board(path, listen=source.hear))
        witness.kind = board.configure().sensor_kind
        found.beside.append(source)
        found.outputs.append(witness.hear)
    else:
        return
    layout = layout_for(game.seats, settings.lights)
    lighting = Lighting(board, layout=layout, bar_columns=bar_columns(game))
    stack.callback(lighting.close)
    found.outputs.append(lighting)


def connect_panel(
    stack: ExitStack, found: Devices, settings: PanelSettings | None, clock: SessionClock, referee: Referee
) -> None:
    """Takes the pins of the panel that is configured, if any: presses are facts, lamps show whose turn it is."""
    if settings is not None:
        panel = stack.enter_context(GpioPanel(settings, clock))
        found.beside.append(PanelSource(panel))
        found.outputs += [TurnLamps(panel.light, list(settings.lamps), lambda: seat_shown(referee)), Buzzer(panel.buzz)]
