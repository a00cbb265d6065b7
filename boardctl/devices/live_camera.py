"""A live camera: on USB or behind a URL. Only the newest frame counts; loss and standing still are noticed, and what
came in part is passed over."""

import threading
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from boardctl.devices.faces import CameraError, Frame, Picture
from boardctl.devices.service import ServiceWatchdog

LOST_AFTER_MS = 5_000
"""No frame for this long: a camera at 15 frames a second has then missed 75 in a row."""

FROZEN_AFTER_MS = 10_000
"""Equal to the last bit for this long: a sensor always has noise, so the picture is an old one shown again."""

GONE_AFTER_READS, AGAIN_AFTER_S = 10, 0.1
"""A camera has gone when it has given no whole picture so many times in a row, after a pause each time: a bad cable
spoils a picture now and then."""

MISSING_ROWS = 8
"""Packed pictures are unpacked in blocks so high: where they are cut off, all rows from there on have one colour."""


class Capture(Protocol):
    """What OpenCV opens: a source of pictures."""

    def read(self) -> tuple[bool, NDArray[np.generic] | None]:
        """Waits for the next picture."""
        ...

    def release(self) -> None:
        """Lets the device go."""
        ...


class LiveCamera:
    """A running camera. A thread takes every picture as it comes, so that none is old when it is asked for."""

    def __init__(
        self,
        name: str,
        opened: Callable[[], Capture],
        clock: Callable[[], int],
        lost_after_ms: int = LOST_AFTER_MS,
        frozen_after_ms: int = FROZEN_AFTER_MS,
        watchdog: ServiceWatchdog | None = None,
    ) -> None:
        self._name = name
        self._watchdog = watchdog or ServiceWatchdog()
        self._opened = opened
        self._clock = clock
        self._lost_after_ms = lost_after_ms
        self._frozen_after_ms = frozen_after_ms
        self._arrived = threading.Condition()
        self._newest: tuple[Picture, int] | None = None
        self._failure: str | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

    def frames(self) -> Iterator[Frame]:
        """Gets the newest frame, again and again; ends when the camera is closed.

        :raises CameraError: when the camera cannot be opened, goes away, goes silent, or shows the same picture again
            and again.
        """
        capture = self._opened()
        self._thread = threading.Thread(target=self._take, args=(capture,), name=f"camera {self._name}", daemon=True)
        self._thread.start()
        before: Picture | None = None
        changed_ms, number = self._clock(), 0
        try:
            while (taken := self._next()) is not None:
                self._watchdog.alive()  # who reads frames has dealt with the one before
                picture, at_ms = taken
                if before is None or not np.array_equal(before, picture):
                    before, changed_ms = picture, at_ms
                elif at_ms - changed_ms >= self._frozen_after_ms:
                    raise CameraError(
                        f"{self._name}: the picture has stood still to the last bit for {at_ms - changed_ms} ms; "
                        "the camera hangs: unplug it, plug it in again, and look with: boardctl doctor"
                    )
                yield Frame(picture, at_ms, f"{self._name}#{number}")
                number += 1
        finally:
            self.close()

    def close(self) -> None:
        """Lets the camera go."""
        with self._arrived:
            self._closed = True
            self._arrived.notify_all()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            # A device that hangs keeps its thread; it is a daemon and goes with the program.
            thread.join(timeout=2.0)

    def _next(self) -> tuple[Picture, int] | None:
        with self._arrived:
            ready = self._arrived.wait_for(
                lambda: self._newest is not None or self._failure is not None or self._closed,
                self._lost_after_ms / 1000,
            )
            if self._closed:
                return None
            if self._newest is not None:
                taken, self._newest = self._newest, None
                return taken
            if not ready:
                raise CameraError(
                    f"{self._name}: no picture for {self._lost_after_ms} ms; check the camera's cable and power"
                )
            raise CameraError(f"{self._name}: {self._failure}")

    def _take(self, capture: Capture) -> None:
        in_vain = 0
        try:
            while not self._closed:
                worked, picture = capture.read()
                is_whole = worked and picture is not None and not is_cut_off(picture)
                in_vain = 0 if is_whole else in_vain + 1
                with self._arrived:
                    if 0 < in_vain < GONE_AFTER_READS:
                        self._arrived.wait_for(lambda: self._closed, AGAIN_AFTER_S)
                        continue
                    if not worked or picture is None:
                        self._failure = "the camera has gone away; check its cable and power, then start again"
                        self._arrived.notify_all()
                        return
                    self._newest = (np.asarray(picture, np.uint8), self._clock())
                    self._arrived.notify_all()
        finally:
            capture.release()


def is_cut_off(picture: NDArray[np.generic]) -> bool:
    """Whether a picture (H x W x 3) came in part: its last rows have one colour, to the last bit, that is neither black
    nor white, as the edge of a picture or what is too bright may be."""
    last = np.asarray(picture[-MISSING_ROWS:], np.uint8)
    colour = last[-1, -1]
    return bool((last == colour).all()) and not (colour == 0).all() and not (colour == 255).all()
