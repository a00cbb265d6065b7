"""Building the firmware and its emulator, and saying what is missing for it."""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.errors import EmulatorError

FIRMWARE_FOLDER = Path(__file__).parent / "firmware"
EMULATOR_FOLDER = Path(__file__).parent / "emulator"

_NEEDED: dict[str, Callable[[], object]] = {
    "make": lambda: shutil.which("make"),
    "gcc": lambda: shutil.which("cc"),
    "gcc-avr": lambda: shutil.which("avr-gcc"),
    "avr-libc": lambda: any(Path(root, "avr/include/avr/io.h").exists() for root in ("/usr/lib", "/usr")),
    "libsimavr-dev": lambda: Path("/usr/include/simavr/sim_avr.h").exists(),
}
"""Debian's package names -> whether what is needed of them is there."""

_FIRMWARE_NEEDS = ("make", "gcc-avr", "avr-libc")


def missing_packages() -> tuple[str, ...]:
    """Gets the Debian packages that are missing to build firmware and emulator."""
    return tuple(name for name, there in _NEEDED.items() if not there())


class BuiltFirmware(NamedTuple):
    """A firmware as built: for the emulator, for the board, and what it takes of flash and RAM, in words."""

    elf: Path
    hex: Path
    sizes: str


def built_firmware(leds: str = "ws2812", folder: Path | None = None) -> BuiltFirmware:
    """Builds the firmware for a chain of ``leds`` (``ws2812`` or ``apa102``). Builds what has changed only.

    :raises EmulatorError: naming the packages to install, or quoting the compiler.
    """
    # Another chain needs other object files, which make does not notice by itself.
    target = folder or _own_folder(FIRMWARE_FOLDER) / ("" if leds == "ws2812" else leds)
    _require(_FIRMWARE_NEEDS)
    said = _make(FIRMWARE_FOLDER, target, (f"LEDS={leds}",))
    return BuiltFirmware(target / "sensor_board.elf", target / "sensor_board.hex", said.splitlines()[-1])


def build_firmware(folder: Path | None = None, *options: str) -> Path:
    """Builds the firmware and gets its ``.elf``; the ``.hex`` lies beside it. Builds what has changed only.

    ``options`` go to make, such as ``LEDS=apa102``.

    :raises EmulatorError: naming the packages to install, or quoting the compiler.
    """
    target = folder or _own_folder(FIRMWARE_FOLDER)
    _require(_FIRMWARE_NEEDS)
    _make(FIRMWARE_FOLDER, target, options)
    return target / "sensor_board.elf"


def build_emulator() -> Path:
    """Builds the emulator and gets its program. Builds what has changed only.

    :raises EmulatorError: naming the packages to install, or quoting the compiler.
    """
    target = _own_folder(EMULATOR_FOLDER)
    _require(tuple(_NEEDED))
    _make(EMULATOR_FOLDER, target, ())
    return target / "sensor_board_emulator"


def _own_folder(source: Path) -> Path:
    """Gets where to build: beside the source in a checkout, in the user's cache when that may not be written."""
    if os.access(source, os.W_OK):
        return source / "build"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "boardctl" / source.name


def _require(names: tuple[str, ...]) -> None:
    missing = [name for name in missing_packages() if name in names]
    if missing:
        raise EmulatorError(
            f"cannot build without {', '.join(missing)}. Run: sudo apt-get install --no-install-recommends "
            + " ".join(missing)
        )


def _make(source: Path, target: Path, options: tuple[str, ...]) -> str:
    target.mkdir(parents=True, exist_ok=True)
    with (target / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests in several processes build the same thing at once
        command = ["make", "--no-print-directory", "--directory", str(source), f"BUILD={target}", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  our own makefiles
    if done.returncode:
        raise EmulatorError(f"{' '.join(command)} failed:\n{done.stderr.strip() or done.stdout.strip()}")
    return done.stdout
