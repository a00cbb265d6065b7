"""Which sensor board a command talks to: one behind a port, or one that needs no hardware."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from boardctl.cli.reporting import UsageError
from firmware_bridge import BoardReport, SensorBoard, SensorEvent, StandInBoard
from firmware_bridge.emulated import EmulatedBoard
from firmware_bridge.ports import ByteStream, open_port
from firmware_bridge.rig import BoardRig

CONNECT_S = 5.0
"""The boot loader of a Nano listens for up to 2 s before the firmware starts; the greeting goes on for 3 s."""

PORT_HELP = "Serial port of the sensor board (ls /dev/serial/by-id), or socket://host:port."
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
