"""Position IDs, such as ``4HPwATDgc/ABMA``: where the checkers are, in fourteen characters.

The format is that of GNU Backgammon (its manual, "A technical description of the Position ID"): first the seat that is
not on roll, then the one that is, each from its own point 1 to its bar; as many ones as checkers, then a zero; the bits
fill ten bytes from their lowest bit, and these are written in Base64. Checkers that are missing are borne off.
"""

import base64

from boardctl.rules.backgammon_position import BAR_BYTE, CHECKERS, SIDE_BYTES, BackgammonPosition
from boardctl.rules.board import Seat
from boardctl.rules.situation import IdentifierError, quoted

_BYTES = 10
_CHARACTERS = 14
_PADDING = "=="  # what Base64 needs and the ID leaves out


def write_position_id(position: BackgammonPosition, on_roll: Seat) -> str:
    """Gets the Position ID of a position with ``on_roll`` on roll."""
    bits = 0
    at = 0
    for seat in (on_roll.other, on_roll):
        for count in position.counts(seat)[1 : BAR_BYTE + 1]:
            bits |= (1 << count) - 1 << at
            at += count + 1
    return base64.b64encode(bits.to_bytes(_BYTES, "little")).decode("ascii")[:_CHARACTERS]


def read_position_id(text: str, on_roll: Seat) -> BackgammonPosition:
    """Gets the position of a Position ID that was written with ``on_roll`` on roll.

    :raises IdentifierError: when the text is none.
    """
    if len(text) != _CHARACTERS:
        raise IdentifierError(f"Position ID {quoted(text)} has {len(text)} characters, not {_CHARACTERS}")
    try:
        bits = int.from_bytes(base64.b64decode(text + _PADDING, validate=True), "little")
    except ValueError as error:  # of binascii, or for characters that are not ASCII
        raise IdentifierError(f"Position ID {quoted(text)}: {error}") from None
    sides = []
    for seat in (on_roll.other, on_roll):
        counts = [0] * SIDE_BYTES
        for index in range(1, BAR_BYTE + 1):
            while bits & 1 and counts[index] <= CHECKERS:
                counts[index] += 1
                bits >>= 1
            bits >>= 1
        counts[0] = CHECKERS - sum(counts)
        if counts[0] < 0:
            raise IdentifierError(f"Position ID {quoted(text)} gives seat {seat.value} more than {CHECKERS} checkers")
        sides.append(int.from_bytes(bytes(counts), "little"))
    if bits:
        raise IdentifierError(f"Position ID {quoted(text)} goes on behind the last place")
    position = BackgammonPosition.of_sides(sides[1], sides[0], on_roll)
    try:
        return BackgammonPosition.of(position.placement())
    except ValueError as error:
        raise IdentifierError(f"Position ID {quoted(text)}: {error}") from None
