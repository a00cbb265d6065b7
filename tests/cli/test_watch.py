import json
import shutil
import socket
from pathlib import Path

import pytest
from command_line import Recording, run

from boardctl.records import Journal


def test_a_folder_of_frames_is_refereed_turn_by_turn(recording: Recording, tmp_path: Path) -> None:
    path = tmp_path / "evening.journal"
    ran = run("watch", recording.folder, "--journal", path, "--json")
    assert ran.code == 0
    entries = [json.loads(line) for line in ran.output.splitlines()]
    judged = [entry for entry in entries if entry["kind"] == "turn_judged"]
    # The last turn had not ended when the frames did.
    assert [(turn["seat"], f"{max(turn['roll'])}-{min(turn['roll'])}") for turn in judged] == recording.rolls[:-1]
    assert all(turn["legal"] for turn in judged)
    with Journal.open(path) as journal:
        assert journal.first_altered() is None
        assert journal.unanswered() == set()
        assert journal.header["game"] == "backgammon"
        assert len(journal.header["calibration"]) == 64


def test_a_turn_is_a_line_with_roll_play_and_ruling_and_no_hall_is_waited_for(
    recording: Recording, tmp_path: Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{free.getsockname()[1]}"
    ran = run("watch", recording.folder, "--hall", nobody, "--journal", tmp_path / "a.journal")
    assert f"hall: {nobody}: no broker listens there; the game goes on without" in ran.output
    seat, roll = recording.rolls[0]
    line = next(line for line in ran.output.splitlines() if f"{seat} {roll}:" in line)
    assert ", legal, " in line
    assert "the last turn had not ended" in ran.output


def test_what_was_watched_can_be_replayed_with_the_same_rulings(recording: Recording, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    run("watch", recording.folder, "--journal", path)
    ran = run("replay", path)
    assert ran.code == 0
    assert "stands at: move" in ran.output
    answers = [json.loads(line) for line in run("replay", path, "--json").output.splitlines()]
    assert all(answer["same"] for answer in answers)


def test_a_jump_is_taken_up_anew_with_resync_and_asked_about_without(recording: Recording, tmp_path: Path) -> None:
    gap = tmp_path / "gap"
    shutil.copytree(recording.folder, gap)
    for name in ("f03.png", "f04.png", "f05.png"):
        (gap / name).unlink()
    taken_up = run("watch", gap, "--resync", "--journal", tmp_path / "a.journal")
    assert "Ruled by resync: the board was set up anew" in taken_up.output
    asked = run("watch", gap, "--journal", tmp_path / "b.journal")
    assert "Ruled by resync" not in asked.output


def test_without_a_calibration_the_first_two_frames_must_be_there(tmp_path: Path, recording: Recording) -> None:
    lone = tmp_path / "lone"
    lone.mkdir()
    shutil.copy(recording.folder / "f00.png", lone)
    ran = run("watch", lone, "--journal", tmp_path / "a.journal")
    assert ran.code == 2
    assert "give --calibration" in ran.output
    assert not (tmp_path / "a.journal").exists()


def test_frames_without_a_board_are_refused_with_a_reason(recording: Recording, tmp_path: Path) -> None:
    twice = tmp_path / "twice"
    twice.mkdir()
    shutil.copy(recording.folder / "f00.png", twice / "f00.png")
    shutil.copy(recording.folder / "f00.png", twice / "f01.png")
    ran = run("watch", twice, "--journal", tmp_path / "a.journal")
    assert ran.code == 1
    assert ran.output.startswith("boardctl: ")
    assert ran.output.count("\n") == 1


def test_a_damaged_frame_stops_with_its_name_and_keeps_what_was_recorded(recording: Recording, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    shutil.copytree(recording.folder, damaged)
    whole = (damaged / "f04.png").read_bytes()
    (damaged / "f04.png").write_bytes(whole[: len(whole) // 2])
    path = tmp_path / "a.journal"
    ran = run("watch", damaged, "--journal", path)
    assert ran.code == 1
    assert "f04.png" in ran.output
    with Journal.open(path) as journal:
        assert len(list(journal.facts())) >= 3
        assert journal.first_altered() is None


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["/no/such/place"], 1, "no such file or folder"),
        (["."], 1, "the folder is empty"),
        ([".", "--ruleset", "nobodys"], 2, "no ruleset 'nobodys'"),
        ([".", "--match", "0"], 2, "--match"),
        ([".", "--game", "chess"], 2, "chess"),
        (["shot.png", "--port", "/dev/none"], 2, "shot.png shows it as it was"),
    ],
)
def test_wrong_use_is_said_in_words(
    words: list[str], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if words[0].endswith(".png"):
        (tmp_path / words[0]).write_bytes(b"")
    ran = run("watch", *words, "--journal", tmp_path / "a.journal")
    assert (ran.code, message in ran.output) == (code, True), ran.output


def test_a_journal_is_never_overwritten(recording: Recording, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    path.write_text("precious")
    ran = run("watch", recording.folder, "--journal", path)
    assert ran.code == 1
    assert "never overwritten" in ran.output
    assert path.read_text() == "precious"


def test_a_source_that_cannot_be_used_leaves_no_record(recording: Recording, tmp_path: Path) -> None:
    calibration, note = tmp_path / "c.yaml", tmp_path / "note.avi"
    empty, start = recording.folder / "f00.png", recording.folder / "f01.png"
    assert run("calibrate", "camera", "--empty", empty, "--start", start, "--out", calibration).code == 0
    note.write_text("not a video")
    path = tmp_path / "a.journal"
    assert run("watch", note, "--calibration", calibration, "--journal", path).code == 1
    assert not path.exists()
