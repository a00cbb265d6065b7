"""Live cameras: what comes, what is lost, what stands still; streams from a server on this machine."""

import os
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from boardctl.devices.cameras import open_camera, without_password
from boardctl.devices.faces import Camera, CameraError, Frame, Picture
from boardctl.devices.live_camera import GONE_AFTER_READS, LiveCamera, is_cut_off


def noise(seed: int) -> Picture:
    return np.random.default_rng(seed).integers(0, 255, (24, 32, 3), dtype=np.uint8)


class Fake:
    """A capture that gives ``pictures`` (None: a read that fails), then fails, or hangs while ``hangs`` is set."""

    def __init__(self, pictures: Sequence[Picture | None], hangs: threading.Event | None = None) -> None:
        self.pictures = iter(pictures)
        self.taken = threading.Semaphore(0)
        self.ended = False
        self.released = threading.Event()
        self._hangs = hangs

    def read(self) -> tuple[bool, Picture | None]:
        if self._hangs is None and not self.ended:
            self.ended = not self.taken.acquire(timeout=0.3)
        picture = next(self.pictures, None)
        if picture is None and self._hangs is not None:
            self._hangs.wait(0.4)
        return picture is not None, picture

    def release(self) -> None:
        self.released.set()


def collected(camera: Camera, into: list[Frame]) -> list[Frame]:
    for frame in camera.frames():
        into.append(frame)
    return []


def take(count: int, frames: Iterator[Frame], fake: Fake) -> None:
    for _ in range(count):
        fake.taken.release()
        next(frames)


class Clock:
    """A clock that goes 1 s further at every look."""

    def __init__(self) -> None:
        self.now_ms = 0

    def __call__(self) -> int:
        self.now_ms += 1000
        return self.now_ms


def wall() -> int:
    return time.monotonic_ns() // 1_000_000


def test_frames_come_as_they_are_taken() -> None:
    fake = Fake([noise(1), noise(2)])
    camera = LiveCamera("cam", lambda: fake, wall)
    frames = camera.frames()
    fake.taken.release()
    first = next(frames)
    np.testing.assert_array_equal(first.picture, noise(1))
    assert (first.name, first.still) == ("cam#0", False)
    fake.taken.release()
    assert next(frames).name == "cam#1"
    fake.taken.release()
    with pytest.raises(CameraError, match="cam: the camera has gone away; check its cable and power"):
        next(frames)
    assert fake.released.wait(2)


def cut_off(seed: int) -> Picture:
    picture = noise(seed)
    picture[15:] = 128
    return picture


@pytest.mark.parametrize("broken", [None, cut_off(2)])
def test_a_picture_that_comes_in_part_is_passed_over(broken: Picture | None) -> None:
    fake = Fake([noise(1), broken, noise(3)])
    frames = LiveCamera("cam", lambda: fake, wall).frames()
    seen = []
    for more in (1, 2):
        for _ in range(more):
            fake.taken.release()
        seen.append(next(frames))
    assert [frame.name for frame in seen] == ["cam#0", "cam#1"]
    np.testing.assert_array_equal(seen[1].picture, noise(3))


def test_a_camera_whose_pictures_end_in_one_colour_is_taken_as_it_is() -> None:
    fake = Fake([cut_off(number) for number in range(GONE_AFTER_READS + 1)])
    frames = LiveCamera("cam", lambda: fake, wall).frames()
    for _ in range(GONE_AFTER_READS):
        fake.taken.release()
    np.testing.assert_array_equal(next(frames).picture, cut_off(GONE_AFTER_READS - 1))


@pytest.mark.parametrize("level", [0, 255])
def test_black_and_white_edges_are_no_missing_rows(level: int) -> None:
    picture = noise(1)
    picture[15:] = level
    assert not is_cut_off(picture)
    assert is_cut_off(cut_off(1))


def test_a_slow_reader_gets_the_newest_frame_and_no_old_one() -> None:
    hang = threading.Event()
    fake = Fake([noise(1), noise(2), noise(3)], hangs=hang)
    camera = LiveCamera("cam", lambda: fake, wall, lost_after_ms=100)
    frames = camera.frames()
    seen = [next(frames).picture]
    with pytest.raises(CameraError):
        seen.extend(frame.picture for frame in frames)
    hang.set()
    if len(seen) > 1:
        np.testing.assert_array_equal(seen[-1], noise(3))
    else:
        np.testing.assert_array_equal(seen[0], noise(3))


def test_a_camera_that_goes_silent_is_lost() -> None:
    hang = threading.Event()
    camera = LiveCamera("cam", lambda: Fake([noise(1)], hangs=hang), wall, lost_after_ms=100)
    frames = camera.frames()
    next(frames)
    with pytest.raises(CameraError, match="no picture for 100 ms; check the camera's cable and power"):
        next(frames)
    hang.set()


