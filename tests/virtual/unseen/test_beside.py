"""What covers a table and what lies on it beside the board, drawn and traced."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from boardctl.virtual.dice import TABLE_DEPTH_MM
from boardctl.virtual.drawing.brush import along, hull, mask_of
from boardctl.virtual.drawing.outlines import box
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.drawing.stage import Stage, boxes_of
from boardctl.virtual.drawing.things import outline_px
from boardctl.virtual.looks import LOOKS, Colour, Patch
from boardctl.virtual.traced.beside_bodies import NEAR_MM, near_cloth, thing_body, things_body
from boardctl.virtual.traced.meshes import colour_reflected
from boardctl.virtual.unseen.beside import KINDS, at_another_time, reach_mm
from boardctl.virtual.unseen.looks import Installation, cluttered, drawn_installation, things_on_board
from boardctl.virtual.unseen.tables import scenes_of
from boardctl.virtual.world import Thing, World, set_up
from calibration import BoardGeometry
from calibration.follow import outline_mm

GEOMETRY = BoardGeometry()
GREEN: Colour = (40, 220, 30)
CUP = Thing(40.0, 260.0, ((30.0, 0.0), (0.0, 30.0), (-30.0, 0.0), (0.0, -30.0)), 50.0, GREEN, (9, 9, 200), -14.0, 0.5)


def board_px(one: Installation) -> np.ndarray:
    """Gets where an installation's board is seen (height x width)."""
    camera = one.look.camera
    corners = [along(each.corners(z_mm)) for each in boxes_of(one.geometry) for z_mm in each.z_mm]
    outline = hull(camera.project(np.concatenate(corners)))
    return np.asarray(mask_of((camera.width_px, camera.height_px), [outline]) > 0)


def test_what_is_on_a_table_is_seen_beside_the_board_and_changes_nothing_on_it() -> None:
    x, y = outline_mm(GEOMETRY)[2, :2].tolist()
    look = LOOKS["green-felt"]
    covered = replace(look, on_table=(Patch((box(-900.0, y + 10.0, 900.0, 900.0),), GREEN),))
    shown, plain = Stage(covered, GEOMETRY).picture, Stage(look, GEOMETRY).picture
    [(column, row), (to_column, to_row)] = np.rint(
        look.camera.project([(0.3 * x, y + 40.0, -TABLE_DEPTH_MM), (0.3 * x, -y - 40.0, -TABLE_DEPTH_MM)])
    ).astype(int)
    blue, green, red = (int(level) for level in shown[row, column])
    assert green > 2 * max(blue, red)
    assert shown[to_row, to_column].tolist() == plain[to_row, to_column].tolist()
    field = (
        mask_of(plain.shape[1::-1], [look.camera.project([(0.97 * x, 0.97 * y, 0.0) for x, y in GEOMETRY.corners])]) > 0
    )
    assert np.abs(shown[field].astype(int) - plain[field]).max() <= 1  # the rounding of sums


def test_cluttered_tables_are_the_same_but_for_what_is_on_them_and_nothing_hides_the_board() -> None:
    said, things = set(), 0
    for number in range(24):
        plain = drawn_installation(5, number)
        changed = cluttered(plain)
        assert changed == cluttered(plain)
        assert replace(changed.look, on_table=()) == plain.look
        said |= set(changed.described.removeprefix(f"{plain.described}, table: ").split(", "))
        board, stage = board_px(plain), Stage(plain.look, plain.geometry)
        size = (plain.look.camera.width_px, plain.look.camera.height_px)
        for thing in changed.beside:
            assert thing.z_mm == -TABLE_DEPTH_MM
            assert not (mask_of(size, [outline_px(stage, thing)]) > 0)[board].any()
        for first, second in zip(changed.beside, changed.beside[1:], strict=False):
            apart = np.hypot(first.x_mm - second.x_mm, first.y_mm - second.y_mm)
            assert apart > reach_mm(first) + reach_mm(second)
        things += len(changed.beside)
    assert {"checked", "striped", "dotted", "planks", "tiles", "mat"} <= said
    assert things > 60
    assert len(KINDS) == 11


