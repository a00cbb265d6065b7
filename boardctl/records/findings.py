"""What a journal holds that somebody may want evidence of: findings, each with the entries and pictures around it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from boardctl.records.journal import Entry, Journal, JournalError
from boardctl.referee.effects import Effect, MatchLost, Notice, RollRead, Ruled, Text, TurnJudged
from boardctl.referee.facts import EvidenceKept, KeptFrame
from boardctl.rules import Place, Placement, Seat

TOLD = (
    *("dice.premature", "dice.changed", "dice.turned", "dice.of_other"),
    *("roll.board_changed", "roll.played_without_rolling", "roll.gone_or_moved", "repair.", "clock.", "call."),
    *("cube.put_", "cube.touched", "cube.too_early", "cube.binds", "cube.laid_too_early", "cube.wrong_value"),
    *("cube.rolled_before_answer", "cube.crawford"),
    *("setup.correct", "setup.stands", "setup.by_agreement", "setup.stays_out"),
    *("penalty.", "late.", "pattern."),
)
"""Notices that are findings: how their texts begin. Hands over the board are none: they are noted, and nobody rules."""

NOT_TOLD = ("roll.no_play", "clock.given", "repair.done", "repair.look", "setup.corrected", "cube.crawford_game")
"""Notices whose texts begin alike, and that are none."""

RULED_BY = {
    "dice.premature": "premature_roll",
    "cube.rolled_before_answer": "premature_roll",
    "dice.of_other": "others_dice",
    "cube.put_": "cube_put_down",
    "cube.touched": "cube_touch",
    "cube.too_early": "premature_cube",
    "cube.binds": "premature_cube",
    "cube.laid_too_early": "premature_cube",
    "cube.crawford": "crawford_fix",
    "setup.": "setup_window",
    "call.": "illegal_play",
    "penalty.": "penalties",
    "pattern.": "penalties",
    "late.": "late",
    "clock.": "clock",
}
"""The option of the ruleset by which a notice is ruled, by how its text begins."""

NEAREST = 5
"""So many findings are named to whoever asks for one that is none."""


def is_finding(effect: Effect) -> bool:
    """Whether an effect says that something was not as it should be, or what was ruled about it."""
    match effect:
        case TurnJudged(legal=legal):
            return legal is not True
        case RollRead(valid=valid):
            return not valid
        case Notice(text=text):
            return _is_told(text.key)
        case Ruled() | MatchLost():
            return True
    return False


def _is_told(key: str) -> bool:
    return key.startswith((*TOLD, "roll.played")) and key not in NOT_TOLD


def _is_recorded_finding(effect: Mapping[str, Any]) -> bool:
    kind = effect["kind"]
    if kind == "turn_judged":
        return effect["legal"] is not True
    if kind == "roll_read":
        return not effect["valid"]
    return kind in ("ruled", "match_lost") or (kind == "notice" and _is_told(effect["text"]["key"]))


@dataclass(frozen=True)
class RecordedFinding:
    """The findings of one entry, or the roll that counts. ``effects`` are as recorded, as JSON values; ``number`` is
    the entry's."""

    number: int
    at_ms: int
    effects: tuple[Mapping[str, Any], ...]

    @property
    def is_roll(self) -> bool:
        """Whether it is a roll that counts, with which nothing was wrong."""
        return not any(_is_recorded_finding(effect) for effect in self.effects)

    @property
    def texts(self) -> tuple[Text, ...]:
        """What was said, as texts of the catalogue."""
        found: list[Text] = []
        for effect in self.effects:
            explanation = (effect.get("finding") or {}).get("explanation", ())
            said = [one for one in (effect.get("text"), *effect.get("reasons", ()), *explanation) if one]
            found += [Text(one["key"], tuple((name, value) for name, value in one["arguments"])) for one in said]
        return tuple(dict.fromkeys(found))

    @property
    def boards(self) -> dict[str, Placement]:
        """The positions of which the finding tells: ``before`` the play and ``after`` it."""
        return {
            name: placement_of(effect[name])
            for effect in self.effects
            for name in ("before", "after")
            if effect.get(name) is not None
        }

    @property
    def options(self) -> tuple[str, ...]:
        """The options of the ruleset by which it is ruled."""
        kinds = {str(effect["kind"]) for effect in self.effects}
        keys = [text.key for text in self.texts]
        options: list[str] = []
        if kinds & {"turn_judged", "ruled"}:
            options += ["illegal_play", "correction_window", "window_waived_if", "non_condonable"]
        if "roll_read" in kinds:
            options += ["die_on_checker", "roller_half"]
        options += [option for start, option in RULED_BY.items() if any(key.startswith(start) for key in keys)]
        if "match_lost" in kinds:
            options.append("clock")
        return tuple(dict.fromkeys(options)) or ("turn_end",)


