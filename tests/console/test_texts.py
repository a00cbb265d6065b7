"""The page's words: every text has its place, every place its text."""

import re
from pathlib import Path

import pytest

import boardctl.console
from boardctl.console.pages import STATIC
from boardctl.console.sending import choice_text, pause_text, phase_text
from boardctl.console.texts import PAGE_ARGUMENTS, TEXTS, page_say, read_page_catalogue
from boardctl.referee.effects import Phase
from boardctl.referee.facts import Choice, PauseReason
from boardctl.rules import Seat
from config import SettingsError

_KEY = re.compile(r"""["{](page\.[a-z_.]+)["}]""")


def test_every_text_of_the_page_is_used_and_there_is_no_other() -> None:
    room = Path(boardctl.console.__file__).parent
    written = [path for path in room.glob("*.py") if path.name != "texts.py"] + list(STATIC.glob("*.html"))
    used = {key for path in written for key in _KEY.findall(path.read_text(encoding="utf-8"))}
    assert used - {"page.js", "page.css"} == set(PAGE_ARGUMENTS)


@pytest.mark.parametrize("language", [path.stem for path in TEXTS.glob("*.yaml")])
def test_the_words_of_each_language_are_whole(language: str) -> None:
    assert read_page_catalogue(language).language == language
    say = page_say(language)
    for choice in Choice:
        assert say(choice_text(choice))
    for reason in PauseReason:
        assert say(pause_text(reason))
    for phase in (*Phase, None):
        for seat in (Seat.B, None):
            assert say(phase_text(phase, seat))


def test_a_language_that_there_is_not_is_said() -> None:
    with pytest.raises(SettingsError, match="no such file"):
        read_page_catalogue("xx")
