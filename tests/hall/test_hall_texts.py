"""The hall's words: every text has its place, every place its text."""

import re
from pathlib import Path

import pytest

import boardctl.hall
from boardctl.hall.book import Standing
from boardctl.hall.texts import HALL_ARGUMENTS, TEXTS, read_hall_catalogue
from boardctl.hall.view import _STANDINGS

_KEY = re.compile(r"""["'](hall\.[a-z_.]+)["']""")


def test_every_text_of_the_hall_is_used_and_there_is_no_other() -> None:
    written = [path for path in Path(boardctl.hall.__file__).parent.glob("*.py") if path.name != "texts.py"]
    used = {key for path in written for key in _KEY.findall(path.read_text(encoding="utf-8"))}
    columns = {f"hall.column.{name}" for name in ("table", "line", "match", "stands")}
    assert used | columns == set(HALL_ARGUMENTS)
    assert set(_STANDINGS) == set(Standing)


@pytest.mark.parametrize("language", [path.stem for path in TEXTS.glob("*.yaml")])
def test_the_words_of_each_language_are_whole(language: str) -> None:
    assert read_hall_catalogue(language).language == language
