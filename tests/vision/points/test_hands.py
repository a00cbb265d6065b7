"""Hands over the board: whose side they come from, what they cover, and what only looks as if a hand lay over it."""

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from drawn_starts import GEOMETRY, calibration, renderer, starting
from numpy.typing import NDArray

from boardctl.referee.readings import Hand, PlaceReading, StackChance
from boardctl.rules import Placement, Seat, point
from boardctl.rules.games import GAMES
from boardctl.virtual import VirtualTable
from boardctl.virtual.drawing.things import mug
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.world import Hand as DrawnHand
from boardctl.virtual.world import World, set_up
from boardctl.vision import read_board
from boardctl.vision.game_eyes import eyes_for
from boardctl.vision.points.border import Arm, arms_seen
from boardctl.vision.points.columns import SLOTS, STRIPS
from boardctl.vision.points.hands import NO_ARM, HandsTold, slots_of, weighed_by_arms
from boardctl.vision.points.strip_reading import BARE_LOGITS, HAND
from calibration import Calibration

if TYPE_CHECKING:
    from conftest import Shots

HALF_WIDTH, HALF_HEIGHT = GEOMETRY.field_width_mm / 2, GEOMETRY.field_height_mm / 2
A, B = Seat.A, Seat.B
Picture = NDArray[np.uint8]
XY = tuple[float, float]


def arms(look: str, world: World) -> tuple[Arm, ...]:
    return arms_seen(renderer(look).frame(world), calibration(look))


def painted(
    look: str, picture: Picture, outline_mm: list[tuple[float, float]], colour: tuple[int, int, int]
) -> Picture:
    """Gets a picture with something flat painted over the board, given by its outline on the board plane."""
    pixels = LOOKS[look].camera.project([(x, y, 30.0) for x, y in outline_mm])
    return np.asarray(cv2.fillPoly(picture.copy(), [np.round(pixels).astype(np.int32)], colour), dtype=np.uint8)


@pytest.mark.parametrize("look", sorted(LOOKS))
@pytest.mark.parametrize("seat", [A, B])
@pytest.mark.parametrize("tip", [(-200.0, -120.0), (10.0, 0.0), (230.0, 150.0)])
def test_an_arm_is_seen_to_come_from_its_seats_side(look: str, seat: Seat, tip: tuple[float, float]) -> None:
    assert [arm.entry for arm in arms(look, replace(starting(), hands=(DrawnHand(seat, *tip),)))] == [seat]


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_two_arms_are_two_whether_of_one_seat_or_of_both(look: str) -> None:
    for seats in ((A, A), (B, B), (A, B)):
        hands = tuple(DrawnHand(seat, x, 0.0) for seat, x in zip(seats, (-210.0, 220.0), strict=True))
        found = arms(look, replace(starting(), hands=hands))
        assert sorted(str(arm.entry) for arm in found) == sorted(map(str, seats))


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_checkers_and_a_mug_are_no_arms(look: str) -> None:
    random = Random(3)
    tall = Placement({point(6): (A,) * 8, point(8): (A,) * 7, point(19): (B,) * 9, point(1): (B,) * 6})
    assert arms(look, set_up(starting(), tall, random)) == ()
    assert arms(look, replace(starting(), things=(mug(150.0, -100.0),))) == ()


def test_an_arm_over_a_short_side_is_nobodys() -> None:
    picture = renderer("cork").frame(starting())
    over = [(HALF_WIDTH + 400, -30.0), (HALF_WIDTH - 80, -30.0), (HALF_WIDTH - 80, 40.0), (HALF_WIDTH + 400, 40.0)]
    (arm,) = arms_seen(painted("cork", picture, over, (120, 140, 190)), calibration("cork"))
    assert arm.entry is None
    assert arm.x_mm > HALF_WIDTH


