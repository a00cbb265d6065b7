"""Geometry and colours of one installation: from pictures or by hand, checked on load, in millimetres."""

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
