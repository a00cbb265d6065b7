"""A video file as a camera. A file that ends early gives what it holds, and then says so."""

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from boardctl.devices.faces import CameraError, Frame

# Containers without an index only estimate their number of frames, from their length and rate.
_ESTIMATE_SLACK = 0.02
_LEAST_SLACK_FRAMES = 2
_HEAD_BYTES = 4096
_FALLBACK_FRAMES_PER_SECOND = 25.0


class VideoFile:
    """A recorded video as a :class:`~boardctl.devices.faces.Camera`; time is the video's own."""

    def __init__(self, path: Path, clock: Callable[[], int]) -> None:
        self._path = path
        self._clock = clock
        self._capture: cv2.VideoCapture | None = None

    def frames(self) -> Iterator[Frame]:
        """Gets every frame, named by path and number from 0.

        :raises CameraError: when the file cannot be opened, is no video, or ends before the length it announces; all
            frames before the damage have then been given.
        """
        capture = self._capture = _opened(self._path)
        start_ms, last_ms, count = self._clock(), -1.0, 0
        announced = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
        rate = capture.get(cv2.CAP_PROP_FPS)
        step_ms = 1000.0 / (rate if 0 < rate < 1000 else _FALLBACK_FRAMES_PER_SECOND)
        try:
            while True:
                worked, picture = capture.read()
                if not worked or picture is None:
                    break
                position_ms = capture.get(cv2.CAP_PROP_POS_MSEC)
                # Broken or missing time stamps stand still; the rate then tells the time.
                last_ms = position_ms if position_ms > last_ms else last_ms + step_ms
                yield Frame(np.asarray(picture, np.uint8), start_ms + round(last_ms), f"{self._path}#{count}")
                count += 1
        finally:
            self.close()
        if count == 0:
            raise CameraError(f"{self._path}: the video holds no frame that can be read; record it again")
        if announced - count > max(_LEAST_SLACK_FRAMES, announced * _ESTIMATE_SLACK):
            raise CameraError(
                f"{self._path}: the video ends early, after {count} of {announced} frames; "
                "what came before was read. Copy the file again, or go on with what it holds"
            )

    def close(self) -> None:
        """Closes the file."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


def _opened(path: Path) -> cv2.VideoCapture:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except FileNotFoundError:
        raise CameraError(f"{path}: no such file; check the path") from None
    except PermissionError:
        raise CameraError(f"{path}: you may not read this file; change its rights: chmod u+r {path}") from None
    except OSError as error:
        raise CameraError(f"{path}: cannot be read: {error.strerror}; check disk and path") from error
    if not head:
        raise CameraError(f"{path}: the file is empty; record the video again")
    if _is_text(head):
        # FFmpeg would draw the letters of a text as a video.
        raise CameraError(f"{path}: this is a text, no video; name a video file, a picture or a folder of pictures")
    capture = cv2.VideoCapture(str(path))
    if not capture.isOpened():
        raise CameraError(
            f"{path}: cannot be opened as a video; it is none, or its end is missing "
            "(an .mp4 that was not closed has no index). Look at it with: ffprobe " + str(path)
        )
    return capture


def _is_text(head: bytes) -> bool:
    return b"\0" not in head and all(byte >= 0x20 or byte in b"\t\n\r\f\x1b" for byte in head)