@pytest.mark.parametrize("look", sorted(LOOKS))
@pytest.mark.parametrize("tint", [(0.5, 0.5, 0.5), (0.45, 0.35, 0.3), (0.75, 0.7, 0.65)])
def test_a_shadow_over_the_border_is_no_arm(look: str, tint: tuple[float, float, float]) -> None:
    picture = renderer(look).frame(starting())
    outline = [(-60.0, -500.0), (60.0, -500.0), (40.0, 50.0), (-40.0, 50.0)]
    mask = painted(look, np.zeros_like(picture), outline, (255, 255, 255)).astype(np.float32) / 255
    shade = 1 - cv2.GaussianBlur(mask, (0, 0), 6.0) * (1 - np.array(tint, dtype=np.float32))
    assert arms_seen(np.asarray(picture * shade, dtype=np.uint8), calibration(look)) == ()


def test_the_arms_of_rendered_hands_come_from_their_players(green: "Shots") -> None:
    for frame in ("f03", "f06", "f09", "f12", "f13"):
        hand = green.truth(frame).get("hand")
        found = arms_seen(green.picture(frame), green.calibration)
        assert [arm.entry for arm in found] == ([Seat(hand["player_side"])] if hand else [])


def test_the_reading_tells_what_a_hand_covers() -> None:
    world = replace(starting(), hands=(DrawnHand(A, GEOMETRY.point_x_mm(3), -40.0),))
    reading = read_board(renderer("green-felt").frame(world), calibration("green-felt"))
    (hand,) = reading.hands
    assert reading.hand
    assert hand.entry is A
    assert point(3) in hand.places
    assert {point(10), point(15), point(22)}.isdisjoint(hand.places)
    assert reading.at(point(3)).hidden


def test_a_point_under_a_mug_is_hidden_though_no_arm_is_seen() -> None:
    world = replace(starting(), things=(mug(GEOMETRY.point_x_mm(4), -150.0),))
    reading = read_board(renderer("green-felt").frame(world), calibration("green-felt"))
    assert reading.hands == ()
    assert reading.hand
    assert reading.at(point(4)).hidden


def test_on_a_board_of_four_seats_it_is_open_whose_a_hand_is() -> None:
    table = VirtualTable(GAMES["multigam"], look="walnut", seed=5)
    known = Calibration.of(table.look.camera, GEOMETRY, table.empty_frame(), table.starting_frame())
    eyes = eyes_for(table.game, known, table.game_frame())
    table.world = replace(table.world, hands=(DrawnHand(A, GEOMETRY.point_x_mm(3), -40.0),))
    (hand,) = eyes(table.picture()).board.hands
    assert hand.entry is None
    assert point(3) in hand.places
    assert set(hand.places) <= set(table.game.places)


def looking_covered(*slots: tuple[int, int], logit: float = 5.0) -> NDArray[np.float64]:
    """What the network says of bare strips of which some slots (strip, slot) look covered."""
    logits = np.tile(BARE_LOGITS, (STRIPS, 1, 1))
    for strip, slot in slots:
        logits[strip, HAND, slot] = logit
    return logits


def covered_strips(told: HandsTold) -> list[int]:
    return np.flatnonzero(told.covered).tolist()


def test_without_an_arm_a_point_that_looks_covered_is_not() -> None:
    logits = looking_covered((5, 1), (5, 2), (5, 3), (5, 4))
    told = weighed_by_arms(logits, (), slots_of(calibration("cork")))
    assert (told.hands, covered_strips(told), told.any_over) == ((), [], False)
    assert (told.logits[5, HAND, 1:5] == NO_ARM).all()  # some doubt is left
    unlike_all = PlaceReading(point(6), (StackChance((A,) * 8, 0.01),), hidden=True)
    assert told.read(unlike_all, 5) == PlaceReading(point(6), ())
    explained = PlaceReading(point(6), (StackChance((A,) * 8, 0.6),), hidden=True)
    assert told.read(explained, 5) == replace(explained, hidden=False)


