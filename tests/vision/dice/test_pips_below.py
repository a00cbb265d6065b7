"""A four or a three is not told to be a five where pips of the lower face are seen through a clear die."""

from dataclasses import replace

import numpy as np
import pytest

from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.bodies import draw_die
from boardctl.virtual.drawing.stage import Stage
from boardctl.virtual.looks import LOOKS, DiceLook
from boardctl.vision.dice.look import DieView, Sight
from boardctl.vision.dice.pips_below import with_doubted_fives
from calibration import BoardGeometry

LARGE, COMMON = BoardGeometry(die_size_mm=22.0), BoardGeometry()
LOOK = LOOKS["green-felt"]
WHITE, DARK = (240, 240, 240), (20, 22, 24)
CLEAR = DiceLook((236, 236, 234), WHITE, clear=0.85)
COMMON_LOOKS = (LOOK.dice, DiceLook((40, 36, 190), WHITE), DiceLook(WHITE, DARK))


def told(dice: DiceLook, value: int, likeliest: int, turned_deg: float, geometry: BoardGeometry = LARGE) -> float:
    """Gets the likelihood that is left of a number that was seen on a drawn die."""
    stage = Stage(replace(LOOK, dice=dice), geometry)
    picture = stage.picture.copy()
    draw_die(stage, picture, Die(value, -90.0, 0.0, geometry.die_size_mm / 2, turned_deg))
    values = tuple(0.97 if number == likeliest else 0.006 for number in range(1, 7))
    view = DieView((-90.0, 0.0), 0.99, 0.0, values, 0.0, 0.0, 0.0, 0.0, geometry.die_size_mm)
    [seen] = with_doubted_fives(Sight(picture, stage.camera), geometry.die_size_mm, [view])
    assert np.delete(seen.values, likeliest - 1).max() <= 0.006
    return seen.values[likeliest - 1]


@pytest.mark.parametrize("turned_deg", [3.0, 40.0, 71.0])
@pytest.mark.parametrize("value", [3, 4])
def test_what_looks_like_a_five_by_the_pips_below_it_is_left_open(value: int, turned_deg: float) -> None:
    assert told(CLEAR, value, 5, turned_deg) == 0.5


@pytest.mark.parametrize("turned_deg", [3.0, 40.0, 71.0])
@pytest.mark.parametrize("dice", [*COMMON_LOOKS, CLEAR], ids=["felt's", "red", "white", "clear"])
def test_a_five_stays_a_five_on_any_die(dice: DiceLook, turned_deg: float) -> None:
    assert told(dice, 5, 5, turned_deg) == 0.97


def test_other_numbers_and_small_dice_are_not_asked() -> None:
    assert told(CLEAR, 4, 4, 20.0) == 0.97
    assert told(CLEAR, 4, 5, 20.0, COMMON) == 0.97
