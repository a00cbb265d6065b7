"""Uncommon makes of dice, drawn and traced: what lies on their faces."""

from dataclasses import replace

import numpy as np
import pytest

from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.bodies import PIP_OFFSET, PIP_RADIUS, PIPS, draw_die
from boardctl.virtual.drawing.outlines import box, disc
from boardctl.virtual.drawing.stage import Stage
from boardctl.virtual.looks import LOOKS, Colour, DiceLook, Patch
from boardctl.virtual.traced.board_bodies import FACES, die_body
from boardctl.virtual.traced.meshes import FINE_PAINTED, colour_reflected
from boardctl.virtual.unseen.looks import drawn_installation, uncommon_dice
from boardctl.vision.training.die_render import random_look
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
GREEN: Colour = (40, 220, 30)
LOOK = LOOKS["green-felt"]


def drawn(dice: DiceLook, value: int) -> np.ndarray:
    """Gets what is seen of a die in the middle of the left half (40 x 40 pixels)."""
    stage = Stage(replace(LOOK, dice=dice), GEOMETRY)
    picture = stage.picture.copy()
    draw_die(stage, picture, Die(value, -90.0, 0.0, GEOMETRY.die_size_mm / 2, 20.0))
    [(x, y)] = np.rint(LOOK.camera.project([(-90.0, 0.0, GEOMETRY.die_size_mm)])).astype(int)
    return picture[y - 20 : y + 20, x - 20 : x + 20]


def test_common_pips_as_patches_are_drawn_nearly_as_common_dice_are() -> None:
    faces = tuple(
        tuple(Patch((disc(x * PIP_OFFSET, y * PIP_OFFSET, PIP_RADIUS),), LOOK.dice.pips) for x, y in PIPS[value])
        for value in PIPS
    )
    for value in (1, 2, 3, 6):
        common, painted = drawn(LOOK.dice, value), drawn(replace(LOOK.dice, faces=faces), value)
        assert np.abs(common.astype(int) - painted).mean() < 0.6
        assert np.abs(common.astype(int) - drawn(LOOK.dice, 4)).mean() > 2


def test_what_is_on_a_face_is_seen_on_that_face_alone() -> None:
    bare = replace(LOOK.dice, faces=((),) * 6)
    marked = replace(LOOK.dice, faces=((Patch((box(-0.3, -0.3, 0.3, 0.3),), GREEN),), *((),) * 5))
    changed = [
        int(np.count_nonzero((drawn(marked, value) != drawn(bare, value)).any(axis=2)))
        for value in (1, 6)  # of two opposite faces one is seen at most
    ]
    side_px = 0.6 * GEOMETRY.die_size_mm * LOOK.camera.seen_px(1.0)
    assert changed[0] == pytest.approx((side_px + 1) ** 2, rel=0.2)
    assert changed[1] == 0


def test_traced_dice_carry_the_same_on_the_face_of_each_value() -> None:
    faces = tuple((Patch((box(-0.2, -0.2, 0.2, 0.2),), (10 * value, 200, 30)),) for value in range(1, 7))
    look = random_look(np.random.default_rng(2))
    for value in range(1, 7):
        body = die_body(Die(value, 0.0, 0.0, 7.0, 33.0), look, 0.0, 14.0, faces)
        assert len(body.corners) == len(FACES) * (FINE_PAINTED + 1) ** 2
        assert body.colours is not None
        top = body.corners[:, 2] > 6.99
        painted = (np.abs(body.colours - colour_reflected((10 * value, 200, 30))) < 1e-6).all(axis=1)
        reach = np.abs(body.corners[painted & top, :2] @ np.array([[np.cos(t := np.radians(33)), np.sin(t)]]).T)
        assert painted.any()
        assert top[painted].all()
        assert reach.max() == pytest.approx(2.8, abs=0.15)


def test_uncommon_dice_are_the_only_thing_that_changes_and_the_makes_are_told() -> None:
    kinds = set()
    for number in range(40):
        plain = drawn_installation(5, number)
        changed = uncommon_dice(plain)
        assert changed == uncommon_dice(plain)
        first, second = (replace(dice, faces=None) for dice in (changed.look.dice, changed.look.second_dice))
        assert replace(changed.look, dice=first, second_dice=second) == plain.look
        kinds |= set(changed.described.removeprefix(f"{plain.described}, dice: ").split(" and "))
        for dice in (changed.look.dice, changed.look.second_dice):
            assert dice.faces is not None
            assert len(dice.faces) == 6
            outlines = [outline for face in dice.faces for patch in face for outline in patch.outlines_mm]
            assert max(float(np.abs(np.array(outline)).max()) for outline in outlines) <= 0.5
    assert kinds >= {"swirls", "ringed pips", "coloured pips", "red one", "small pips", "worn pips", "emblem for one"}