def test_a_point_that_does_not_look_covered_is_read_as_it_is() -> None:
    told = weighed_by_arms(looking_covered(), (), slots_of(calibration("cork")))
    torn = PlaceReading(point(6), (StackChance((A,) * 8, 0.01),))
    assert told.read(torn, 5) is torn


def test_what_is_larger_than_a_checker_needs_no_arm() -> None:
    logits = looking_covered((5, 1), (5, 2), (4, 1), (4, 2))
    told = weighed_by_arms(logits, (), slots_of(calibration("cork")))
    assert (told.hands, covered_strips(told), told.any_over) == ((), [4, 5], True)
    hidden = PlaceReading(point(6), (), hidden=True)
    assert told.read(hidden, 5) is hidden


def test_an_arm_reaches_over_what_looks_covered_and_no_further() -> None:
    arm = Arm(GEOMETRY.point_x_mm(6), -HALF_HEIGHT - 30.0, 100.0, A)
    logits = looking_covered((5, 0), (5, 1), (4, 2), (4, 3)) + looking_covered((20, 1), logit=2.0) - BARE_LOGITS
    told = weighed_by_arms(logits, (arm,), slots_of(calibration("cork")))
    assert told.hands == (Hand(A, (point(5), point(6))),)
    assert covered_strips(told) == [4, 5]


def test_an_arm_that_is_seen_in_two_pieces_is_one_hand() -> None:
    pieces = tuple(Arm(GEOMETRY.point_x_mm(6) + aside, -HALF_HEIGHT - 30.0, 40.0, A) for aside in (-30.0, 30.0))
    told = weighed_by_arms(looking_covered((5, 0), (5, 1)), pieces, slots_of(calibration("cork")))
    assert told.hands == (Hand(A, (point(6),)),)
    apart = looking_covered((5, 0), (1, 0))
    other = replace(pieces[1], x_mm=GEOMETRY.point_x_mm(2))
    assert len(weighed_by_arms(apart, (pieces[0], other), slots_of(calibration("cork"))).hands) == 2


def test_beside_what_is_covered_nothing_is_surely_told() -> None:
    arm = Arm(GEOMETRY.point_x_mm(6), -HALF_HEIGHT - 30.0, 100.0, A)
    told = weighed_by_arms(looking_covered((5, 0), (5, 1)), (arm,), slots_of(calibration("cork")))
    surely = [PlaceReading(point(number), (StackChance((), 0.9999),)) for number in range(1, 25)]
    doubted = [reading.place.number for reading in told.doubted_beside(surely) if reading.confidence < 0.95]
    assert doubted == [5, 6], "the bar lies between 6 and 7"
    nobody = weighed_by_arms(looking_covered(), (), slots_of(calibration("cork")))
    assert [*nobody.doubted_beside(surely)] == surely


def test_a_hand_may_come_from_where_the_picture_ends() -> None:
    slots = slots_of(calibration("cork"))
    ends_here = np.zeros(STRIPS * SLOTS, dtype=np.bool_)
    ends_here[5 * SLOTS] = True
    told = weighed_by_arms(looking_covered((5, 0), (5, 1)), (), replace(slots, at_open_border=ends_here))
    assert covered_strips(told) == [5]


def test_what_comes_from_where_the_picture_ends_is_a_hand_where_it_is_larger_than_a_checker() -> None:
    slots = slots_of(calibration("cork"))
    ends_here = np.zeros(STRIPS * SLOTS, dtype=np.bool_)
    ends_here[5 * SLOTS] = True
    logits = looking_covered((5, 0), (5, 1), (4, 1), (4, 2))
    told = weighed_by_arms(logits, (), replace(slots, at_open_border=ends_here))
    assert told.hands == (Hand(None, (point(5), point(6))),), "its arm is not in the picture"
    assert weighed_by_arms(looking_covered((5, 0), (5, 1)), (), replace(slots, at_open_border=ends_here)).hands == ()
