"""The table as a picture."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_tables import PLAYED, START

from boardctl.lights import TableView, frame_of
from boardctl.lights.canvas import Picture
from boardctl.lights.grammar import End
from boardctl.lights.picture import draw_table, save_picture
from boardctl.lights.picture_board import die_center_mm
from boardctl.lights.picture_lights import RING_MM, led_places, light_place
from boardctl.referee.effects import Mark, Scene, Sign
from boardctl.rules import Seat, bar, point, tray
from calibration.geometry import BoardGeometry
from firmware_bridge.leds import ChainLayout, LedFrame

GEOMETRY = BoardGeometry()
WIDTH_PX = 600
START_PICTURE = draw_table(TableView(START), width_px=WIDTH_PX)


def at(picture: Picture, x_mm: float, y_mm: float, geometry: BoardGeometry = GEOMETRY) -> np.ndarray:
    """Gets red, green, blue at a place of the board, averaged over 3 x 3 pixels."""
    plain, rail = geometry.field_width_mm / 2 + geometry.rail_width_mm + 12.0, geometry.rail_width_mm
    wide = plain + geometry.tray_width_mm + rail
    scale = WIDTH_PX / (plain + wide)
    middle_px = 34.0 * scale + (geometry.field_height_mm + 2 * rail) * scale / 2
    x = round(((plain if geometry.home_on_right else wide) + x_mm) * scale)
    y = round(middle_px - y_mm * scale)
    return picture[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).mean(axis=0)[::-1]


def test_checkers_lie_where_the_geometry_says() -> None:
    picture = START_PICTURE
    for place, stack in START.items():
        for index, seat in enumerate(stack):
            x, y, _ = GEOMETRY.on_point(place.number, index)
            brightness = at(picture, x, y).mean()
            assert bool(brightness > 180) == (seat is Seat.A), (place, index)


def test_bar_and_trays_are_drawn() -> None:
    picture = draw_table(PLAYED, width_px=WIDTH_PX)
    empty = draw_table(TableView(), width_px=WIDTH_PX)
    x, y, _ = GEOMETRY.on_bar(Seat.B, 0)
    assert at(picture, x, y).mean() < at(empty, x, y).mean() - 5
    x, y, _ = GEOMETRY.in_tray(Seat.A, 1)
    assert at(picture, x, y).mean() > 200


@pytest.mark.parametrize(
    ("sign", "end", "strongest"), [(Sign.SOURCE, End.BASE, "blue"), (Sign.TARGET, End.TIP, "yellow")]
)
def test_a_light_shines_where_its_led_lies(sign: Sign, end: End, strongest: str) -> None:
    spot = light_place(GEOMETRY, point(3), end)
    picture = draw_table(TableView(scene=Scene((Mark(sign, point(3)),))), width_px=WIDTH_PX)
    dark = draw_table(TableView(), width_px=WIDTH_PX)
    red, _, blue = at(picture, *spot)
    assert at(picture, *spot).mean() > at(dark, *spot).mean() + 60
    assert bool(blue > red) == (strongest == "blue")


def test_a_frame_from_the_board_is_drawn_rather_than_the_scene() -> None:
    def drawn(view: TableView, frame: LedFrame | None = None) -> Picture:
        return draw_table(view, frame, width_px=WIDTH_PX, legend=False)

    view = TableView(scene=Scene((Mark(Sign.PROBLEM, point(3)),)))
    np.testing.assert_array_equal(drawn(view, LedFrame()), drawn(TableView()))
    np.testing.assert_array_equal(drawn(view), drawn(TableView(), frame_of(view.scene)))


def test_a_blinking_light_is_out_half_of_the_time() -> None:
    view = TableView(scene=Scene((Mark(Sign.TARGET, point(3)),)))
    spot = light_place(GEOMETRY, point(3), End.TIP)
    on = at(draw_table(view, width_px=WIDTH_PX, at_ms=0), *spot).mean()
    off = at(draw_table(view, width_px=WIDTH_PX, at_ms=500), *spot).mean()
    assert on > off + 100


@pytest.mark.parametrize("home_on_right", [True, False])
def test_no_two_leds_overlap_and_none_lies_under_a_resting_die(home_on_right: bool) -> None:
    geometry = BoardGeometry(home_on_right=home_on_right)
    places = dict(led_places(geometry, ChainLayout()))
    assert sorted(places) == list(range(60))
    spots = np.array(list(places.values()))
    apart = np.linalg.norm(spots[:, None] - spots[None], axis=2) + 1e9 * np.eye(60)
    assert apart.min() > 2 * RING_MM
    for index, die in enumerate(PLAYED.dice):
        center = np.array(die_center_mm(geometry, die, index, 2))
        assert np.linalg.norm(spots - center, axis=1).min() > RING_MM + geometry.die_size_mm / 2


def test_a_board_with_its_home_on_the_left_has_its_trays_there() -> None:
    geometry = BoardGeometry(home_on_right=False)
    view = TableView(START.replaced({tray(Seat.A): (Seat.A,)}))
    picture = draw_table(view, width_px=WIDTH_PX, geometry=geometry)
    x, y, _ = geometry.in_tray(Seat.A, 0)
    assert x < 0
    assert at(picture, x, y, geometry).mean() > 200


def test_a_high_stack_and_a_mixed_bar_are_drawn() -> None:
    view = TableView(START.replaced({point(6): (Seat.A,) * 15, bar(Seat.A): (Seat.A, Seat.B)}))
    changed = np.any(draw_table(view, width_px=WIDTH_PX) != START_PICTURE, axis=2)
    assert changed.any()


def test_words_that_no_font_has_do_not_stop_the_drawing() -> None:
    view = replace(PLAYED, title="boardctl · é – 棋", judgement="…")
    assert draw_table(view, width_px=WIDTH_PX).shape[1] == WIDTH_PX


def test_long_texts_stay_inside_the_picture() -> None:
    long = "A 6-4: not legal (certain): the checker from 24 went 8 instead of 10, and 13/9 was blocked by three; " * 4
    picture = draw_table(replace(PLAYED, judgement=long, prompt="Does B accept it?"), width_px=WIDTH_PX)
    short = draw_table(replace(PLAYED, judgement="", prompt=""), width_px=WIDTH_PX)
    changed = np.any(picture != short, axis=2)
    margin = 10
    assert changed.any()
    assert not changed[:, :margin].any()
    assert not changed[:, -margin:].any()
    np.testing.assert_array_equal(picture[-60:], short[-60:])


def test_a_die_far_off_the_board_is_still_drawn() -> None:
    away = replace(PLAYED.dice[0], center_mm=(2000.0, 100.0), section=None)
    picture = draw_table(replace(PLAYED, dice=(away,)), width_px=WIDTH_PX)
    without = draw_table(replace(PLAYED, dice=()), width_px=WIDTH_PX)
    changed = np.argwhere(np.any(picture != without, axis=2))
    assert len(changed) > 100
    assert changed[:, 1].max() < WIDTH_PX - 1


def test_a_saved_picture_reads_back_the_same(tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    save_picture(START_PICTURE, path)
    np.testing.assert_array_equal(cv2.imread(str(path)), START_PICTURE)


@pytest.mark.parametrize("name", ["board.xyz", "board"])
def test_an_ending_that_names_no_format_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"use \.png or \.jpg"):
        save_picture(START_PICTURE, tmp_path / name)


def test_a_missing_folder_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        save_picture(START_PICTURE, tmp_path / "no" / "board.png")
