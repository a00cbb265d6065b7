"""What a director's ruling must fit before it is taken up: the record that it is about."""

from boardctl.records.journal import Journal
from boardctl.referee.facts import DirectorRuled


class UnknownEntryError(ValueError):
    """A ruling about an entry that the record does not have."""

    def __init__(self, entry: int, last: int) -> None:
        super().__init__(f"entry {entry} does not exist: the record's entries are 1 to {last}")
        self.entry = entry
        self.last = last


def check_entry(journal: Journal, ruling: DirectorRuled) -> None:
    """Makes sure that the entry a ruling names exists. A ruling may name none: then it is about the game as it stands.

    :raises UnknownEntryError: when it does not; nothing has been recorded then.
    """
    if ruling.entry is not None and not journal.holds(ruling.entry):
        raise UnknownEntryError(ruling.entry, journal.last_number)
