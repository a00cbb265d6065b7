"""One frame: everything that is read from it."""

from dataclasses import dataclass

from boardctl.referee.readings import BoardReading, CubeReading, DiceReading, Witness
from boardctl.vision.board import read_board
from boardctl.vision.columns import Picture
from boardctl.vision.dice import read_dice_and_cube
from calibration import Calibration
from calibration.drift import View, relit, view_of


@dataclass(frozen=True, slots=True)
class FrameReading:
    """What one frame shows: board, dice, whether a hand is in view, and the cube, if it was found.

    ``view``: how the camera sees the board against its calibration, where that was looked at. Where the calibration
    does not hold, nothing is read: no place is listed, so that each counts as hidden.
    """

    board: BoardReading
    dice: DiceReading
    hand: bool
    cube: CubeReading | None
    view: View | None = None


def read_frame(picture: Picture, calibration: Calibration) -> FrameReading:
    """Gets the reading of a picture (H x W x 3).

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    calibration.check_size(picture)
    view = view_of(picture, calibration)
    if not view.holds:
        return FrameReading(BoardReading(Witness.CAMERA, ()), DiceReading(()), hand=False, cube=None, view=view)
    board = read_board(relit(picture, view), calibration)
    dice, cube = read_dice_and_cube(picture, calibration, board)
    return FrameReading(board, dice, board.hand, cube, view)
