"""How SGF calls players and points: W and B; ``a`` to ``x`` as W counts the points, ``y`` the bar, ``z`` off."""

from boardctl.rules import Seat
from boardctl.rules.backgammon_position import BAR_BYTE, TRAY_BYTE

COLOURS = {Seat.A: "W", Seat.B: "B"}

_BAR, _OFF = "y", "z"
_BEFORE_A = ord("a") - 1


def letter(at: int, seat: Seat) -> str:
    """Gets the letter of a place in the own count of ``seat``: 25 is the bar, 0 the tray."""
    if at == BAR_BYTE:
        return _BAR
    if at == TRAY_BYTE:
        return _OFF
    return chr(_BEFORE_A + (at if seat is Seat.A else BAR_BYTE - at))


def notation(pairs: str, seat: Seat) -> str:
    """Gets pairs of letters as a play in standard notation.

    :raises ValueError: when a letter has no partner or names no place.
    """
    if len(pairs) % 2:
        raise ValueError(f"{pairs!r} is no row of pairs of letters")
    names = [_name(each, seat) for each in pairs]
    return " ".join(f"{source}/{target}" for source, target in zip(names[::2], names[1::2], strict=True))


def _name(each: str, seat: Seat) -> str:
    if each == _BAR:
        return "bar"
    if each == _OFF:
        return "off"
    if not "a" <= each <= "x":
        raise ValueError(f"{each!r} names no place")
    number = ord(each) - _BEFORE_A
    return str(number if seat is Seat.A else BAR_BYTE - number)
