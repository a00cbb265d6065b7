"""Geometry and colours of one installation: from pictures or by hand, checked on load, in millimetres.

``find`` makes a calibration of a picture of the empty board and one of the starting position: ``start`` places camera
and board by that position's checkers, ``field`` by the points, and ``light`` tells whether there is light to read by.
``installation`` is what is kept; ``drift`` and ``follow`` tell later whether it still holds.
"""

from calibration.camera import CameraModel
from calibration.errors import CalibrationError
from calibration.find import calibrate
from calibration.game_boards import bar_columns, board_for, is_played_on_quarter
from calibration.geometry import BoardGeometry
from calibration.installation import Calibration, load

__all__ = [
    "BoardGeometry",
    "Calibration",
    "CalibrationError",
    "CameraModel",
    "bar_columns",
    "board_for",
    "calibrate",
    "is_played_on_quarter",
    "load",
]
