"""How saturated a picture is is told in any light, and a camera that shows no colours is told of."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.rules import Backgammon, Placement, Seat, point
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import GREEN_FELT, CheckerLook
from boardctl.virtual.world import empty_world, set_up
from calibration import BoardGeometry, Calibration, calibrate
from calibration.light.saturation import FAINT, STRONG, is_colourless, saturated, saturation_of

PICTURES = Path(__file__).parents[2] / "data" / "vision"

Picture = NDArray[np.uint8]


def coloured(picture: Picture, saturation: float) -> Picture:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float64)[..., None]
    return np.clip(grey + saturation * (picture - grey), 0, 255).astype(np.uint8)


def frames(installation: Any) -> list[Picture]:
    paths = sorted((PICTURES / installation.folder).glob("f*.jpg"))[1:]
    return [np.asarray(cv2.imread(str(path)), np.uint8) for path in paths]


@pytest.mark.parametrize("saturation", [0.3, 0.5, 0.8, 1.0, 1.3, 1.8])
def test_how_saturated_a_picture_is_is_told_whatever_lies_on_the_board(
    installation: Any, found: Calibration, saturation: float
) -> None:
    for picture in frames(installation):
        assert saturation_of(coloured(picture, saturation), found) == pytest.approx(saturation, rel=0.15)


@pytest.mark.parametrize("light", [(0.4, 0.8, 1.1), (1.2, 0.8, 0.5), (0.5, 0.5, 0.5)])
def test_it_is_told_in_light_of_another_colour(installation: Any, found: Calibration, light: Any) -> None:
    for picture in frames(installation):
        lit = np.clip(picture * np.array(light), 0, 255).astype(np.uint8)
        assert FAINT < (saturation_of(lit, found) or 0) < STRONG
        assert 0.3 < (saturation_of(coloured(lit, 0.5), found) or 0) < FAINT
        assert is_colourless(saturation_of(coloured(lit, 0.0), found))


def test_colours_are_not_told_where_a_channel_is_written_as_none(installation: Any, found: Calibration) -> None:
    dark = int(np.quantile(installation.empty.min(axis=2), 0.7))
    floored = np.maximum(frames(installation)[0], np.uint8(dark))
    assert (saturation_of(floored, found) or 0) < FAINT
    told = saturation_of(floored, found, dark)
    assert told is None or FAINT < told < STRONG


def test_where_colours_are_mostly_noise_nothing_hangs_on_seeing_them_again(
    installation: Any, found: Calibration
) -> None:
    rng = np.random.default_rng(5)

    def blotched(picture: Picture) -> Picture:
        noise = cv2.GaussianBlur(rng.normal(0, 1, picture.shape).astype(np.float32), (0, 0), 3.0)
        return np.clip(coloured(picture, 0.0) + 8 * noise / noise.std(), 0, 255).astype(np.uint8)

    noisy = found.in_light(blotched)
    assert not any(is_colourless(saturation_of(blotched(picture), noisy)) for picture in frames(installation))
    assert is_colourless(saturation_of(blotched(frames(installation)[0]), found))


def test_noise_is_no_colour(installation: Any, found: Calibration) -> None:
    for number, picture in enumerate(frames(installation)):
        noise = np.random.default_rng(number).normal(0, 12, picture.shape)
        noisy = np.clip(picture + noise, 0, 255).astype(np.uint8)
        assert FAINT < (saturation_of(noisy, found) or 0) < STRONG
        assert saturated(noisy, saturation_of(noisy, found)) is noisy
        grey = np.clip(coloured(picture, 0.0) + noise, 0, 255).astype(np.uint8)
        assert is_colourless(saturation_of(grey, found))


def test_fainter_and_stronger_colours_become_those_of_the_empty_board(installation: Any, found: Calibration) -> None:
    for picture in frames(installation):
        for saturation in (0.35, 0.6, 1.5):
            changed = coloured(picture, saturation)
            back = saturated(changed, saturation_of(changed, found))
            off = [np.abs(each.astype(float) - picture).mean() for each in (changed, back)]
            assert off[1] < off[0] / 2


def test_a_camera_that_shows_no_colours_is_told_of_and_one_that_shows_some_at_last(installation: Any) -> None:
    for picture in frames(installation):
        assert is_colourless(saturation_of(coloured(picture, 0.0), calibrate(installation.empty, installation.start)))
    greys = [coloured(picture, 0.0) for picture in (installation.empty, installation.start)]
    by_night = calibrate(*greys)
    for picture in frames(installation):
        assert is_colourless(saturation_of(picture, by_night))
        assert not is_colourless(saturation_of(coloured(picture, 0.0), by_night))
        assert saturation_of(coloured(picture, 0.0), by_night) is None


def test_nothing_is_told_of_a_board_that_is_covered(found: Calibration) -> None:
    assert saturation_of(np.full_like(found.empty, 255), found) is None
    assert saturation_of(np.zeros_like(found.empty), found) is None
    assert not is_colourless(None)
    assert saturated(found.empty, None) is found.empty


def test_a_grey_board_on_a_grey_table_may_be_played_on_with_red_checkers() -> None:
    grey = replace(GREEN_FELT, field=(96,) * 3, points=((60,) * 3, (190,) * 3), wood=(50,) * 3, table=(80,) * 3)
    renderer, random = (
        Renderer(replace(grey, checkers=(CheckerLook((60, 60, 200)), CheckerLook((30,) * 3))), BoardGeometry()),
        Random(2),
    )
    empty = empty_world(BoardGeometry(), random, cube=False)
    game = Backgammon().start().placement()
    made = calibrate(renderer.frame(empty), renderer.frame(set_up(empty, game, Random(3))))
    everywhere = Placement({point(number): (Seat.A,) for number in range(1, 16)})
    for placement in (game, everywhere, Placement({})):
        shown = renderer.frame(set_up(empty, placement, Random(4)))
        assert not is_colourless(saturation_of(shown, made))
        assert saturated(shown, saturation_of(shown, made)) is shown
