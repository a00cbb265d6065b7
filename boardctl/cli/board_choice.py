"""Which sensor board a command talks to: one behind a port, or one that needs no hardware."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from boardctl.cli.reporting import UsageError
from boardctl.devices.settings import DeviceSettings, read_device_settings
from firmware_bridge import BoardReport, SensorBoard, SensorEvent, StandInBoard
from firmware_bridge.emulated import EmulatedBoard
from firmware_bridge.ports import ByteStream, open_port
from firmware_bridge.rig import BoardRig

CONNECT_S = 5.0
"""The boot loader of a Nano listens for up to 2 s before the firmware starts; the greeting goes on for 3 s."""

PORT_HELP = "Serial port of the sensor board (ls /dev/serial/by-id), or socket://host:port."
CONFIG_HELP = "The table's devices (YAML): how the board is wired, and its port where no other is given."
BOARD_HELP = "A board without hardware: standin, or emulated (the real firmware on an emulated ATmega328P)."


class BoardKind(StrEnum):
    """The boards that need no hardware."""

    STANDIN = "standin"
    EMULATED = "emulated"


def make_rig(kind: BoardKind) -> BoardRig:
    """Gets a new board; who gets it closes it.

    :raises EmulatorError: when the emulated one cannot be built; the message names the packages to install.
    """
    return StandInBoard() if kind is BoardKind.STANDIN else EmulatedBoard()


PortOption = Annotated[str | None, typer.Option("--port", help=PORT_HELP)]
BoardOption = Annotated[BoardKind | None, typer.Option("--board", help=BOARD_HELP)]
TableFile = Annotated[Path | None, typer.Option("--config", help=CONFIG_HELP)]
"""Which board, as the commands that work with it ask for it."""


@contextmanager
def chosen_rig(port: str | None, kind: BoardKind | None) -> Iterator[tuple[str, BoardRig | None]]:
    """Gets the port to open, and the board behind it when it is one that needs no hardware.

    :raises UsageError: when both or none are named.
    """
    if (port is None) == (kind is None):
        there = " ".join(sorted(str(path) for path in Path("/dev/serial/by-id").glob("*"))) or "none"
        said = "exclude each other; give one of them" if port else "are both missing"
        raise UsageError(f"--port and --board {said}. Ports that are there: {there}; without hardware: --board standin")
    if kind is None:
        assert port is not None
        yield port, None
        return
    rig = make_rig(kind)
    try:
        yield rig.path, rig
    finally:
        rig.close()


@contextmanager
def table_board(
    config: Path | None, port: str | None, kind: BoardKind | None
) -> Iterator[tuple[DeviceSettings, str, BoardRig | None]]:
    """Gets how the board is wired, its port, and the board behind it when it needs no hardware. The port is the table's
    where neither a port nor a kind is given; without a table's file it is wired as the reference board.

    :raises UsageError: when both or none are named, and when the file is to tell the port and names none.
    :raises SettingsError: when the file cannot be read or does not fit.
    """
    settings = DeviceSettings() if config is None else read_device_settings(config)
    if config is not None and port is None and kind is None:
        if settings.sensor_board is None:
            raise UsageError(f"{config}: names no sensor_board; name its port there, or give --port")
        port = settings.sensor_board
    with chosen_rig(port, kind) as (path, rig):
        yield settings, path, rig


def connected_board(
    port: str,
    opener: Callable[[str], ByteStream] = open_port,
    listen: Callable[[SensorEvent | BoardReport], None] | None = None,
) -> SensorBoard:
    """Gets the board at ``port`` when it has answered; who gets it closes it. ``listen`` hears what it tells.

    :raises LinkError: when it does not answer; the message says what to do.
    """
    # What the link tells its log, the commands show.
    logging.getLogger("firmware_bridge").addHandler(logging.NullHandler())
    if port.startswith("/") and not os.path.exists(port):  # False as well where the folder may not be entered
        open_port(port).close()  # says at once what a connection in the background would wait for
    return SensorBoard(port, wait_s=CONNECT_S, opener=opener, listen=listen)
