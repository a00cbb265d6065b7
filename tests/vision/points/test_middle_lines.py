"""What a hand covers of bare points: their middle lines, and not what lies beside them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_starts import GEOMETRY, calibration, renderer, starting
from numpy.typing import NDArray

from boardctl.rules import Seat, point
from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.picture_truth import record_of
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.world import Hand, World
from boardctl.vision import read_board
from boardctl.vision.points.columns import POINTS, SLOTS, STRIPS
from boardctl.vision.points.hands import HandsTold, weighed_by_lines
from boardctl.vision.points.middle_lines import OWN_SLOTS, lines_covered
from boardctl.vision.points.strip_reading import BARE_LOGITS, HAND

A, B = Seat.A, Seat.B
EVERYWHERE, NOWHERE = np.ones(POINTS, dtype=np.bool_), np.zeros(POINTS, dtype=np.bool_)
NOTHING_KNOWN = np.zeros((0, 2))
Floats = NDArray[np.float64]


def covered(look: str, world: World, beside: NDArray[np.bool_] = EVERYWHERE, over: Floats = NOTHING_KNOWN) -> list[int]:
    """Gets the bare points over whose middle lines something large is seen."""
    lines = lines_covered(renderer(look).frame(world), calibration(look), beside, over)
    bare = [number for number in range(1, POINTS + 1) if not world.at(point(number))]
    return [number for number in bare if lines[number - 1].max() > 0]


@pytest.mark.parametrize(
    ("look", "hand"),
    [
        ("cork", Hand(A, 110.0, 0.0)),
        ("green-felt", Hand(A, -190.0, 0.0)),
        ("blue-felt", Hand(A, 180.0, -90.0)),
    ],
)
def test_of_bare_points_those_are_hidden_over_whose_middle_line_a_hand_lies(look: str, hand: Hand) -> None:
    world = replace(starting(), hands=(hand,))
    truth = record_of(renderer(look).stage, world, A, "center")["points"]
    reading = read_board(Renderer(LOOKS[look], GEOMETRY, 5).frame(world), calibration(look))
    bare = [number for number in range(1, POINTS + 1) if not world.at(point(number))]
    hidden = [number for number in bare if truth[str(number)]["occluded"]]
    assert hidden, "else this tells nothing"
    assert [number for number in bare if reading.at(point(number)).hidden] == hidden


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_a_shadow_over_a_point_is_no_hand(look: str) -> None:
    picture = renderer(look).frame(starting())
    outline = [(-250.0, -100.0), (-100.0, -160.0), (180.0, 140.0), (120.0, 170.0)]
    pixels = LOOKS[look].camera.project([(x, y, 0.0) for x, y in outline])
    mask = cv2.fillPoly(np.zeros(picture.shape[:2], np.float32), [np.round(pixels).astype(np.int32)], 1.0)
    shade = 1 - cv2.GaussianBlur(mask, (0, 0), 6.0)[..., None] * np.array([0.40, 0.43, 0.46])
    lines = lines_covered((picture * shade).astype(np.uint8), calibration(look), EVERYWHERE, NOTHING_KNOWN)
    bare = [number for number in range(1, POINTS + 1) if not starting().at(point(number))]
    assert max(lines[number - 1].max() for number in bare) < 0


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_a_die_on_a_point_is_no_hand(look: str) -> None:
    side = GEOMETRY.die_size_mm
    dice = [
        Die(number, GEOMETRY.point_x_mm(number), -GEOMETRY.field_height_mm / 2 + 120.0, side / 2, 20.0 * number)
        for number in (2, 3, 4)
    ]
    assert covered(look, replace(starting(), dice=tuple(dice))) == []


def test_far_from_what_is_known_to_be_covered_only_what_is_in_one_piece_with_it_is_a_hand() -> None:
    world = replace(starting(), hands=(Hand(A, GEOMETRY.point_x_mm(3), -40.0),))
    over = np.array([(GEOMETRY.point_x_mm(3), -90.0)])
    elsewhere = np.array([(GEOMETRY.point_x_mm(20), 90.0)])
    assert 3 in covered("green-felt", world, NOWHERE, over)
    assert covered("green-felt", world, NOWHERE, elsewhere) == []


def told(hand: Floats, seat_a: Floats) -> HandsTold:
    """What is known of strips that look bare, but for the logits of a hand and of one checker of A in their slots."""
    logits = np.tile(BARE_LOGITS, (STRIPS, 1, 1))
    logits[:, HAND], logits[:, 1] = hand, seat_a
    nothing = np.zeros(STRIPS, dtype=np.bool_)
    return HandsTold(logits, nothing, nothing, nothing, ())


def test_a_covered_middle_line_hides_a_bare_point_and_tells_nothing_of_a_row() -> None:
    seat_a = np.zeros((STRIPS, SLOTS))
    seat_a[7, :2] = 20.0
    lines = np.full((POINTS, OWN_SLOTS), -6.0)
    lines[[5, 7], 3] = 3.0
    weighed = weighed_by_lines(told(np.full((STRIPS, SLOTS), -12.0), seat_a), lines)
    assert np.flatnonzero(weighed.covered).tolist() == [5]
    assert np.flatnonzero(weighed.beside).tolist() == [5]
    assert weighed.logits[5, HAND, 3] > 0
    assert (weighed.logits[7, HAND] == -12.0).all()


def test_a_middle_line_that_looks_as_on_the_empty_board_shows_a_bare_point() -> None:
    hand = np.full((STRIPS, SLOTS), -12.0)
    hand[4, 0] = 3.0
    weighed = weighed_by_lines(told(hand, np.zeros((STRIPS, SLOTS))), np.full((POINTS, OWN_SLOTS), -4.0))
    assert (weighed.logits[4, HAND, :OWN_SLOTS] < 0).all()
    assert not weighed.covered.any()
