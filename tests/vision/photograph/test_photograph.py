"""A photograph of an unknown camera, read from the corners of the field alone."""

from dataclasses import replace
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from slanted_boards import SlantedBoard

from boardctl.referee.readings import (
    BoardReading,
    DiceReading,
    DieReading,
    PlaceReading,
    StackChance,
    Support,
    Witness,
)
from boardctl.rules import Backgammon, PlaceKind, Seat, point
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import GREEN_FELT, camera_over
from boardctl.virtual.world import empty_world, set_up
from boardctl.vision.frame import FrameReading
from boardctl.vision.photograph import points
from boardctl.vision.photograph import reading as photograph
from boardctl.vision.photograph.points import DOUBTED, in_plainer_light, rows_of_too_many
from boardctl.vision.photograph.reading import read_photograph
from boardctl.vision.points.columns import FROM_ABOVE, FROM_BESIDE, ReferenceStrips, StripNetwork
from boardctl.vision.points.strip_reading import StripsSeen
from calibration import BoardGeometry, CalibrationError, CameraModel
from calibration.corners import Corners, as_corners


def corners(truth: dict[str, Any]) -> Corners:
    names = ("A_left", "A_right", "B_right_of_A_view", "B_left_of_A_view")
    return as_corners(truth["field_corners_px"][name] for name in names)


def points_right(reading: FrameReading, truth: dict[str, Any]) -> int:
    right = 0
    for number in range(1, 25):
        seen = reading.board.at(point(number))
        occluded = truth["points"][str(number)]["occluded"]
        right += seen.hidden if occluded else seen.best == true_stack(truth, number)
    return right


@pytest.mark.parametrize(("frame", "beside"), [("f03", 3), ("f09", 9), ("f09", 15)])
def test_a_sleeve_is_nobodys_checkers(green: Any, frame: str, beside: int) -> None:
    """An arm of a third colour reaches over three points: those that it does not touch are read as without it."""
    truth, picture = green.truth(frame), green.picture(frame)
    covered, touched = (beside - 1, beside, beside + 1), range(beside - 2, beside + 3)
    bases = np.array([truth["points"][str(number)]["base_px"] for number in covered])
    middle = np.mean(corners(truth), axis=0)
    outwards, inwards = (bases[1] - middle) * 0.6, (bases - middle) * -0.45
    arm = np.array([bases[0] + outwards, bases[0] + inwards[0], bases[2] + inwards[2], bases[2] + outwards])
    cv2.fillPoly(picture, [np.rint(arm).astype(np.int32)], (200, 60, 30), cv2.LINE_AA)
    reading = read_photograph(picture, corners(truth), truth["home_side_is_A_right"], checkers=15)
    seats = {number: reading.board.at(point(number)).best for number in range(1, 25) if number not in touched}
    for number, stack in seats.items():
        true = truth["points"][str(number)]
        assert not stack or stack[0] is Seat(true["color"]), number
    assert sum(stack == true_stack(truth, number) for number, stack in seats.items()) >= len(seats) - 2


def true_stack(truth: dict[str, Any], number: int) -> tuple[Seat, ...]:
    true = truth["points"][str(number)]
    return (Seat(true["color"]),) * true["count"] if true["count"] else ()


@pytest.mark.parametrize("frame", ["f03", "f09"])
def test_points_are_read_from_the_corners_alone(green: Any, frame: str) -> None:
    truth = green.truth(frame)
    reading = read_photograph(green.picture(frame), corners(truth), truth["home_side_is_A_right"])
    assert points_right(reading, truth) >= 23


def test_another_board_is_read_with_corners_given_by_eye(brown: Any) -> None:
    truth = brown.truth("f10")
    off = np.random.default_rng(2).uniform(-3, 3, (4, 2))
    given = as_corners(np.array(corners(truth)) + off)
    reading = read_photograph(brown.picture("f10"), given, truth["home_side_is_A_right"])
    assert points_right(reading, truth) >= 22


def test_whole_sets_help_and_tell_no_trays(green: Any) -> None:
    truth = green.truth("f03")
    reading = read_photograph(green.picture("f03"), corners(truth), truth["home_side_is_A_right"], checkers=15)
    assert points_right(reading, truth) >= 23
    assert max(place.confidence for place in reading.board.places) <= 0.95
    assert all(place.place.kind is not PlaceKind.TRAY for place in reading.board.places)


