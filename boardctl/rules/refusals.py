"""What every game refuses, in words that quote what it was given and draw the position it was asked about."""

from boardctl.rules.game import Position, Roll


def foreign_position(title: str, position: object) -> ValueError:
    """Gets the refusal of what is not a position of the game called ``title``; its further lines draw it."""
    return ValueError(f"not a position of {title}, but a {type(position).__name__}\n{position}")


def checked_roll(roll: Roll, position: Position) -> Roll:
    """Gets the roll, when both dice show what dice can show.

    :raises ValueError: when one does not; the message quotes the roll and draws the position.
    """
    first, second = roll
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise ValueError(f"roll {first}-{second}: a die shows 1 to 6\n{position}")
    return roll if isinstance(roll, Roll) else Roll(first, second)
