"""How often the real eyes err, as they were measured: what stand-in eyes are made to err by.

The figures lie in ``config/standin_eyes.yaml``; ``boardctl bench stand-in`` counts them anew from readings with truth.
"""

from functools import cache
from random import Random
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from boardctl.referee.readings import Support
from config import CONFIG_DIRECTORY, read_yaml_model

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]

ERRORS = CONFIG_DIRECTORY / "standin_eyes.yaml"

TALL_FROM = 6
"""From so many checkers on a point on some lie on others."""


class _Counts(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Band(_Counts):
    """Readings whose confidence was from ``least`` to ``most``: how many were right, and how many wrong."""

    least: Share
    most: Share
    right: Count = 0
    wrong: Count = 0

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.least > self.most:
            raise ValueError(f"a band from {self.least} to {self.most}: the lower end comes first")
        return self


class Readings(_Counts):
    """Readings of one kind of thing: by their confidence, and those that said they cannot tell."""

    bands: tuple[Band, ...]
    untold: Count = 0

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not self.total:
            raise ValueError("nothing was counted here; a share of nothing cannot be drawn")
        return self

    @property
    def total(self) -> int:
        """How many there were."""
        return self.untold + sum(band.right + band.wrong for band in self.bands)

    def drawn(self, random: Random) -> tuple[float, bool] | None:
        """Gets the confidence of one more reading like these, and whether it is right; None when it tells nothing."""
        number = random.randrange(self.total) - self.untold
        if number < 0:
            return None
        for band in self.bands:
            if number < band.right + band.wrong:
                return random.uniform(band.least, band.most), number < band.right
            number -= band.right + band.wrong
        raise AssertionError("the counts do not add up")


class Attitudes(_Counts):
    """How dice that lie in one way were taken to lie: as they do (``told``), otherwise (``mistaken``), or neither.

    Flat dice are mistaken for tilted ones, all others for dice flat on the board.
    """

    told: Count
    mistaken: Count
    left_open: Count

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not self.told + self.mistaken + self.left_open:
            raise ValueError("nothing was counted here; a share of nothing cannot be drawn")
        return self

    def drawn(self, random: Random) -> bool | None:
        """Gets whether one more such die is taken to lie as it does; None when that is left open."""
        ways = (True, False, None)
        return random.choices(ways, (self.told, self.mistaken, self.left_open))[0]


class Seldom(_Counts):
    """What happened so many times in so many looks."""

    times: Count
    of: int = Field(ge=1)

    def happens(self, random: Random) -> bool:
        """Whether it happens at one more look."""
        return random.random() * self.of < self.times


class InventedDie(_Counts):
    """Something that was taken for a die: on what, how sure, and so many times."""

    support: Support
    confidence: Share
    times: int = Field(ge=1)


class EyeErrors(_Counts):
    """What was measured. ``sources``: by which command, of what, and when."""

    sources: tuple[str, ...] = Field(min_length=1)
    bare: Readings
    low: Readings
    tall: Readings
    bars: Readings
    trays: Readings
    die_values: Readings
    flat_dice: Attitudes
    leaning_dice: Attitudes
    dice_on_checkers: Attitudes
    unsure_die: Share
    """How sure a reading is at most of a die on or beside something."""
    invented_dice: Seldom
    """Dice seen where none lies, a frame."""
    invented: tuple[InventedDie, ...]
    cubes_missed: Seldom
    cube_likelihood: Share
    hands_left_open: Seldom
    """Hands of which it is not told from whose side they come."""
    slots_misread: Seldom
    """Slots of the sensor board that tell another class than what lies over them."""

    @classmethod
    def none(cls) -> "EyeErrors":
        """Gets the errors of eyes that make none."""
        sure = Readings(bands=(Band(least=0.9999, most=0.9999, right=1),))
        seen = Attitudes(told=1, mistaken=0, left_open=0)
        never = Seldom(times=0, of=1)
        return cls(
            sources=("eyes without any fault",),
            bare=sure,
            low=sure,
            tall=sure,
            bars=sure,
            trays=sure,
            die_values=sure,
            flat_dice=seen,
            leaning_dice=seen,
            dice_on_checkers=seen,
            unsure_die=0.9999,
            invented_dice=never,
            invented=(),
            cubes_missed=never,
            cube_likelihood=0.9999,
            hands_left_open=never,
            slots_misread=never,
        )


@cache
def measured_errors() -> EyeErrors:
    """Gets the errors as measured.

    :raises SettingsError: when the file is missing or damaged.
    """
    return read_yaml_model(ERRORS, EyeErrors)
