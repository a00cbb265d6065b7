"""Colours of light as different eyes see them."""

import pytest

from boardctl.lights.colour_vision import DISTINCT, Vision, chromaticity, distance, least_distance, screen_colour

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def test_red_and_green_are_one_colour_for_the_red_green_blind() -> None:
    assert distance(RED, GREEN) > 5 * DISTINCT
    assert distance(RED, GREEN, Vision.DEUTERANOPIA) < DISTINCT
    assert distance(RED, GREEN, Vision.PROTANOPIA) < DISTINCT


def test_blue_and_yellow_are_two_colours_for_every_eye() -> None:
    apart, _ = least_distance(BLUE, (255, 140, 0))
    assert apart > DISTINCT


def test_brightness_alone_makes_no_other_colour() -> None:
    assert distance((200, 100, 40), (20, 10, 4)) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("vision", Vision)
def test_white_stays_nearly_white_for_every_eye(vision: Vision) -> None:
    # D65 has u' 0.1978, v' 0.4683 (CIE 15).
    assert chromaticity(WHITE, vision) == pytest.approx([0.1978, 0.4683], abs=0.003)


def test_darkness_has_no_colour() -> None:
    with pytest.raises(ValueError, match="give at least one of them a value"):
        chromaticity((0, 0, 0))


def test_a_light_of_a_fifth_looks_half_as_bright_on_a_screen() -> None:
    assert screen_colour((0, 56, 255)) == (0, 128, 255)
