"""The page's words: every text has its place, every place its text."""

import re
from pathlib import Path

import pytest

import boardctl.console
from boardctl.console.pages import STATIC
from boardctl.console.texts import PAGE_ARGUMENTS, TEXTS, read_page_catalogue
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


def test_a_language_that_there_is_not_is_said() -> None:
    with pytest.raises(SettingsError, match="no such file"):
        read_page_catalogue("xx")
