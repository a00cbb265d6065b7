"""A sensor board whose world and whose faults are under control: the stand-in and the emulated one have this face."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from firmware_bridge.protocol import ChannelClass, ResetCause


class Tone(NamedTuple):
    """One uninterrupted sound of the piezo."""

    frequency_hz: int
    duration_ms: int


class BoardRig(Protocol):
    """What demos and tests may do to a board, and see of it."""

    @property
    def path(self) -> str:
        """Gets the port's name; it stays the same through unplugging."""

    def set_channels(self, classes: Mapping[int, ChannelClass]) -> None:
        """Changes what lies over several channels at one instant."""

    @property
    def settled(self) -> bool:
        """Gets whether the board has had time to tell everything the sensors see."""

    def press_button(self, button: int) -> None:
        """Presses a seat button (0 or 1) and holds it."""

    def release_button(self, button: int) -> None:
        """Lets a seat button go."""

    @property
    def colours(self) -> tuple[tuple[int, int, int], ...]:
        """Gets what the 60 LEDs are lit with at this instant: red, green, blue."""

    @property
    def tones(self) -> tuple[Tone, ...]:
        """Gets every sound that has ended since the board was made."""

    def unplug(self) -> None:
        """Pulls the cable: the port and its name vanish. The board itself keeps its power."""

    def replug(self) -> None:
        """Puts the cable back: the port appears under the same name."""

    def reset(self, cause: ResetCause = ResetCause.EXTERNAL) -> None:
        """Starts the board again, as its reset button or a brown-out does."""

    def hang(self) -> None:
        """Hangs the firmware until its watchdog starts it again."""

    def pause(self) -> None:
        """Stops the board's time; the port stays open and silent."""

    def resume(self) -> None:
        """Lets a paused board go on."""

    def babble(self, data: bytes) -> None:
        """Sends raw bytes to the host, as noise or a boot loader would."""

    def set_noise(self, lose_bytes_percent: float, flip_bits_percent: float) -> None:
        """Makes the cable lose bytes and flip a bit in bytes, both ways."""

    def close(self) -> None:
        """Takes the board away; closing twice is allowed."""
