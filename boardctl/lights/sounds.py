"""Cues -> tones for the piezo, by level: none, some or all. Written in ``config/sounds.yaml``."""

from enum import StrEnum
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Literal, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, model_validator

from boardctl.referee.effects import Cue
from config import CONFIG_DIRECTORY, read_yaml_model

SoundName = Literal["ok", "problem", "reroll", "ask", "over"]
NAMES: tuple[str, ...] = get_args(get_type_hints(Cue)["sound"])
MAX_SOUND_MS = 2000
"""A sound is over before the next thing happens at the table; the board refuses nothing longer, people do."""


class Level(StrEnum):
    """How much is heard."""

    NONE = "none"
    SOME = "some"
    ALL = "all"


class Tone(BaseModel):
    """``repeats`` times ``on_ms`` on and as long off, at one pitch: what one beep of the sensor board is."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    frequency_hz: int = Field(ge=1000, le=3000)
    on_ms: int = Field(ge=20, le=1000)
    repeats: int = Field(default=1, ge=1, le=10)

    @property
    def lasts_ms(self) -> int:
        """How long the tone takes until the next one may start."""
        return 2 * self.on_ms * self.repeats


class Sound(BaseModel):
    """The tones of one cue, one after the other, and the level from which on they are heard."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    level: Literal[Level.SOME, Level.ALL]
    tones: tuple[Tone, ...] = Field(min_length=1)

    @property
    def rhythm(self) -> tuple[int, ...]:
        """How long each beep is on: the sound as someone hears it who cannot tell pitches apart."""
        return tuple(tone.on_ms for tone in self.tones for _ in range(tone.repeats))


class Sounds(BaseModel):
    """The sound of every cue."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    level: Level
    sounds: dict[SoundName, Sound]

    @model_validator(mode="after")
    def _told_apart(self) -> "Sounds":
        if absent := [name for name in NAMES if name not in self.sounds]:
            raise ValueError(f"sounds: none for {', '.join(absent)}; describe every sound")
        for name, sound in self.sounds.items():
            if (lasts_ms := sum(tone.lasts_ms for tone in sound.tones)) > MAX_SOUND_MS:
                raise ValueError(f"sounds.{name}: lasts {lasts_ms} ms; {MAX_SOUND_MS} ms are the most")
        for (one, sound), (other, other_sound) in combinations(self.sounds.items(), 2):
            if sound.rhythm == other_sound.rhythm:
                raise ValueError(f"sounds.{one} and sounds.{other}: differ by nothing but pitch; change a length")
        return self


def tones_of(cue: Cue, sounds: Sounds | None = None, level: Level | None = None) -> tuple[Tone, ...]:
    """Gets what the piezo plays for ``cue``; nothing when the level is too low. ``level`` None: as the file says."""
    sounds = sounds or standard_sounds()
    chosen = sounds.level if level is None else level
    sound = sounds.sounds[cue.sound]
    heard = chosen is Level.ALL or (chosen is Level.SOME and sound.level is Level.SOME)
    return sound.tones if heard else ()


def read_sounds(path: Path) -> Sounds:
    """Gets the sounds that a file holds.

    :raises SettingsError: when the file cannot be read or does not fit; the message names line and key.
    """
    return read_yaml_model(path, Sounds)


@cache
def standard_sounds() -> Sounds:
    """Gets the sounds of ``config/sounds.yaml``."""
    return read_sounds(CONFIG_DIRECTORY / "sounds.yaml")