def test_a_doubted_point_keeps_its_order_and_is_not_vouched_for() -> None:
    seen = PlaceReading(point(6), (StackChance((Seat.A,) * 3, 0.9), StackChance((Seat.A,) * 4, 0.06)))
    doubted = seen.at_most(DOUBTED)
    assert sum(chance.likelihood for chance in doubted.chances) == pytest.approx(DOUBTED)
    assert doubted.best == seen.best
    assert doubted.confidence < 0.5
    assert doubted.at_most(0.9) == doubted
    assert PlaceReading(point(6), ()).at_most(0.9).chances == ()


@pytest.mark.parametrize(
    ("heights", "checkers", "doubted"), [((5, 5, 5, 5, 3), 15, 5), ((5, 5, 5, 4), 15, 0), ((5,) * 6, 0, 0)]
)
def test_a_seat_has_not_far_more_checkers_than_there_are(heights: tuple[int, ...], checkers: int, doubted: int) -> None:
    """Dark checkers on dark points were overlooked, and both seats' others taken for theirs (traced 27011-03)."""
    rows = [
        PlaceReading(point(number), (StackChance((Seat.B,) * high, 0.94),)) for number, high in enumerate(heights, 1)
    ]
    others = (PlaceReading(point(20), (StackChance((Seat.A,) * 2, 0.9),)), PlaceReading(point(21), ()))
    assert rows_of_too_many((*rows, *others), checkers) == set(rows[:doubted])


def test_nothing_is_said_with_much_confidence(green: Any) -> None:
    truth = green.truth("f06")
    reading = read_photograph(green.picture("f06"), corners(truth))
    assert max(place.confidence for place in reading.board.places) <= 0.95
    assert max(die.confidence for die in reading.dice.dice) <= 0.9


