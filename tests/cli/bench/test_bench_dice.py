"""``boardctl bench dice`` over a folder of pictures with truth."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardctl.cli import build

PICTURES = Path(__file__).parents[2] / "data" / "vision" / "dice"


@pytest.mark.parametrize("options", [[], ["--corners"]])
def test_the_rates_of_a_folder_are_printed(options: list[str]) -> None:
    result = CliRunner().invoke(build(["bench"]), ["bench", "dice", str(PICTURES), *options])
    assert result.exit_code == 0
    assert "flat, surely wrong, 20 px and more" in result.output
    assert "99th percentile" in result.output


def test_of_whole_boards_a_part_with_the_dice_is_read() -> None:
    folder = str(PICTURES.parent / "green_felt")
    result = CliRunner().invoke(build(["bench"]), ["bench", "dice", folder, "--corners", "--part", "3"])
    assert result.exit_code == 0
    assert "flat, value right" in result.output
    assert "640x480: median" in result.output
    assert "1280x720" not in result.output


def test_a_folder_without_dice_has_no_parts_around_them(tmp_path: Path) -> None:
    for suffix in (".jpg", ".json"):
        shutil.copy(PICTURES.parent / "green_felt" / f"f00{suffix}", tmp_path)
    result = CliRunner().invoke(build(["bench"]), ["bench", "dice", str(tmp_path), "--part", "3"])
    assert result.exit_code == 2
    assert "no dice in any picture" in result.output


def test_a_folder_without_truth_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = CliRunner().invoke(build(["bench"]), ["bench", "dice", str(tmp_path)])
    assert result.exit_code == 2
