"""``boardctl bench dice-colours`` over a folder of installations with truth."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardctl.cli import build

INSTALLATIONS = Path(__file__).parents[2] / "data" / "vision"


def test_no_throw_with_the_own_dice_is_told_to_be_with_the_opponents() -> None:
    result = CliRunner().invoke(build(["bench"]), ["bench", "dice-colours", str(INSTALLATIONS), "--draws", "200"])
    assert result.exit_code == 0, result.output
    assert "in all: 0 of" in result.output


def test_a_folder_without_installations_is_said_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = CliRunner().invoke(build(["bench"]), ["bench", "dice-colours", str(tmp_path)])
    assert result.exit_code == 2