@pytest.mark.parametrize("pixels", [(4032, 2268), (8064, 4536)], ids=["9 million", "36 million"])
def test_a_photograph_of_a_telephone_is_read_smaller_and_told_in_its_own_pixels(
    green: Any, pixels: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    truth, sizes = green.truth("f06"), []

    def reads_a_corner_as_a_die(picture: Any, corners: Corners, home_on_right: bool, checkers: int) -> FrameReading:
        sizes.append(picture.shape)
        one = DieReading(3, 0.9, None, Support.SURFACE, None, 0.0, corners[2], (0.0, 0.0), 3)
        return FrameReading(BoardReading(Witness.CAMERA, ()), DiceReading((one,)), hand=False)

    monkeypatch.setattr(photograph, "_read", reads_a_corner_as_a_die)
    large = np.asarray(cv2.resize(green.picture("f06"), pixels, interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
    scale = pixels[0] / 1280
    given = as_corners((np.array(corners(truth)) + 0.5) * scale - 0.5)
    [die] = read_photograph(large, given).dice.dice
    assert die.center_px == pytest.approx(given[2])
    sides_px = np.linalg.norm(np.array(given) - np.roll(given, -1, axis=0), axis=1)
    assert sizes[0][1] == pytest.approx(pixels[0] * photograph.MOST_FIELD_PX / sides_px.max(), abs=1)
    read_photograph(green.picture("f06"), corners(truth))
    assert sizes[1] == (720, 1280, 3)


def test_dice_are_read_or_left_open_and_not_said_to_lie_flat(green: Any) -> None:
    told = 0
    for frame in ("f03", "f06", "f09"):
        truth = green.truth(frame)
        reading = read_photograph(green.picture(frame), corners(truth), truth["home_side_is_A_right"])
        for die in (die for die in truth["dice"] if die["flat"] and die["in_image"]):
            seen = min(reading.dice.dice, key=lambda one: np.hypot(*np.subtract(one.center_px, die["center_px"])))
            assert np.hypot(*np.subtract(seen.center_px, die["center_px"])) < 8
            assert seen.value in (None, die["value"])
            assert seen.flat is None  # none of these leans, and none is said to lie flat
            told += seen.value is not None
    assert told >= 5


@pytest.mark.parametrize(("half_px", "checkers"), [(60, False), (200, True)])
def test_of_a_part_of_a_picture_the_dice_are_read_and_only_points_that_are_in_it(
    green: Any, half_px: int, checkers: bool
) -> None:
    """The field's corners lie outside, and there may be no checkers to tell colours by."""
    truth = green.truth("f06")
    die = truth["dice"][0]
    left, top = (round(value) - half_px for value in die["center_px"])
    part = np.ascontiguousarray(green.picture("f06")[top : top + 2 * half_px, left : left + 2 * half_px])
    moved = [(x - left, y - top) for x, y in corners(truth)]
    reading = read_photograph(part, (moved[0], moved[1], moved[2], moved[3]), truth["home_side_is_A_right"])
    middle = [each for each in reading.dice.dice if np.hypot(*np.subtract(each.center_px, half_px)) < 6]
    assert [each.value for each in middle] == [die["value"]]
    told = [number for number in range(1, 25) if reading.board.at(point(number)).best is not None]
    assert bool(told) == checkers
    for number in told:
        at = truth["points"][str(number)]
        for x, y in (at["base_px"], at["tip_px"]):
            assert -4 <= x - left <= 2 * half_px + 4
            assert -4 <= y - top <= 2 * half_px + 4


def test_a_picture_without_checkers_and_dice_is_refused(green: Any) -> None:
    truth = green.truth("f03")
    with pytest.raises(CalibrationError, match="nor dice found"):
        read_photograph(np.full((720, 1280, 3), 90, np.uint8), corners(truth))


def test_light_is_evened_only_where_checkers_are_more_plainly_of_two_colours(green: Any) -> None:
    camera, geometry = green.calibration.camera, green.calibration.geometry
    picture, empty = green.picture("f03"), green.picture("f00")
    as_it_is = in_plainer_light(picture, camera, geometry, empty)
    assert as_it_is[0] is picture
    assert as_it_is[1] is empty
    falling = np.linspace(1.0, 0.25, picture.shape[1])[None, :, None]
    uneven = [(each * falling).astype(np.uint8) for each in (picture, empty)]
    lit, _ = in_plainer_light(uneven[0], camera, geometry, uneven[1])
    ends = [places_of_field(geometry, camera, share) for share in (-0.8, 0.8)]
    before, after = (
        [float(each[row - 3 : row + 4, column - 3 : column + 4].mean()) for column, row in ends]
        for each in (uneven[0], lit)
    )
    true = [float(picture[row - 3 : row + 4, column - 3 : column + 4].mean()) for column, row in ends]
    assert abs(np.log(after[0] / after[1]) - np.log(true[0] / true[1])) < 0.2
    assert abs(np.log(before[0] / before[1]) - np.log(true[0] / true[1])) > 0.4


def places_of_field(geometry: BoardGeometry, camera: CameraModel, share: float) -> tuple[int, int]:
    """Gets the pixel in the middle line of the board, so far to the right of its middle."""
    column, row = camera.project([(share * geometry.field_width_mm / 2, 0.0, 0.0)])[0].round().astype(int)
    return int(column), int(row)


@pytest.mark.parametrize("number", [0, 3])
def test_a_photograph_taken_at_a_slant_is_read(number: int) -> None:
    board, start = SlantedBoard(10401, number), Backgammon().start().placement()
    corners = as_corners(board.stage.camera.project([(x, y, 0.0) for x, y in board.geometry.corners]))
    seen = read_photograph(board.start, corners, board.geometry.home_on_right).board
    for each in range(1, 25):
        assert seen.at(point(each)).best == start.get(point(each), ()), each


@pytest.mark.parametrize(("aside_mm", "network"), [(0.0, FROM_ABOVE), (400.0, FROM_ABOVE), (600.0, FROM_BESIDE)])
def test_photographs_from_beside_are_read_by_the_network_that_has_learned_from_such(
    monkeypatch: pytest.MonkeyPatch, aside_mm: float, network: StripNetwork
) -> None:
    """A camera a metre above the board, so far aside: 22 degrees off the upright, and 31."""
    asked: list[StripNetwork] = []
    see = points.see_strips

    def seen(strips: NDArray[np.uint8], reference: ReferenceStrips) -> StripsSeen:
        asked.append(reference.network)
        return see(strips, reference)

    monkeypatch.setattr(points, "see_strips", seen)
    board = replace(GREEN_FELT, camera=camera_over((0.0, -aside_mm, 1000.0), (0.0, 0.0, 0.0), 1100.0))
    geometry, random = BoardGeometry(), Random(2)
    world = set_up(empty_world(geometry, random), Backgammon().start().placement(), random)
    given = as_corners(board.camera.project([(x, y, 0.0) for x, y in geometry.corners]))
    read_photograph(Renderer(board, geometry, 1).frame(world), given, geometry.home_on_right)
    assert asked
    assert set(asked) == {network}
