"""Patches and scans: where a spot of the board lands in them."""

import numpy as np
import pytest

from boardctl.vision.dice.patch import PATCH_PX, PatchFrame, die_size_px, obliqueness, patch_to_picture
from boardctl.vision.dice.scan import CELL_PX, cube_peaks, die_peaks, scan_frame, scan_picture, shoulders
from calibration import BoardGeometry, CameraModel

TILTED = CameraModel(1280, 720, 1150, 1150, 637, 363, (0.05, 0.01, 0, 0, 0), (2.9, 0.05, 0.02), (-20.0, 30.0, 950.0))
BOARD = BoardGeometry()
SPOT = (80.0, -40.0, 6.75)


def test_the_middle_of_a_patch_is_its_spot() -> None:
    transform = patch_to_picture(TILTED, PatchFrame(SPOT, 0.7))
    middle = transform @ np.array([(PATCH_PX - 1) / 2, (PATCH_PX - 1) / 2, 1.0])
    assert middle[:2] / middle[2] == pytest.approx(TILTED.project([SPOT])[0], abs=0.05)


def test_down_in_a_patch_is_towards_the_camera() -> None:
    transform = patch_to_picture(TILTED, PatchFrame(SPOT, 0.7))
    low = transform @ np.array([(PATCH_PX - 1) / 2, PATCH_PX - 1, 1.0])
    x, y = TILTED.to_plane([low[:2] / low[2]], SPOT[2])[0]
    camera = TILTED.position_mm[:2]
    assert np.hypot(x - camera[0], y - camera[1]) < np.hypot(SPOT[0] - camera[0], SPOT[1] - camera[1])


def test_a_mirrored_patch_swaps_left_and_right_only() -> None:
    plain = patch_to_picture(TILTED, PatchFrame(SPOT, 0.7))
    mirrored = patch_to_picture(TILTED, PatchFrame(SPOT, 0.7, mirrored=True))
    left, right = plain @ np.array([3.0, 10.0, 1.0]), mirrored @ np.array([PATCH_PX - 4.0, 10.0, 1.0])
    assert left[:2] / left[2] == pytest.approx(right[:2] / right[2], abs=0.05)


def test_a_die_is_as_large_as_its_edge_seen_square_on() -> None:
    above = CameraModel(1280, 720, 1200, 1200, 640, 360, (0, 0, 0, 0, 0), (np.pi, 0, 0), (0, 0, 1000))
    assert die_size_px(above, (0, 0, 0), 15.0) == pytest.approx(18.0)
    assert obliqueness(above, (0, 0, 0)) == pytest.approx(0.0, abs=1e-6)
    assert obliqueness(above, (1000, 0, 0)) == pytest.approx(1.0)


def test_a_scan_shows_a_spot_where_its_frame_says() -> None:
    picture = np.zeros((720, 1280, 3), dtype=np.uint8)
    x, y = (int(v) for v in np.round(TILTED.project([SPOT])[0]))
    picture[y - 3 : y + 4, x - 3 : x + 4] = 255
    scan, frame = scan_picture(picture, TILTED, BOARD)
    rows, columns = np.nonzero(scan[..., 0] > 100)
    assert frame.to_mm(np.array([[columns.mean(), rows.mean()]]))[0] == pytest.approx(SPOT[:2], abs=1.0)
    assert scan.shape == (frame.height_px, frame.width_px, 3)


def test_scan_pixels_and_millimetres_are_inverse() -> None:
    frame = scan_frame(TILTED, BOARD)
    pixels = np.array([[0.0, 0.0], [100.5, 37.25]])
    assert frame.to_pixels(frame.to_mm(pixels)) == pytest.approx(pixels)


def test_peaks_are_the_highest_cells_with_their_offsets() -> None:
    cells = np.full((4, 10, 12), -6.0, dtype=np.float32)
    cells[1:3] = 0
    cells[0, 4, 7], cells[0, 4, 8], cells[0, 8, 2] = 3.0, 1.0, 0.0
    cells[1, 4, 7] = 0.25
    cells[3, 2, 5] = 4.0
    first, second = die_peaks(cells, 0.2, 10)
    assert (first.x, first.y) == pytest.approx((7.75 * CELL_PX - 0.5, 4.5 * CELL_PX - 0.5))
    assert second.likelihood == pytest.approx(0.5)
    assert len(die_peaks(cells, 0.2, 1)) == 1
    (cube,) = cube_peaks(cells, 0.2, 3)
    assert (cube.x, cube.y) == (5.5 * CELL_PX - 0.5, 2.5 * CELL_PX - 0.5)


def test_beside_a_peak_the_likeliest_cell_is_told_if_it_is_likely_at_all() -> None:
    cells = np.full((4, 10, 12), -6.0, dtype=np.float32)
    cells[1:3] = 0
    cells[0, 4, 7], cells[0, 3, 6], cells[0, 4, 8] = 3.0, 1.0, 0.5
    cells[2, 3, 6] = -0.25
    cells[0, 0, 0], cells[0, 1, 0] = 2.0, -1.0  # at the edge, and what is beside it is unlikely
    (beside,) = shoulders(cells, 0.4, 10)
    assert (beside.x, beside.y) == pytest.approx((6.5 * CELL_PX - 0.5, 3.25 * CELL_PX - 0.5))
    assert beside.likelihood == pytest.approx(1 / (1 + np.exp(-1.0)))
    assert len(shoulders(cells, 0.2, 10)) == 2
    assert len(shoulders(cells, 0.2, 1)) == 1
