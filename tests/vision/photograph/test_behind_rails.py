"""What rails and bar hide of the points of a photograph that is taken from beside the board."""

import numpy as np
import pytest
from numpy.typing import NDArray
from slanted_boards import SlantedBoard

from boardctl.vision.photograph.behind_rails import behind_rails

BOARDS = [SlantedBoard(10401, number) for number in range(6)]


def hidden(board: SlantedBoard) -> NDArray[np.bool_]:
    """Which pixels of the strips a camera at its place cannot see, by the board's true sizes (24 x length x width)."""
    geometry, (x, y) = board.geometry, np.moveaxis(board.strips.places_mm, -1, 0)
    eye_x, eye_y, eye_z = board.stage.camera.position_mm
    found = np.zeros(x.shape, dtype=np.bool_)

    def behind(at: NDArray[np.float64] | float, place: NDArray[np.float64], eye: float, high: float) -> None:
        share = (at - place) / (eye - place)
        found[(share > 0) & (share < 1) & (share * eye_z < high)] = True

    for side in (-1, 1):
        behind(side * geometry.field_height_mm / 2, y, eye_y, geometry.rail_height_mm)
        behind(side * geometry.field_width_mm / 2, x, eye_x, geometry.rail_height_mm)
        behind(np.sign(x) * geometry.bar_width_mm / 2, x, eye_x, geometry.bar_height_mm)
    return found


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: str(board.number))
def test_what_is_hidden_is_told_by_the_picture(board: SlantedBoard) -> None:
    true = hidden(board)
    for picture in (board.empty, board.start):
        told = behind_rails(picture, board.strips)
        assert not (told.surely & ~told.may).any()
        assert (told.may & true).sum() > 0.85 * true.sum()
        assert (told.surely & true).sum() > 0.9 * told.surely.sum() > 0
        assert (told.may & ~true).sum() < 0.05 * true.size


def test_from_above_nothing_is_hidden() -> None:
    board = SlantedBoard(10401, 0, upright=True)
    told = behind_rails(board.start, board.strips)
    assert not told.may.any()
    assert not told.surely.any()
