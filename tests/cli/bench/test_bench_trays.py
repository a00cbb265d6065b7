"""``boardctl bench trays``: drawn trays are read and counted by kind."""

import re

import pytest
from command_line import counted, run

from boardctl.cli.bench import trays as bench_trays
from calibration import CalibrationError


def test_every_tray_that_is_drawn_is_counted_once() -> None:
    told = run("bench", "trays", "--looks", "2", "--pictures", "2", "--seed", "8101")
    assert told.code == 0
    rows = counted(told)
    assert list(rows) == ["on edge", "up to 3", "lying", "empty", "under a hand"]
    short = rows.pop("up to 3")
    assert sum(counts[0] for counts in rows.values()) == 2 * 2 * 2
    assert short[0] <= rows["on edge"][0]
    for trays, right, not_told, surely, surely_wrong in rows.values():
        assert right + not_told <= trays
        assert surely_wrong <= surely <= trays
    assert rows["on edge"][1] > 0.7 * rows["on edge"][0]


def test_a_board_that_is_not_found_is_named_and_its_trays_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: object) -> None:
        raise CalibrationError("no board is seen")

    monkeypatch.setattr(bench_trays, "calibrate", refusing)
    told = run("bench", "trays", "--looks", "1", "--seed", "8101")
    assert told.code == 0
    assert "8101-00: not calibrated, and not counted: no board is seen" in told.output
    assert re.search(r"on edge +0 +0", told.output)
