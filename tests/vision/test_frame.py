"""The eyes read one frame after the other, and learn from the dice in them how large these are."""

from typing import Any

import cv2
import numpy as np
import pytest

from boardctl.vision import FrameReader, FrameReading, networks
from boardctl.vision.dice import colour as dice_colour
from boardctl.vision.dice.size import sized
from boardctl.vision.measuring.later_changes import Lamp
from boardctl.vision.points.reading import SURE
from calibration import Calibration, CalibrationError
from calibration.light.linear import levels_of, light_of

POINT_MM = 40.5


def with_assumed_dice(shots: Any, part: float) -> Calibration:
    calibration = shots.calibration
    geometry = sized(calibration.geometry, true_die_mm(shots) * part)
    return Calibration.of(calibration.camera, geometry, calibration.empty, calibration.start)


def true_die_mm(shots: Any) -> float:
    """Gets the true width of the dice in the millimetres of the calibration, which takes a point to be so wide."""
    size = shots.truth("f00")["geometry_cm"]
    return float(size["die_size"] / size["point_width"] * POINT_MM)


@pytest.mark.parametrize("part", [0.8, 1.25])
def test_the_size_of_the_dice_is_learned_over_frames(green: Any, part: float) -> None:
    reader = FrameReader(with_assumed_dice(green, part))
    size = reader.read(green.picture("f03")).memory.die_size
    assert size is not None
    spread = size.spread
    for frame in ("f06", "f09", "f12"):
        size = reader.read(green.picture(frame)).memory.die_size
    assert size is not None
    assert size.spread < spread
    assert size.mm == pytest.approx(true_die_mm(green), rel=0.08)


def test_dice_that_lie_still_tell_nothing_new(green: Any) -> None:
    reader = FrameReader(with_assumed_dice(green, 1.0))
    first, second = (reader.read(green.picture("f09")).memory.die_size for _ in range(2))
    assert first is not None
    assert second is not None
    assert second.spread == pytest.approx(first.spread, rel=0.01)


def test_below_a_lamp_that_flickers_all_is_read_as_without(green: Any) -> None:
    lamp, rng = Lamp(bands=3.4, depth=0.3, overtone=0.2, along=0.3), np.random.default_rng(2)
    steady, flickering = (FrameReader(green.calibration) for _ in range(2))
    for frame in ("f03", "f06", "f09", "f12"):
        picture = green.picture(frame)
        one, other = steady.read(picture), flickering.read(lamp.picture(picture, rng))
        assert other.view is not None
        assert other.view.holds
        assert [place.best for place in other.board.places] == [place.best for place in one.board.places]
        assert [die.value for die in other.dice.dice] == [die.value for die in one.dice.dice]


def test_what_is_done_on_first_use_is_done_before_the_first_frame(green: Any) -> None:
    reader = FrameReader(green.calibration)
    kept = (networks._network, dice_colour._light)
    before = [made.cache_info().misses for made in kept]
    reading = reader.read(green.calibration.start)
    assert reader.read(green.picture("f03")).dice.dice[0].body is not None
    assert reading.board.places
    assert [made.cache_info().misses for made in kept][1] == before[1]
    assert kept[0].cache_info().misses - before[0] <= 1, "tilts alone are not looked at in a starting position"


def test_a_picture_out_of_focus_is_not_read_and_the_next_is_as_if_it_had_not_been(green: Any) -> None:
    steady, hunting = (FrameReader(green.calibration) for _ in range(2))
    for frame in ("f03", "f06", "f09"):
        picture = green.picture(frame)
        soft = hunting.read(np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.5), np.uint8))
        assert soft.view is not None
        assert not soft.view.holds
        assert soft.view.complaint.startswith("it is out of focus, by ")
        assert (soft.board.places, soft.dice.dice) == ((), ())
        one, other = steady.read(picture), hunting.read(picture)
        assert other.view is not None
        assert other.view.holds
        assert other.board == one.board
        assert other.dice == one.dice


def assert_reads_alike(changed: FrameReading, one: FrameReading) -> None:
    """A changed picture is read as the one that was taken, but for one place that is not sure any more."""
    assert changed.view is not None
    assert changed.view.holds
    sure = {place.place: place.best for place in changed.board.places if place.confidence >= SURE}
    assert sure.items() <= {place.place: place.best for place in one.board.places}.items()
    assert len(sure) >= len([place for place in one.board.places if place.confidence >= SURE]) - 1
    now, before = (sorted(reading.dice.dice, key=lambda die: die.center_px) for reading in (changed, one))
    assert [die.value for die in now] == [die.value for die in before]
    assert np.allclose([die.center_px for die in now], [die.center_px for die in before], atol=2.0)


def test_a_picture_without_colours_is_not_read_and_one_with_faint_ones_is_read_as_with_its_own(green: Any) -> None:
    steady, faint = (FrameReader(green.calibration) for _ in range(2))
    for frame in ("f03", "f06", "f09"):
        picture = green.picture(frame)
        grey = np.repeat(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2)
        none = faint.read(grey)
        assert none.view is not None
        assert not none.view.holds
        assert none.view.complaint.startswith("it shows no colours, ")
        assert (none.board.places, none.dice.dice) == ((), ())
        one, other = steady.read(picture), faint.read((0.6 * grey + 0.4 * picture).astype(np.uint8))
        assert_reads_alike(other, one)


@pytest.mark.parametrize("veil", [0.05, 0.2])
def test_a_picture_with_a_veil_of_light_over_it_is_read_as_without(green: Any, veil: float) -> None:
    steady, veiled = (FrameReader(green.calibration) for _ in range(2))
    for frame in ("f03", "f06", "f09"):
        picture = green.picture(frame)
        over = np.linspace(0.4, 1.6, picture.shape[1], dtype=np.float32)[:, None] * np.float32(veil)
        one, other = steady.read(picture), veiled.read(levels_of(light_of(picture) * (1 - over) + over))
        assert_reads_alike(other, one)


def test_a_picture_of_another_size_is_refused_however_soft(green: Any) -> None:
    small = np.asarray(cv2.resize(green.picture("f03"), (640, 360)), np.uint8)
    for picture in (small, np.asarray(cv2.GaussianBlur(small, (0, 0), 4), np.uint8)):
        with pytest.raises(CalibrationError, match="640x360"):
            FrameReader(green.calibration).read(picture)
