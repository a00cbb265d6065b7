"""Lights of the board that burn are taken out of pictures, and nothing else is taken for one."""

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.lights import frame_of
from boardctl.referee.effects import Mark, Scene, Sign
from boardctl.rules import Seat, point
from boardctl.virtual.drawing.burning_lights import LightLook, lights_of, with_lights
from boardctl.vision.frame import read_frame
from boardctl.vision.light.burning_lights import without_lights
from firmware_bridge.leds import ChainLayout

Picture = NDArray[np.uint8]

AS_CALIBRATED = (1.0, 1.0, 1.0)
SCENE = Scene(
    (
        Mark(Sign.TURN, seat=Seat.A),
        Mark(Sign.SOURCE, point(6)),
        Mark(Sign.TARGET, point(4)),
        Mark(Sign.TARGET, point(10)),
        Mark(Sign.PROBLEM, point(22)),
    )
)
LOOKS = [
    LightLook(lens_mm=2.5, strength=4.0, glow=0.06),
    LightLook(lens_mm=3.5, strength=12.0, glow=0.08, veil=0.004),
    LightLook(lens_mm=3.5, strength=25.0, glow=0.08, veil=0.004),
]


def lit(shots: Any, picture: Picture, look: LightLook) -> Picture:
    calibration = shots.calibration
    lights = lights_of(calibration.geometry, ChainLayout(), frame_of(SCENE).lit_at(0))
    return with_lights(picture, calibration.empty, calibration.camera, lights, look)


@pytest.mark.parametrize("look", LOOKS[1:])
@pytest.mark.parametrize("frame", ["f03", "f12"])
def test_what_burns_is_taken_out(green: Any, frame: str, look: LightLook) -> None:
    picture = green.picture(frame)
    burning = lit(green, picture, look)
    left = without_lights(burning, green.calibration, AS_CALIBRATED)
    before, after = (np.abs(each.astype(float) - picture).max(axis=2) for each in (burning, left))
    assert (before > 60).sum() > 150
    assert (after > 60).sum() < 0.1 * (before > 60).sum()
    assert (after[before == 0] == 0).all(), "elsewhere nothing changes"


@pytest.mark.parametrize("look", LOOKS)
def test_beside_lights_that_burn_all_is_read_as_without(green: Any, look: LightLook) -> None:
    for frame in ("f03", "f06", "f12"):
        picture = green.picture(frame)
        dark, burning = (read_frame(each, green.calibration) for each in (picture, lit(green, picture, look)))
        assert [place.best for place in burning.board.places] == [place.best for place in dark.board.places]
        assert burning.hand == dark.hand
        assert burning.board.hands == dark.board.hands
        assert [die.value for die in burning.dice.dice] == [die.value for die in dark.dice.dice]


@pytest.mark.parametrize("shots", ["green", "brown"])
def test_where_none_burns_pictures_stay_as_they_were_taken(shots: str, request: pytest.FixtureRequest) -> None:
    found = request.getfixturevalue(shots)
    for path in sorted(found.folder.glob("f*.jpg")):
        picture = found.picture(path.stem)
        assert without_lights(picture, found.calibration, AS_CALIBRATED) is picture


@pytest.mark.parametrize("side_mm", [10.0, 14.0, 19.0])
@pytest.mark.parametrize("pips", [True, False])
def test_a_white_die_is_no_light(green: Any, side_mm: float, pips: bool) -> None:
    """However bright, and even where nothing is seen of its pips: it ends at its edge."""
    calibration, picture = green.calibration, green.calibration.empty.copy()
    half = side_mm / 2
    corners = [(90 + x, 5 + y, side_mm) for x, y in ((-half, -half), (half, -half), (half, half), (-half, half))]
    cv2.fillPoly(picture, [np.rint(calibration.camera.project(corners)).astype(np.int32)], (255, 255, 255))
    if pips:
        x, y = calibration.camera.project([(90.0, 5.0, side_mm)])[0]
        cv2.circle(picture, (round(x), round(y)), 2, (40, 40, 40), -1)
    seen = np.asarray(cv2.GaussianBlur(picture, (5, 5), 0.9), dtype=np.uint8)
    assert without_lights(seen, calibration, AS_CALIBRATED) is seen


def test_what_lies_on_a_light_hides_it(green: Any) -> None:
    calibration = green.calibration
    place = (90.0, 0.0, 0.0)
    x, y = (round(value) for value in calibration.camera.project([place])[0])
    covered = calibration.empty.copy()
    cv2.circle(covered, (x, y), 20, (230, 235, 240), -1)
    light = [(place, (255, 255, 255))]
    shown = with_lights(covered, calibration.empty, calibration.camera, light, LOOKS[1])
    assert shown is covered
    assert with_lights(calibration.empty, calibration.empty, calibration.camera, light, LOOKS[1])[y, x].min() == 255
