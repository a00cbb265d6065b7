"""The faces of the devices. Real ones and those of the virtual table have them; the table knows nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.facts import Role

Picture = NDArray[np.uint8]
"""A picture as OpenCV has it: height x width x 3, blue-green-red, 8 bit."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture with the time it was taken, milliseconds since the session began, and a name to find it by.

    ``still``: nothing can be learned from the frame before (a folder of single pictures), so that each picture counts
    as settled.
    """

    picture: Picture
    at_ms: int
    name: str
    still: bool = False


class Camera(Protocol):
    """A source of frames: live, a file or a folder."""

    def frames(self) -> Iterator[Frame]:
        """Gets the frames in order, each as soon as it is there; ends when the source ends.

        :raises CameraError: when the source cannot be opened, is damaged or goes away; the message says what to do.
        """
        ...

    def close(self) -> None:
        """Lets the device go. May be called again."""
        ...


class CameraError(OSError):
    """A camera or picture source that cannot be used; the message says which, why, and what to do next."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button that was pressed, and when."""

    by: Role
    at_ms: int


class Panel(Protocol):
    """Levers or buttons of the seats and the director."""

    def presses(self) -> list[Press]:
        """Gets the presses since the last call, oldest first."""
        ...

    def close(self) -> None:
        """Lets the device go. May be called again."""
        ...
