"""The page's HTML: files with places to be filled in. Everything that is filled in is escaped, but whole parts."""

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

from boardctl.lights.words import Say
from boardctl.referee.effects import Text

STATIC = Path(__file__).parent / "static"

_PLACE = re.compile(r"\{\{\s*([a-z_.]+)\s*\}\}")


class Html(str):
    """HTML that was filled in already, and is not escaped again."""

    __slots__ = ()


def filled(name: str, say: Say, values: Mapping[str, object]) -> Html:
    """Gets a part of the page. A ``{{name}}`` with a point is a text of the catalogue, any other one of ``values``.

    :raises KeyError: for a place that nothing is known of.
    """

    def fill(place: re.Match[str]) -> str:
        key = place[1]
        value = say(Text(key)) if "." in key else values[key]
        return value if isinstance(value, Html) else escape(str(value), quote=True)

    return Html(_PLACE.sub(fill, _part(name)))


@cache
def _part(name: str) -> str:
    return (STATIC / f"{name}.html").read_text(encoding="utf-8")
