"""Dice in physically rendered pictures: where they are, what they show, and whether they must be rolled again."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from boardctl.referee.readings import BoardReading, DieReading, PlaceReading, StackChance, Support, Witness
from boardctl.referee.seen.dice import CERTAIN_DIE
from boardctl.rules import Backgammon, Seat, point
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.unseen.looks import drawn_installation
from boardctl.virtual.world import empty_world, set_up
from boardctl.vision.dice import calibrated as dice_calibrated
from boardctl.vision.dice import reading as dice
from boardctl.vision.dice.calibrated import read_dice, scan_of_empty_board
from boardctl.vision.dice.look import DieView, Sight
from boardctl.vision.dice.memory import DiceMemory
from boardctl.vision.dice.reading import FoundDice, find_dice
from boardctl.vision.dice.size import DieSize
from boardctl.vision.dice.tilt import look_for_tilt
from boardctl.vision.dice.told import VALUE_VOUCHED
from boardctl.vision.measuring.truth import TruePicture, read_truth
from calibration import BoardGeometry

PICTURES = Path(__file__).parents[2] / "data" / "vision" / "dice"
NAMES = sorted(path.stem for path in PICTURES.glob("*.json"))


def true_picture(name: str) -> TruePicture:
    return read_truth(PICTURES / f"{name}.json")


def read(name: str) -> tuple[TruePicture, tuple[DieReading, ...]]:
    true = true_picture(name)
    return true, find_dice(true.picture(), true.camera, true.geometry).dice


def nearest(dice: tuple[DieReading, ...], center_px: list[float]) -> DieReading:
    return min(dice, key=lambda die: np.hypot(die.center_px[0] - center_px[0], die.center_px[1] - center_px[1]))


def die_of_kind(name: str, kind: str) -> DieReading:
    true, dice = read(name)
    (center,) = [die["center_px"] for die in true.truth["dice"] if die["kind"] == kind]
    return nearest(dice, center)


@pytest.mark.parametrize("name", NAMES)
def test_every_die_is_found_where_it_is_and_nothing_else(name: str) -> None:
    true, dice = read(name)
    assert len(dice) == len(true.truth["dice"])
    for die in true.truth["dice"]:
        found = nearest(dice, die["center_px"])
        away = np.array(found.center_px) - die["center_px"]
        assert np.hypot(*away) < 5.0, f"{name}: {found} for {die['center_px']}"


@pytest.mark.parametrize("name", NAMES)
def test_flat_dice_show_their_value(name: str) -> None:
    true, dice = read(name)
    for die in true.truth["dice"]:
        if die["flat"] and die["on"] == "surface":
            found = nearest(dice, die["center_px"])
            assert (found.value, found.flat, found.on) == (die["value"], True, Support.SURFACE)
            assert found.section is Seat(die["roller"])


TILTED = [("d004", "cocked_checker"), ("d078", "cocked_rail"), ("d049", "cocked_die")]
BARELY_TILTED = ("d014", "cocked_rail")  # by 14 degrees, and seen from above


@pytest.mark.parametrize(("name", "kind"), [*TILTED, BARELY_TILTED])
def test_a_tilted_die_is_not_called_flat(name: str, kind: str) -> None:
    die = die_of_kind(name, kind)
    assert die.flat is not True
    assert die.tilt_deg >= 5.0


@pytest.mark.parametrize(("name", "kind"), TILTED)
def test_a_die_that_leans_clearly_is_called_tilted(name: str, kind: str) -> None:
    assert die_of_kind(name, kind).flat is False


@pytest.mark.parametrize("name", NAMES)
def test_a_flat_die_never_leans_for_sure_however_little_is_asked_for_a_tilt(name: str) -> None:
    true = true_picture(name)
    dice = find_dice(true.picture(), true.camera, true.geometry, tilted_from=1e-9).dice
    for die in true.truth["dice"]:
        if die["flat"] and die["on"] == "surface":
            found = nearest(dice, die["center_px"])
            assert found.flat is False
            assert found.confidence < CERTAIN_DIE


def test_dice_on_checkers_are_told_from_dice_on_the_surface() -> None:
    _, dice = read("d003")
    assert [die.on for die in dice] == [Support.CHECKER, Support.CHECKER]


def test_a_die_beside_the_board_is_in_nobodys_section() -> None:
    die = die_of_kind("d057", "off_board")
    assert die.on in (Support.OFF_BOARD, Support.TRAY, Support.RAIL)
    assert die.section is None


def test_touching_dice_are_two() -> None:
    _, dice = read("d029")
    assert sorted(die.value or 0 for die in dice) == [4, 5]


def test_a_die_too_blurred_to_read_has_no_wrong_value() -> None:
    true = true_picture("d017")
    for blur_px in (2.0, 4.0, 8.0):
        blurred = np.asarray(cv2.GaussianBlur(true.picture(), (0, 0), blur_px), dtype=np.uint8)
        for die in find_dice(blurred, true.camera, true.geometry).dice:
            wanted = min(true.truth["dice"], key=lambda d: np.hypot(*(np.array(d["center_px"]) - die.center_px)))
            assert die.value in (None, wanted["value"])


def test_a_picture_without_a_board_has_no_dice() -> None:
    true = true_picture("d017")
    grey = np.full((480, 640, 3), 128, dtype=np.uint8)
    noise = np.random.default_rng(5).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    for picture in (grey, noise):
        assert not [d for d in find_dice(picture, true.camera, true.geometry).dice if d.value is not None]


def test_the_same_picture_gives_the_same_reading() -> None:
    assert read("d083")[1] == read("d083")[1]


@pytest.mark.parametrize("is_given", [True, False])
def test_a_tilt_is_looked_for_as_wide_as_each_die_looks_while_the_size_of_the_dice_is_open(
    monkeypatch: pytest.MonkeyPatch, is_given: bool
) -> None:
    asked: list[float | None] = []

    def noted(sight: Sight, mm: float | None, views: list[DieView], free: list[bool]) -> list[DieView]:
        asked.append(mm)
        return look_for_tilt(sight, mm, views, free)

    monkeypatch.setattr(dice, "look_for_tilt", noted)
    true = true_picture("d004")
    size = DieSize.around(true.geometry.die_size_mm, is_given=is_given)
    assert find_dice(true.picture(), true.camera, true.geometry, size=size).dice
    assert [mm is None for mm in asked] == [not is_given]


@pytest.mark.parametrize(
    ("is_soft", "looks", "flat"), [(False, 0.9, False), (True, 0.9, None), (False, 0.995, False), (True, 0.995, False)]
)
def test_a_camera_out_of_focus_tells_a_die_to_lean_where_it_surely_looks_so_and_no_number_for_sure(
    green: Any, monkeypatch: pytest.MonkeyPatch, is_soft: bool, looks: float, flat: bool | None
) -> None:
    def leaning(sight: Sight, mm: float | None, views: list[DieView], free: list[bool]) -> list[DieView]:
        return [replace(view, tilted=looks) for view in views]

    monkeypatch.setattr(dice, "look_for_tilt", leaning)
    monkeypatch.setattr(dice, "stands_free", lambda *_: False)
    monkeypatch.setattr(dice_calibrated, "sees_dice_softly", lambda _: is_soft)
    told = read_dice(green.picture("f03"), green.calibration).dice
    assert [die.flat for die in told] == [flat, flat]
    assert all(die.confidence <= VALUE_VOUCHED for die in told) is is_soft


@pytest.mark.parametrize(
    ("is_soft", "likely", "value", "most"),
    [(False, 0.93, 3, 0.93), (True, 0.93, None, VALUE_VOUCHED), (True, 0.96, 3, VALUE_VOUCHED)],
)
def test_a_camera_out_of_focus_tells_a_number_only_where_it_is_plain(
    green: Any, monkeypatch: pytest.MonkeyPatch, is_soft: bool, likely: float, value: int | None, most: float
) -> None:
    one = DieReading(3, likely, True, Support.SURFACE, Seat.A, 0.0, (600.0, 300.0), (0.0, 0.0), likeliest=3)
    size = DieSize.around(13.5, is_given=True)
    found = FoundDice((one,), None, size, DiceMemory(scan_of_empty_board(green.calibration, 13.5), {}))
    monkeypatch.setattr(dice_calibrated, "find_dice", lambda *_, **__: found)
    monkeypatch.setattr(dice_calibrated, "sees_dice_softly", lambda _: is_soft)
    [told] = read_dice(green.picture("f03"), green.calibration).dice
    assert (told.value, told.confidence, told.likeliest) == (value, most, 3)


@pytest.mark.parametrize(
    ("number", "shown", "likely", "found"),
    [(4, 0.9, 0.85, True), (4, 0.9, 0.75, False), (4, 0.5, 0.85, False), (1, 0.9, 0.94, False), (1, 0.9, 0.97, True)],
)
def test_what_shows_no_two_pips_and_more_must_look_more_like_a_die(
    green: Any, monkeypatch: pytest.MonkeyPatch, number: int, shown: float, likely: float, found: bool
) -> None:
    values = [(1 - shown) / 5] * 6
    values[number - 1] = shown

    def seen(sight: Sight, geometry: BoardGeometry, spots: list[tuple[float, float]], _: bool) -> list[DieView]:
        return [DieView(spot, likely, 0.0, tuple(values), 0.0, 0.0, 0.0, 0.0, 13.5) for spot in spots]

    monkeypatch.setattr(dice, "look", seen)
    assert bool(read_dice(green.picture("f03"), green.calibration).dice) is found


@pytest.mark.parametrize(
    ("on_checker", "likely", "found"), [(0.9, 0.99, True), (0.9, 0.97, False), (0.1, 0.97, True), (0.1, 0.75, False)]
)
def test_what_lies_on_a_checker_must_surely_be_a_die(
    green: Any, monkeypatch: pytest.MonkeyPatch, on_checker: float, likely: float, found: bool
) -> None:
    values = (0.01, 0.01, 0.95, 0.01, 0.01, 0.01)

    def seen(sight: Sight, geometry: BoardGeometry, spots: list[tuple[float, float]], _: bool) -> list[DieView]:
        return [DieView(spot, likely, 0.0, values, 0.0, on_checker, 0.0, 0.0, 13.5) for spot in spots]

    monkeypatch.setattr(dice, "look", seen)
    assert bool(read_dice(green.picture("f03"), green.calibration).dice) is found


@pytest.mark.parametrize(
    ("first", "second", "on_checker", "found"),
    [(0.99, 0.85, 0.1, 2), (0.99, 0.75, 0.1, 1), (0.85, 0.85, 0.1, 0), (0.99, 0.85, 0.9, 2), (0.99, 0.75, 0.9, 1)],
)
def test_where_one_die_of_a_throw_is_found_the_other_need_not_look_as_much_like_one(
    green: Any, monkeypatch: pytest.MonkeyPatch, first: float, second: float, on_checker: float, found: int
) -> None:
    """None of them shows much of a number."""
    truth = green.truth("f03")
    ahead, other = (np.array(die["center_px"]) for die in truth["dice"])

    def seen(sight: Sight, geometry: BoardGeometry, spots: list[tuple[float, float]], _: bool) -> list[DieView]:
        views = []
        for spot in spots:
            [pixel] = sight.camera.project([(*spot, 6.0)])
            for place, likely, stands in ((ahead, first, 0.0), (other, second, on_checker)):
                if np.hypot(*(pixel - place)) < 8:
                    values = (0.1, 0.1, 0.55, 0.1, 0.1, 0.05)
                    views.append(DieView(spot, likely, 0.0, values, 0.0, stands, 0.0, 0.0, 13.5))
        return views

    monkeypatch.setattr(dice, "look", seen)
    assert len(read_dice(green.picture("f03"), green.calibration).dice) == found


def test_a_lamp_mirrored_in_dark_checkers_is_no_die() -> None:
    installation = drawn_installation(8301, 5)
    camera, geometry, random = installation.look.camera, installation.geometry, Random(2)
    start = Backgammon().start().placement()
    world = set_up(empty_world(geometry, random), start, random)
    picture = Renderer(installation.look, geometry, 5).frame(world)
    places = [point(number) for number in range(1, 25)]
    seen = tuple(PlaceReading(place, (StackChance(start.at(place), 0.999),)) for place in places)
    size = DieSize.around(geometry.die_size_mm, is_given=False)
    assert find_dice(picture, camera, geometry, BoardReading(Witness.CAMERA, seen), size).dice == ()
