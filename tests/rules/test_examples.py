"""The examples in the documentation of the rules are run as they stand."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path
from types import ModuleType

import pytest

import boardctl.rules

PAGE = Path(__file__).parents[2] / "docs" / "library.md"

MODULES = [
    importlib.import_module(found.name)
    for found in pkgutil.iter_modules(boardctl.rules.__path__, prefix="boardctl.rules.")
]
WITH_EXAMPLES = {"backgammon", "blocking_express", "match", "mini_gam", "multi_gam", "notation", "playouts", "turn"}


@pytest.mark.parametrize("module", [boardctl.rules, *MODULES], ids=lambda module: module.__name__)
def test_examples_run_as_written(module: ModuleType) -> None:
    outcome = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert outcome.failed == 0
    if module.__name__.rpartition(".")[2] in {*WITH_EXAMPLES, "rules"}:
        assert outcome.attempted > 0


def test_the_examples_of_the_library_page_run_as_written() -> None:
    blocks = re.findall(r"^```pycon\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    assert len(examples.examples) > 40
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples)
    assert outcome.failed == 0


def test_everything_that_is_handed_out_is_there() -> None:
    assert all(hasattr(boardctl.rules, name) for name in boardctl.rules.__all__)
