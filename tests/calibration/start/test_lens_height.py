"""How high the lens is above the board, where somebody has measured it: from straight above no picture tells it."""

from collections.abc import Callable
from typing import Any

import pytest

from boardctl.virtual.unseen import looks as unseen_looks
from boardctl.virtual.unseen.looks import drawn_installation, wide
from boardctl.vision.measuring.truth import TruePicture, read_truth
from calibration import Calibration, CalibrationError, calibrate, find
from calibration.corners import as_corners
from calibration.start.pose_fit import lens_height

Draw = Callable[[unseen_looks.Installation, int], Any]


def height_of(seen: TruePicture | Calibration) -> float:
    return lens_height(seen.camera, seen.geometry)


@pytest.fixture
def from_above(draw: Draw) -> Any:
    """Seen by a wide lens nearly straight above; by the pictures alone it is placed 1.65 times as far away."""
    return draw(wide(drawn_installation(14001, 2)), 2)


@pytest.mark.parametrize("look", [2, 4, 16])
def test_a_lens_is_as_high_as_was_measured(draw: Draw, look: int) -> None:
    shown = draw(wide(drawn_installation(14001, look)), look)
    true = read_truth(shown.folder / "f01.json")
    found = calibrate(shown.empty, shown.start, lens_height=height_of(true))
    assert height_of(found) == pytest.approx(height_of(true), rel=0.03)
    assert found.camera.focal_x_px == pytest.approx(true.camera.focal_x_px, rel=0.05)


def test_a_height_that_was_measured_counts_with_corners_by_hand(from_above: Any) -> None:
    high = height_of(read_truth(from_above.folder / "f01.json"))
    corners = as_corners(from_above.corners)
    assert height_of(calibrate(from_above.empty, from_above.start, corners, lens_height=high)) == pytest.approx(
        high, rel=0.03
    )


def test_a_height_that_was_measured_counts_where_a_field_is_found_by_its_points(
    from_above: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find, "_placed_in_any", lambda *_: None)
    high = height_of(read_truth(from_above.folder / "f01.json"))
    found = calibrate(from_above.empty, from_above.start, lens_height=high)
    assert height_of(found) == pytest.approx(high, rel=0.03)


@pytest.mark.parametrize("times", [6.0, 0.25])
def test_a_height_at_which_no_lens_sees_the_board_so_is_refused(from_above: Any, times: float) -> None:
    high = height_of(read_truth(from_above.folder / "f01.json"))
    with pytest.raises(CalibrationError, match=r"would show it so; it seems.*measure both once more \(--lens-height\)"):
        calibrate(from_above.empty, from_above.start, lens_height=times * high)


@pytest.mark.filterwarnings("error")
def test_pictures_from_aslant_contradict_a_height_that_was_measured_wrongly(draw: Draw) -> None:
    shown = draw(wide(drawn_installation(14001, 8)), 8)  # 20 degrees off the upright
    high = height_of(read_truth(shown.folder / "f01.json"))
    assert height_of(calibrate(shown.empty, shown.start, lens_height=1.3 * high)) < 0.95 * 1.3 * high
    with pytest.raises(CalibrationError, match="would show it so"):
        calibrate(shown.empty, shown.start, lens_height=0.2 * high)
