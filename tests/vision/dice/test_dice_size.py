"""The size of the dice is learned from the dice: a few tell it, one that is astray does not."""

from pathlib import Path

import pytest

from boardctl.vision.dice.reading import FoundDice, find_dice
from boardctl.vision.dice.size import DieSize, sized
from boardctl.vision.measuring.truth import TruePicture, read_truth

PICTURES = Path(__file__).parents[2] / "data" / "vision" / "dice"
COMMON_MM = 13.5


def spots(count: int) -> list[tuple[float, float]]:
    return [(30.0 * index, 0.0) for index in range(count)]


def test_before_any_die_the_common_size_is_believed_and_nothing_settled() -> None:
    size = DieSize.around(COMMON_MM, is_given=False)
    assert size.mm == pytest.approx(COMMON_MM, rel=0.01)
    assert not size.is_settled


def test_a_measured_size_is_settled_from_the_start() -> None:
    size = DieSize.around(17.9, is_given=True)
    assert size.mm == pytest.approx(17.9, rel=0.01)
    assert size.is_settled


@pytest.mark.parametrize("true_mm", [10.0, 11.4, 17.9, 20.0])
def test_some_dice_settle_the_size(true_mm: float) -> None:
    size = DieSize.around(COMMON_MM, is_given=False)
    size = size.after((spot, true_mm * (1.03 if index % 2 else 0.97)) for index, spot in enumerate(spots(4)))
    assert size.mm == pytest.approx(true_mm, rel=0.05)
    assert size.is_settled


def test_a_die_that_lies_still_is_counted_once() -> None:
    size = DieSize.around(COMMON_MM, is_given=False).after([((0.0, 0.0), 18.0)])
    again = size.after([((1.0, 0.5), 18.0)])
    assert again.spread == pytest.approx(size.spread)
    assert size.after([((50.0, 0.0), 18.0)]).spread < size.spread


def test_something_astray_among_many_dice_changes_little() -> None:
    size = DieSize.around(COMMON_MM, is_given=False).after((spot, 12.0) for spot in spots(6))
    assert size.after([((500.0, 0.0), 21.0)]).mm == pytest.approx(size.mm, rel=0.02)


def test_another_set_of_dice_is_learned_in_time() -> None:
    size = DieSize.around(COMMON_MM, is_given=False)
    for throw in range(20):
        size = size.after((((throw + 0.5) * 20.0, 100.0 * die), 11.0) for die in range(2))
    for throw in range(40):
        size = size.after((((throw + 0.5) * 20.0, 100.0 * die), 17.0) for die in range(2))
    assert size.mm == pytest.approx(17.0, rel=0.05)


def read_with_assumed_size(true: TruePicture, part: float) -> FoundDice:
    assumed_mm = true.geometry.die_size_mm * part
    size = DieSize.around(assumed_mm, is_given=False)
    return find_dice(true.picture(), true.camera, sized(true.geometry, assumed_mm), size=size)


@pytest.mark.parametrize("part", [0.75, 1.3])
@pytest.mark.parametrize("name", ["d017", "d029", "d083"])
def test_dice_of_an_unknown_size_are_read_and_measured(name: str, part: float) -> None:
    true = read_truth(PICTURES / f"{name}.json")
    found = read_with_assumed_size(true, part)
    wanted = sorted(die["value"] for die in true.truth["dice"])
    assert sorted(die.value for die in found.dice if die.value is not None) == wanted
    assert found.size.mm == pytest.approx(true.geometry.die_size_mm, rel=0.1)
