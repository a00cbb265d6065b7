"""A board in brighter light than it was calibrated in, or whose camera writes all that is dark as black since: what the
camera's highest and lowest level cut off is not made up."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.referee.readings import DieReading, StackChance, Support
from boardctl.rules import Backgammon, Place, Placement, Seat, point
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS, CheckerLook, Look
from boardctl.virtual.world import empty_world, set_up
from boardctl.vision import frame
from boardctl.vision.frame import read_following, read_frame
from boardctl.vision.light.cut_levels import Shown, shown_by, white_points
from boardctl.vision.measuring.later_changes import at_another_hour, in_sunlight
from calibration import BoardGeometry, Calibration

Picture = NDArray[np.uint8]

GEOMETRY = BoardGeometry()
A, B = Seat.A, Seat.B
LAID = ((2, A, 2), (3, B, 3), (9, A, 1), (11, B, 1), (14, A, 3), (15, B, 2), (22, A, 1), (24, B, 2))
STACKS: dict[Place, tuple[Seat, ...]] = {point(number): (seat,) * count for number, seat, count in LAID}


class Table:
    """A board of ours, and pictures of it."""

    def __init__(self, look: Look) -> None:
        self.renderer = Renderer(look, GEOMETRY)
        self.bare = empty_world(GEOMETRY, Random(1))
        self.calibration = Calibration.of(
            look.camera, GEOMETRY, self.renderer.frame(self.bare), self.laid(Backgammon().start().placement())
        )

    def laid(self, placement: Placement) -> Picture:
        return self.renderer.frame(set_up(self.bare, placement, Random(4)))


def light_and_lighter() -> Look:
    """Gets a look whose lighter checkers are cut off in brighter light, down to the lightness of the others."""
    lighter, light = CheckerLook((215, 225, 230), 0.3, 0.1), CheckerLook((150, 158, 162), 0.3, 0.1)
    return replace(LOOKS["walnut"], checkers=(lighter, light))


def white_on_white() -> Look:
    """Gets a look with white checkers and white points."""
    look = LOOKS["walnut"]
    white = CheckerLook((235, 240, 242), 0.3, 0.1)
    return replace(look, checkers=(white, look.checkers[1]), points=((225, 232, 235), look.points[1]))


def dark_on_dark() -> Look:
    """Gets a look with dark checkers on dark points."""
    look = LOOKS["walnut"]
    dark = CheckerLook((34, 32, 30), 0.3, 0.1)
    return replace(look, checkers=(look.checkers[0], dark), points=(look.points[0], (52, 60, 50)))


def brighter(picture: Picture, gain: float) -> Picture:
    return np.clip(picture * gain, 0, 255).astype(np.uint8)


def with_contrast(picture: Picture, contrast: float, off: float = 0.0) -> Picture:
    return np.clip((picture - 128.0) * contrast + 128 + off, 0, 255).astype(np.uint8)


def uncut(picture: Picture, calibration: Calibration, gain: float, darkest: float = 0.0) -> Shown:
    return Shown(picture, calibration, calibration)


@pytest.mark.parametrize("look", [light_and_lighter(), white_on_white()])
def test_as_bright_as_it_was_nothing_is_cut_off_or_doubted(look: Look) -> None:
    table = Table(look)
    picture = table.laid(Placement(STACKS))
    shown = shown_by(picture, table.calibration, 1.0)
    assert shown.picture is picture
    assert shown.calibration is table.calibration
    assert min(read_frame(picture, table.calibration).board.at(place).confidence for place in STACKS) > 0.9


@pytest.mark.parametrize(("gain", "misread"), [(1.0, 0), (1.6, 0), (2.4, 3)])
def test_where_the_board_was_white_when_calibrated_white_checkers_are_told_by_rims_only(
    gain: float, misread: int
) -> None:
    table = Table(white_on_white())
    empty, start = (brighter(each, gain) for each in (table.calibration.empty, table.calibration.start))
    whitened = Calibration.of(table.calibration.camera, GEOMETRY, empty, start)
    read = read_frame(brighter(table.laid(Placement(STACKS)), gain), whitened).board
    told = [read.at(point(number)) for number in range(1, 25)]
    wrong = [each for each in told if each.best != STACKS.get(each.place, ())]
    assert len(wrong) == misread
    assert all(each.too_bright and each.confidence <= 0.6 for each in wrong)
    assert any(each.too_bright for each in told) == (gain > 1)
    white = white_points(whitened)
    assert set(range(2, 25, 2)) <= {*white} if gain > 1 else white == []
    assert all(each.place.number in white for each in told if each.too_bright)
    # On what is not white, and of dark checkers, there is no doubt.
    assert all(read.at(point(number)).confidence > 0.9 and not read.at(point(number)).too_bright for number in (3, 11))


@pytest.mark.parametrize(("level", "is_white"), [(247, True), (240, False)])
def test_a_board_a_few_levels_darker_than_white_is_as_white_as_can_be_told(level: int, is_white: bool) -> None:
    table = Table(white_on_white())
    empty, start = (brighter(each, 2.4) for each in (table.calibration.empty, table.calibration.start))
    darker, right = np.minimum(empty, np.uint8(level)), slice(empty.shape[1] // 2, None)
    mixed = empty.copy()
    mixed[:, right] = darker[:, right]
    camera, geometry = table.calibration.camera, table.calibration.geometry
    white, still_white = (white_points(Calibration.of(camera, geometry, each, start)) for each in (empty, mixed))
    at_right = {number for number in white if geometry.point_x_mm(number) > geometry.point_width_mm}
    assert at_right
    assert at_right <= set(still_white) if is_white else not at_right & set(still_white)
    assert set(white) - at_right <= set(still_white)


def test_a_dim_board_loses_nothing_in_brighter_light() -> None:
    table = Table(replace(light_and_lighter(), light=replace(light_and_lighter().light, exposure=0.5)))
    picture = brighter(table.laid(Placement(STACKS)), 1.4)
    assert not shown_by(picture, table.calibration, 1.4).is_cut


@pytest.mark.parametrize("gain", [1.3, 1.5])
def test_checkers_whose_colour_is_cut_off_are_still_told_but_not_surely(gain: float) -> None:
    table = Table(light_and_lighter())
    board = read_frame(brighter(table.laid(Placement(STACKS)), gain), table.calibration).board
    for place, stack in STACKS.items():
        assert board.at(place).best == stack, place
        assert 0.5 < board.at(place).confidence <= 0.9, place
        by_rims_only = sum(chance.likelihood for chance in board.at(place).chances) < 0.61
        assert board.at(place).too_bright is by_rims_only, place


def test_without_the_cut_they_are_surely_taken_for_the_other_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(light_and_lighter())
    monkeypatch.setattr(frame, "shown_by", uncut)
    board = read_frame(brighter(table.laid(Placement(STACKS)), 1.5), table.calibration).board
    wrong = [place for place, stack in STACKS.items() if board.at(place).best != stack]
    assert max(board.at(place).confidence for place in wrong) > 0.95


def test_where_both_seats_are_cut_off_alike_all_checkers_are_hidden_and_bare_points_are_not() -> None:
    table = Table(light_and_lighter())
    board = read_frame(brighter(table.laid(Placement(STACKS)), 1.7), table.calibration).board
    hidden = {reading.place for reading in board.places if reading.hidden and reading.place.number}
    assert hidden == set(STACKS)
    assert {place for place in hidden if board.at(place).too_bright} == hidden


def test_a_white_checker_on_a_white_point_of_which_nothing_can_be_seen_is_hidden_and_not_missed() -> None:
    table = Table(white_on_white())
    board = read_frame(brighter(table.laid(Placement(STACKS)), 2.0), table.calibration).board
    for place, stack in STACKS.items():
        assert board.at(place).hidden or board.at(place).best == stack, place
    assert board.at(point(9)).hidden
    assert board.at(point(9)).likeliest == StackChance((), pytest.approx(0.6))
    assert board.at(point(9)).too_bright
    assert not board.at(point(2)).too_bright, "a dark point"


def test_checkers_are_told_apart_where_sunlight_cuts_some_of_them_off() -> None:
    table = Table(light_and_lighter())
    picture = table.laid(Placement(STACKS))
    half = picture.shape[1] // 2
    sunny = np.hstack([brighter(picture[:, :half], 1.5), picture[:, half:]])
    board = read_frame(sunny, table.calibration).board
    for place, stack in STACKS.items():
        assert board.at(place).best == stack, place
        assert board.at(place).confidence <= 0.9, place


@pytest.mark.parametrize(("contrast", "off"), [(1.3, -30), (1.5, -20)])
def test_a_dark_checker_on_a_dark_point_that_is_written_as_black_is_hidden_and_not_missed(
    contrast: float, off: float
) -> None:
    table = Table(dark_on_dark())
    board = read_following(with_contrast(table.laid(Placement(STACKS)), contrast, off), table.calibration).board
    for place, stack in STACKS.items():
        assert board.at(place).hidden or board.at(place).best == stack, place
        assert board.at(place).confidence <= 0.9, place
    assert board.at(point(11)).hidden, "one dark checker"
    assert board.at(point(11)).too_dark
    assert not board.at(point(11)).too_bright
    light = [reading for reading in board.places if reading.place in STACKS and STACKS[reading.place][0] is A]
    assert not any(reading.hidden or reading.too_dark for reading in light)


def test_without_the_floor_it_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(dark_on_dark())
    monkeypatch.setattr(frame, "shown_by", uncut)
    board = read_following(with_contrast(table.laid(Placement(STACKS)), 1.5, -20), table.calibration).board
    assert board.at(point(11)).best == ()
    assert board.at(point(11)).confidence == pytest.approx(0.95), "as sure as its colour lets it be"


def test_of_a_row_that_is_written_as_black_it_is_not_sure_that_nothing_lies_on_it() -> None:
    table = Table(dark_on_dark())
    row = Placement({point(8): (B,) * 5, point(6): (B,) * 2})
    board = read_following(with_contrast(table.laid(row), 1.5, -20), table.calibration).board
    assert board.at(point(8)).confidence <= 0.6
    assert board.at(point(8)).too_dark


def test_a_die_with_black_around_it_is_not_said_to_lean() -> None:
    table = Table(dark_on_dark())
    picture = table.laid(Placement({}))
    pixel = table.calibration.camera.project([(60.0, 0.0, 8.0)])[0]
    die = DieReading(
        4, 0.95, False, Support.SURFACE, A, tilt_deg=10.0, center_px=(pixel[0], pixel[1]), center_mm=(60.0, 0.0)
    )
    black = np.zeros_like(picture)
    for shown, flat in (
        (shown_by(picture, table.calibration, 1.0), False),
        (shown_by(picture, table.calibration, 1.0, darkest=60.0), False),
        (shown_by(black, table.calibration, 1.0, darkest=60.0), None),
    ):
        assert shown.doubted_dice((die,), 16.0) == (replace(die, flat=flat),)
    on_checker = replace(die, on=Support.CHECKER)
    assert shown.doubted_dice((on_checker,), 16.0) == (on_checker,)


def test_a_floor_that_nothing_lies_below_cuts_off_nothing() -> None:
    table = Table(dark_on_dark())
    picture = brighter(table.laid(Placement(STACKS)), 1.0)
    light = table.calibration.in_light(lambda taken: np.maximum(taken, np.uint8(80)))
    assert not shown_by(picture, light, 1.0, darkest=60.0).is_cut
    assert not shown_by(picture, table.calibration, 1.0, darkest=2.0).is_cut, "no more than noise"
    assert shown_by(picture, table.calibration, 1.0, darkest=60.0).is_cut
    assert shown_by(picture, table.calibration, 1.0, darkest=400.0).levels.lowest == 255, "a floor above all levels"


@pytest.mark.parametrize("number", range(4))
def test_light_of_another_hour_and_sunlight_are_drawn_again_alike(number: int) -> None:
    picture = Table(LOOKS["cork"]).calibration.empty
    for change in (in_sunlight, at_another_hour):
        changed = change(picture, np.random.default_rng(number))
        assert (changed != picture).any()
        assert (change(picture, np.random.default_rng(number)) == changed).all()
    assert (in_sunlight(picture, np.random.default_rng(number)) >= picture).all()
