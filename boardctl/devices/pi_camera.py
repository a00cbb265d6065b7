"""A camera module on the Raspberry Pi's ribbon connector, through picamera2, which comes with Raspberry Pi OS."""

import logging
import sys
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardctl.devices.faces import CameraError

_log = logging.getLogger(__name__)

_FOCUS_WHEN_ASKED = 1
"""libcamera's ``AfModeAuto``: the lens moves when a focus is asked for, and stays there."""

PREFIX = "pi"
"""``pi`` is the first camera module, ``pi:1`` the second."""


class PiCapture:
    """A running camera module: the :class:`~boardctl.devices.live_camera.Capture` of picamera2."""

    def __init__(self, camera: Any) -> None:
        self._camera = camera

    def read(self) -> tuple[bool, NDArray[np.generic] | None]:
        """Waits for the next picture; blue-green-red."""
        try:
            return True, np.asarray(self._camera.capture_array("main"))
        except RuntimeError:
            return False, None  # libcamera has lost the module; who reads says so

    def release(self) -> None:
        """Lets the module go."""
        self._camera.close()


def is_pi_camera(source: str) -> bool:
    """Whether ``source`` names a camera module rather than a device, file or URL."""
    return source == PREFIX or source.startswith(f"{PREFIX}:")


def open_pi_camera(source: str, size_px: tuple[int, int]) -> PiCapture:
    """Starts the camera module that ``source`` names.

    :raises CameraError: when picamera2 is not installed or does not fit the environment, there is no such module, or
        another program has it.
    """
    number = _number(source)
    try:
        library = import_module("picamera2").Picamera2
    except ImportError as error:
        raise CameraError(
            f"{source}: needs picamera2 ({error}). On a Raspberry Pi run: sudo apt install python3-picamera2, and make "
            "the environment with: python3 -m venv --system-site-packages; elsewhere use /dev/video0 or a URL"
        ) from error
    except ValueError as error:  # numpy's words where a library was built for another major version of it
        raise CameraError(
            f"{source}: a library of picamera2 was built for another numpy ({error}). Run: {sys.executable} -m pip "
            "install --force-reinstall --no-deps simplejpeg"
        ) from error
    there = library.global_camera_info()
    if number >= len(there):
        found = ", ".join(f"{PREFIX}:{at} ({info.get('Model', 'unknown')})" for at, info in enumerate(there)) or "none"
        raise CameraError(
            f"{source}: no such camera module; there: {found}. Switch the Pi off, seat the ribbon cable, switch it on"
        )
    try:
        camera = library(number)
        # What picamera2 calls RGB888 lies in memory as blue, green, red, as OpenCV has it.
        camera.configure(camera.create_video_configuration(main={"size": size_px, "format": "RGB888"}))
        camera.start()
        _focus(camera, source)
    except RuntimeError as error:
        raise CameraError(
            f"{source}: the camera module does not start ({error}); end the other program that uses it: "
            "fuser -v /dev/media*"
        ) from error
    return PiCapture(camera)


def _focus(camera: Any, source: str) -> None:
    """Focuses once, where the lens can move, as that of Camera Module 3 can: left alone it stays where it was made to
    stand, not on the board, and one that looks for its focus all the time moves with every hand in the picture."""
    if "AfMode" not in camera.camera_controls:
        return
    camera.set_controls({"AfMode": _FOCUS_WHEN_ASKED})
    if not camera.autofocus_cycle():
        _log.warning("%s: no focus was found; give the board more light, and start again", source)


def _number(source: str) -> int:
    number = source.partition(":")[2] or "0"
    if not number.isdecimal():
        raise CameraError(f"{source}: a camera module is named {PREFIX}, {PREFIX}:0 or {PREFIX}:1")
    return int(number)
