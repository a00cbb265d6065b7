"""Puts a firmware on the board through its boot loader, with avrdude."""

import shutil
import subprocess
from pathlib import Path

from firmware_bridge.errors import BridgeError, NotAPortError
from firmware_bridge.ports import open_port

LOADER_BAUD = 115200
"""The boot loader of Nanos made since 2018 (Optiboot)."""

OLD_LOADER_BAUD = 57600
"""The boot loader before that; it does not switch the watchdog off."""

FLASH_LIMIT_S = 120.0
"""30 kB at 57600 baud take 6 s and are read back; but avrdude 7.1 tries for a minute to reach a boot loader where
something else talks."""

_QUOTED_LINES = 6


class FlashError(BridgeError):
    """The firmware did not get onto the board; the text quotes avrdude and says what to do."""


def flash(port: str, hex_path: Path, loader_baud: int = LOADER_BAUD) -> None:
    """Writes ``hex_path`` to the ATmega328P at ``port``, which avrdude reads back and compares.

    :raises FlashError: when there is no avrdude, or it fails.
    :raises LinkError: when the port is missing, busy, no port, or may not be opened.
    """
    if "://" in port:
        raise NotAPortError(f"{port}: a firmware is flashed over a cable only. Give a port: ls /dev/serial/by-id")
    program = shutil.which("avrdude")
    if program is None:
        raise FlashError("avrdude is missing. Run: sudo apt-get install --no-install-recommends avrdude")
    open_port(port).close()  # avrdude takes a port from under another program's feet, and says little of what is wrong
    command = [program, "-p", "m328p", "-c", "arduino", "-P", port, "-b", str(loader_baud), "-D"]
    command += ["-U", f"flash:w:{hex_path}:i"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=FLASH_LIMIT_S, check=False)  # noqa: S603
    except subprocess.TimeoutExpired as error:
        raise FlashError(f"{port}: avrdude did not end within {FLASH_LIMIT_S:g} s. {_advice(loader_baud)}") from error
    if done.returncode:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        quoted = "\n  ".join(lines[-_QUOTED_LINES:]) or f"exit code {done.returncode}"
        raise FlashError(f"{port}: the firmware was not written. {_advice(loader_baud)} avrdude said:\n  {quoted}")


def _advice(loader_baud: int) -> str:
    if loader_baud == LOADER_BAUD:
        return f"Older boards have a slower boot loader: try --loader-baud {OLD_LOADER_BAUD}."
    return "Is it an ATmega328P with a boot loader? Unplug it, plug it in again, and try once more."
