"""``boardctl bench looks``: installations are drawn, calibrated by themselves, read and counted."""

import json
from pathlib import Path

import pytest
from command_line import run


def test_an_installation_is_drawn_calibrated_and_read(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    ran = run(*("bench", "looks", "--seed", "7001", "--only", "3", "--pictures", "2", "--json"), "--keep", kept)
    assert ran.code == 0, ran.output
    line, total = (json.loads(line) for line in ran.output.splitlines())
    assert line["installation"] == "7001-03"
    assert line["calibrations found"] == total["calibrations found"] == [1, 1]
    assert line["points right"] == [48, 48]
    pictures = sorted(path.name for path in (kept / "7001-03").iterdir())
    assert pictures == [f"f0{number}.{kind}" for number in range(4) for kind in ("jpg", "json")]
    again = json.loads(run("bench", "vision", kept, "--json").output.splitlines()[0])
    assert again["points right"] == line["points right"]


@pytest.mark.parametrize("only", ["first", "1,,2", "-1"])
def test_installations_are_chosen_by_their_numbers(only: str) -> None:
    ran = run("bench", "looks", "--only", only)
    assert ran.code == 2
    assert "give numbers from 0 on" in " ".join(ran.output.split())


@pytest.mark.parametrize("option", ["--readings", "--failures", "--keep"])
def test_what_cannot_be_written_is_told_before_anything_is_measured(option: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way", encoding="utf-8")
    ran = run("bench", "looks", "--looks", "1", "--pictures", "1", option, file / "below")
    assert ran.code == 2
    assert "cannot be written" in " ".join(ran.output.split())
    assert "points" not in ran.output


def test_printed_boards_are_drawn_without_a_bar_and_read(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    words = ("bench", "looks", "--printed", "--polished", "--seed", "9861", "--only", "0", "--pictures", "1", "--json")
    ran = run(*words, "--keep", kept)
    assert ran.code == 0, ran.output
    line = json.loads(ran.output.splitlines()[0])
    assert line["calibrations found"] == [1, 1]
    truth = json.loads((kept / "9861-00" / "f02.json").read_text(encoding="utf-8"))
    assert truth["geometry_cm"]["bar_width"] == truth["geometry_cm"]["bar_height"] == 0
    assert line["points right"] == [24, 24]
    assert line["bar right"] == [1, 1]


@pytest.mark.parametrize(
    ("option", "seed", "said"),
    [("--ornate", "10801", "checker 39 px, die 16 mm, stripe, emblem (name)"), ("--railed", "10921", "rails: numbers")],
)
def test_ornate_boards_and_rails_are_drawn_with_what_is_said_of_them_and_read(
    option: str, seed: str, said: str
) -> None:
    ran = run("bench", "looks", option, "--seed", seed, "--only", "5", "--pictures", "1")
    assert ran.code == 0, ran.output
    assert said in " ".join(ran.output.split())
    assert "points 24/24" in ran.output
    assert "calibrations found                  1/1" in ran.output


def test_inlaid_checkers_are_drawn_with_what_is_said_of_them_and_read() -> None:
    ran = run("bench", "looks", "--inlaid", "--seed", "10901", "--only", "6", "--pictures", "1", "--json")
    assert ran.code == 0, ran.output
    line = json.loads(ran.output.splitlines()[0])
    assert line["points right"] == [24, 24]
    assert line["dice seen where none lies"] == 0


@pytest.mark.parametrize(
    ("option", "seed", "only", "said"),
    [
        ("--cluttered", "11001", "0", "table: checked"),
        ("--uncommon-dice", "11011", "1", "dice: swirls"),
        ("--trayless", "11041", "3", "no trays"),
        ("--resized", "13001", "14", "640x480 px"),
        ("--mixed", "19001", "13", "wide (71 degrees), 1280 px, 13 degrees, checker 39 px, die 14 mm, printed"),
    ],
)
def test_tables_dice_pictures_and_boards_without_trays_are_drawn_with_what_is_said_of_them_and_read(
    option: str, seed: str, only: str, said: str
) -> None:
    ran = run("bench", "looks", option, "--seed", seed, "--only", only, "--pictures", "1")
    assert ran.code == 0, ran.output
    assert said in " ".join(ran.output.split())
    assert "points 24/24" in ran.output
    assert "calibrations found                  1/1" in ran.output
    assert "trays or none, told rightly       1/1" in ran.output


def test_boards_fold_and_cups_stand_on_them_with_dice_in_them() -> None:
    ran = run("bench", "looks", "--folding", "--dice-in-cups", "--seed", "33011", "--only", "10", "--pictures", "1")
    assert ran.code == 0, ran.output
    assert "folds: seam 1.2 mm, rises -0.3 degrees, step 1.0, shift 1.3 mm, cups with dice" in " ".join(
        ran.output.split()
    )
    assert "points 22/22" in ran.output
    assert "dice in cups told as such           1/1" in ran.output


def test_boards_take_the_colours_of_designs_and_white_is_lighter_than_yellow(tmp_path: Path) -> None:
    colours = ("board=#000000", "points0=#42CC22", "points1=#FFFF40", "chequers0=#DED919", "chequers1=#F9F9F9")
    file = tmp_path / "boards.xml"
    file.write_text("\n".join(("<board-design>", "<title>White beside yellow</title>", *colours)), encoding="utf-8")
    ran = run("bench", "looks", "--designs", file, "--seed", "35021", "--only", "5", "--pictures", "1")
    assert ran.code == 0, ran.output
    assert "in the colours of White beside yellow" in " ".join(ran.output.split())
    assert "points 24/24" in ran.output
    assert "calibrations found                  1/1" in ran.output


@pytest.mark.parametrize(("written", "said"), [(None, "No such file"), ("no design", "no designs of boards")])
def test_a_file_without_designs_is_refused(tmp_path: Path, written: str | None, said: str) -> None:
    file = tmp_path / "boards.xml"
    if written is not None:
        file.write_text(written, encoding="utf-8")
    ran = run("bench", "looks", "--designs", file)
    assert ran.code == 2
    assert said in " ".join(ran.output.split())


def test_mixed_boards_are_changed_in_no_other_ways() -> None:
    ran = run("bench", "looks", "--mixed", "--printed")
    assert ran.code != 0
    assert "--mixed chooses the ways itself" in ran.output


def test_boards_taken_to_have_trays_that_have_none_are_counted(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    words = ("bench", "looks", "--seed", "7001", "--only", "3", "--pictures", "1", "--json", "--keep", kept)
    assert json.loads(run(*words).output.splitlines()[0])["trays or none, told rightly"] == [1, 1]
    file = kept / "7001-03" / "f01.json"
    truth = json.loads(file.read_text(encoding="utf-8"))
    for tray_width, told in ((0.0, [0, 1]), (None, [1, 1])):
        sizes = {key: value for key, value in truth["geometry_cm"].items() if key != "tray_width"}
        told_width = {} if tray_width is None else {"tray_width": tray_width}
        file.write_text(json.dumps(truth | {"geometry_cm": sizes | told_width}), encoding="utf-8")
        counts = json.loads(run("bench", "vision", kept, "--json").output.splitlines()[0])
        assert counts["trays or none, told rightly"] == told
