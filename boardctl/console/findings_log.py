"""The last findings of a table with their stored pictures, for the director."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from boardctl.records import Journal, effect_to_plain
from boardctl.records.findings import NO_PICTURES, KeptPictures, RecordedFinding, findings, is_finding, pictures
from boardctl.referee.effects import Effect
from boardctl.referee.facts import EvidenceKept, Fact, KeptFrame

MOST = 60
"""How many findings are held: more than a match has; older ones are in the record."""


@dataclass(frozen=True, slots=True)
class LoggedFinding:
    """A finding and what was stored of it."""

    recorded: RecordedFinding
    kept: KeptPictures = NO_PICTURES

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
        kept = pictures(journal)
        for finding in deque(findings(journal), MOST):
            self.found = (*self.found, LoggedFinding(finding, kept.get(finding.number, NO_PICTURES)))

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Takes up findings; their entry is the one written last. Pictures that were stored join their finding."""
        if isinstance(fact, EvidenceKept):
            self.found = tuple(
                replace(one, kept=one.kept.joined(fact)) if one.number == fact.entry else one for one in self.found
            )
        found = tuple(effect_to_plain(effect) for effect in effects if is_finding(effect))
        number = self._journal.last_number
        if found and all(one.number != number for one in self.found):
            recorded = RecordedFinding(number, fact.at_ms, found)
            self.found = (*self.found, LoggedFinding(recorded))[-MOST:]

    def frame(self, number: int, name: str) -> KeptFrame | None:
        """Gets a picture of a finding by its name; None when there is none."""
        frames = next((one.kept.frames for one in self.found if one.number == number), ())
        return next((frame for frame in frames if frame.name == name), None)
