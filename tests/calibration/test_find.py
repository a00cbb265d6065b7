"""The board is found in two pictures, whichever way it lies; what cannot be used is refused with the reason."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.rules import Seat
from calibration import Calibration, CalibrationError, calibrate, find
from calibration.colours import APART
from calibration.corners import Side
from calibration.find import place_on
from calibration.start.pose_fit import NAMES, Fit, expected_mask, fit_from_corners
from calibration.starting_position import starting_checkers

Picture = NDArray[np.uint8]


def corners_of(calibration: Calibration) -> NDArray[np.float64]:
    return calibration.camera.project([(x, y, 0.0) for x, y in calibration.geometry.corners])


def checker_px(corners: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(corners[1] - corners[0])) * 38 / 527


def turned(picture: Picture) -> Picture:
    return np.ascontiguousarray(picture[::-1, ::-1])


def mirrored(picture: Picture) -> Picture:
    return np.ascontiguousarray(picture[:, ::-1])


def test_the_field_is_found_to_a_fifth_of_a_checker(installation: Any, found: Calibration) -> None:
    off = np.linalg.norm(corners_of(found) - installation.corners, axis=1)
    assert off.max() < checker_px(installation.corners) / 5


def test_the_home_side_is_found(installation: Any, found: Calibration) -> None:
    assert found.geometry.home_on_right == installation.truth["home_side_is_A_right"]


def test_sizes_are_found_relative_to_a_point(installation: Any, found: Calibration) -> None:
    true = installation.truth["geometry_cm"]
    ours = found.geometry
    for mine, key, within in (
        (ours.checker_diameter_mm, "checker_diameter", 0.03),
        (ours.field_height_mm, "field_height", 0.02),
        (ours.point_length_mm, "point_length", 0.06),
        (ours.bar_width_mm, "bar_width", 0.08),
    ):
        assert mine / ours.point_width_mm == pytest.approx(true[key] / true["point_width"], rel=within), key


def test_seat_a_has_the_light_checkers(found: Calibration) -> None:
    def brightness(seat: Seat) -> int:
        return sum(int(found.colours[seat][place : place + 2], 16) for place in (1, 3, 5))

    assert brightness(Seat.A) > brightness(Seat.B)


def test_seat_a_sits_where_she_is_said_to(green: Any, green_found: Calibration) -> None:
    below = calibrate(green.empty, green.start, seat_a=Side.BOTTOM)
    above = calibrate(green.empty, green.start, seat_a=Side.TOP)
    first, other = corners_of(below), corners_of(above)
    assert first[:2, 1].mean() > first[2:, 1].mean()
    assert np.abs(other - np.roll(first, 2, axis=0)).max() < 0.01
    assert below.geometry.home_on_right is not above.geometry.home_on_right
    assert {below.colours[Seat.A], below.colours[Seat.B]} == {above.colours[Seat.A], above.colours[Seat.B]}
    assert below.colours[Seat.A] == above.colours[Seat.B]
    assert green_found.colours[Seat.A] in (below.colours[Seat.A], above.colours[Seat.A])


def test_a_camera_held_upside_down_finds_the_same_board(green: Any, green_found: Calibration) -> None:
    upside_down = calibrate(turned(green.empty), turned(green.start))
    height, width = green.empty.shape[:2]
    expected = np.array([width - 1, height - 1]) - corners_of(green_found)
    assert np.abs(corners_of(upside_down) - expected).max() < checker_px(green.corners) / 5
    assert upside_down.geometry.home_on_right == green_found.geometry.home_on_right


def test_a_camera_that_hangs_on_its_side_finds_the_same_board(green: Any, green_found: Calibration) -> None:
    on_side = calibrate(*(np.ascontiguousarray(np.rot90(each)) for each in (green.empty, green.start)))
    assert (on_side.camera.width_px, on_side.camera.height_px) == (720, 1280)
    x, y = corners_of(green_found).T
    expected = np.column_stack([y, 1279 - x])
    assert np.abs(corners_of(on_side) - expected).max() < checker_px(green.corners) / 10
    assert on_side.geometry.home_on_right == green_found.geometry.home_on_right
    assert on_side.camera.focal_x_px == pytest.approx(green_found.camera.focal_x_px, rel=0.05)


@pytest.mark.parametrize("size", [(1640, 1232), (1000, 749), (640, 361)])
def test_a_board_is_found_in_pictures_of_any_size(green: Any, size: tuple[int, int]) -> None:
    """Also of one whose height is no whole number of pixels once it is scaled down."""
    width, height = size
    above = round((1280 * height / width - 720) / 2)
    pictures = [
        cv2.resize(
            cv2.copyMakeBorder(each, above, above, 0, 0, cv2.BORDER_REPLICATE), size, interpolation=cv2.INTER_AREA
        )
        for each in (green.empty, green.start)
    ]
    found = calibrate(*(np.asarray(each, dtype=np.uint8) for each in pictures))
    assert (found.camera.width_px, found.camera.height_px) == size
    expected = (green.corners + np.array((0.5, above + 0.5))) * np.array(size) / (1280, 720 + 2 * above) - 0.5
    assert np.abs(corners_of(found) - expected).max() < checker_px(expected) / 5


def test_a_board_set_up_the_other_way_round_has_its_home_on_the_left(green: Any) -> None:
    other_way = calibrate(mirrored(green.empty), mirrored(green.start))
    assert other_way.geometry.home_on_right is not green.truth["home_side_is_A_right"]


def test_a_board_is_found_whose_right_outline_is_not_among_the_likeliest(drawn: Any) -> None:
    found = calibrate(drawn.empty, drawn.start)
    assert np.linalg.norm(corners_of(found) - drawn.corners, axis=1).max() < checker_px(drawn.corners) / 5
    assert found.geometry.home_on_right == drawn.truth["home_side_is_A_right"]


def test_a_board_without_a_bar_has_none(without_bar: Any) -> None:
    """By the logarithm of its width alone a bar would have a seventh of a point at least, and all points lie aside."""
    found = calibrate(without_bar.empty, without_bar.start)
    assert found.geometry.bar_width_mm < found.geometry.point_width_mm / 20
    bases = [
        found.camera.project([(found.geometry.point_x_mm(number), row * found.geometry.field_height_mm / 2, 0.0)])[0]
        for number, row in ((number, -1 if found.geometry.is_near_row(number) else 1) for number in range(1, 25))
    ]
    true = np.array([without_bar.truth["points"][str(number)]["base_px"] for number in range(1, 25)])
    assert np.linalg.norm(bases - true, axis=1).max() < checker_px(without_bar.corners) / 20


def test_no_bar_is_stranger_than_a_narrow_one(found: Calibration) -> None:
    corners = corners_of(found)
    bars = (1.0, 0.5, 0.3, 0.01)
    fits = [fit_from_corners(corners, (1280, 720), home_on_right=True, bar_width=bar) for bar in bars]
    usual, narrow, *printed = (float(np.square(fit.prior_misfit()).sum()) for fit in fits if fit is not None)
    assert usual < 1e-9
    assert usual < narrow < printed[0] == printed[1] < find.MAX_STRANGENESS


def test_corners_given_by_hand_lead_to_the_same_board(green: Any) -> None:
    near = green.corners + np.array([(6.0, -5.0), (-5.0, 7.0), (4.0, 6.0), (-6.0, -4.0)])
    corners = tuple((float(x), float(y)) for x, y in near)
    assert len(corners) == 4
    given = calibrate(green.empty, green.start, corners=corners)  # type: ignore[arg-type]
    assert np.abs(corners_of(given) - green.corners).max() < checker_px(green.corners) / 4


def test_a_slightly_darker_second_picture_is_no_obstacle(green: Any) -> None:
    darker = np.clip(green.start * 0.85, 0, 255).astype(np.uint8)
    found = calibrate(green.empty, darker)
    assert np.abs(corners_of(found) - green.corners).max() < checker_px(green.corners) / 3


def test_checkers_of_which_only_rims_are_seen_are_found(
    green: Any, green_found: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera, geometry = green_found.camera, green_found.geometry
    hollow = green.start.copy()
    inside = np.zeros(hollow.shape[:2], np.uint8)
    for _, (x, y, _) in starting_checkers(geometry):
        turns = np.linspace(0, 2 * np.pi, 24)
        inner = geometry.checker_diameter_mm * 0.42 * np.column_stack([np.cos(turns), np.sin(turns)]) + (x, y)
        outline = camera.project(np.column_stack([inner, np.full(len(inner), geometry.checker_height_mm)]))
        cv2.fillConvexPoly(inside, np.round(outline).astype(np.int32), 1)
    hollow[inside > 0] = green.empty[inside > 0]
    # Whose the checkers are cannot be seen, for which they are refused, and so not on which side either sits.
    with pytest.raises(CalibrationError, match="look alike to this camera"):
        calibrate(green.empty, hollow)
    monkeypatch.setattr(find, "seats_apart", lambda *_: 2 * APART)
    found = corners_of(calibrate(green.empty, hollow))
    off = [np.linalg.norm(turned - green.corners, axis=1).max() for turned in (found, np.roll(found, 2, axis=0))]
    assert min(off) < checker_px(green.corners) / 4


def test_pictures_of_two_sizes_are_refused(green: Any) -> None:
    small = np.asarray(cv2.resize(green.start, (640, 360)), dtype=np.uint8)
    with pytest.raises(CalibrationError, match=r"1280x720.*640x360"):
        calibrate(green.empty, small)


def test_a_nearly_square_board_with_a_narrow_bar_is_found() -> None:
    """12.4 points by 11.8, seen by a wide lens (traced 25021-12): from a bar as wide as a point on it was not found."""
    size_px = (480, 640)
    known = {"log_focal": -0.16, "k1": -0.14, "k2": -0.01, "log_checker": -0.02, "log_bar": -0.95, "log_height": 2.47}
    pose = {"rx": -2.2, "ry": -2.24, "rz": -0.13, "tx": 0.06, "ty": 0.38, "tz": 18.95}
    true = Fit(np.array([(pose | known)[name] for name in NAMES]), size_px, home_on_right=True)
    checkers = expected_mask(true, (slice(0, size_px[1]), slice(0, size_px[0])), 1.0, 0.8)
    empty = np.full((size_px[1], size_px[0], 3), 60, dtype=np.uint8)
    start = empty + np.rint(140 * checkers[..., None]).astype(np.uint8)
    assert place_on(checkers, None, size_px) is None
    found = find._placed_in_any([empty], start, None)
    assert found is not None
    fifth_px = true.camera.seen_px(true.geometry.checker_diameter_mm) / 5
    assert np.hypot(*(found.corners_px - true.corners_px).T).max() < fifth_px
    assert found.bar_width == pytest.approx(true.bar_width, abs=0.05)


def test_pictures_in_the_dark_are_refused(green: Any) -> None:
    with pytest.raises(CalibrationError, match="too dark"):
        calibrate(green.empty // 60, green.start // 60)


def test_two_pictures_of_the_empty_board_are_refused(green: Any) -> None:
    with pytest.raises(CalibrationError, match="no board in the picture"):
        calibrate(green.empty, green.empty.copy())


def test_the_two_pictures_exchanged_are_refused(installation: Any) -> None:
    with pytest.raises(CalibrationError, match="exchange the two"):
        calibrate(installation.start, installation.empty)


def test_a_picture_without_a_board_is_refused(green: Any) -> None:
    noise = np.random.default_rng(4).integers(90, 110, green.empty.shape).astype(np.uint8)
    other = noise.copy()
    cv2.rectangle(other, (300, 200), (700, 500), (20, 200, 40), -1)
    with pytest.raises(CalibrationError, match="no board in the picture"):
        calibrate(noise, other)


def test_where_no_board_is_found_in_a_picture_that_is_burnt_out_that_is_told(green: Any) -> None:
    bright = green.empty.copy()
    bright[:, 500:] = 255
    with pytest.raises(CalibrationError, match=r"no board in the picture.* 6\d% of the picture is burnt out: move or"):
        calibrate(bright, bright.copy())


def test_a_board_in_glare_is_refused(green: Any) -> None:
    def under_a_lamp(picture: Picture) -> Picture:
        lit = picture.copy()
        lit[240:560, 480:620] = 255  # the middle of the board, beside the stacks
        lit[300:480, 300:440] = 255
        return lit

    with pytest.raises(CalibrationError, match=r"glare hides what lies on the points .*: move or soften the lamp"):
        calibrate(under_a_lamp(green.empty), under_a_lamp(green.start))


def test_a_board_too_small_in_the_picture_is_refused(green: Any) -> None:
    def far_away(picture: Picture) -> Picture:
        canvas = np.full_like(picture, 60)
        canvas[200:452, 400:848] = cv2.resize(picture, (448, 252), interpolation=cv2.INTER_AREA)
        return canvas

    with pytest.raises(CalibrationError, match="too small"):
        calibrate(far_away(green.empty), far_away(green.start))
