"""Where in a JSON text an entry stands, so that a refusal can name its line and column."""

import json
import re

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")

Path = tuple[str | int, ...]
"""The names and numbers, from 0, that lead to an entry from the outermost one."""


def place_of(text: str, path: Path) -> tuple[int, int]:
    """Gets line and column, from 1, of the entry that a path leads to, or of the last one on the way that is there.

    ``text`` is JSON as ``json.loads`` reads it.
    """
    at = _start(text, 0)
    for step in path:
        found = _inside(text, at, step)
        if found is None:
            break
        at = found
    before = text[:at]
    return before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1


def _inside(text: str, at: int, step: str | int) -> int | None:
    """Gets where an entry of the object or list at ``at`` starts; None when there is no such entry."""
    if text[at] not in "{[" or (text[at] == "{") != isinstance(step, str):
        return None
    number, found = 0, None
    at = _start(text, at + 1)
    while text[at] not in "}]":
        name: str | int = number
        if isinstance(step, str):
            name, at = _DECODER.raw_decode(text, at)
            at = _start(text, _start(text, at) + 1)  # behind the colon
        if name == step:
            found = at  # of entries with the same name the last one counts
        _, at = _DECODER.raw_decode(text, at)
        at = _start(text, at)
        at = _start(text, at + 1) if text[at] == "," else at
        number += 1
    return found


def _start(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    assert space is not None
    return space.end()
