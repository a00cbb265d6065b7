"""The examples in the documentation of the rules are run as they stand."""

import doctest
import importlib
import pkgutil
from types import ModuleType

import pytest

import boardctl.rules

MODULES = [
    importlib.import_module(found.name)
    for found in pkgutil.iter_modules(boardctl.rules.__path__, prefix="boardctl.rules.")
]
WITH_EXAMPLES = {"backgammon", "blocking_express", "match", "mini_gam", "multi_gam", "notation", "turn"}


@pytest.mark.parametrize("module", [boardctl.rules, *MODULES], ids=lambda module: module.__name__)
def test_examples_run_as_written(module: ModuleType) -> None:
    outcome = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert outcome.failed == 0
    if module.__name__.rpartition(".")[2] in {*WITH_EXAMPLES, "rules"}:
        assert outcome.attempted > 0


def test_everything_that_is_handed_out_is_there() -> None:
    assert all(hasattr(boardctl.rules, name) for name in boardctl.rules.__all__)
