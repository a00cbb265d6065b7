"""Tables to draw."""

from boardctl.lights import TableView, dice_of_roll
from boardctl.referee.effects import Mark, Phase, Scene, Sign
from boardctl.rules import Placement, Roll, Seat, bar, point, tray

START = Placement(
    {
        point(24): (Seat.A,) * 2,
        point(13): (Seat.A,) * 5,
        point(8): (Seat.A,) * 3,
        point(6): (Seat.A,) * 5,
        point(1): (Seat.B,) * 2,
        point(12): (Seat.B,) * 5,
        point(17): (Seat.B,) * 3,
        point(19): (Seat.B,) * 5,
    }
)
"""The starting position."""

HINTS = Scene((Mark(Sign.TURN, None, Seat.A), Mark(Sign.SOURCE, point(8)), Mark(Sign.TARGET, point(5))))

PLAYED = TableView(
    placement=START.replaced({bar(Seat.B): (Seat.B,), tray(Seat.A): (Seat.A,) * 3, point(6): (Seat.A,) * 7}),
    scene=HINTS,
    phase=Phase.MOVE,
    on_turn=Seat.A,
    roll=Roll(3, 1),
    dice=dice_of_roll(Roll(3, 1), Seat.A),
    judgement="B 6-2: 24/18 13/11, legal",
    score=((Seat.A, 2), (Seat.B, 1)),
    match_length=5,
)
