"""A camera lost and back, a module on the Pi's ribbon, and what systemd is told meanwhile."""

import socket
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from boardctl.devices.cameras import open_camera
from boardctl.devices.faces import CameraError, Frame, Picture
from boardctl.devices.live_camera import LiveCamera
from boardctl.devices.service import ServiceWatchdog
from boardctl.devices.steady_camera import SteadyCamera


def picture(value: int) -> Picture:
    return np.full((4, 6, 3), value, np.uint8)


class Scripted:
    """A camera that gives ``count`` frames, then fails; without frames it cannot be opened."""

    closed = 0

    def __init__(self, count: int, ends: bool = False) -> None:
        self.count = count
        self.ends = ends

    def frames(self) -> Iterator[Frame]:
        if not self.count:
            raise CameraError("cam: no such camera; plug it in")
        yield from (Frame(picture(number), number, f"cam#{number}") for number in range(self.count))
        if not self.ends:
            raise CameraError("cam: the camera has gone away")

    def close(self) -> None:
        Scripted.closed += 1


def steady(cameras: list[Scripted], told: list[str | None]) -> SteadyCamera:
    waiting = iter(cameras)
    return SteadyCamera(
        lambda: next(waiting), lambda error: told.append(None if error is None else str(error)), first_pause_s=0.001
    )


def test_a_loss_is_told_once_and_once_that_it_is_over() -> None:
    told: list[str | None] = []
    camera = steady([Scripted(2), Scripted(0), Scripted(0), Scripted(3), Scripted(1, ends=True)], told)
    names = [frame.name for frame in camera.frames()]
    assert names == ["cam#0", "cam#1", "cam#0+1", "cam#1+1", "cam#2+1", "cam#0+2"]
    gone = "cam: the camera has gone away"
    assert told == [gone, None, gone, None]


def test_a_camera_that_never_was_there_is_a_mistake_to_correct() -> None:
    told: list[str | None] = []
    with pytest.raises(CameraError, match="no such camera"):
        list(steady([Scripted(0)], told).frames())
    assert told == []


def test_every_camera_is_let_go_and_closing_ends_the_wait() -> None:
    before = Scripted.closed
    told: list[str | None] = []
    waiting = iter([Scripted(1), *[Scripted(0)] * 1000])
    camera = SteadyCamera(lambda: next(waiting), lambda error: told.append(str(error)), first_pause_s=30)
    frames = camera.frames()
    next(frames)
    threading.Timer(0.1, camera.close).start()
    begun_s = time.monotonic()
    assert list(frames) == []
    assert time.monotonic() - begun_s < 5
    assert Scripted.closed - before == 1
    assert len(told) == 1


class MotionJpeg(BaseHTTPRequestHandler):
    """A network camera that breaks off after a few pictures."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for number in range(8):
            data = cv2.imencode(".jpg", np.full((48, 64, 3), 25 * number, np.uint8))[1].tobytes()
            self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + data + b"\r\n")
            time.sleep(0.01)

    def log_message(self, *_: object) -> None:
        """Keeps the test's output clean."""


