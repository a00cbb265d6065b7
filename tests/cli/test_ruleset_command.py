"""The rulesets as a user sees them: listed, shown whole, checked with file, line and key, compared."""

import json
import re
from pathlib import Path

import pytest
from command_line import run

from boardctl.records import Journal
from boardctl.referee import read_ruleset, ruleset_names
from boardctl.table import Session
from config import CONFIG_DIRECTORY

HOUSE = CONFIG_DIRECTORY / "rulesets" / "house-seed.yaml"


def test_every_preset_is_listed_with_what_it_is_after() -> None:
    listed = json.loads(run("ruleset", "list", "--json").output)
    assert [preset["id"] for preset in listed] == list(ruleset_names())
    assert all(preset["sources"] for preset in listed)
    assert not any(preset["verified"] for preset in listed)
    assert run("ruleset", "list").output.count("checked by nobody") == len(listed)


def test_a_ruleset_is_shown_with_every_option_and_its_hash() -> None:
    shown = run("ruleset", "show", "usbgf-like")
    assert shown.code == 0
    lines = dict(line.split(maxsplit=1) for line in shown.output.splitlines() if not line.startswith("  "))
    assert lines["turn_end"] == "clock"
    assert lines["clock.delay_s"] == "12"
    assert lines["setup_window"] == "rolls 5"
    assert lines["hash"] == read_ruleset("usbgf-like").digest


def test_two_rulesets_are_compared_option_by_option() -> None:
    compared = json.loads(run("ruleset", "diff", "wbgf-legal-like", "wbgf-responsible-like", "--json").output)
    assert compared == {
        "illegal_play": ["must_correct", "accept_or_require"],
        "correction_window": ["next_valid_roll", "valid_roll_or_double"],
        "premature_roll": ["void", "stands"],
        "others_dice": ["director", "stands"],
        "cube_put_down": ["answers", "own_side_takes"],
        "announce": ["monitor", "on_query"],
        "penalties": ["warning, points", "none"],
    }


def test_a_ruleset_rules_as_itself() -> None:
    assert run("ruleset", "diff", "casual", "casual").output == "casual and casual rule alike\n"


def test_a_ruleset_of_ones_own_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "club.yaml"
    path.write_text(HOUSE.read_text(encoding="utf-8").replace("id: house-seed", "id: club"), encoding="utf-8")
    checked = run("ruleset", "check", path)
    assert checked.code == 0
    assert "in order: club" in checked.output


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("announce: monitor", "anounce: monitor"), "club.yaml:30: anounce: unknown key"),
        (("turn_end: dice_lift_both", "turn_end: clock"), "turn_end clock: there is no clock"),
        (("clock: {kind: none}", "clock: {kind: none, overtime_s: [60]}"), "clock: kind none"),
        (("clock: {kind: none}", "clock: {kind: delay, delay_s: 8, overtime_s: [0]}"), "overtime_s"),
        (("verified: false", "verified: false\nverified: true"), "verified stands twice"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    path = tmp_path / "club.yaml"
    path.write_text(HOUSE.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    refused = run("ruleset", "check", path)
    assert refused.code == 2
    assert says in refused.output


def test_a_match_longer_than_allowed_is_refused() -> None:
    refused = run("demo", "--match", "100")
    assert refused.code == 2
    assert "--match" in refused.output
    assert re.search(r"\b99\b", refused.output)


def test_every_option_in_force_and_the_hash_stand_in_the_record(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    ruleset = read_ruleset("usbgf-like")
    Journal.create(path, Session(ruleset=ruleset).header()).close()
    with Journal.open(path) as journal:
        assert journal.header["ruleset"] == ruleset.model_dump(mode="json")
        assert journal.header["ruleset_digest"] == ruleset.digest
