"""What is inlaid in the rails and the bar of drawn and traced boards: where it lies, and that it is seen."""

from dataclasses import replace

import numpy as np
import pytest

from boardctl.virtual.drawing.stage import Stage, boxes_of, on_top
from boardctl.virtual.looks import LOOKS, Colour, Outline, Patch
from boardctl.virtual.traced.board_bodies import ABOVE_WOOD_MM, on_rails_body
from boardctl.virtual.traced.meshes import reflected
from boardctl.virtual.unseen.looks import drawn_installation, railed
from boardctl.virtual.unseen.rail_inlays import SEGMENTS, _number
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
GREEN: Colour = (40, 220, 30)
RAIL_Y_MM = (GEOMETRY.field_height_mm + GEOMETRY.rail_width_mm) / 2


def square(x: float, y: float, half: float = 5.0) -> Outline:
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


ON_BAR, ON_RAIL = Patch((square(0.0, 60.0),), GREEN), Patch((square(120.0, RAIL_Y_MM),), GREEN)


def test_what_is_inlaid_is_seen_on_top_of_rail_and_bar() -> None:
    look = replace(LOOKS["green-felt"], on_rails=(ON_BAR, ON_RAIL))
    shown, plain = Stage(look, GEOMETRY).picture, Stage(replace(look, on_rails=()), GEOMETRY).picture
    high = (GEOMETRY.bar_height_mm, GEOMETRY.rail_height_mm)
    for (x, y), z in zip(((0.0, 60.0), (120.0, RAIL_Y_MM)), high, strict=True):
        (at, beside) = np.rint(look.camera.project([(x, y, z), (x, y - 8.0, z)])).astype(int)
        blue, green, red = (int(level) for level in shown[at[1], at[0]])
        assert green > 2 * max(blue, red)
        assert shown[beside[1], beside[0]].tolist() == plain[beside[1], beside[0]].tolist()
    changed = (shown != plain).any(axis=2)
    side_px = 10.0 * look.camera.seen_px(1.0)
    assert np.count_nonzero(changed) == pytest.approx(2 * side_px**2, rel=0.3)


def test_traced_inlays_lie_right_above_the_wood_and_face_upwards() -> None:
    body = on_rails_body((ON_BAR, ON_RAIL), boxes_of(GEOMETRY))
    assert len(body.corners) == 8
    assert body.corners[:4, 2] == pytest.approx(GEOMETRY.bar_height_mm + ABOVE_WOOD_MM)
    assert body.corners[4:, 2] == pytest.approx(GEOMETRY.rail_height_mm + ABOVE_WOOD_MM)
    assert body.colours is not None
    assert body.colours[0] == pytest.approx(reflected([channel / 255 for channel in GREEN]))
    first, second, third = body.corners[body.triangles].transpose(1, 0, 2)
    assert (np.cross(second - first, third - first)[:, 2] > 0).all()
    mirrored = on_rails_body((Patch((ON_BAR.outlines_mm[0][::-1],), GREEN),), boxes_of(GEOMETRY))
    first, second, third = mirrored.corners[mirrored.triangles].transpose(1, 0, 2)
    assert (np.cross(second - first, third - first)[:, 2] > 0).all()


def test_numbers_have_the_bars_of_their_digits_and_stand_upright_to_who_sits_before_them() -> None:
    for number in (1, 8, 17, 24):
        bars = _number(number, (50.0, 100.0), 12.0, up=1.0)
        assert len(bars) == sum(len(SEGMENTS[int(digit)]) for digit in str(number))
        corners = np.array(bars).reshape(-1, 2)
        assert np.ptp(corners[:, 1]) == pytest.approx(12.0 * 1.16)
        turned = np.array(_number(number, (50.0, 100.0), 12.0, up=-1.0)).reshape(-1, 2)
        assert np.sort(turned, axis=0) == pytest.approx(np.sort(2 * np.array((50.0, 100.0)) - corners, axis=0))
    seven = np.array(_number(7, (0.0, 0.0), 12.0, up=1.0)).mean(axis=(0, 1))
    assert seven[0] > 0
    assert seven[1] > 0


def test_railed_boards_are_the_same_but_for_their_rails_and_say_what_is_inlaid() -> None:
    kinds = set()
    for number in range(30):
        plain = drawn_installation(5, number)
        changed = railed(plain)
        assert changed == railed(plain)
        assert replace(changed.look, on_rails=()) == plain.look
        said = changed.described.removeprefix(f"{plain.described}, rails: ")
        assert said != changed.described
        kinds |= set(said.split(", "))
        boxes = boxes_of(plain.geometry)
        for patch in changed.look.on_rails:
            assert len(patch.outlines_mm) == 1
            assert sum(len(on_top(patch, box)) for box in boxes) >= 1, "it lies on none of them"
    assert kinds == {"diamonds", "discs", "numbers", "lines", "corners", "hinges"}
