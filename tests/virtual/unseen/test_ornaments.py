"""Ornaments of drawn boards: what is painted where, and that plain boards are as they were."""

from dataclasses import replace

import numpy as np
import pytest

from boardctl.virtual.drawing.field_paint import patches_of, point_outline
from boardctl.virtual.drawing.stage import TEXTURE_PX_PER_MM, Stage
from boardctl.virtual.looks import LOOKS, Colour, Look, Patch
from boardctl.virtual.traced.board_paint import FIELD_MM, field_cloth
from boardctl.virtual.traced.meshes import reflected
from boardctl.virtual.unseen.looks import drawn_installation, ornate
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
PLAIN = replace(LOOKS["green-felt"], field_grain=0.0)
RING: Colour = (90, 200, 240)
OUTER, INNER = ((60, -20), (100, -20), (100, 20), (60, 20)), ((70, -10), (90, -10), (90, 10), (70, 10))
"""A square, and one in it."""


def painted(look: Look, x_mm: float, y_mm: float) -> Colour:
    """Gets the colour of a drawn playing surface at a place, seen from right above without shadows or a lamp's fall."""
    texture = Stage(look, GEOMETRY)._field_texture()
    height, width = texture.shape[:2]
    row = round((height - 1) / 2 - y_mm * TEXTURE_PX_PER_MM)
    blue, green, red = texture[row, round((width - 1) / 2 + x_mm * TEXTURE_PX_PER_MM)]
    return round(float(blue)), round(float(green)), round(float(red))


def test_a_plain_board_is_its_24_triangles() -> None:
    patches = patches_of(PLAIN, GEOMETRY)
    assert len(patches) == 24
    for number, patch in enumerate(patches, start=1):
        assert patch.colour == PLAIN.points[number % 2]
        assert set(patch.outlines_mm[0]) == set(GEOMETRY.point_triangle(number))


@pytest.mark.parametrize("number", [1, 9, 13, 24])
def test_a_profile_tells_how_wide_a_point_is_from_edge_to_tip(number: int) -> None:
    outline = np.array(point_outline(GEOMETRY, number, ((0.1, 0.8), (0.5, 0.6), (1.0, 0.0))))
    (left, base), _, (x, tip) = GEOMETRY.point_triangle(number)
    along, across = (outline[:, 1] - base) / (tip - base), np.abs(outline[:, 0] - x) / (x - left)
    assert np.sort(along) == pytest.approx([0.1, 0.1, 0.5, 0.5, 1.0])
    assert across == pytest.approx(np.interp(along, [0.1, 0.5, 1.0], [0.8, 0.6, 0.0]))
    smaller = np.array(point_outline(GEOMETRY, number, ((0.0, 1.0), (1.0, 0.0)), share=0.5))
    assert np.abs(smaller[:, 1] - base).max() == pytest.approx(GEOMETRY.point_length_mm / 2)


def test_narrow_points_leave_the_field_seen_between_them() -> None:
    narrow = replace(PLAIN, point_profile=((0.0, 0.7), (1.0, 0.0)))
    (left, base), _, (x, _) = GEOMETRY.point_triangle(3)
    corner = left + 2, base + 2
    assert painted(PLAIN, *corner) == PLAIN.points[1]
    assert painted(narrow, *corner) == PLAIN.field
    assert painted(narrow, x, base + 2) == PLAIN.points[1]


def test_a_patch_is_painted_over_points_or_below_them_and_its_inner_outline_is_a_hole() -> None:
    ring = Patch((OUTER, INNER), RING)
    over = replace(PLAIN, over_points=(ring,))
    assert [painted(over, *at) for at in ((65, 0), (95, 15), (80, 0), (110, 0))] == [RING, RING, *[PLAIN.field] * 2]
    (left, base), (right, _), (x, tip) = GEOMETRY.point_triangle(4)
    whole = Patch((((left, base), (right, base), (right, tip), (left, tip)),), RING)
    at = x, (base + tip) / 2
    assert painted(replace(PLAIN, over_points=(whole,)), *at) == RING
    assert painted(replace(PLAIN, below_points=(whole,)), *at) == PLAIN.points[0]


def test_ornate_boards_have_ornaments_on_their_field_and_are_the_same_but_for_these() -> None:
    kinds = set()
    for number in range(30):
        drawn = drawn_installation(5, number)
        adorned = ornate(drawn)
        assert adorned == ornate(drawn)
        look = adorned.look
        plain = replace(look, point_profile=drawn.look.point_profile, below_points=(), over_points=())
        assert plain == drawn.look
        said = adorned.described.removeprefix(f"{drawn.described}, ")
        assert said
        assert said != adorned.described
        kinds |= set(said.split(", "))
        half = np.array([drawn.geometry.field_width_mm, drawn.geometry.field_height_mm]) / 2
        for patch in (*look.below_points, *look.over_points):
            for outline in patch.outlines_mm:
                assert (np.abs(outline).max(axis=0) <= half + drawn.geometry.point_width_mm / 4).all()
        assert all(0 <= wide <= 1 for _, wide in look.point_profile)
    assert len(kinds) >= 12


def test_traced_fields_have_the_same_ornaments() -> None:
    look = replace(LOOKS["green-felt"], over_points=(Patch((OUTER, INNER), RING),), point_profile=((0, 0.7), (1, 0)))
    half = GEOMETRY.field_width_mm / 2 + 60
    cloth = field_cloth(look, GEOMETRY, half, np.random.default_rng(3)).reflects
    bare = field_cloth(replace(look, over_points=()), GEOMETRY, half, np.random.default_rng(3)).reflects

    def at(surface: np.ndarray, x_mm: float, y_mm: float) -> np.ndarray:
        return np.asarray(
            surface[round((GEOMETRY.field_height_mm / 2 - y_mm) / FIELD_MM), round((x_mm + half) / FIELD_MM)]
        )

    colour = np.array(reflected([channel / 255 for channel in RING]))
    assert at(cloth, 65, 0) == pytest.approx(colour)
    assert at(cloth, 80, 0) == pytest.approx(at(bare, 80, 0))
    covered = np.abs(cloth - bare).sum(axis=2) > np.abs(cloth - colour).sum(axis=2)
    assert np.count_nonzero(covered) * FIELD_MM**2 == pytest.approx(40 * 40 - 20 * 20, rel=0.1)
