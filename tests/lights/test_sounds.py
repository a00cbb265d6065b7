"""What is heard for each cue, at each level."""

from pathlib import Path

import pytest

from boardctl.lights.sounds import NAMES, Level, Sounds, Tone, read_sounds, standard_sounds, tones_of
from boardctl.referee.effects import Cue
from config import CONFIG_DIRECTORY, SettingsError


def test_silence_is_silent() -> None:
    assert all(tones_of(Cue(name), level=Level.NONE) == () for name in NAMES)  # type: ignore[arg-type]


def test_all_is_heard_at_all() -> None:
    assert all(tones_of(Cue(name), level=Level.ALL) for name in NAMES)  # type: ignore[arg-type]


def test_some_keeps_what_needs_a_person() -> None:
    heard = {name for name in NAMES if tones_of(Cue(name), level=Level.SOME)}  # type: ignore[arg-type]
    assert heard == {"problem", "reroll", "ask", "over"}


def test_the_level_of_the_file_holds_when_none_is_asked_for() -> None:
    quiet = standard_sounds().model_copy(update={"level": Level.NONE})
    assert tones_of(Cue("problem"), quiet) == ()
    assert tones_of(Cue("problem")) == (Tone(frequency_hz=2600, on_ms=120, repeats=2),)


def test_sounds_differ_by_more_than_pitch() -> None:
    rhythms = [sound.rhythm for sound in standard_sounds().sounds.values()]
    assert len(set(rhythms)) == len(NAMES)


def test_a_tone_lasts_as_long_off_as_on() -> None:
    assert Tone(frequency_hz=2000, on_ms=60, repeats=3).lasts_ms == 360


def refused(tmp_path: Path, old: str, new: str) -> str:
    text = (CONFIG_DIRECTORY / "sounds.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "sounds.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(SettingsError) as error:
        read_sounds(path)
    return str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("level: all\n", "level: none\n", "sounds.ok.level"),
        ("on_ms: 300", "on_ms: 3000", "less than or equal to 1000"),
        ("on_ms: 300, repeats: 1", "on_ms: 300, repeats: 4", "sounds.over: lasts 3000 ms"),
        ("on_ms: 40", "on_ms: 40, volume: 3", "volume: unknown key"),
        ("on_ms: 60, repeats: 3", "on_ms: 120, repeats: 2", "sounds.problem and sounds.reroll: differ by nothing but"),
        ("  ok:", "  hooray:", "hooray"),
    ],
)
def test_sounds_that_make_no_sense_are_refused(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert words in refused(tmp_path, old, new)


def test_a_missing_sound_is_refused() -> None:
    some = {name: sound for name, sound in standard_sounds().sounds.items() if name != "ask"}
    with pytest.raises(ValueError, match="sounds: none for ask"):
        Sounds(level=Level.ALL, sounds=some)
