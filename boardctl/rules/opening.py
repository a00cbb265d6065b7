"""Opening dice: one die of each seat decides who starts."""

from collections.abc import Mapping

from boardctl.rules.board import Seat
from boardctl.rules.game import Opening, Roll


def opening_of_two(dice: Mapping[Seat, int], seats: tuple[Seat, ...]) -> Opening:
    """Gets what one die of each of two seats decides where the opening dice are the first roll.

    :raises ValueError: when a seat's die is missing or is not 1 to 6.
    """
    check_dice(dice, seats)
    first, second = seats
    roll = Roll(dice[first], dice[second])
    if roll.is_double:
        return Opening(None, None, seats)
    return Opening(first if roll.first > roll.second else second, roll)


def check_dice(dice: Mapping[Seat, int], seats: tuple[Seat, ...]) -> None:
    """Checks that there is one die of each seat.

    :raises ValueError: when a die is missing, one too many or not 1 to 6.
    """
    shown = {seat.value: value for seat, value in dice.items()}
    if set(dice) != set(seats):
        raise ValueError(f"opening dice {shown}: one die of each of {', '.join(seat.value for seat in seats)} decides")
    if not all(1 <= value <= 6 for value in dice.values()):
        raise ValueError(f"opening dice {shown}: a die shows 1 to 6")
