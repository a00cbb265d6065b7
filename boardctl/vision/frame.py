"""One frame: everything that is read from it; and the eyes that read one after the other."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from boardctl.referee.readings import BoardReading, DiceReading, Witness
from boardctl.vision.board import read_board
from boardctl.vision.columns import Picture
from boardctl.vision.dice import read_dice
from boardctl.vision.dice_size import DieSize
from calibration import Calibration
from calibration.drift import View, relit, view_of


@dataclass(frozen=True, slots=True)
class FrameReading:
    """What one frame shows: board with the cube, dice, and whether a hand is in view.

    ``view``: how the camera sees the board against its calibration, where that was looked at. Where the calibration
    does not hold, nothing is read: no place is listed, so that each counts as hidden.
    ``die_size`` is what this frame and those before it tell of the size of the dice.
    """

    board: BoardReading
    dice: DiceReading
    hand: bool
    view: View | None = None
    die_size: DieSize | None = None


def read_frame(picture: Picture, calibration: Calibration, die_size: DieSize | None = None) -> FrameReading:
    """Gets the reading of a picture (H x W x 3). ``die_size`` is what earlier frames told of the size of the dice.

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    calibration.check_size(picture)
    view = view_of(picture, calibration)
    if not view.holds:
        nothing = BoardReading(Witness.CAMERA, ())
        return FrameReading(nothing, DiceReading(()), hand=False, view=view, die_size=die_size)
    board = read_board(relit(picture, view), calibration)
    found = read_dice(picture, calibration, board, die_size)
    return FrameReading(replace(board, cube=found.cube), DiceReading(found.dice), board.hand, view, found.size)


Read = Callable[[Picture, Calibration, DieSize | None], FrameReading]
"""What reads one picture, told of the size of the dice what is known."""


class FrameReader:
    """Reads the frames of one camera one after the other, and learns from them how large the dice are."""

    def __init__(self, calibration: Calibration, read: Read | None = None) -> None:
        self._calibration = calibration
        self._read = read or read_frame
        self._die_size: DieSize | None = None

    def read(self, picture: Picture) -> FrameReading:
        """Gets the reading of the next picture (H x W x 3).

        :raises CalibrationError: when the picture has not the size that was calibrated.
        """
        reading = self._read(picture, self._calibration, self._die_size)
        self._die_size = reading.die_size
        return reading
