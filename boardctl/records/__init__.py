"""What happened, kept: the journal of facts, and match files that others read."""

from boardctl.records.encoding import EncodingError, effect_to_plain, fact_from_json, fact_to_json
from boardctl.records.journal import Entry, Journal, JournalError, JournalExistsError

__all__ = [
    "EncodingError",
    "Entry",
    "Journal",
    "JournalError",
    "JournalExistsError",
    "effect_to_plain",
    "fact_from_json",
    "fact_to_json",
]
