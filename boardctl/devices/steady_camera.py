"""A camera that may be lost and comes back: it is opened again, with a growing pause between the tries."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

from boardctl.devices.faces import Camera, CameraError, Frame
from boardctl.devices.service import ServiceWatchdog

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 10.0
"""The pause doubles from try to try up to this, as the sensor board's link does."""


class SteadyCamera:
    """A :class:`~boardctl.devices.faces.Camera` over cameras that ``opened`` gives, one after the other.

    ``told`` hears of every loss once, with the reason, and once with None when frames come again; it is called on the
    thread that reads the frames. A camera that cannot be opened the first time is a mistake to correct, and raised.
    """

    def __init__(
        self,
        opened: Callable[[], Camera],
        told: Callable[[CameraError | None], None],
        watchdog: ServiceWatchdog | None = None,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        self._opened = opened
        self._told = told
        self._watchdog = watchdog or ServiceWatchdog()
        self._first_pause_s = first_pause_s
        self._closing = threading.Event()
        self._camera: Camera | None = None

    def frames(self) -> Iterator[Frame]:
        """Gets the frames of the camera, through its losses; ends when it is closed, or its source has an end.

        Frames behind the n-th loss have ``+n`` at the end of their names, as every camera counts from 0 again.

        :raises CameraError: when the camera gives no frame at all the first time.
        """
        losses, lost, pause_s = 0, False, self._first_pause_s
        seen = False
        while not self._closing.is_set():
            try:
                camera = self._camera = self._opened()
                for frame in camera.frames():
                    if lost:
                        lost, pause_s = False, self._first_pause_s
                        self._told(None)
                    seen = True
                    self._watchdog.alive()
                    yield replace(frame, name=f"{frame.name}+{losses}") if losses else frame
                return
            except CameraError as error:
                if not seen:
                    raise
                if not lost:
                    losses, lost = losses + 1, True
                    self._told(error)
            finally:
                self._let_go()
            self._watchdog.alive()
            self._closing.wait(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def close(self) -> None:
        """Lets the device go and ends the frames. May be called again."""
        self._closing.set()
        self._let_go()

    def _let_go(self) -> None:
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()
