"""The last findings of a table with their stored pictures, for the director."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from boardctl.records import Journal, effect_to_plain
from boardctl.records.findings import RecordedFinding, findings, frames_of, is_finding
from boardctl.referee.effects import Effect
from boardctl.referee.facts import EvidenceKept, Fact, KeptFrame

MOST = 60
"""How many findings are held: more than a match has; older ones are in the record."""


@dataclass(frozen=True, slots=True)
class LoggedFinding:
    """A finding, the pictures stored of it, and why others are not there."""

    recorded: RecordedFinding
    frames: tuple[KeptFrame, ...] = ()
    lost: str = ""

    @property
    def number(self) -> int:
        """The journal's entry in which it stands."""
        return self.recorded.number

    @property
    def certainty(self) -> str:
        """How sure it is; empty where that is not said: a ruling is no finding of the machine's."""
        return next((str(effect["certainty"]) for effect in self.recorded.effects if "certainty" in effect), "")


class FindingsLog:
    """An output that keeps the last findings. ``found`` is a value: another thread may read it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.found: tuple[LoggedFinding, ...] = ()
        for finding in list(findings(journal))[-MOST:]:
            frames, lost = frames_of(journal, finding)
            self.found = (*self.found, LoggedFinding(finding, tuple(frames), "; ".join(lost)))

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Takes up findings; their entry is the one written last. Pictures that were stored join their finding."""
        if isinstance(fact, EvidenceKept):
            self.found = tuple(_joined(one, fact) if one.number == fact.entry else one for one in self.found)
        found = tuple(effect_to_plain(effect) for effect in effects if is_finding(effect))
        number = self._journal.last_number
        if found and all(one.number != number for one in self.found):
            recorded = RecordedFinding(number, fact.at_ms, found)
            self.found = (*self.found, LoggedFinding(recorded))[-MOST:]

    def frame(self, number: int, name: str) -> KeptFrame | None:
        """Gets a picture of a finding by its name; None when there is none."""
        frames = next((one.frames for one in self.found if one.number == number), ())
        return next((frame for frame in frames if frame.name == name), None)


def _joined(finding: LoggedFinding, kept: EvidenceKept) -> LoggedFinding:
    frames = dict.fromkeys((*finding.frames, *kept.frames))
    lost = "; ".join(why for why in (finding.lost, kept.lost) if why)
    return replace(finding, frames=tuple(sorted(frames, key=lambda frame: frame.at_ms)), lost=lost)
