"""Installations that are uncommon in several ways at once."""

from boardctl.virtual.mixed_looks import OFTEN, WAYS, mixed
from boardctl.virtual.unseen_looks import drawn_installation, slanted

LOOKS = 60


def test_an_installation_is_changed_as_its_seed_has_it() -> None:
    drawn = drawn_installation(19001, 0)
    assert mixed(drawn) == mixed(drawn)
    assert mixed(drawn).name == drawn.name


def test_some_are_plain_and_most_are_changed_in_a_few_of_ten_ways() -> None:
    said = [mixed(drawn_installation(19001, number)).described for number in range(LOOKS)]
    plain = [drawn_installation(19001, number).described for number in range(LOOKS)]
    changed = sum(one != other for one, other in zip(said, plain, strict=True))
    assert LOOKS * 0.8 < changed < LOOKS  # (1 - OFTEN) ** 10: three in a hundred are as they were
    for word in ("wide (", "printed", "no trays", "rails:", "inlaid:", "polish", "dice:", "table:"):
        often = sum(word in one for one in said) / LOOKS
        assert OFTEN / 2 < often < OFTEN * 1.6, word
    assert slanted not in WAYS
