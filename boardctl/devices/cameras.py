"""Opens whatever gives pictures: a folder, a picture, a video file, a camera, a URL."""

import os
import re
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import cv2

from boardctl.devices.faces import Camera, CameraError
from boardctl.devices.live_camera import Capture, LiveCamera
from boardctl.devices.pi_camera import is_pi_camera, open_pi_camera
from boardctl.devices.pictures import PICTURE_ENDINGS, PictureFiles, picture_folder
from boardctl.devices.video_file import VideoFile

Clock = Callable[[], int]
"""Gets milliseconds since the session began."""

LIVE_SIZE_PX = (1920, 1080)
"""What a camera is asked for: a die then is some 24 pixels wide. It gives the nearest size that it has."""

ANSWER_WITHIN_MS = 5_000
_PORTS = {"http": 80, "https": 443, "rtsp": 554, "rtsps": 322, "rtmp": 1935, "tcp": None}
_URL = re.compile(r"^([a-z][a-z0-9+.-]*)://", re.IGNORECASE)


def open_camera(source: str, clock: Clock, size_px: tuple[int, int] = LIVE_SIZE_PX) -> Camera:
    """Gets the camera that ``source`` names.

    A folder of pictures, a picture, a video file, the number or path of a camera (``0``, ``/dev/video0``), a camera
    module of a Raspberry Pi (``pi``, ``pi:1``), or the URL of a stream (``http://``, ``rtsp://``). ``size_px`` is asked
    of a camera on USB or a module; files and streams have their own.

    :raises CameraError: when there is no such source, or it may not be used; the message says what to do next. What
        shows only in use is raised by ``frames``.
    """
    _quiet()
    if scheme := _URL.match(source):
        return _stream(source, scheme[1].lower(), clock)
    if is_pi_camera(source) and not Path(source).exists():
        return LiveCamera(source, lambda: open_pi_camera(source, size_px), clock)
    if source.isdecimal():
        return _device(Path(f"/dev/video{source}"), clock, size_px)
    path = Path(source)
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if source.startswith("/dev/"):
            raise CameraError(_no_device(path)) from None
        raise CameraError(f"{path}: no such file or folder; check the path") from None
    except OSError as error:
        raise CameraError(f"{path}: cannot be used: {error.strerror}; check path and rights") from error
    if stat.S_ISDIR(mode):
        return picture_folder(path, clock)
    if stat.S_ISCHR(mode):
        return _device(path, clock, size_px)
    if path.suffix.lower() in PICTURE_ENDINGS:
        return PictureFiles([path], clock)
    return VideoFile(path, clock)


def without_password(url: str) -> str:
    """Gets a URL as it may be shown and stored: without the name and password of its user."""
    parts = urlsplit(url)
    return parts._replace(netloc=f"***@{parts.netloc.rpartition('@')[2]}").geturl() if "@" in parts.netloc else url


def _device(path: Path, clock: Clock, size_px: tuple[int, int]) -> LiveCamera:
    if not path.exists():
        raise CameraError(_no_device(path))
    if not os.access(path, os.R_OK | os.W_OK):
        raise CameraError(
            f"{path}: you may not use this camera; join its group: sudo usermod -aG video $USER, then log in again"
        )
    return LiveCamera(str(path), lambda: _opened_device(path, size_px), clock)


def _opened_device(path: Path, size_px: tuple[int, int]) -> Capture:
    capture = cv2.VideoCapture(str(path), cv2.CAP_V4L2)
    if not capture.isOpened():
        raise CameraError(
            f"{path}: does not open as a camera; another program has it, or it gives no pictures. "
            f"See who has it: fuser -v {path}; see what there is: v4l2-ctl --list-devices"
        )
    # Uncompressed pictures of this size do not fit through USB 2 at full rate; motion JPEG does.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_px[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_px[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _no_device(path: Path) -> str:
    there = " ".join(sorted(str(other) for other in Path("/dev").glob("video*"))) or "none"
    return f"{path}: no such camera; plug it in. Cameras that are there: {there}"


def _stream(url: str, scheme: str, clock: Clock) -> LiveCamera:
    shown = without_password(url)
    if scheme not in _PORTS:
        raise CameraError(f"{shown}: {scheme}:// is not understood; use one of {', '.join(_PORTS)}")
    return LiveCamera(shown, lambda: _opened_stream(url, shown, scheme), clock)


def _opened_stream(url: str, shown: str, scheme: str) -> Capture:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or _PORTS[scheme]
    except ValueError as error:
        raise CameraError(f"{shown}: is no address: {error}; check the URL") from error
    if not host or not port:
        raise CameraError(f"{shown}: names no {'port' if host else 'host'}; check the URL")
    try:
        socket.create_connection((host, port), timeout=ANSWER_WITHIN_MS / 1000).close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise CameraError(f"{shown}: nothing answers at {host}:{port} ({reason}); check camera and network") from error
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, ANSWER_WITHIN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, ANSWER_WITHIN_MS]
    capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
    if not capture.isOpened():
        raise CameraError(
            f"{shown}: answers, but not with a video; check the path and password. Try: ffprobe '{shown}'"
        )
    return capture


def _quiet() -> None:
    """Keeps OpenCV's and FFmpeg's own messages off the terminal: what matters is said in the error that is raised."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
