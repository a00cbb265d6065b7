from collections.abc import Iterator
from pathlib import Path

import pytest
from open_table import Open, Visitor, open_table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Open]:
    """A match to 5 with the cube by the house's rules, its page open."""
    with open_table(tmp_path / "evening.journal") as opened:
        yield opened


@pytest.fixture
def director(table: Open) -> Visitor:
    """A director who has come in."""
    visitor = table.visitor()
    assert visitor.enter("director", table.password).status == 303
    return visitor


@pytest.fixture
def players(table: Open) -> Visitor:
    """The screen at the table, come in with its PIN."""
    visitor = table.visitor()
    assert visitor.enter("table", table.pin).status == 303
    return visitor
