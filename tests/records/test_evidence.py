"""Evidence of findings: what counts as one, pictures beside the journal, and a pack that holds everything."""

import hashlib
import json
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from boardctl.records import Entry, Journal, JournalError, effect_to_plain
from boardctl.records.evidence_pack import Pack
from boardctl.records.findings import (
    NOT_TOLD,
    RULED_BY,
    TOLD,
    KeptPictures,
    RecordedFinding,
    entries_around,
    finding_of,
    findings,
    is_finding,
    pictures,
)
from boardctl.records.frame_store import FrameStore
from boardctl.referee import Ruleset
from boardctl.referee.effects import Certainty, Effect, MatchLost, Notice, RollRead, Ruled, Text
from boardctl.referee.facts import EvidenceKept, HandSeen, KeptFrame, Role
from boardctl.referee.texts import ARGUMENTS
from boardctl.rules import Roll, Seat

AGAIN = RollRead(Seat.A, None, False, Certainty.CERTAIN, (Text.of("dice.on_checker", die=5),))


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """A journal of four facts, ten seconds apart; the third was answered with a finding, entry 7."""
    opened = Journal.create(tmp_path / "evening.journal", {"game": "backgammon"})
    for number in range(4):
        fact = opened.append_fact(HandSeen(10_000 * number, True))
        opened.append_effects(fact, 10_000 * number, [AGAIN] if number == 2 else [])
    return opened


@pytest.mark.parametrize(
    ("effect", "counts"),
    [
        (AGAIN, True),
        (RollRead(Seat.A, Roll(3, 1), True, Certainty.CERTAIN), False),
        (Ruled("accepted", "A", Seat.B), True),
        (MatchLost(Seat.A, Seat.B, "time"), True),
        (Notice(Text.of("dice.premature", seat="A")), True),
        (Notice(Text.of("clock.flag_fell", seat="A")), True),
        (Notice(Text.of("roll.no_play", seat="A", roll="6-6")), False),
        (Notice(Text.of("coach.pips", own=1, other=2)), False),
        (Notice(Text.of("cube.touched", seat="A")), True),
        (Notice(Text.of("cube.crawford", seat="A")), True),
        (Notice(Text.of("cube.crawford_game")), False),
        (Notice(Text.of("setup.stands", points="6")), True),
        (Notice(Text.of("setup.corrected")), False),
        (Notice(Text.of("penalty.warning", seat="A", count=2), to=(Role.DIRECTOR,)), True),
        (Notice(Text.of("call.checker_gone", seat="A", roll="3-1"), to=(Role.DIRECTOR,)), True),
        (Notice(Text.of("hands.two", seat="A"), to=(Role.DIRECTOR,)), False),
    ],
)
def test_what_somebody_may_want_evidence_of(effect: Effect, counts: bool) -> None:
    assert is_finding(effect) is counts


def test_every_notice_that_is_a_finding_is_one_that_is_said_and_is_ruled_by_an_option_there_is() -> None:
    for start in (*TOLD, *NOT_TOLD, *RULED_BY):
        assert any(key.startswith(start) for key in ARGUMENTS), start
    assert set(RULED_BY.values()) <= set(Ruleset.model_fields)


@pytest.mark.parametrize(
    ("notice", "option"),
    [
        (Text.of("cube.touched", seat="A"), "cube_touch"),
        (Text.of("cube.too_early", seat="A"), "premature_cube"),
        (Text.of("setup.stands", points="6"), "setup_window"),
        (Text.of("penalty.points", seat="A", count=3), "penalties"),
        (Text.of("late.points", minutes=7, points=1), "late"),
    ],
)
def test_a_notice_names_the_option_it_is_ruled_by(notice: Text, option: str) -> None:
    assert RecordedFinding(1, 0, (effect_to_plain(Notice(notice)),)).options == (option,)


def test_findings_are_those_of_the_record(journal: Journal) -> None:
    (finding,) = findings(journal)
    assert (finding.number, finding.at_ms) == (7, 20_000)
    assert finding.texts == (Text.of("dice.on_checker", die=5),)
    assert finding.options == ("die_on_checker", "roller_half")


def test_an_entry_that_is_no_finding_is_refused_with_those_that_are(journal: Journal) -> None:
    with pytest.raises(
        JournalError, match="entry 3 is no finding and no roll; nearest to it: 7; boardctl evidence --rolls"
    ):
        finding_of(journal, 3)


def test_the_entries_around_a_finding_are_chained_to_the_one_before_them(journal: Journal) -> None:
    around = entries_around(journal, finding_of(journal, 7), before_ms=5000, after_ms=5000)
    assert [entry.number for entry in around] == [5, 6, 7]


def test_a_picture_is_stored_once_and_comes_back_as_it_was(tmp_path: Path) -> None:
    store = FrameStore(tmp_path / "evening.journal")
    kept = store.put("cam/f 1.jpg", 5, b"picture")
    assert store.put("cam/f 1.jpg", 5, b"picture") == kept
    assert [path.name for path in store.folder.iterdir()] == [kept.name]
    assert kept.name.startswith("f-1-")
    assert store.read(kept) == b"picture"


def test_a_picture_that_was_altered_or_is_gone_is_no_evidence(tmp_path: Path) -> None:
    store = FrameStore(tmp_path / "evening.journal")
    kept = store.put("f1", 5, b"picture")
    (store.folder / kept.name).write_bytes(b"another")
    with pytest.raises(JournalError, match="not the picture that was stored"):
        store.read(kept)
    (store.folder / kept.name).unlink()
    with pytest.raises(JournalError, match="cannot be read"):
        store.read(kept)


