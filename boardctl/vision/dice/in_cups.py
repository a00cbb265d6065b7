"""Dice that lie in cups, or on what else was put down on the board: all around them there is no board.

Players put their cups down with the dice in them, open above. Such dice are no throw, and are not told to lie on the
board; while they lie there the dice of a throw are looked for beside them.
"""

from collections.abc import Iterable

import numpy as np

from boardctl.referee.readings import BoardReading
from boardctl.vision.dice.around import DIRECTIONS, XY, Around, Circles
from boardctl.vision.dice.hand_near import is_arm_near
from boardctl.vision.dice.look import Sight
from boardctl.vision.dice.memory import CUP_KEY, Output
from boardctl.vision.dice.patch import Patch, Picture
from calibration import BoardGeometry

LIGHTS = tuple(sorted(np.geomspace(0.55, 1.3, 15).tolist(), key=lambda root: abs(root - 1.0)))
"""Lights in which the empty board may be seen around a die, as the roots by which its levels are multiplied: from a
deep shadow to a brighter exposure. In a shadow that ends beside the die one of them is that of a part."""
ALL_AROUND, CHANGED = 0.7, 0.75
"""Share of the directions in which a level's root has changed by so much, in whatever light, from which no board is
around a die. Of 478 dice that lie on eleven rendered and 21 drawn boards, no arm in the picture, seven tenths have
changed by 0.57 at most, of 72 of 81 dice in cups there by more than 0.75."""
LEAST_FREE = DIRECTIONS // 2
"""It is told where that can be seen in so many directions: not of dice in a row of checkers."""


def is_in_cup(
    spot_mm: XY, sight: Sight, empty: Picture, board: BoardReading, geometry: BoardGeometry, dice_mm: Iterable[XY]
) -> bool:
    """Whether a die whose middle is seen there lies in a cup, or on something else that the ``empty`` board did not
    show. ``board`` was read in the same picture; ``dice_mm``: where other dice lie. Where an arm may reach it that is
    not told: a hand may be all around a die, too."""
    if is_arm_near(board, spot_mm, geometry):
        return False
    spot = sight.looks.near(spot_mm, CUP_KEY)

    def circles() -> Circles:
        return Circles.about(spot, geometry.die_size_mm, sight.camera)

    def cut() -> Patch:
        return circles().seen(sight.picture).astype(np.float32)

    def ask(seen: Patch) -> Output:
        about = circles()
        now, is_free = np.asarray(seen, dtype=np.float64), about.free_of(dice_mm, board, geometry)
        return np.array([_is_all_around(Around(now, about.seen(empty), is_free))], dtype=np.float32)

    return bool(sight.looks.see((*spot, CUP_KEY, False), cut, ask)[0])


def _is_all_around(around: Around) -> bool:
    """Whether something lies all around a die that the empty board did not show, in whatever light it may be."""
    many = int(around.free.sum())
    return many >= LEAST_FREE and all(
        around.changed(around.empty * root, CHANGED).sum() >= ALL_AROUND * many for root in LIGHTS
    )
