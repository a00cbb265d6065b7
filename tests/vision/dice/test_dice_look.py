"""The closer look at places of dice, with what the network says put in its place."""

import numpy as np
import pytest

from boardctl.virtual.looks import GREEN_FELT
from boardctl.vision.dice import look as dice_look
from boardctl.vision.dice.look import SAME_DIE, Sight, look
from calibration import BoardGeometry, CameraModel

GEOMETRY = BoardGeometry()
XY = tuple[float, float]


@pytest.mark.parametrize(("sized_right", "found"), [(False, [(50.0, 20.0)]), (True, [(45.0, 20.0), (55.0, 20.0)])])
def test_a_large_die_that_shows_two_middles_is_one_where_a_second_look_shows_the_same(
    monkeypatch: pytest.MonkeyPatch, sized_right: bool, found: list[XY]
) -> None:
    """Both places are further apart than two finds of one die of the assumed size; the second look is from nearer."""
    spots = [(45.0, 20.0), (55.0, 20.0)]
    assert np.hypot(*np.subtract(*spots)) > SAME_DIE * GEOMETRY.die_size_mm

    def outputs(_sight: Sight, _geometry: BoardGeometry, at: list[XY], mirrored: bool) -> np.ndarray:
        plain = np.zeros(15)
        plain[[0, 7]], plain[[1, 8, 9, 10]], plain[13] = 9.0, -9.0, mirrored  # a six, and nothing else
        return np.stack([plain] * len(at))

    def shifted(spot: XY, output: np.ndarray, _camera: CameraModel, _geometry: BoardGeometry) -> XY:
        return (50.0, 20.0) if output[13] else spot

    monkeypatch.setattr(dice_look, "outputs", outputs)
    monkeypatch.setattr(dice_look, "shifted", shifted)
    camera = GREEN_FELT.camera
    sight = Sight(np.zeros((camera.height_px, camera.width_px, 3), np.uint8), camera)
    views = look(sight, GEOMETRY, spots, sized_right)
    assert [view.spot_mm for view in views] == found
