"""Dice cups with dice in them, drawn: where the dice lie, what is seen of them, and that they are no throw."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from boardctl.rules import Seat
from boardctl.virtual.drawing.brush import mask_of
from boardctl.virtual.drawing.picture_truth import record_of
from boardctl.virtual.drawing.stage import Stage
from boardctl.virtual.drawing.things import dice_in, draw_thing, outline_px
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.unseen.dice_cups import cup_with_dice
from boardctl.virtual.unseen.looks import dice_in_cups, drawn_installation
from boardctl.virtual.world import World
from calibration import BoardGeometry

LOOK, GEOMETRY = LOOKS["green-felt"], BoardGeometry(die_size_mm=13.0)


@pytest.mark.parametrize("seed", range(12))
def test_dice_lie_in_their_cup_beside_each_other(seed: int) -> None:
    cup = replace(cup_with_dice(LOOK, GEOMETRY, np.random.default_rng(seed)), x_mm=100.0, y_mm=20.0, z_mm=0.0)
    assert cup.inside is not None
    radius = cup.inside[0] * float(np.hypot(*np.array(cup.rim_mm).T).max())
    dice = dice_in(cup)
    assert 1 <= len(dice) <= 2
    for die in dice:
        assert np.hypot(die.x_mm - 100.0, die.y_mm - 20.0) + GEOMETRY.die_size_mm / 2**0.5 < radius
        assert 0 < die.z_mm - GEOMETRY.die_size_mm / 2 < cup.height_mm / 2
    for one, other in combinations(dice, 2):
        assert np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) > GEOMETRY.die_size_mm


def test_nothing_of_the_dice_is_seen_beside_their_cup() -> None:
    stage = Stage(LOOK, GEOMETRY)
    cup = replace(cup_with_dice(LOOK, GEOMETRY, np.random.default_rng(3)), x_mm=100.0, y_mm=20.0, z_mm=0.0)
    full, without = stage.picture.copy(), stage.picture.copy()
    draw_thing(stage, full, cup)
    draw_thing(stage, without, replace(cup, holds=(), inside=None))
    outline = mask_of((full.shape[1], full.shape[0]), [outline_px(stage, cup)]) > 0
    assert (full != without)[outline].any()
    assert not (full != without)[~outline].any()


def test_they_are_told_to_be_in_the_cup_and_no_throw() -> None:
    installation = dice_in_cups(drawn_installation(5, 2))
    assert len(installation.beside) == 2
    [cup] = installation.at_hand
    stage = Stage(installation.look, installation.geometry)
    told = record_of(stage, World(installation.geometry, things=(cup,)), Seat.A, "center")["dice"]
    assert [die["value"] for die in told] == [die.value for die in cup.holds]
    assert {(die["on"], die["in_play"], die["legal"]) for die in told} == {("thing", False, False)}
