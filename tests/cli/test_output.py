"""What commands print, where it cannot be printed: a full disk, a reader who has gone, no output at all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boardctl.records import Journal

MAIN = [sys.executable, "-c", "from boardctl.cli import main; main()"]
LOST = "boardctl: what is printed cannot be written (No space left on device); what was recorded is kept\n"
SPEAKING = [
    ["--help"],
    ["--version"],
    ["ruleset", "--help"],
    ["ruleset", "list"],  # printed by rich
    ["rules", "plays", "--roll", "31"],  # printed by typer
]


def printed_to(words: list[str], stdout: int) -> tuple[int, str]:
    """Gets the exit code and what was complained of."""
    ran = subprocess.run([*MAIN, *words], stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=60)
    return ran.returncode, ran.stderr


@pytest.mark.parametrize("words", SPEAKING, ids=" ".join)
def test_a_full_disk_is_told_in_one_line(words: list[str]) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    assert printed_to(words, full) == (1, LOST)
    os.close(full)


@pytest.mark.parametrize("words", SPEAKING, ids=" ".join)
def test_a_reader_who_has_gone_is_not_complained_of(words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    assert printed_to(words, writer) == (1, "")
    os.close(writer)


@pytest.mark.parametrize("reader_goes", [False, True], ids=["full disk", "reader gone"])
def test_a_game_ends_where_its_turns_cannot_be_printed_and_its_record_is_whole(
    reader_goes: bool, tmp_path: Path
) -> None:
    path = tmp_path / "a.journal"
    demo = ["demo", "--eyes", "perfect", "--turns", "4", "--journal", str(path)]
    reader, writer = os.pipe() if reader_goes else (0, os.open("/dev/full", os.O_WRONLY))
    if reader_goes:
        os.close(reader)
    assert printed_to(demo, writer) == (1, "" if reader_goes else LOST)
    os.close(writer)
    with Journal.open(path) as journal:
        assert journal.first_altered() is None
        assert len(list(journal.facts())) > 3


def test_an_error_stream_that_is_full_stops_nothing(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        words = [*MAIN, "demo", "--eyes", "perfect", "--fast", "--turns", "2", "--journal", str(tmp_path / "a.journal")]
        hall = ["--hall", "127.0.0.1:1", "--table", "Table 3"]  # it is said that nobody listens there
        ran = subprocess.run([*words, *hall], stdout=subprocess.PIPE, stderr=full, text=True, timeout=60)
        assert ran.returncode == 0
        assert "plays: 2 of 2 right" in ran.stdout
        assert subprocess.run([*MAIN, "no-such-command"], stdout=subprocess.PIPE, stderr=full).returncode == 2


def test_without_any_output_the_work_is_done(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    Journal.create(path, {}).close()
    command = " ".join([f"'{word}'" for word in [*MAIN, "journal", "verify", str(path)]])
    assert subprocess.run(["sh", "-c", f"{command} >&- 2>&-"], timeout=60).returncode == 0
