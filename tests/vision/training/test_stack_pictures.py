"""Rows of pictures to learn from: they hold as many checkers as truly lie there, with and without a calibration."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from boardctl.virtual.training.crowded import write_crowded
from boardctl.virtual.unseen.looks import drawn_installation
from boardctl.vision.measuring.truth import read_truth
from boardctl.vision.training.stack_pictures import rows_calibrated, rows_photographed, write
from boardctl.vision.training.stack_rows import LEAST_LENGTH, Row, rows_drawn

BOARDS = Path(__file__).parents[2] / "data" / "vision"
PICTURES = ("f00", "f01", "f03")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one installation: the empty board, the starting position, and one picture of a game."""
    folder = tmp_path_factory.mktemp("pictures")
    (folder / "board").mkdir()
    for name in PICTURES:
        for end in (".json", ".jpg"):
            shutil.copy((BOARDS / "green_felt" / name).with_suffix(end), folder / "board")
    return folder


def counts(rows: list[Row]) -> list[int]:
    return sorted(int((row.layers + 1).sum()) for row in rows)


def true_counts(folder: Path, names: tuple[str, ...]) -> list[int]:
    truths = [read_truth(folder / "board" / f"{name}.json").truth["points"].values() for name in names]
    return sorted(
        point["count"]
        for truth in truths
        for point in truth
        if point["count"] >= LEAST_LENGTH and not point["occluded_frac"]
    )


def test_rows_of_a_calibrated_board_hold_what_truly_lies_there(folder: Path) -> None:
    assert counts(list(rows_calibrated(folder))) == true_counts(folder, ("f01", "f03"))


def test_rows_of_a_photograph_hold_what_truly_lies_there_and_lean_as_its_own_camera_sees_them(folder: Path) -> None:
    rows = list(rows_photographed(folder, corners_off=0.0))
    assert counts(rows) == true_counts(folder, ("f03",))
    calibrated = list(rows_calibrated(folder))[-len(rows) :]
    for row, known in zip(rows, calibrated, strict=True):
        assert row.layers.tolist() == known.layers.tolist()
        assert row.leaning == pytest.approx(known.leaning, abs=0.6)
        assert row.leaning.tolist() != known.leaning.tolist()


def test_rows_are_learned_from_as_they_were_written(folder: Path, tmp_path: Path) -> None:
    rows = list(rows_calibrated(folder))
    write(rows, tmp_path / "rows.npz")
    for row, read in zip(rows, rows_drawn(tmp_path / "rows.npz"), strict=True):
        assert (read.shown == row.shown).all()
        assert read.layers.tolist() == row.layers.tolist()
        assert read.leaning.tolist() == row.leaning.tolist()


def test_an_installation_that_cannot_be_calibrated_gives_no_rows(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "board").mkdir()
    for name, of in (("f00", "f01"), ("f01", "f01")):
        for end in (".json", ".jpg"):
            shutil.copy(folder / "board" / f"{of}{end}", tmp_path / "board" / f"{name}{end}")
    assert list(rows_calibrated(tmp_path)) == []
    with pytest.raises(ValueError, match=r"out.npz: there are no rows"):
        write([], tmp_path / "out.npz")


def test_crowded_boards_hold_rows_of_more_than_games_have(tmp_path: Path) -> None:
    write_crowded(drawn_installation(501, 0), tmp_path / "board", pictures=2, seed=0)
    truths = [read_truth(path).truth for path in sorted((tmp_path / "board").glob("f*.json"))]
    held = [[point["count"] for point in truth["points"].values()] for truth in truths]
    assert not any(held[0])
    assert sum(held[1]) == 30
    for of_picture, truth in zip(held[2:], truths[2:], strict=True):
        assert max(of_picture) > 5
        assert sum(count >= LEAST_LENGTH for count in of_picture) >= 3
        assert not any(np.array([point["occluded_frac"] for point in truth["points"].values()]))
