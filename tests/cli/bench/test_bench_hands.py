"""``boardctl bench hands``: hands are painted over dice, and what is told of these is counted."""

from pathlib import Path

from command_line import counted, run

PICTURES = Path(__file__).parents[2] / "data" / "vision"


def test_every_flat_die_is_counted_with_a_hand_and_without() -> None:
    told = run("bench", "hands", str(PICTURES), "--only", "green_felt", "--seed", "3")
    assert told.code == 0
    rows = counted(told)
    assert list(rows) == ["most of it", "half of it", "a part", "hardly any", "nothing: no hand"]
    without = rows.pop("nothing: no hand")
    # Frames 3, 6 and 12 are without a hand, and have five flat dice on the field.
    assert without[0] == sum(counts[0] for counts in rows.values()) == 5
    assert without[:4] == [5, 5, 5, 0]
    for dice, found, used, used_wrong, doubted, doubted_wrong, leaning in rows.values():
        assert used + doubted <= found <= dice
        assert used_wrong <= used
        assert doubted_wrong <= doubted
        assert leaning <= found


def test_a_folder_without_installations_is_named(tmp_path: Path) -> None:
    told = run("bench", "hands", str(tmp_path))
    assert told.code == 2
    assert "holds no installation" in told.output


def test_a_name_that_is_not_there_is_told_with_those_that_are() -> None:
    told = run("bench", "hands", str(PICTURES), "--only", "red_felt")
    assert told.code == 2
    assert "holds none called red_felt, but dark_brown, green_felt" in " ".join(told.output.split())