def placement_of(recorded: Mapping[str, str]) -> Placement:
    """Gets a placement as the record has it: places in words, stacks as letters from bottom to top."""
    return Placement({Place.parse(place): tuple(Seat(letter) for letter in stack) for place, stack in recorded.items()})


def findings(journal: Journal) -> Iterator[RecordedFinding]:
    """Gets the findings of a journal in order."""
    for entry in journal.entries():
        if entry.kind == "effects":
            found = tuple(effect for effect in entry.content if _is_recorded_finding(effect))
            if found:
                yield RecordedFinding(entry.number, entry.at_ms, found)


def rolls(journal: Journal) -> Iterator[RecordedFinding]:
    """Gets the rolls that count in order: nothing was wrong with them, but what was rolled may be disputed."""
    for entry in journal.entries():
        if entry.kind == "effects":
            rolled = tuple(effect for effect in entry.content if effect["kind"] == "roll_read" and effect["valid"])
            if rolled:
                yield RecordedFinding(entry.number, entry.at_ms, rolled)


def finding_of(journal: Journal, number: int) -> RecordedFinding:
    """Gets the finding with a number, or the roll.

    :raises JournalError: when neither stands there; the message names the findings nearest to it.
    """
    known = {finding.number: finding for finding in findings(journal)}
    rolled = {roll.number: roll for roll in rolls(journal)}
    if number in rolled and number not in known:
        return rolled[number]
    if number in known:
        return known[number]
    nearest = sorted(sorted(known, key=lambda one: abs(one - number))[:NEAREST])
    there = f"nearest to it: {', '.join(map(str, nearest))}" if nearest else "it holds none"
    raise JournalError(
        f"{journal.path}: entry {number} is no finding and no roll; {there}; boardctl evidence --rolls lists all"
    )


def entries_around(journal: Journal, finding: RecordedFinding, before_ms: int, after_ms: int) -> list[Entry]:
    """Gets the entries of the time around a finding, and the last one before them, whose hash theirs are chained to."""
    entries = list(journal.entries())
    inside = [
        index
        for index, entry in enumerate(entries)
        if finding.at_ms - before_ms <= entry.at_ms <= finding.at_ms + after_ms or entry.number == finding.number
    ]
    first = next((index for index in inside if entries[index].number > 1), inside[0])
    return entries[max(0, first - 1) : inside[-1] + 1]


@dataclass(frozen=True, slots=True)
class KeptPictures:
    """The pictures that were stored for a finding in the order of time, and why others were not."""

    frames: tuple[KeptFrame, ...] = ()
    lost: tuple[str, ...] = ()

    def joined(self, kept: EvidenceKept) -> Self:
        """Gets these and what was stored later; a picture that was stored twice is there once."""
        frames = dict.fromkeys((*self.frames, *kept.frames))
        in_time = tuple(sorted(frames, key=lambda frame: frame.at_ms))
        return replace(self, frames=in_time, lost=(*self.lost, kept.lost) if kept.lost else self.lost)


NO_PICTURES = KeptPictures()


def pictures(journal: Journal) -> dict[int, KeptPictures]:
    """Gets what was stored for the findings of a journal, by the findings' numbers; one without is not there."""
    found: dict[int, KeptPictures] = {}
    for _, fact in journal.facts_of(EvidenceKept):
        found[fact.entry] = found.get(fact.entry, KeptPictures()).joined(fact)
    return found
