"""What the director's view says: keys with the names of their arguments; the words are in ``config/texts/hall``."""

from collections.abc import Mapping
from functools import cache
from typing import ClassVar

from boardctl.lights.words import Say, say_also
from boardctl.referee import Catalogue
from config import CONFIG_DIRECTORY, read_yaml_model

TEXTS = CONFIG_DIRECTORY / "texts" / "hall"

HALL_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "hall.as_of": ("at",),
    "hall.call": ("time", "why"),
    "hall.call.button": (),
    "hall.call.clock": ("reason",),
    "hall.call.question": (),
    "hall.clock.runs": ("seat", "sides"),
    "hall.clock.stands": ("sides",),
    "hall.clock.stands_for": ("reason", "sides"),
    "hall.clock.up": ("side",),
    "hall.column.line": (),
    "hall.column.match": (),
    "hall.column.stands": (),
    "hall.column.table": (),
    "hall.crawford": (),
    "hall.cut_off": ("why",),
    "hall.devices": ("devices",),
    "hall.director": (),
    "hall.evidence": ("machine", "record"),
    "hall.heard": ("time",),
    "hall.left_out": ("count",),
    "hall.line_back": (),
    "hall.match_to": ("length",),
    "hall.no_state": (),
    "hall.none": (),
    "hall.not_believed": (),
    "hall.offered": ("value",),
    "hall.open": ("entry", "pictures", "says", "time"),
    "hall.page": ("page",),
    "hall.question": ("choices", "text", "time", "to"),
    "hall.report": ("times", "topic", "why"),
    "hall.shared": (),
    "hall.single": (),
    "hall.standing.cut_off": (),
    "hall.standing.ended": (),
    "hall.standing.live": (),
    "hall.standing.lost": (),
    "hall.standing.silent": (),
    "hall.standing.unheard": (),
    "hall.title": ("broker", "count", "there"),
    "hall.wanted": ("time",),
}
"""Every text of the hall, with the arguments it may use."""


class HallCatalogue(Catalogue):
    """The hall's texts in one language."""

    ARGUMENTS: ClassVar[Mapping[str, tuple[str, ...]]] = HALL_ARGUMENTS


@cache
def read_hall_catalogue(language: str = "en") -> HallCatalogue:
    """Gets the hall's texts of a language.

    :raises SettingsError: when there are none, or one is missing or has other arguments than it is given.
    """
    return read_yaml_model(TEXTS / f"{language}.yaml", HallCatalogue)


def hall_say(language: str = "en") -> Say:
    """Gets what says the texts of the hall and of the referee in a language.

    :raises SettingsError: as :func:`read_hall_catalogue` does.
    """
    return say_also(read_hall_catalogue(language), "hall.", language)
