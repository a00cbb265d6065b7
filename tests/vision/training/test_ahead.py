"""What is learned from is made in another process: the same, in the same order, and never waited for in vain."""

from collections.abc import Iterator

import pytest

from boardctl.vision.training import ahead
from boardctl.vision.training.ahead import MOST_AHEAD, made_ahead


def test_all_comes_in_its_order() -> None:
    assert list(made_ahead(range(3 * MOST_AHEAD))) == list(range(3 * MOST_AHEAD))


def test_of_several_nothing_is_lost() -> None:
    assert sorted(made_ahead(range(40), range(40, 50), range(50, 50))) == list(range(50))


def test_what_is_not_wanted_any_more_is_not_made() -> None:
    endless = made_ahead(iter(int, 1))
    assert next(endless) == 0
    endless.close()  # would wait for ever if the other process did not end


def test_where_making_fails_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing() -> Iterator[int]:
        yield 1
        raise ValueError("no such file")

    monkeypatch.setattr(ahead, "LOOKED_AFTER_S", 0.1)
    batches = made_ahead(failing())
    assert next(batches) == 1
    with pytest.raises(RuntimeError, match="ended with 1"):
        next(batches)
    with pytest.raises(RuntimeError, match="ended with 1"):
        list(made_ahead(range(3), failing()))  # though the other ended well