def test_a_stream_that_breaks_off_is_followed_again() -> None:
    told: list[str | None] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), MotionJpeg) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/board"
        camera = SteadyCamera(
            lambda: open_camera(url, lambda: time.monotonic_ns() // 1_000_000),
            lambda error: told.append(None if error is None else str(error)),
            first_pause_s=0.01,
        )
        names: list[str] = []
        for frame in camera.frames():
            names.append(frame.name)
            if frame.name.endswith("+2"):
                camera.close()
        server.shutdown()
    assert [error is None for error in told] == [False, True, False, True]
    assert names[0].endswith("/board#0")


# -- systemd


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(2)
        yield listening


def test_the_service_manager_hears_ready_once_and_then_signs_of_life(manager: socket.socket) -> None:
    now_s = [10.0]
    watchdog = ServiceWatchdog({"NOTIFY_SOCKET": manager.getsockname()}, lambda: now_s[0])
    watchdog.alive()
    assert manager.recv(100) == b"READY=1\nWATCHDOG=1"
    watchdog.alive()  # too soon to say it again
    now_s[0] += 1.0
    watchdog.alive()
    assert manager.recv(100) == b"WATCHDOG=1"
    watchdog.status("two\nlines")
    assert manager.recv(100) == b"STATUS=two lines"
    manager.setblocking(False)
    with pytest.raises(BlockingIOError):
        manager.recv(100)


def test_an_abstract_name_is_understood() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0boardctl-test-notify")
        listening.settimeout(2)
        ServiceWatchdog({"NOTIFY_SOCKET": "@boardctl-test-notify"}).alive()
        assert listening.recv(100).startswith(b"READY=1")


def test_without_a_manager_nothing_happens(tmp_path: Path) -> None:
    ServiceWatchdog({}).alive()
    gone = ServiceWatchdog({"NOTIFY_SOCKET": str(tmp_path / "nobody")})
    gone.alive()
    gone.status("nobody hears this")


def test_a_live_camera_gives_a_sign_of_life_when_a_frame_is_taken(manager: socket.socket) -> None:
    class Fast:
        def read(self) -> tuple[bool, Picture]:
            time.sleep(0.01)
            return True, picture(int(time.monotonic() * 100) % 250)

        def release(self) -> None: ...

    watchdog = ServiceWatchdog({"NOTIFY_SOCKET": manager.getsockname()})
    camera = LiveCamera("cam", Fast, lambda: time.monotonic_ns() // 1_000_000, watchdog=watchdog)
    frames = camera.frames()
    manager.setblocking(False)
    with pytest.raises(BlockingIOError):
        manager.recv(100)  # not ready before the first frame
    next(frames)
    assert manager.recv(100).startswith(b"READY=1")
    camera.close()


# -- camera modules


class Module:
    """The part of picamera2 that is used, without a camera."""

    modules = [{"Model": "imx708"}]  # noqa: RUF012
    busy = False
    focused: bool | None = None  # what comes of looking for the focus; None: the lens cannot move
    log: list[object] = []  # noqa: RUF012

    def __init__(self, number: int) -> None:
        if Module.busy:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        Module.log.append(number)

    @staticmethod
    def global_camera_info() -> list[dict[str, str]]:
        return Module.modules

    def create_video_configuration(self, main: dict[str, object]) -> dict[str, object]:
        return main

    def configure(self, configuration: dict[str, object]) -> None:
        Module.log.append(configuration)

    def start(self) -> None:
        self.camera_controls = {"ExposureTime": (1, 2, 3), **({} if Module.focused is None else {"AfMode": (0, 2, 0)})}

    def set_controls(self, controls: dict[str, int]) -> None:
        Module.log.append(controls)

    def autofocus_cycle(self) -> bool:
        assert Module.focused is not None
        Module.log.append("focus")
        return Module.focused

    def capture_array(self, name: str) -> Picture:
        time.sleep(0.01)
        return picture(200)

    def close(self) -> None:
        Module.log.append("closed")


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> type[Module]:
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Module))
    monkeypatch.setattr(Module, "busy", False)
    monkeypatch.setattr(Module, "log", [])
    return Module


def test_a_camera_module_gives_frames_of_the_size_asked_for(library: type[Module]) -> None:
    camera = open_camera("pi", lambda: 5, (1280, 720))
    frame = next(camera.frames())
    assert (frame.name, frame.at_ms, int(frame.picture[0, 0, 0])) == ("pi#0", 5, 200)
    camera.close()
    # RGB888 is picamera2's name for blue, green, red in memory.
    assert library.log[:2] == [0, {"size": (1280, 720), "format": "RGB888"}]
    assert library.log[-1] == "closed"


@pytest.mark.parametrize("focused", [True, False, None])
def test_a_lens_that_can_move_is_focused_once(
    focused: bool | None, library: type[Module], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Module, "focused", focused)
    camera = open_camera("pi", lambda: 5, (1280, 720))
    assert next(camera.frames()).name == "pi#0"
    camera.close()
    assert library.log[2:-1] == ([] if focused is None else [{"AfMode": 1}, "focus"])
    assert ("pi: no focus was found" in caplog.text) == (focused is False)


def test_what_stops_a_camera_module_is_said(library: type[Module], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CameraError, match=r"pi:1: no such camera module; there: pi:0 \(imx708\)"):
        next(open_camera("pi:1", lambda: 0).frames())
    with pytest.raises(CameraError, match="a camera module is named pi, pi:0 or pi:1"):
        next(open_camera("pi:left", lambda: 0).frames())
    monkeypatch.setattr(Module, "busy", True)
    with pytest.raises(CameraError, match="end the other program that uses it"):
        next(open_camera("pi:0", lambda: 0).frames())


def test_without_the_library_its_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="sudo apt install python3-picamera2"):
        next(open_camera("pi", lambda: 0).frames())


def test_where_a_part_of_it_is_built_for_another_numpy_the_cure_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Debian 12: simplejpeg is built for numpy 1 there, and OpenCV brings numpy 2 into the environment."""
    said = (
        "numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject"
    )
    (tmp_path / "picamera2.py").write_text(f"raise ValueError({said!r})\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(CameraError, match=r"numpy\.dtype size changed.*pip install .*simplejpeg"):
        next(open_camera("pi", lambda: 0).frames())
