"""Video files as cameras."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from boardctl.devices.cameras import open_camera
from boardctl.devices.faces import CameraError, Frame

FRAMES = 40


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A motion JPEG video of 40 frames at 20 a second; every frame has another brightness."""
    path = tmp_path_factory.mktemp("video") / "game.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (160, 120))
    assert writer.isOpened()
    noise = np.random.default_rng(3).integers(0, 20, (120, 160, 3), dtype=np.uint8)
    for number in range(FRAMES):
        writer.write(noise + np.uint8(5 * number))
    writer.release()
    return path


def read_until_error(path: Path) -> tuple[list[Frame], str]:
    frames: list[Frame] = []
    with pytest.raises(CameraError) as error:
        frames.extend(iter_into(frames, path))
    return frames, str(error.value)


def iter_into(frames: list[Frame], path: Path) -> list[Frame]:
    for frame in open_camera(str(path), lambda: 1000).frames():
        frames.append(frame)
    return []


def test_every_frame_is_given_in_order_and_moves(video: Path) -> None:
    frames = list(open_camera(str(video), lambda: 1000).frames())
    assert len(frames) == FRAMES
    assert not any(frame.still for frame in frames)
    brightness = [float(frame.picture.mean()) for frame in frames]
    assert brightness == sorted(brightness)
    assert frames[7].name == f"{video}#7"


def test_time_is_the_videos_own(video: Path) -> None:
    times = [frame.at_ms for frame in open_camera(str(video), lambda: 1000).frames()]
    assert times[0] == pytest.approx(1000, abs=51)
    assert np.diff(times).tolist() == pytest.approx([50] * (FRAMES - 1), abs=1)


def test_a_video_that_ends_early_gives_what_it_holds_and_says_so(video: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.avi"
    data = video.read_bytes()
    short.write_bytes(data[: len(data) * 6 // 10])
    frames, message = read_until_error(short)
    assert 15 <= len(frames) <= 30
    assert f"the video ends early, after {len(frames)} of {FRAMES} frames" in message
    assert "what came before was read" in message


def test_an_mp4_without_its_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 20.0, (160, 120))
    if not writer.isOpened() and "CI" not in os.environ:
        pytest.skip("this build of OpenCV writes no mp4")
    for number in range(20):
        writer.write(np.full((120, 160, 3), number * 10, np.uint8))
    writer.release()
    assert len(list(open_camera(str(path), lambda: 0).frames())) == 20
    path.write_bytes(path.read_bytes()[:-600])
    _, message = read_until_error(path)
    assert "its end is missing" in message
    assert "ffprobe" in message


def test_a_text_is_not_drawn_as_a_video(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("13/11 24/18\n" * 200, encoding="utf-8")
    assert read_until_error(path) == (
        [],
        f"{path}: this is a text, no video; name a video file, a picture or a folder of pictures",
    )


def test_bytes_that_are_no_video_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    path.write_bytes(np.random.default_rng(5).bytes(5000))
    frames, message = read_until_error(path)
    assert not frames
    assert "cannot be opened as a video" in message


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    path.touch()
    assert read_until_error(path) == ([], f"{path}: the file is empty; record the video again")


def test_a_file_without_rights_is_refused(video: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    assert "you may not read this file" in read_until_error(video)[1]


def test_closing_ends_the_video_and_may_be_repeated(video: Path) -> None:
    camera = open_camera(str(video), lambda: 0)
    frames = camera.frames()
    next(frames)
    frames.close()  # type: ignore[attr-defined]
    camera.close()
    camera.close()
