"""Folders and lists of pictures as cameras."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest

from boardctl.devices.cameras import open_camera
from boardctl.devices.faces import CameraError, Picture
from boardctl.devices.pictures import PictureFiles, ends_early, read_picture


def picture(number: int, width: int = 64) -> Picture:
    """Gets a picture that tells its number by its brightness."""
    ramp = np.linspace(0, 40, width, dtype=np.uint8)
    return np.ascontiguousarray(np.broadcast_to(ramp[None, :, None] + 12 * number, (48, width, 3)).astype(np.uint8))


def ticking() -> Callable[[], int]:
    ticks = count(0, 40)
    return lambda: next(ticks)


def write(folder: Path, *names: str) -> Path:
    folder.mkdir(exist_ok=True)
    for number, name in enumerate(names):
        assert cv2.imwrite(str(folder / name), picture(number))
    return folder


def complaint(source: Path | str) -> str:
    with pytest.raises(CameraError) as error:
        list(open_camera(str(source), ticking()).frames())
    return str(error.value)


def test_a_folder_is_read_in_natural_order(tmp_path: Path) -> None:
    folder = write(tmp_path / "game", "frame10.png", "frame2.png", "Frame1.png", "frame2b.png")
    frames = list(open_camera(str(folder), ticking()).frames())
    assert [Path(frame.name).name for frame in frames] == ["Frame1.png", "frame2.png", "frame2b.png", "frame10.png"]
    np.testing.assert_array_equal(frames[3].picture, picture(0))


def test_pictures_are_still_named_by_path_and_timed_by_the_clock(tmp_path: Path) -> None:
    folder = write(tmp_path / "game", "a.png", "b.png")
    frames = list(open_camera(str(folder), ticking()).frames())
    assert all(frame.still for frame in frames)
    assert [frame.name for frame in frames] == [str(folder / "a.png"), str(folder / "b.png")]
    assert [frame.at_ms for frame in frames] == [0, 40]


def test_hidden_and_other_files_are_left_out(tmp_path: Path) -> None:
    folder = write(tmp_path / "game", "a.png", "._b.png", ".c.jpg", "D.JPG")
    (folder / "truth.json").write_text("{}", encoding="utf-8")
    assert [Path(frame.name).name for frame in open_camera(str(folder), ticking()).frames()] == ["a.png", "D.JPG"]


def test_a_single_picture_is_a_camera_of_one_frame(tmp_path: Path) -> None:
    folder = write(tmp_path / "game", "a.png", "b.png")
    assert len(list(open_camera(str(folder / "b.png"), ticking()).frames())) == 1


def test_a_list_keeps_its_order(tmp_path: Path) -> None:
    folder = write(tmp_path / "game", "a.png", "b.png")
    frames = PictureFiles([folder / "b.png", folder / "a.png"], ticking()).frames()
    assert [Path(frame.name).name for frame in frames] == ["b.png", "a.png"]


def test_frames_before_a_damaged_one_are_given(tmp_path: Path) -> None:
    folder = write(tmp_path / "game", "1.png", "2.png", "3.png")
    (folder / "2.png").write_bytes(b"")
    frames = open_camera(str(folder), ticking()).frames()
    assert next(frames).name.endswith("1.png")
    with pytest.raises(CameraError, match=r"2\.png: the file is empty; take the picture again"):
        next(frames)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    assert "the folder is empty; name a folder with pictures (.jpg" in complaint(tmp_path)


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    assert "holds 1 other files and no picture" in complaint(tmp_path)


def test_a_missing_path_is_refused(tmp_path: Path) -> None:
    assert complaint(tmp_path / "no") == f"{tmp_path / 'no'}: no such file or folder; check the path"


def test_a_file_that_vanishes_is_named(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="no such file; check the path"):
        read_picture(tmp_path / "no.png")


def test_text_named_as_a_picture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_text("not a picture at all, but long enough to look at", encoding="utf-8")
    assert "this is no picture that can be read" in complaint(path)


def test_a_folder_named_as_a_picture_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a.png").mkdir()
    assert "cannot be read: Is a directory" in complaint(tmp_path)


def test_a_file_without_rights_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "game", "a.png") / "a.png"

    def denied(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", denied)
    assert f"you may not read this file; change its rights: chmod u+r {path}" in complaint(path)


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp", ".bmp"])
@pytest.mark.parametrize("kept", [0.3, 0.6, 0.95])
def test_a_picture_that_ends_early_is_refused_and_never_read_in_part(tmp_path: Path, ending: str, kept: float) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (120, 160, 3), dtype=np.uint8)
    path = tmp_path / f"shot{ending}"
    assert cv2.imwrite(str(path), noise)
    whole = path.read_bytes()
    assert not ends_early(whole)
    path.write_bytes(whole[: int(len(whole) * kept)])
    assert "the picture ends early" in complaint(path)


def test_the_end_of_a_preview_in_the_head_is_not_the_end_of_the_picture(tmp_path: Path) -> None:
    path = write(tmp_path / "game", "a.jpg") / "a.jpg"
    whole = path.read_bytes()
    preview = b"Exif\0\0" + whole
    with_preview = whole[:2] + b"\xff\xe1" + (len(preview) + 2).to_bytes(2, "big") + preview + whole[2:]
    assert not ends_early(with_preview)
    assert ends_early(with_preview[:-40])


def test_bytes_after_the_end_of_a_picture_do_no_harm(tmp_path: Path) -> None:
    path = write(tmp_path / "game", "a.jpg") / "a.jpg"
    path.write_bytes(path.read_bytes() + b"\0" * 64)
    assert read_picture(path).shape == (48, 64, 3)
