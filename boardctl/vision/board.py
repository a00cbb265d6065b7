"""The board in one picture: what lies on each point, on the bar and in the trays, and how sure that is."""

from dataclasses import dataclass

from boardctl.referee.readings import BoardReading, Witness
from boardctl.vision.points.columns import Picture
from boardctl.vision.points.reading import PointsSeen, read_points_and_bar
from boardctl.vision.trays.reading import TraysSeen, see_trays
from calibration import Calibration


@dataclass(frozen=True)
class BoardSeen:
    """A board as it was read, and what it was read from: what has not changed in the next frame is not read anew."""

    points: PointsSeen
    trays: TraysSeen

    @property
    def reading(self) -> BoardReading:
        """What the camera sees on the board."""
        places = (*self.points.places, *self.trays.readings)
        return BoardReading(Witness.CAMERA, places, self.points.hand, hands=self.points.hands)


def read_board(picture: Picture, calibration: Calibration) -> BoardReading:
    """Gets what the camera sees on the board in a picture (H x W x 3).

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    return see_board(picture, calibration).reading


def see_board(picture: Picture, calibration: Calibration, before: BoardSeen | None = None) -> BoardSeen:
    """Gets the board in a picture (H x W x 3), told what was seen in the picture before.

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    calibration.check_size(picture)
    points = read_points_and_bar(picture, calibration, None if before is None else before.points)
    return BoardSeen(points, see_trays(picture, calibration, None if before is None else before.trays))
