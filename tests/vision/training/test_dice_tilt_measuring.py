"""How often tilts are told, counted."""

import numpy as np

from boardctl.vision.training.dice_tilt_measuring import lines


def test_tilts_are_counted_by_how_far_dice_lean() -> None:
    flat = [(0.0, each / 1000) for each in range(200)]
    leaning = [(9.0, 0.995), (9.0, 0.9), (10.0, 0.1), (10.0, 0.2), (30.0, 1.0)]
    told = lines(np.array(flat + leaning))
    assert told == [
        "0 to 2 degrees, 200 dice: tilted 0 (0.0%), surely 0 (0.0%), flat 200 (100.0%)",
        "8 to 12 degrees, 4 dice: tilted 2 (50.0%), surely 1 (25.0%), flat 2 (50.0%), with 1 % false alarms 75.0%",
        "28 to 90 degrees, 1 dice: tilted 1 (100.0%), surely 1 (100.0%), flat 0 (0.0%), with 1 % false alarms 100.0%",
        "8 to 18 degrees, 4 dice: tilted 2 (50.0%), surely 1 (25.0%), flat 2 (50.0%), with 1 % false alarms 75.0%",
        "8 to 90 degrees, 5 dice: tilted 3 (60.0%), surely 2 (40.0%), flat 2 (40.0%), with 1 % false alarms 80.0%",
    ]
