"""What is inlaid in drawn and traced checkers: where it is seen, and that plain ones are as they were."""

from dataclasses import replace

import numpy as np
import pytest

from boardctl.rules import Seat, point
from boardctl.virtual.drawing.bodies import turn_of
from boardctl.virtual.drawing.outlines import disc
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS, CheckerLook, Colour, Look, Patch
from boardctl.virtual.traced.board_bodies import CRISP_MM, FINE_MM, Make, checker_body, finer, inside
from boardctl.virtual.traced.meshes import reflected, turned_mesh
from boardctl.virtual.unseen.looks import drawn_installation, inlaid
from boardctl.virtual.world import Checker, World
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
RADIUS_MM = GEOMETRY.checker_diameter_mm / 2
GREEN: Colour = (40, 200, 30)
RING = Patch((disc(0, 0, 0.7 * RADIUS_MM), disc(0, 0, 0.4 * RADIUS_MM)), GREEN)
MATT = CheckerLook((40, 30, 200), dish=0.0, gloss=0.0)
AT_MM = (140.0, 30.0)
PROFILE = ((0.01, 0.0), (RADIUS_MM, 0.0), (RADIUS_MM, 8.0), (0.01, 8.0))


def drawn(checker: CheckerLook, places_mm: list[tuple[float, float]]) -> list[np.ndarray]:
    """Gets what is seen of a lone checker at places beside its middle: blue, green, red."""
    look = replace(LOOKS["green-felt"], checkers=(checker, checker))
    middle_mm = GEOMETRY.checker_height_mm / 2
    one = Checker(Seat.A, point(6), 0, *AT_MM, middle_mm)
    picture = Renderer(look, GEOMETRY, 1).frame(World(GEOMETRY, (one,)))
    spots = [(AT_MM[0] + x, AT_MM[1] + y, 2 * middle_mm) for x, y in places_mm]
    return [picture[round(v), round(u)].astype(float) for u, v in look.camera.project(spots)]


def greenish(colour: np.ndarray) -> bool:
    return bool(colour[1] > colour[2])


def test_a_ring_is_seen_in_the_face_of_a_drawn_checker_and_its_own_colour_within_and_without() -> None:
    shares = (0.0, 0.55, 0.85)
    seen = drawn(replace(MATT, inlays=(RING,)), [(share * RADIUS_MM, 0.0) for share in shares])
    assert [greenish(colour) for colour in seen] == [False, True, False]
    assert not any(greenish(colour) for colour in drawn(MATT, [(share * RADIUS_MM, 0.0) for share in shares]))


def test_checkers_lie_turned_in_their_own_way_and_stay_so() -> None:
    one, other = (Checker(Seat.A, point(6), 0, x, 30.0, 4.0) for x in (100.0, 140.0))
    assert turn_of(one) == pytest.approx(turn_of(replace(one)))
    assert turn_of(one) != pytest.approx(turn_of(other), abs=0.05)
    assert turn_of(one) @ turn_of(one).T == pytest.approx(np.eye(2))
    aside = Patch((disc(0.6 * RADIUS_MM, 0, 0.2 * RADIUS_MM),), GREEN)
    x, y = turn_of(Checker(Seat.A, point(6), 0, *AT_MM, 4.0)) @ (0.6 * RADIUS_MM, 0.0)
    turned, opposite = drawn(replace(MATT, inlays=(aside,)), [(x, y), (-x, -y)])
    assert greenish(turned)
    assert not greenish(opposite)


def test_what_lies_inside_a_patch_is_told_with_its_holes() -> None:
    places = np.array([(share * RADIUS_MM, 0.1) for share in (0.0, 0.3, 0.5, 0.65, 0.75)])
    assert inside(RING, places).tolist() == [False, False, True, True, False]


def test_a_finer_profile_has_the_same_shape() -> None:
    fine = np.array(finer(PROFILE))
    assert np.abs(np.diff(fine[:, 0])).max() <= FINE_MM + 1e-9
    assert set(PROFILE) <= {(float(r), float(z)) for r, z in fine}
    across = fine[(fine[:, 1] > CRISP_MM) & (fine[:, 1] < 8 - CRISP_MM)]
    assert (across[:, 0] == RADIUS_MM).all()


def test_traced_checkers_have_their_inlays_on_both_faces_and_plain_ones_are_as_they_were() -> None:
    make = Make(PROFILE, (np.zeros((1, 5)), np.zeros((1, 5))))
    body = checker_body(make, 0, replace(MATT, inlays=(RING,)), 3)
    assert body.colours is not None
    away = np.hypot(*body.corners[:, :2].T) / RADIUS_MM
    painted = np.abs(body.colours - reflected([channel / 255 for channel in GREEN])).max(axis=1) < 1e-9
    assert painted[(away > 0.42) & (away < 0.68)].all()
    assert not painted[(away < 0.38) | (away > 0.71)].any()
    assert {float(z) for z in body.corners[painted][:, 2]} == {0.0, 8.0}
    plain = checker_body(make, 0, MATT, 3)
    assert len(plain.corners) == len(turned_mesh(PROFILE).corners)
    assert plain.colours is not None
    assert np.ptp(plain.colours, axis=0) == pytest.approx(0)


def test_inlaid_boards_are_the_same_but_for_their_checkers_and_say_what_is_inlaid() -> None:
    kinds = set()
    for number in range(40):
        plain = drawn_installation(5, number)
        changed = inlaid(plain)
        assert changed == inlaid(plain)
        assert without_inlays(changed.look) == plain.look
        said = changed.described.removeprefix(f"{plain.described}, inlaid: ")
        assert said != changed.described
        kinds |= set(said.split(" and "))
        radius = plain.geometry.checker_diameter_mm / 2
        assert changed.look.checkers[0].inlays
        for patch in (patch for seat in changed.look.checkers for patch in seat.inlays):
            for outline in patch.outlines_mm:
                assert np.hypot(*np.array(outline).T).max() <= radius
    assert kinds >= {"dot", "ring", "two rings", "rim", "star", "letter", "marble"}


def without_inlays(look: Look) -> Look:
    first, second = (replace(seat, inlays=()) for seat in look.checkers)
    return replace(look, checkers=(first, second))
