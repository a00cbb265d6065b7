"""A fit is moved onto landmarks also where these hardly tell one of its parameters."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from boardctl.rules import Backgammon
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.unseen.flat_bars import without_bar
from boardctl.virtual.unseen.looks import drawn_installation, printed
from boardctl.virtual.unseen.mixed import mixed
from boardctl.virtual.world import empty_world, set_up
from calibration import calibrate
from calibration.start.landmark_fit import BAR_PARAMETER, refine_on_landmarks
from calibration.start.pose_fit import NAMES, Fit

set_up_flat = without_bar(set_up)

FIRST = (2.2127, 2.0256, -0.2252, 0.5066, -0.6429, 32.8078, -0.1223, 0.1302, 0.0023, -0.0143, -1.9119, 2.4175)
"""A fit to the checkers of the board below, from which the width of its bar was once made infinite."""


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("log_bar", [-1.9119, -5.0, -20.0])
def test_where_there_is_no_bar_it_does_not_matter_how_narrow_it_is(log_bar: float) -> None:
    drawn = printed(drawn_installation(18001, 9))
    assert NAMES[BAR_PARAMETER] == "log_bar"
    renderer, random = Renderer(drawn.look, drawn.geometry, 1), Random(1)
    empty = empty_world(drawn.geometry, random, cube=False)
    start = set_up_flat(empty, Backgammon().start().placement(), random)
    values = np.array(FIRST)
    values[BAR_PARAMETER] = log_bar
    first = Fit(values, (1920, 1080), home_on_right=True)
    fit = refine_on_landmarks(first, renderer.frame(empty), renderer.frame(start))
    camera, board = renderer.stage.camera, drawn.geometry
    # Where checkers lie does not tell whose they are: a fit may have the seats exchanged.
    corners = camera.project([(x, y, 0.0) for x, y in board.corners])
    off_px = min(np.linalg.norm(np.roll(fit.corners_px, turn, axis=0) - corners, axis=1).max() for turn in (0, 2))
    assert off_px < 0.1 * camera.seen_px(board.checker_diameter_mm)


def test_a_first_fit_half_a_checker_off_takes_more_rounds(draw: Callable[[Any, int], Any]) -> None:
    """A wide lens at a slant, ringed checkers and white points: after eight rounds it was a third of a checker off."""
    drawn = draw(mixed(drawn_installation(19001, 4)), 4)
    found = calibrate(drawn.empty, drawn.start)
    corners = found.camera.project([(x, y, 0.0) for x, y in found.geometry.corners])
    off_px = np.linalg.norm(corners - drawn.corners, axis=1).max()
    assert off_px < 0.15 * found.camera.seen_px(found.geometry.checker_diameter_mm)
