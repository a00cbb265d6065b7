"""The sensor board with its real firmware on an emulated ATmega328P, behind a real pty.

with EmulatedBoard() as emulated, SensorBoard(emulated.path, wait_s=3) as board:
    emulated.set_channels({0: ChannelClass.LIGHT})
    print(board.events(timeout_s=1))
"""

import contextlib
import socket
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from firmware_bridge.errors import EmulatorError
from firmware_bridge.protocol import CHANNEL_COUNT, LED_COUNT, ChannelClass, ResetCause
from firmware_bridge.rig import Tone
from firmware_bridge.scratch import scratch_folder
from firmware_bridge.toolchain import build_emulator, build_firmware


class SensorLevels(NamedTuple):
    """What a sensor gives, in mV: on top of ambient light while its emitter is on, and by ambient light alone."""

    reflected_mv: int
    ambient_mv: int = 200


LEVELS = {
    ChannelClass.EMPTY: SensorLevels(40),
    ChannelClass.DARK: SensorLevels(800),
    ChannelClass.LIGHT: SensorLevels(3000),
    ChannelClass.UNKNOWN: SensorLevels(0, ambient_mv=4800),
}
"""Typical levels of the reference board's reflectance sensors; unknown is a sensor blinded by a lamp."""

SETTLED_US = 150_000
"""All 128 channels changing at once are told and acknowledged within 110 ms of simulated time."""

_RESETS = {
    ResetCause.POWER_ON: "reset power",
    ResetCause.EXTERNAL: "reset external",
    ResetCause.BROWN_OUT: "reset brown-out",
}


@dataclass(frozen=True, slots=True)
class EmulatorHealth:
    """What the emulator has counted. ``worst_gap_ns``: longest low between two bytes of one LED frame."""

    led_frames: int
    bad_led_frames: int
    worst_gap_ns: int
    uart_overruns: int
    resets: int
    last_reset_us: int


