"""A stand-in sensor board behind a real pty, for demos and tests without hardware.

    with StandInBoard() as standin, SensorBoard(standin.path, wait_s=3) as board:
        standin.set_channel(0, ChannelClass.LIGHT)
        print(board.events(timeout_s=1))

The host side opens ``standin.path`` like any serial port and cannot tell the difference.
"""

import os
import select
import threading
import time
import tty
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from firmware_bridge.errors import PortUnusableError
from firmware_bridge.leds import LedFrame
from firmware_bridge.line_noise import LineNoise
from firmware_bridge.protocol import CHANNEL_COUNT, Beep, ChannelClass, Config, ResetCause
from firmware_bridge.rig import Tone
from firmware_bridge.scratch import scratch_folder
from firmware_bridge.standin_firmware import StandInFirmware, StandInMake

WATCHDOG_MS = 500
_READ_BYTES = 4096


class StandInBoard:
    """A board of the virtual table: its sensors are set, its lights are read, its faults come to order.

    ``link_path`` is the name under which the port appears and, after :meth:`replug`, appears again; without it, a name
    in a new temporary folder. ``random`` drives line noise only.
    """

    def __init__(
        self,
        *,
        link_path: Path | None = None,
        make: StandInMake | None = None,
        config: Config | None = None,
        clock_s: Callable[[], float] = time.monotonic,
        random: Random | None = None,
    ) -> None:
        self._folder = None if link_path else scratch_folder("standin")
        self._link_path = link_path or Path(self._folder.name if self._folder else "") / "sensor-board"
        self._make = make or StandInMake()
        self._clock_s = clock_s
        self._sensed: list[ChannelClass] = [ChannelClass.EMPTY] * CHANNEL_COUNT
        self._beeps: list[Beep] = []
        self._lock = threading.RLock()
        self._boot_id = 0
        self._paused = False
        self._watchdog_s: float | None = None
        self._closed = False
        random = random or Random(0)  # noqa: S311  noise, not secrets
        self.noise_to_host = LineNoise(random)
        self.noise_to_board = LineNoise(random)
        self._master: int | None = None
        self._slave: int | None = None
        self._wake_read, self._wake_write = os.pipe()
        self._gone = False
        os.set_blocking(self._wake_write, False)
        self._start(ResetCause.POWER_ON, config or Config())
        self.replug()
        self._thread = threading.Thread(target=self._run, name="stand-in board", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Takes the board away; closing twice is allowed."""
        if self._closed:
            return
        self._closed = True
        self._wake()
        self._thread.join()
        self.unplug()
        with self._lock:  # whoever still turns a knob must not write into a handle that somebody else has by now
            self._gone = True
            os.close(self._wake_read)
            os.close(self._wake_write)
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def path(self) -> str:
        """Gets the port's name; it stays the same through unplugging."""
        return str(self._link_path)

    # -- the world

    def set_channel(self, channel: int, kind: ChannelClass) -> None:
        """Puts a checker over a channel, or takes it away."""
        self.set_channels({channel: kind})

    def set_channels(self, classes: Mapping[int, ChannelClass]) -> None:
        """Changes what lies over several channels at one instant.

        :raises ValueError: for a channel outside 0..127.
        """
        outside = [channel for channel in classes if not 0 <= channel < CHANNEL_COUNT]
        if outside:
            raise ValueError(f"channel {outside[0]} does not exist; the board has 0..{CHANNEL_COUNT - 1}")
        with self._lock:
            self._firmware.tick(self._now_ms())
            for channel, kind in classes.items():
                self._sensed[channel] = kind
        self._wake()

    def press_button(self, button: int) -> None:
        """Presses a seat button and holds it."""
        with self._lock:
            self._firmware.press(button, True, self._now_ms())
        self._wake()

    def release_button(self, button: int) -> None:
        """Lets a seat button go."""
        with self._lock:
            self._firmware.press(button, False, self._now_ms())
        self._wake()

    @property
    def led_frame(self) -> LedFrame:
        """Gets the last whole frame the host has sent, as sent."""
        with self._lock:
            return self._firmware.shown

    @property
    def lit_frame(self) -> LedFrame:
        """Gets what the chain is driven with now: within the current budget, or the sign that no host is there."""
        with self._lock:
            return self._firmware.lit(self._now_ms())

    @property
    def host_present(self) -> bool:
        """Gets whether a host talks to the board."""
        with self._lock:
            return self._firmware.host_present(self._now_ms())

    @property
    def settled(self) -> bool:
        """Gets whether the host has acknowledged everything the sensors see."""
        with self._lock:
            return self._firmware.settled

    @property
    def beeps(self) -> tuple[Beep, ...]:
        """Gets every sound since the board was made, resets included."""
        with self._lock:
            return (*self._beeps, *self._firmware.beeps)

    @property
    def colours(self) -> tuple[tuple[int, int, int], ...]:
        """Gets what the LEDs are lit with at this instant."""
        with self._lock:
            now_ms = self._now_ms()
            return self._firmware.lit(now_ms).lit_at(now_ms)

    @property
    def tones(self) -> tuple[Tone, ...]:
        """Gets the sounds asked for; each counts as ended at once."""
        return tuple(Tone(beep.frequency_hz, beep.duration_ms) for beep in self.beeps for _ in range(beep.repeats))

    # -- faults

    def set_noise(self, lose_bytes_percent: float, flip_bits_percent: float) -> None:
        """Makes the cable lose bytes and flip a bit in bytes, both ways."""
        for noise in (self.noise_to_host, self.noise_to_board):
            noise.lose_bytes_percent, noise.flip_bits_percent = lose_bytes_percent, flip_bits_percent

    def unplug(self) -> None:
        """Pulls the cable: the port and its name vanish. The board itself keeps its power."""
        with self._lock:
            for handle in (self._master, self._slave):
                if handle is not None:
                    os.close(handle)
            self._master = self._slave = None
            self._link_path.unlink(missing_ok=True)
        self._wake()

    def replug(self) -> None:
        """Puts the cable back: the port appears under the same name."""
        with self._lock:
            if self._master is not None:
                return
            try:
                self._master, self._slave = os.openpty()
            except OSError as error:
                raise PortUnusableError(f"no pseudo-terminal for the stand-in board: {error}") from error
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            fresh = self._link_path.with_name(self._link_path.name + ".new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(os.ttyname(self._slave))
            fresh.replace(self._link_path)
        self._wake()

    def reset(self, cause: ResetCause = ResetCause.EXTERNAL) -> None:
        """Starts the board again, as its reset button or a brown-out does. What lies over the sensors stays."""
        with self._lock:
            self._beeps += self._firmware.beeps
            self._start(cause, self._firmware.config)
            self._paused, self._watchdog_s = False, None
        self._wake()

    def pause(self) -> None:
        """Stops the board's clock-work; the port stays open and silent."""
        self._paused = True

    def resume(self) -> None:
        """Lets a paused board go on."""
        self._paused = False
        self._wake()

    def hang(self) -> None:
        """Hangs the firmware; its watchdog starts it again after 500 ms."""
        with self._lock:
            self._paused, self._watchdog_s = True, self._clock_s() + WATCHDOG_MS / 1000
        self._wake()

    def babble(self, data: bytes) -> None:
        """Sends raw bytes to the host, as noise or a boot loader would."""
        with self._lock:
            self._write(data)

    # -- the thread

    def _start(self, cause: ResetCause, config: Config) -> None:
        self._boot_id = self._boot_id % 0xFFFF + 1
        self._boot_s = self._clock_s()
        self._firmware = StandInFirmware(self._make, self._sensed, self._boot_id, cause, config)

    def _now_ms(self) -> int:
        return int((self._clock_s() - self._boot_s) * 1000)

    def _wake(self) -> None:
        with self._lock, suppress(BlockingIOError):  # a full pipe has woken it already
            if not self._gone:
                os.write(self._wake_write, b"!")

    def _run(self) -> None:
        while not self._closed:
            with self._lock:
                master = self._master
                wait_s = self._work()
            handles = [self._wake_read] if master is None or self._paused else [self._wake_read, master]
            try:
                ready, _, _ = select.select(handles, [], [], wait_s)
            except OSError:
                continue  # the cable was pulled between the two lines above
            if self._wake_read in ready:
                os.read(self._wake_read, _READ_BYTES)
            if master in ready:
                with self._lock:
                    self._read()

    def _work(self) -> float | None:
        if self._watchdog_s is not None:
            left_s = self._watchdog_s - self._clock_s()
            if left_s > 0:
                return left_s
            self.reset(ResetCause.WATCHDOG)
        if self._paused:
            return None
        now_ms = self._now_ms()
        self._firmware.tick(now_ms)
        self._write(self.noise_to_host.carry(self._firmware.take_output()))
        due_ms = self._firmware.next_due_ms(now_ms)
        return None if due_ms is None else max(due_ms - now_ms, 1) / 1000

    def _read(self) -> None:
        if self._master is None or self._paused:
            return
        try:
            data = os.read(self._master, _READ_BYTES)
        except BlockingIOError:
            return
        self._firmware.receive(self.noise_to_board.carry(data), self._now_ms())

    def _write(self, data: bytes) -> None:
        if self._master is None or not data:
            return
        try:
            os.write(self._master, data)
        except BlockingIOError:
            return  # nobody reads, and a serial line keeps nothing
