import json

import pytest
from command_line import run

from firmware_bridge.errors import EmulatorError


def test_the_stand_in_is_measured_and_loses_nothing_over_a_bad_cable() -> None:
    ran = run("bench", "link", "--board", "standin", "--rounds", "3", "--noisy-events", "48", "--json")
    assert ran.code == 0, ran.output
    figures = json.loads(ran.output)
    assert (figures["board"], figures["noisy_events"]) == ("standin", 48)
    assert (figures["noisy_lost"], figures["noisy_doubled"]) == (0, 0)
    # Three scans of 8 ms stand between a change and its event, so anything quicker was not measured.
    assert 16 <= figures["change_to_event"]["median_ms"] <= figures["change_to_light"]["median_ms"]
    assert figures["lift_to_target"]["median_ms"] >= 16


def test_the_figures_are_lines_for_people() -> None:
    ran = run("bench", "link", "--board", "standin", "--rounds", "2", "--noisy-events", "0")
    assert ran.code == 0, ran.output
    assert "standin   sensor change to lit target" in ran.output
    assert "0 events over a bad cable" in ran.output


def test_an_unknown_board_is_wrong_usage() -> None:
    ran = run("bench", "link", "--board", "marble")
    assert (ran.code, "'standin'" in ran.output, "'emulated'" in ran.output) == (2, True, True)


def test_without_the_compilers_the_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise EmulatorError("cannot build without gcc-avr. Run: sudo apt-get install gcc-avr")

    monkeypatch.setattr("boardctl.cli.board_choice.EmulatedBoard", missing)
    ran = run("bench", "link")
    assert (ran.code, ran.output) == (
        1,
        "boardctl: cannot build without gcc-avr. Run: sudo apt-get install gcc-avr\n",
    )