def test_pictures_are_found_by_their_finding(journal: Journal) -> None:
    early, late = KeptFrame("a.jpg", 1, "0"), KeptFrame("b.jpg", 2, "1")
    journal.append_fact(EvidenceKept(21_000, 7, (late, early)))
    journal.append_fact(EvidenceKept(21_000, 9, (KeptFrame("c.jpg", 3, "2"),)))
    journal.append_fact(EvidenceKept(22_000, 7, (), "the disk is full"))
    assert pictures(journal) == {
        7: KeptPictures((early, late), ("the disk is full",)),
        9: KeptPictures((KeptFrame("c.jpg", 3, "2"),)),
    }


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.sources: list[str] = []
        self.attributes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]


def packed(journal: Journal, path: Path) -> dict[str, bytes]:
    pack = Pack(
        title="Finding <7>",
        said=["A die lies on a checker <script>alert(1)</script>"],
        session={"source": "<b>table</b>"},
        paragraph="die_on_checker: reroll\n",
        entries=entries_around(journal, finding_of(journal, 7), 60_000, 60_000),
        boards={"before": b"png"},
        drawn={"before": "drawn\n"},
        frames={"f1.jpg": (19_500, b"jpeg")},
        lost=[],
        head_hash=journal.head_hash,
    )
    pack.write(path)
    with zipfile.ZipFile(path) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def test_a_pack_holds_facts_pictures_positions_the_rule_and_sums_of_them_all(journal: Journal, tmp_path: Path) -> None:
    files = packed(journal, tmp_path / "pack.zip")
    assert set(files) == {
        "SHA256SUMS",
        "check.py",
        "entries.jsonl",
        "frames/f1.jpg",
        "index.html",
        "positions/before.png",
        "positions/before.txt",
        "ruleset.txt",
    }
    sums = dict(reversed(line.split("  ")) for line in files["SHA256SUMS"].decode().splitlines())
    del files["SHA256SUMS"]
    assert sums == {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def test_the_page_has_no_script_and_shows_only_what_is_in_the_pack(journal: Journal, tmp_path: Path) -> None:
    files = packed(journal, tmp_path / "pack.zip")
    page = _Page()
    page.feed(files["index.html"].decode())
    assert not {"script", "iframe", "object", "embed", "link", "b"} & set(page.tags)
    assert not [name for name in page.attributes if name.startswith("on")]
    assert set(page.sources) == {"positions/before.png", "frames/f1.jpg"}


def test_the_same_evidence_makes_the_same_pack(journal: Journal, tmp_path: Path) -> None:
    packed(journal, tmp_path / "one.zip")
    packed(journal, tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def unpacked(journal: Journal, folder: Path) -> Path:
    """Gets the folder into which the pack of the finding was unpacked; its picture is one that the record names."""
    picture = b"\xff\xd8 a picture"
    kept = FrameStore(journal.path).put("f1", 20_000, picture)
    journal.append_effects(journal.append_fact(EvidenceKept(31_000, 7, (kept,))), 31_000, [])
    pack = Pack("Finding 7", [], {}, "", list(journal.entries()), {}, {}, {kept.name: (20_000, picture)}, [], "")
    for name, data in pack.files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def checked(folder: Path) -> tuple[int, str]:
    """Runs the script that lies in a pack as anybody would, with Python alone."""
    command = [sys.executable, "-I", "-S", "check.py"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert not ran.stderr
    return ran.returncode, ran.stdout


def resummed(folder: Path, name: str) -> None:
    """Writes the sum of a file anew, as who alters a pack would."""
    sums = (folder / "SHA256SUMS").read_text().splitlines()
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    lines = [f"{digest}  {name}" if line.endswith(f"  {name}") else line for line in sums]
    (folder / "SHA256SUMS").write_text("\n".join(lines) + "\n")


def test_a_pack_checks_itself(journal: Journal, tmp_path: Path) -> None:
    folder = unpacked(journal, tmp_path / "pack")
    assert checked(folder) == (0, "all files, the chain and the pictures are as they were packed\n")
    (folder / "ruleset.txt").write_text("anything goes")
    (folder / "index.html").unlink()
    assert checked(folder) == (
        1,
        "index.html: is missing\nruleset.txt: was changed since the pack was written\n",
    )


def test_who_alters_an_entry_or_a_picture_and_its_sum_is_found_by_the_chain(journal: Journal, tmp_path: Path) -> None:
    folder = unpacked(journal, tmp_path / "pack")
    entries = folder / "entries.jsonl"
    entries.write_text(entries.read_text().replace('\\"present\\":true', '\\"present\\":false', 1))
    resummed(folder, "entries.jsonl")
    (picture,) = (folder / "frames").iterdir()
    picture.write_bytes(b"\xff\xd8 another picture")
    resummed(folder, f"frames/{picture.name}")
    assert checked(folder) == (
        1,
        "entries.jsonl: entry 2 is not chained to the one before it\n"
        f"frames/{picture.name}: is not the picture that the record names\n",
    )


def test_the_chain_of_a_packs_entries_can_be_checked_by_anybody(journal: Journal, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in packed(journal, tmp_path / "pack.zip")["entries.jsonl"].splitlines()]
    entries = [Entry(**line) for line in lines]
    for before, entry in pairwise(entries):
        chained = [before.hash, entry.number, entry.kind, entry.at_ms, entry.answers, entry.body]
        text = json.dumps(chained, ensure_ascii=True, separators=(",", ":"))
        assert hashlib.sha256(text.encode()).hexdigest() == entry.hash