class EmulatedBoard:
    """A board whose firmware is the real one. Its face is that of :class:`firmware_bridge.rig.BoardRig`.

    Without ``firmware``, the firmware of this repository is built and run. The emulator ends with this process.

    :raises EmulatorError: when something to build or run it is missing.
    """

    def __init__(
        self, *, firmware: Path | None = None, link_path: Path | None = None, leds: str = "ws2812", noise_seed: int = 1
    ) -> None:
        program, elf = build_emulator(), firmware or build_firmware()
        self._folder = scratch_folder("emulated")
        self._link_path = link_path or Path(self._folder.name) / "sensor-board"
        self._lock = threading.Lock()
        self._closed = False
        self._changed_us = 0
        ours, theirs = socket.socketpair()
        command = [str(program), str(elf), str(self._link_path), str(theirs.fileno()), leds, str(noise_seed)]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])  # noqa: S603  our own program
        theirs.close()
        self._socket = ours
        self._socket.settimeout(20)
        self._replies = ours.makefile("r")
        try:
            self.set_channels(dict.fromkeys(range(CHANNEL_COUNT), ChannelClass.EMPTY))
        except EmulatorError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the emulator; closing twice is allowed."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(OSError):  # the emulator may have ended first
            self._socket.shutdown(socket.SHUT_RDWR)
        self._replies.close()
        self._socket.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()

    @property
    def path(self) -> str:
        """Gets the port's name; it stays the same through unplugging."""
        return str(self._link_path)

    def command(self, text: str) -> str:
        """Sends one command to the emulator and gets what it answers behind ``ok``.

        :raises EmulatorError: when it does not understand, or has ended.
        """
        with self._lock:
            try:
                self._socket.sendall(text.encode() + b"\n")
                reply = self._replies.readline().strip()
            except (OSError, ValueError) as error:
                raise EmulatorError(f"the emulator has ended (exit code {self._process.poll()}): {error}") from error
        if not reply.startswith("ok"):
            raise EmulatorError(f"the emulator answered {text[:60]!r} with {reply or 'nothing; it has ended'!r}")
        return reply[2:].strip()

    # -- the world

    def set_channels(self, classes: Mapping[int, ChannelClass]) -> None:
        """Changes what lies over several channels at one instant."""
        self.set_levels({channel: LEVELS[kind] for channel, kind in classes.items()})

    def set_levels(self, levels: Mapping[int, SensorLevels], at_us: int | None = None) -> None:
        """Sets what sensors give, now or at an instant of simulated time."""
        entries = " ".join(f"{channel}:{level.reflected_mv}:{level.ambient_mv}" for channel, level in levels.items())
        self._changed_us = max(self._changed_us, self.simulated_us if at_us is None else at_us)
        self.command(("" if at_us is None else f"@{at_us} ") + "sensors " + entries)

    @property
    def settled(self) -> bool:
        """Gets whether the last change is long enough ago to have been debounced, told and acknowledged."""
        return self.simulated_us - self._changed_us > SETTLED_US

    def press_button(self, button: int) -> None:
        """Presses a seat button and holds it."""
        self.command(f"button {button} 1")

    def release_button(self, button: int) -> None:
        """Lets a seat button go."""
        self.command(f"button {button} 0")

    @property
    def simulated_us(self) -> int:
        """Gets the simulated time in microseconds since the emulator started; resets do not turn it back."""
        return int(self.command("time"))

    @property
    def colours(self) -> tuple[tuple[int, int, int], ...]:
        """Gets what the LEDs are lit with at this instant."""
        return self.colours_and_time()[0]

    def colours_and_time(self) -> tuple[tuple[tuple[int, int, int], ...], int]:
        """Gets what the LEDs are lit with, and since when in simulated microseconds."""
        shown_us, text = self.command("leds").split()
        raw = bytes.fromhex(text)
        return tuple((raw[3 * led], raw[3 * led + 1], raw[3 * led + 2]) for led in range(LED_COUNT)), int(shown_us)

    @property
    def tones(self) -> tuple[Tone, ...]:
        """Gets the sounds that have ended, measured at the piezo's pin."""
        return tuple(_tone(*map(int, entry.split(":"))) for entry in self.command("tones").split())

    @property
    def health(self) -> EmulatorHealth:
        """Gets what the emulator has counted."""
        return EmulatorHealth(*map(int, self.command("health").split()))

    # -- faults

    def unplug(self) -> None:
        """Pulls the cable: the port and its name vanish. The board itself keeps its power."""
        self.command("unplug")

    def replug(self) -> None:
        """Puts the cable back: the port appears under the same name."""
        self.command("plug")

    def reset(self, cause: ResetCause = ResetCause.EXTERNAL) -> None:
        """Starts the processor again. A reset by its watchdog comes from :meth:`hang`.

        :raises ValueError: for a cause that no pin or supply makes.
        """
        if cause not in _RESETS:
            raise ValueError(f"{cause!r} cannot be made from outside; known: {', '.join(c.name for c in _RESETS)}")
        self.command(_RESETS[cause])

    def hang(self) -> None:
        """Puts an endless loop where the processor is, until its watchdog starts it again."""
        self.command("hang")

    def pause(self) -> None:
        """Stops the simulated time; the port stays open and silent."""
        self.command("pause")

    def resume(self) -> None:
        """Lets simulated time go on."""
        self.command("resume")

    def babble(self, data: bytes) -> None:
        """Sends raw bytes to the host, as noise or a boot loader would."""
        for start in range(0, len(data), 1024):
            self.command(f"babble {data[start : start + 1024].hex()}")

    def set_noise(self, lose_bytes_percent: float, flip_bits_percent: float) -> None:
        """Makes the cable lose bytes and flip a bit in bytes, both ways."""
        self.command(f"noise {lose_bytes_percent} {flip_bits_percent}")


def _tone(begun_us: int, ended_us: int, edges: int) -> Tone:
    half_period_us = (ended_us - begun_us) / (edges - 1)
    return Tone(round(500_000 / half_period_us), round((ended_us - begun_us + half_period_us) / 1000))