def test_a_picture_that_stands_still_to_the_last_bit_is_noticed() -> None:
    fake = Fake([noise(1)] * 20)
    camera = LiveCamera("cam", lambda: fake, Clock(), frozen_after_ms=4000)
    frames = camera.frames()
    with pytest.raises(CameraError, match="stood still to the last bit"):
        take(20, frames, fake)


def test_a_quiet_board_with_a_noisy_sensor_is_not_taken_for_frozen() -> None:
    pictures = [noise(1) // 2 + np.uint8(number % 2) for number in range(20)]
    fake = Fake(pictures)
    camera = LiveCamera("cam", lambda: fake, Clock(), frozen_after_ms=4000)
    frames = camera.frames()
    take(20, frames, fake)
    camera.close()


def test_closing_ends_the_frames_and_frees_the_device() -> None:
    fake = Fake([noise(1), noise(2)])
    camera = LiveCamera("cam", lambda: fake, wall)
    frames = camera.frames()
    fake.taken.release()
    next(frames)
    fake.taken.release()
    camera.close()
    camera.close()
    assert list(frames) == []
    assert fake.released.wait(2)


MOST_PICTURES = 3000
"""Half a minute of them: a stream of which too little is seen breaks off all the same."""


class Stream(BaseHTTPRequestHandler):
    """Serves a stream of JPEG pictures, as network cameras do; ``/page`` serves text. The stream breaks off once enough
    of it was seen: who is kept waiting by other work gets the newest picture alone, and misses those before it."""

    server: "StreamServer"

    def do_GET(self) -> None:
        self.send_response(200)
        if self.path == "/page":
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<html>no camera here</html>")
            return
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for number in range(MOST_PICTURES):
            if self.server.seen_enough.is_set():
                break
            worked, data = cv2.imencode(".jpg", np.full((120, 160, 3), number % 256, np.uint8))
            assert worked
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            self.wfile.write(head.encode() + data.tobytes() + b"\r\n")
            time.sleep(0.01)

    def log_message(self, *_: object) -> None:
        """Keeps the test's output clean."""


class StreamServer(ThreadingHTTPServer):
    """Such a camera on this machine."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Stream)
        self.seen_enough = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


@pytest.fixture
def server() -> Iterator[StreamServer]:
    with StreamServer() as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


def test_a_stream_is_followed_until_it_breaks_off(server: StreamServer) -> None:
    frames: list[Frame] = []

    def follow() -> None:
        for frame in open_camera(f"{server.url}/stream", wall).frames():
            frames.append(frame)
            if len(frames) == 3:
                server.seen_enough.set()

    with pytest.raises(CameraError, match="the camera has gone away"):
        follow()
    assert len(frames) >= 3
    assert frames[0].picture.shape == (120, 160, 3)
    assert [frame.at_ms for frame in frames] == sorted(frame.at_ms for frame in frames)


def test_an_address_that_answers_without_a_video_is_told_so(server: StreamServer) -> None:
    with pytest.raises(CameraError, match="answers, but not with a video; check the path"):
        next(open_camera(f"{server.url}/page", wall).frames())


def test_an_address_where_nothing_answers_is_told_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(CameraError, match=f"nothing answers at 127.0.0.1:{port}"):
        next(open_camera(f"rtsp://127.0.0.1:{port}/live", wall).frames())


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("gopher://host/board", "gopher:// is not understood; use one of http"),
        ("http:///board", "names no host"),
        ("tcp://127.0.0.1/", "names no port"),
        ("http://127.0.0.1:port/", "is no address"),
    ],
)
def test_a_url_that_cannot_work_is_refused(url: str, words: str) -> None:
    with pytest.raises(CameraError, match=words):
        next(open_camera(url, wall).frames())


def test_passwords_are_never_shown() -> None:
    assert without_password("rtsp://ann:secret@10.0.0.2:554/a?b=1") == "rtsp://***@10.0.0.2:554/a?b=1"
    assert without_password("http://10.0.0.2/a") == "http://10.0.0.2/a"
    with pytest.raises(CameraError) as error:
        next(open_camera("http://ann:secret@127.0.0.1:1/a", wall).frames())
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("source", ["97", "/dev/video97", "/dev/v4l/by-id/none"])
def test_a_camera_that_is_not_there_is_told_with_those_that_are(source: str) -> None:
    with pytest.raises(CameraError, match=r"no such camera; plug it in\. Cameras that are there:"):
        open_camera(source, wall)


def test_a_camera_without_rights_says_which_group_to_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(CameraError, match="sudo usermod -aG video"):
        open_camera("/dev/null", wall)


def test_a_device_that_is_no_camera_is_told_so() -> None:
    assert Path("/dev/null").is_char_device()
    with pytest.raises(CameraError, match="does not open as a camera; another program has it"):
        next(open_camera("/dev/null", wall).frames())
