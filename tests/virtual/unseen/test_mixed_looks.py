"""Installations that are uncommon in several ways at once."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from boardctl.virtual.unseen import mixed as mixed_looks
from boardctl.virtual.unseen.looks import Installation, drawn_installation, slanted
from boardctl.virtual.unseen.mixed import OFTEN, WAYS, mixed

LOOKS = 400


def marked(letter: str) -> Callable[[Installation], Installation]:
    """Makes a way in which installations are changed: a letter more is said of them."""
    return lambda installation: replace(installation, described=installation.described + letter)


def test_an_installation_is_changed_as_its_seed_has_it() -> None:
    drawn = drawn_installation(19001, 4)
    changed = mixed(drawn)
    assert changed == mixed(drawn)
    assert changed.name == drawn.name
    assert "wide (" in changed.described
    assert "inlaid:" in changed.described
    assert "printed" not in changed.described


def test_most_are_changed_in_a_few_of_ten_ways_and_none_is_seen_at_a_slant(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(WAYS) == 10
    assert slanted not in WAYS
    letters = "abcdefghij"
    monkeypatch.setattr(mixed_looks, "WAYS", tuple(marked(letter) for letter in letters))
    plain = replace(drawn_installation(19001, 0), described="")
    said = [mixed(replace(plain, name=f"{number}")).described for number in range(LOOKS)]
    for letter in letters:
        assert sum(letter in one for one in said) / LOOKS == pytest.approx(OFTEN, abs=0.08)
    assert all("".join(sorted(one)) == one for one in said)
    assert 0 < sum(not one for one in said) < 0.1 * LOOKS
