"""Names and titles made harmless for files whose readers stumble over some characters."""

import unicodedata

from boardctl.rules import Seat

_LONGEST_NAME = 31  # GNU Backgammon keeps that many bytes of a name


def plain_name(name: str, seat: Seat) -> str:
    """Gets a player's name without what a reader of ``.mat`` takes for its own: colons, semicolons, control characters.

    A colon in a name ends it for every reader and aborts GNU Backgammon 1.07; a line break starts another line, runs of
    spaces part the columns.
    """
    kept = "".join(" " if _is_harmful(character) else character for character in name)
    return _shortened(" ".join(kept.split())) or f"Player {seat.value}"


def plain_text(text: str) -> str:
    """Gets a title for a comment line: without quotation marks, brackets and control characters."""
    return " ".join("".join(" " if _is_harmful(each) or each in '"[]' else each for each in text).split())


def _is_harmful(character: str) -> bool:
    return character in ":;" or unicodedata.category(character)[0] == "C"


def _shortened(name: str) -> str:
    encoded = name.encode("utf-8")[:_LONGEST_NAME]
    return encoded.decode("utf-8", errors="ignore").strip()
