"""The starting position of backgammon in millimetres."""

from boardctl.rules import Seat
from calibration.geometry import BoardGeometry

STARTING_STACKS: tuple[tuple[int, Seat, int], ...] = (
    (24, Seat.A, 2),
    (13, Seat.A, 5),
    (8, Seat.A, 3),
    (6, Seat.A, 5),
    (1, Seat.B, 2),
    (12, Seat.B, 5),
    (17, Seat.B, 3),
    (19, Seat.B, 5),
)
"""Point as seat A counts it, seat, checkers."""


def starting_checkers(geometry: BoardGeometry) -> list[tuple[Seat, tuple[float, float, float]]]:
    """Gets seat and x, y, z of the middle of the 30 checkers of the starting position, in millimetres."""
    return [
        (seat, geometry.on_point(number, index)) for number, seat, count in STARTING_STACKS for index in range(count)
    ]
