"""A finding as who decides about it reads it: in words, with the rule, and packed with everything that shows it."""

from collections.abc import Iterator, Mapping
from typing import Any

import cv2

from boardctl.lights import TableView
from boardctl.lights.picture import draw_table
from boardctl.lights.words import Say, certainty_text, in_english, ruling_text
from boardctl.records import Journal, JournalError
from boardctl.records.evidence_pack import Pack
from boardctl.records.findings import NO_PICTURES, RecordedFinding, entries_around, pictures
from boardctl.records.frame_store import FrameStore
from boardctl.referee import Ruleset, read_ruleset, ruleset_names
from boardctl.referee.effects import Certainty, Text
from boardctl.referee.presets import RULESETS
from boardctl.referee.rows import ROWS
from boardctl.rules import Placement
from boardctl.rules.diagram import draw
from boardctl.table.session import Session

BEFORE_MS = 30_000
AFTER_MS = 15_000
"""The time whose entries are packed: a long turn before a finding, and what was said about it afterwards."""


def refuse_altered(journal: Journal) -> None:
    """Makes sure that a journal is what was recorded.

    :raises JournalError: when it is not; the message names the first entry that is not.
    """
    if (altered := journal.first_altered()) is not None:
        raise JournalError(
            f"{journal.path}: entry {altered.number} is not what was recorded, so it is evidence of nothing; boardctl "
            "journal verify says more"
        )


def words_of(finding: RecordedFinding, say: Say = in_english) -> list[str]:
    """Gets a finding in words, a sentence each."""
    heads = [_head(effect, say) for effect in finding.effects]
    return [head for head in heads if head] + [say(text) for text in finding.texts]


def _head(effect: Mapping[str, Any], say: Say) -> str:
    match effect["kind"]:
        case "turn_judged":
            seat, roll = effect["seat"], _roll(effect["roll"])
            certainty = say(certainty_text(Certainty(effect["certainty"])))
            if effect["legal"] is False:
                return say(Text.of("turn_line.illegal", seat=seat, roll=roll, certainty=certainty))
            return say(Text.of("turn_line.unknown", seat=seat, roll=roll, certainty=certainty))
        case "roll_read":
            certainty = say(certainty_text(Certainty(effect["certainty"])))
            if effect["valid"]:
                roll = _roll(effect["roll"])
                return say(Text.of("found.rolled", seat=effect["seat"], roll=roll, certainty=certainty))
            if effect["seat"] is None:
                return say(Text.of("found.no_roll", certainty=certainty))
            return say(Text.of("found.rolls_again", seat=effect["seat"], certainty=certainty))
        case "ruled":
            return ". ".join(_ruled(effect, say))
        case "match_lost":
            return say(Text.of("match.lost_on_time", seat=effect["seat"], winner=effect["winner"]))
    return ""


def _ruled(effect: Mapping[str, Any], say: Say) -> Iterator[str]:
    """Gets a ruling in words: what, by whom, and what a director has said about it."""
    yield say(Text.of("ruled", by=effect["by"], ruling=say(ruling_text(effect["ruling"]))))
    row = effect.get("row") or ""
    if row in ROWS:
        yield say(Text.of("ruled.row", row=row, title=say(ROWS[row])))
        if effect["seat"] is not None:
            yield say(Text.of("ruled.about", seat=effect["seat"]))
    if effect.get("reason"):
        yield say(Text.of("ruled.reason", reason=effect["reason"]))


def _roll(roll: list[int]) -> str:
    return f"{max(roll)}-{min(roll)}"


def pack_of(journal: Journal, finding: RecordedFinding) -> tuple[Pack, list[str]]:
    """Gets the pack of a finding, and what of its pictures is missing."""
    session, store = Session.from_header(journal.header), FrameStore(journal.path)
    kept = pictures(journal).get(finding.number, NO_PICTURES)
    missing: list[str] = []
    frames: dict[str, tuple[int, bytes]] = {}
    for frame in kept.frames:
        try:
            frames[frame.name] = (frame.at_ms, store.read(frame))
        except JournalError as error:
            missing.append(str(error))
    boards = finding.boards
    pack = Pack(
        title=f"{'Roll' if finding.is_roll else 'Finding'} {finding.number} of {journal.path.name}",
        said=words_of(finding),
        session={
            "ruleset": f"{session.ruleset.id}, version {session.ruleset.version}",
            "hash of the ruleset": session.ruleset.digest,
            "sources": "; ".join(session.ruleset.sources),
            "checked against its sources": "yes" if session.ruleset.verified else "by nobody",
            "may pictures decide": session.ruleset.video_admissible,
            "game": session.game,
            "match": f"to {session.match_length}" if session.match_length else "single games",
            "players": ", ".join(f"{seat}: {name}" for seat, name in session.players.items()) or "not named",
            "source": session.source,
            "calibration": session.calibration or "not noted",
            "software": f"boardctl {session.software}",
        },
        paragraph=rule_text(session.ruleset, finding.options),
        entries=entries_around(journal, finding, BEFORE_MS, AFTER_MS),
        boards={name: _drawn(board, name) for name, board in boards.items()},
        drawn={name: draw(board) + "\n" for name, board in boards.items()},
        frames=frames,
        lost=[*kept.lost, *missing],
        head_hash=journal.head_hash,
    )
    return pack, missing


def _drawn(board: Placement, name: str) -> bytes:
    view = TableView(placement=board, title=f"{name} the play")
    worked, data = cv2.imencode(".png", draw_table(view, legend=False))
    assert worked
    return data.tobytes()


def rule_text(ruleset: Ruleset, options: tuple[str, ...]) -> str:
    """Gets what a ruleset says about some options: as it is written, comments and all, where the preset is at hand."""
    written = RULESETS / f"{ruleset.id}.yaml"
    if ruleset.id in ruleset_names() and read_ruleset(ruleset.id).digest == ruleset.digest:
        lines = list(_written(written.read_text(encoding="utf-8").splitlines(), options))
    else:
        lines = [f"{key}: {value}" for key, value in ruleset.model_dump(mode="json").items() if key in options]
    return "\n".join([f"{ruleset.title} ({ruleset.id}, version {ruleset.version})", "", *lines]) + "\n"


def _written(lines: list[str], options: tuple[str, ...]) -> Iterator[str]:
    comments: list[str] = []
    for line in lines:
        if line.startswith("#"):
            comments.append(line)
        elif line.partition(":")[0] in options:
            yield from (*comments, line)
            comments = []
        else:
            comments = []
