"""One frame: everything that is read from it."""

from dataclasses import dataclass

from boardctl.referee.readings import BoardReading, CubeReading, DiceReading
from boardctl.vision.board import read_board
from boardctl.vision.columns import Picture
from boardctl.vision.dice import read_dice_and_cube
from calibration import Calibration


@dataclass(frozen=True, slots=True)
class FrameReading:
    """What one frame shows: board, dice, whether a hand is in view, and the cube, if it was found."""

    board: BoardReading
    dice: DiceReading
    hand: bool
    cube: CubeReading | None


def read_frame(picture: Picture, calibration: Calibration) -> FrameReading:
    """Gets the reading of a picture (H x W x 3).

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    board = read_board(picture, calibration)
    dice, cube = read_dice_and_cube(picture, calibration, board)
    return FrameReading(board, dice, board.hand, cube)
