"""A calibration is kept as readable YAML and checked whenever it is loaded."""

from pathlib import Path

import numpy as np
import pytest
import yaml

from boardctl.rules import Seat
from calibration import BoardGeometry, Calibration, CalibrationError, CameraModel, load

CAMERA = CameraModel(
    160, 90, 150.0, 150.0, 79.5, 44.5, (0.01, 0.0, 0.0, 0.0, 0.0), (3.14159, 0.0, 0.0), (0.0, 0.0, 900.0)
)


def pictures() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    return rng.integers(0, 255, (90, 160, 3)).astype(np.uint8), rng.integers(0, 255, (90, 160, 3)).astype(np.uint8)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "calibration.yaml"
    Calibration.of(CAMERA, BoardGeometry(), *pictures()).save(path)
    return path


def edited(path: Path, old: str, new: str) -> Path:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return path


def test_its_digest_is_of_all_that_is_read_by_and_outlives_the_file(saved: Path) -> None:
    empty, start = pictures()
    made = Calibration.of(CAMERA, BoardGeometry(), empty, start)
    assert load(saved).digest == made.digest
    assert len(made.digest) == 64
    nudged = empty.copy()
    nudged[0, 0, 0] ^= 1
    others = [
        Calibration.of(CAMERA, BoardGeometry(), nudged, start),
        Calibration.of(CAMERA, BoardGeometry(bar_width_mm=43.5), empty, start),
        Calibration.of(CAMERA, BoardGeometry(), empty, start, die_size_given=True),
    ]
    assert len({made.digest, *(other.digest for other in others)}) == 4


def test_what_was_saved_is_loaded(saved: Path) -> None:
    loaded = load(saved)
    empty, start = pictures()
    assert loaded.camera == CAMERA
    assert loaded.geometry == BoardGeometry()
    assert set(loaded.colours) == {Seat.A, Seat.B}
    assert np.array_equal(loaded.empty, empty)
    assert np.array_equal(loaded.start, start)


def test_a_loaded_calibration_saves_to_the_same_text(saved: Path, tmp_path: Path) -> None:
    again = tmp_path / "again" / "calibration.yaml"
    again.parent.mkdir()
    load(saved).save(again)
    assert again.read_text() == saved.read_text()


def test_the_file_is_readable_yaml_with_its_version(saved: Path) -> None:
    content = yaml.safe_load(saved.read_text())
    assert content["version"] == 1
    assert content["geometry"]["checker_diameter_mm"] == 38.0
    assert saved.read_text().startswith("#")


def test_an_unknown_key_is_refused_with_its_line(saved: Path) -> None:
    edited(saved, "camera:\n", "camera:\n  zoom: 2\n")
    with pytest.raises(CalibrationError, match=r"calibration\.yaml: line 5, camera\.zoom: unknown key"):
        load(saved)


def test_an_unknown_key_of_the_board_is_refused(saved: Path) -> None:
    edited(saved, "geometry: {", "geometry: {felt: green, ")
    with pytest.raises(CalibrationError, match=r"geometry\.felt: unknown key"):
        load(saved)


def test_a_value_of_the_wrong_kind_is_refused(saved: Path) -> None:
    edited(saved, "width_px: 160", "width_px: wide")
    with pytest.raises(CalibrationError, match=r"camera\.width_px"):
        load(saved)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("focal_x_px: 150.0", "focal_x_px: .nan", "camera.focal_x_px: Input should be a finite number"),
        ("focal_x_px: 150.0", "focal_x_px: .inf", "camera.focal_x_px: Input should be a finite number"),
        ("focal_y_px: 150.0", "focal_y_px: -150.0", "camera.focal_y_px: Input should be greater than 0"),
        ("width_px: 160", "width_px: 0", "camera.width_px: Input should be greater than 0"),
        ("center_x_px: 79.5", "center_x_px: .nan", "camera.center_x_px: Input should be a finite number"),
        ("die_size_mm: 13.5", "die_size_mm: 0.0", "geometry.die_size_mm: Input should be greater than 0"),
        ("focal_x_px: 150.0", "focal_x_px: 1.0e+300", "would not see a board of this size"),
        ("0.0, 0.0, 900.0", "0.0, 5000.0, 900.0", "would not see a board of this size"),
    ],
)
def test_values_that_no_camera_and_no_board_can_have_are_refused(saved: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(CalibrationError, match=message):
        load(edited(saved, old, new))


def test_another_version_is_refused(saved: Path) -> None:
    edited(saved, "version: 1", "version: 7")
    with pytest.raises(CalibrationError, match="version 7, this program reads version 1"):
        load(saved)


def test_a_picture_that_was_changed_is_refused(saved: Path) -> None:
    beside = saved.with_name("calibration.empty.png")
    beside.write_bytes(beside.read_bytes() + b"x")
    with pytest.raises(CalibrationError, match="not the picture calibrated with"):
        load(saved)


def test_a_picture_that_is_gone_is_named(saved: Path) -> None:
    saved.with_name("calibration.start.png").unlink()
    with pytest.raises(CalibrationError, match=r"start_picture: .*calibration\.start\.png cannot be read"):
        load(saved)


@pytest.mark.parametrize("text", ["", "- 1\n- 2\n", "version: [1\n", "\x00\x01"])
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "calibration.yaml"
    path.write_text(text)
    with pytest.raises(CalibrationError, match=r"calibration\.yaml"):
        load(path)


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="boardctl calibrate camera"):
        load(tmp_path / "none.yaml")


def test_a_picture_of_another_size_is_refused_with_what_to_do(saved: Path) -> None:
    with pytest.raises(CalibrationError, match=r"320x180 pixels, the calibration is for 160x90: set the camera"):
        load(saved).check_size(np.zeros((180, 320, 3), np.uint8))


@pytest.mark.parametrize("given", [True, False])
def test_whether_somebody_measured_the_dice_is_kept(tmp_path: Path, given: bool) -> None:
    path = tmp_path / "calibration.yaml"
    Calibration.of(CAMERA, BoardGeometry(), *pictures(), die_size_given=given).save(path)
    assert load(path).die_size_given is given


def test_a_file_that_says_nothing_of_the_dice_does_not_have_them_measured(saved: Path) -> None:
    edited(saved, "die_size_given: false\n", "")
    assert not load(saved).die_size_given
