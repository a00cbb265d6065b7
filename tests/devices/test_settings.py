"""The devices of a table as its settings name them."""

from pathlib import Path

import pytest

from boardctl.devices.settings import read_device_settings
from config import SettingsError


@pytest.mark.parametrize(
    ("written", "camera"), [("0", "0"), ('"0"', "0"), ("/dev/video2", "/dev/video2"), ("pi", "pi")]
)
def test_a_camera_is_named_by_its_number_or_its_path(written: str, camera: str, tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text(f"camera: {written}\n")
    assert read_device_settings(tmp_path / "table.yaml").camera == camera


@pytest.mark.parametrize("written", ["true", "1.5", "[0]"])
def test_what_names_no_camera_is_refused(written: str, tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text(f"camera: {written}\n")
    with pytest.raises(SettingsError, match=r"table.yaml:1: camera: "):
        read_device_settings(tmp_path / "table.yaml")
