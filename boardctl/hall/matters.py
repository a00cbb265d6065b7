"""What stands open at a table: why the director is wanted there, and what was found that nobody has settled.

Pure but for the journal that it is begun with: a game that is gone on with brings its open matters along.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from boardctl.lights.words import Say, pause_text
from boardctl.records import Journal, effect_to_plain
from boardctl.records.findings import RecordedFinding, findings, is_finding
from boardctl.referee import Ruleset
from boardctl.referee.announcing import is_silent
from boardctl.referee.effects import Effect, Text
from boardctl.referee.facts import ButtonPressed, DirectorRuled, EvidenceKept, Fact, PauseReason, Role
from boardctl.referee.state import State

_SETTLING = ("accepted", "must_replay", "condoned", "set_up", "restored")
"""Rulings after which the game goes on from a position that stands; others put something right beside it."""

_OFFERS = ("ask.double", "ask.resign")
"""What a player asks another, whatever the ruleset keeps from players."""

_TOLD_THE_PLAYERS = (
    "cube.too_early",
    "cube.binds",
    "cube.laid_too_early",
    "cube.wrong_value",
    "cube.crawford",
    "dice.turned",
)
"""Findings, by how their texts begin, that players put right by themselves once they are told."""

_FOR_DIRECTOR = (PauseReason.CONTEST, PauseReason.DIRECTOR, PauseReason.FAULT)
_KINDS = ("turn_judged", "roll_read", "notice", "ruled", "game_ended")

Said = tuple[Mapping[str, Any], bool]
"""An effect as it is recorded, and whether it is a finding."""


@dataclass(frozen=True, slots=True)
class OpenFinding:
    """A finding that nobody has settled, since when it is known, and how many pictures of it were stored."""

    recorded: RecordedFinding
    since_ms: int
    pictures: int = 0

    @property
    def certainty(self) -> str:
        """How sure it is, as the record has it; empty where that is not said."""
        return next((str(effect["certainty"]) for effect in self.recorded.effects if "certainty" in effect), "")


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A reason for which the director is wanted, and since when."""

    why: Text
    since_ms: int


@dataclass(frozen=True, slots=True)
class Matters:
    """All that stands open at one instant; a value."""

    calls: tuple[OpenCall, ...] = ()
    findings: tuple[OpenFinding, ...] = ()
    question_since_ms: int = 0


class OpenMatters:
    """Follows a table; ``open`` is what stands open. It is told of what the referee says before the desk's responders
    answer, as every output is: then the entry written last is the one that a finding stands in."""

    def __init__(self, ruleset: Ruleset, journal: Journal, say: Say) -> None:
        self._ruleset = ruleset
        self._journal = journal
        self._say = say
        self._question: int | None = None
        self._pressed = self._clock_ran = False
        self.open = Matters()
        for number, said in _recorded(journal):
            self._settle_and_find(number, 0, said)
        for _, kept in journal.facts_of(EvidenceKept):
            self._keep(kept)

    def hear(self, fact: Fact, effects: Sequence[Effect], state: State, now_ms: int) -> None:
        """Takes what followed from a fact. ``state``: how the referee stands now; ``now_ms``: when this is heard of."""
        if isinstance(fact, EvidenceKept):
            self._keep(fact)
        said = [(effect_to_plain(effect), is_finding(effect)) for effect in effects if effect.kind in _KINDS]
        if said:
            self._settle_and_find(self._journal.last_number, now_ms, said)
        self._note_button(fact, state)
        number = None if state.prompt is None else state.prompt.number
        if number != self._question:
            self._question = number
            self.open = replace(self.open, question_since_ms=now_ms)
        before = {call.why: call for call in self.open.calls}
        calls = tuple(before.get(why) or OpenCall(why, now_ms) for why in self._wanted(state))
        self.open = replace(self.open, calls=calls)

    def _wanted(self, state: State) -> Iterator[Text]:
        if asks_director_alone(self._ruleset, state):
            yield Text.of("hall.call.question")
        paused = None if state.clock is None else state.clock.paused
        if paused in _FOR_DIRECTOR:
            yield Text.of("hall.call.clock", reason=self._say(pause_text(paused)))
        if self._pressed:
            yield Text.of("hall.call.button")

    def _note_button(self, fact: Fact, state: State) -> None:
        """The button calls the director; pressed once more, or when he has done anything else, it calls no longer.

        Where it stopped a clock, the clock says for whom it stands; where it let one go on, the director was there.
        """
        runs = state.clock is not None and state.clock.running is not None
        if getattr(fact, "by", None) is Role.DIRECTOR and isinstance(fact, ButtonPressed):
            self._pressed = not self._pressed and runs == self._clock_ran
        elif getattr(fact, "by", None) is Role.DIRECTOR or isinstance(fact, DirectorRuled):
            self._pressed = False
        self._clock_ran = runs

    def _settle_and_find(self, number: int, now_ms: int, said: Iterable[Said]) -> None:
        left = list(self.open.findings)
        found: list[Mapping[str, Any]] = []
        for effect, is_found in said:
            if _settles(effect):
                left, found = [], []
            elif _ends_repair(effect):
                left = [one for one in left if not _is_about_repair(one)]
            elif is_found and _is_open(effect):
                found.append(effect)
        said_before = any(one.recorded.effects == tuple(found) for one in left)
        if found and not said_before:
            left.append(OpenFinding(RecordedFinding(number, 0, tuple(found)), now_ms))
        self.open = replace(self.open, findings=tuple(left))

    def _keep(self, kept: EvidenceKept) -> None:
        findings = (
            replace(one, pictures=one.pictures + len(kept.frames)) if one.recorded.number == kept.entry else one
            for one in self.open.findings
        )
        self.open = replace(self.open, findings=tuple(findings))


def asks_director_alone(ruleset: Ruleset, state: State) -> bool:
    """Whether nobody but the director may know of the question that stands, or is asked it."""
    if state.prompt is None:
        return False
    kept = is_silent(ruleset, state) and state.prompt.text.key not in _OFFERS
    return kept or state.prompt.to == (Role.DIRECTOR,)


def _recorded(journal: Journal) -> Iterator[tuple[int, list[Said]]]:
    """Gets what was said so far that finds or settles something, with the numbers of its entries."""
    found = {finding.number: finding.effects for finding in findings(journal)}
    for entry in journal.entries():
        if entry.kind == "effects":
            of_entry = found.get(entry.number, ())
            yield entry.number, [(said, said in of_entry) for said in entry.content if said["kind"] in _KINDS]


def _settles(effect: Mapping[str, Any]) -> bool:
    """Whether the game goes on after it, so that what was found before is settled or past being put right."""
    match effect["kind"]:
        case "ruled":
            return bool(effect["ruling"] in _SETTLING)
        case "roll_read":
            return bool(effect["valid"])
        case "game_ended":
            return True
    return False


def _is_open(effect: Mapping[str, Any]) -> bool:
    """Whether a finding waits for somebody. Dice that do not count are thrown again, if players are told of them."""
    if effect["kind"] == "roll_read":
        return effect["announced"] is False
    if effect["kind"] == "notice" and effect["text"]["key"].startswith(_TOLD_THE_PLAYERS):
        return False
    return effect["kind"] in ("turn_judged", "notice")


def _ends_repair(effect: Mapping[str, Any]) -> bool:
    return bool(effect["kind"] == "notice" and effect["text"]["key"] == "repair.done")


def _is_about_repair(finding: OpenFinding) -> bool:
    effects = finding.recorded.effects
    return all(effect["kind"] == "notice" and effect["text"]["key"].startswith("repair.") for effect in effects)
