"""Dice that light goes through, drawn and traced: what is seen through them."""

from dataclasses import replace

import numpy as np
import pytest

from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.bodies import draw_die
from boardctl.virtual.drawing.stage import Stage
from boardctl.virtual.looks import LOOKS, Colour, DiceLook
from boardctl.virtual.traced.board_bodies import BACKS_MM, backs_of_pips, die_body
from boardctl.virtual.traced.meshes import colour_reflected
from boardctl.virtual.unseen.clear_dice import COLOURS
from boardctl.virtual.unseen.looks import clear_dice, drawn_installation
from boardctl.vision.training.die_render import random_look
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
LOOK = LOOKS["green-felt"]
RED: Colour = (40, 34, 200)
WHITE: Colour = (240, 240, 240)
BLACK: Colour = (20, 20, 20)


def face(dice: DiceLook, field: Colour) -> np.ndarray:
    """Gets what is seen in the upper face of a die in the middle of the left half that shows a one (9 x 9 pixels, all
    of them on the face)."""
    stage = Stage(replace(LOOK, dice=dice, field=field), GEOMETRY)
    picture = stage.picture.copy()
    draw_die(stage, picture, Die(1, -90.0, 0.0, GEOMETRY.die_size_mm / 2, 0.0))
    [(x, y)] = np.rint(LOOK.camera.project([(-90.0, 0.0, GEOMETRY.die_size_mm)])).astype(int)
    return picture[y - 4 : y + 5, x - 4 : x + 5].astype(int)


@pytest.mark.parametrize(("clear", "shows_through"), [(0.0, False), (0.9, True)])
def test_the_board_and_the_pips_below_are_seen_through_clear_dice_alone(clear: float, shows_through: bool) -> None:
    dice = DiceLook(RED, WHITE, clear=clear)
    on_black, on_white = face(dice, BLACK), face(dice, WHITE)
    assert bool(np.abs(on_white - on_black)[..., 2].max() > 60) is shows_through

    def away_from_the_one(picture: np.ndarray) -> np.ndarray:
        return np.concatenate([picture[:2].ravel(), picture[-2:].ravel()])

    inked = away_from_the_one(face(replace(dice, pips=BLACK), WHITE))
    assert bool(np.abs(inked - away_from_the_one(on_white)).max() > 40) is shows_through


def test_clear_dice_are_the_only_thing_that_changes_and_their_colours_are_told() -> None:
    names = set()
    for number in range(30):
        plain = drawn_installation(5, number)
        changed = clear_dice(plain)
        assert changed == clear_dice(plain)
        assert replace(changed.look, dice=plain.look.dice, second_dice=plain.look.second_dice) == plain.look
        assert min(changed.look.dice.clear, changed.look.second_dice.clear) > 0.5
        names |= set(changed.described.rpartition("), ")[2].split(" and "))
    assert names == set(COLOURS)


def test_the_backs_of_pips_lie_within_traced_dice() -> None:
    shape = replace(random_look(np.random.default_rng(2)), translucent=0.8, pip=(0.1, 0.2, 0.9))
    body = die_body(Die(1, 0.0, 0.0, 7.0, 33.0), shape, 0.0, 14.0)
    backs = backs_of_pips(body)
    assert 0 < len(backs.triangles) < len(body.triangles) / 3
    assert backs.colours is not None
    used = np.unique(backs.triangles)
    assert backs.colours[used] == pytest.approx(np.tile(colour_reflected((26, 51, 230)), (len(used), 1)), abs=0.01)
    assert np.linalg.norm(backs.corners - body.corners, axis=1) == pytest.approx(BACKS_MM)
    assert np.abs(backs.corners[used]).max() < np.abs(body.corners).max()
