"""The board in one picture: what lies on each point, on the bar and in the trays, and how sure that is."""

from boardctl.referee.readings import BoardReading, Witness
from boardctl.vision.columns import Picture
from boardctl.vision.points import read_points_and_bar
from boardctl.vision.trays import read_trays
from calibration import Calibration


def read_board(picture: Picture, calibration: Calibration) -> BoardReading:
    """Gets what the camera sees on the board in a picture (H x W x 3).

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    calibration.check_size(picture)
    places, hand = read_points_and_bar(picture, calibration)
    return BoardReading(Witness.CAMERA, (*places, *read_trays(picture, calibration)), hand)
