"""The grammar of the lights: how each sign looks. Written in ``config/lights.yaml``."""

from enum import StrEnum
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from boardctl.lights.colour_vision import DISTINCT, Levels, least_distance
from boardctl.referee.effects import Sign
from config import CONFIG_DIRECTORY, read_yaml_model

SLOTS = 8
MAX_FLASHES_A_SECOND = 3
"""More may trigger seizures: WCAG 2.2, success criterion 2.3.1, "three flashes or below"."""

Level = Annotated[int, Field(ge=0, le=255)]


class End(StrEnum):
    """Which of the two lights of a place."""

    BASE = "base"
    TIP = "tip"


def _pattern(text: str) -> str:
    if len(text) != SLOTS or set(text) - {"o", "."}:
        raise ValueError(f"a pattern is {SLOTS} eighths of a second, each 'o' (lit) or '.' (dark)")
    if flashes(text) > MAX_FLASHES_A_SECOND:
        raise ValueError(f"more than {MAX_FLASHES_A_SECOND} flashes a second may harm people; make them longer")
    return text


def flashes(pattern: str) -> int:
    """Gets how often a pattern goes from dark to lit in one second."""
    return sum(before == "." and now == "o" for before, now in zip(pattern[-1] + pattern, pattern, strict=False))


Pattern = Annotated[str, AfterValidator(_pattern)]


class Look(BaseModel):
    """How one sign looks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    colour: str
    base: Pattern
    tip: Pattern
    priority: int
    means: str

    def pattern(self, end: End) -> str:
        """Gets the pattern at one end."""
        return self.base if end is End.BASE else self.tip

    @property
    def ends(self) -> frozenset[End]:
        """The ends that the sign lights at all."""
        return frozenset(end for end in End if "o" in self.pattern(end))


class Grammar(BaseModel):
    """The look of every sign, and the limits of the chain. A grammar in which two signs can be confused is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    brightness: Level = 255
    current_budget_ma: int = Field(ge=100, le=3600)
    colours: dict[str, tuple[Level, Level, Level]]
    signs: dict[Sign, Look]

    def levels(self, sign: Sign) -> Levels:
        """Gets the red, green and blue levels of a sign, before dimming."""
        return self.colours[self.signs[sign].colour]

    @model_validator(mode="after")
    def _whole(self) -> "Grammar":
        if absent := [sign.value for sign in Sign if sign not in self.signs]:
            raise ValueError(f"signs: no look for {', '.join(absent)}; describe every sign")
        for sign, look in self.signs.items():
            if look.colour not in self.colours:
                known = ", ".join(self.colours)
                raise ValueError(
                    f"signs.{sign}: no colour {look.colour!r}; choose one of {known}, or add it to colours"
                )
            if not look.ends:
                raise ValueError(f"signs.{sign}: is dark at both ends; light at least one")
        return self

    @model_validator(mode="after")
    def _told_apart(self) -> "Grammar":
        for (one, look), (other, other_look) in combinations(self.signs.items(), 2):
            if look.priority == other_look.priority:
                raise ValueError(
                    f"signs.{one} and signs.{other}: both have priority {look.priority}; raise one of them"
                )
            if _same_rhythm(look, other_look):
                raise ValueError(
                    f"signs.{one} and signs.{other}: differ by nothing but colour or phase; "
                    "give one of them another pattern or another end"
                )
        for (name, levels), (other_name, other_levels) in combinations(self.colours.items(), 2):
            apart, vision = least_distance(levels, other_levels)
            if apart < DISTINCT:
                eye = "anyone" if vision.name == "COMMON" else f"people with {vision.name.lower()}"
                raise ValueError(
                    f"colours.{name} and colours.{other_name}: too alike for {eye} ({apart:.3f} apart, "
                    f"{DISTINCT} needed); "
                    "choose from blue, white and yellow, or make the two signs share one colour"
                )
        return self


def _same_rhythm(look: Look, other: Look) -> bool:
    """Whether two looks become equal when one starts later: on the board nobody sees when the second began."""
    return any((_turned(look.base, by), _turned(look.tip, by)) == (other.base, other.tip) for by in range(SLOTS))


def _turned(pattern: str, by: int) -> str:
    return pattern[by:] + pattern[:by]


def read_grammar(path: Path) -> Grammar:
    """Gets the grammar that a file holds.

    :raises SettingsError: when the file cannot be read or breaks the grammar; the message names line and key.
    """
    return read_yaml_model(path, Grammar)


@cache
def standard_grammar() -> Grammar:
    """Gets the grammar of ``config/lights.yaml``."""
    return read_grammar(CONFIG_DIRECTORY / "lights.yaml")