def test_things_are_moved_and_taken_from_picture_to_picture_and_leave_room_for_dice() -> None:
    one = cluttered(drawn_installation(5, 0))
    random = Random(4)
    times = [at_another_time(one.beside, (), 0.0, random) for _ in range(40)]
    kept = np.mean([len(time) for time in times]) / len(one.beside)
    unmoved = np.mean([sum(thing in one.beside for thing in time) for time in times]) / len(one.beside)
    assert 0.7 < kept < 0.9
    assert 0.45 < unmoved < 0.65
    thing = one.beside[0]
    at = (thing.x_mm, thing.y_mm)
    for time in (at_another_time(one.beside, (at,), 15.0, random) for _ in range(10)):
        assert all(np.hypot(each.x_mm - at[0], each.y_mm - at[1]) > reach_mm(each) + 15.0 for each in time)


@pytest.mark.parametrize("changed", [cluttered, things_on_board])
def test_a_game_is_the_same_with_things_beside_the_board_or_on_it(
    changed: Callable[[Installation], Installation],
) -> None:
    plain = drawn_installation(5, 1)
    shown = changed(plain)
    pairs = [*zip(scenes_of(plain, 6, 1, set_up), scenes_of(shown, 6, 1, set_up), strict=True)]
    for (scene, brighter), (other, as_bright) in pairs:
        assert brighter == as_bright
        assert replace(other.world, things=()) == scene.world
    assert sum(len(other.world.things) for _, (other, _) in pairs) > 0
    picture, without = (
        Renderer(look, one.geometry, 3).scene(world)
        for look, one, world in (
            (plain.look, plain, pairs[3][0][0].world),
            (replace(shown.look, on_table=()), shown, replace(pairs[3][1][0].world, things=())),
        )
    )
    assert (picture == without).all()


def test_traced_things_stand_where_they_are_and_all_their_sides_face_outwards() -> None:
    body = thing_body(CUP)
    low, high = body.corners.min(axis=0), body.corners.max(axis=0)
    assert low == pytest.approx((10.0, 230.0, -14.0))
    assert high == pytest.approx((70.0, 290.0, 36.0))
    assert body.colours is not None
    first, second, third = body.corners[body.triangles].transpose(1, 0, 2)
    out = np.cross(second - first, third - first)
    middle = np.array((CUP.x_mm, CUP.y_mm, 11.0))
    assert (((first + second + third) / 3 - middle) * out).sum(axis=1).min() > 0
    sides = body.colours[np.abs(body.corners[:, 2] + 14.0) < 1e-6]
    assert sides[0] == pytest.approx(colour_reflected(GREEN))


def test_what_a_traced_thing_holds_lies_below_its_rim() -> None:
    body = thing_body(replace(CUP, inside=(0.8, 0.4, (200, 9, 9))))
    assert body.colours is not None
    blue = body.colours[:, 2] > 0.5
    held = body.corners[blue]
    assert held[:, 2] == pytest.approx(-14.0 + 0.4 * 50.0)
    assert np.abs(held[:, 0] - CUP.x_mm).max() == pytest.approx(24.0)
    nothing = things_body(World(GEOMETRY).things)
    assert nothing.corners[:, 2].max() < -400


def test_the_traced_table_around_a_board_shows_what_is_on_it() -> None:
    table = np.full((1600, 1600, 3), 0.3)
    shown = near_cloth(table, 2.5, (Patch((box(100.0, 300.0, 200.0, 400.0),), GREEN),))
    assert len(shown) == 1800 / NEAR_MM
    row, column = (900 - 350), (900 + 150)  # the first row is the far one
    assert shown[row, column] == pytest.approx(np.clip(colour_reflected(GREEN), 0.004, 0.97), abs=1e-3)
    assert shown[row + 200, column] == pytest.approx(0.3)
