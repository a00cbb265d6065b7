"""Match IDs, such as ``cAkAAAAAAAAE``: score, cube, dice and whose turn it is, in twelve characters.

The format is that of GNU Backgammon (its manual, "A technical description of the Match ID"): fields of fixed width,
lowest bit first, in nine bytes that are written in Base64. The bit behind the scores is set when Jacoby is not played.
"""

import base64
from dataclasses import replace
from typing import NamedTuple

from boardctl.rules.backgammon_position import BackgammonPosition
from boardctl.rules.board import Seat
from boardctl.rules.cube import Cube, OfferKind
from boardctl.rules.game import Roll, WinKind
from boardctl.rules.position_id import read_position_id
from boardctl.rules.situation import IdentifierError, Situation, Stage, quoted

_BYTES = 9
_CHARACTERS = 12
_CENTRED = 3
_PLAYERS = (Seat.B, Seat.A)  # by the number they have in the ID: A, the lower player, is player 1
_RESIGNED = (None, WinKind.SINGLE, WinKind.GAMMON, WinKind.BACKGAMMON)


class _Field(NamedTuple):
    name: str
    bits: int


_FIELDS = (
    _Field("cube", 4),
    _Field("owner", 2),
    _Field("on_roll", 1),
    _Field("crawford", 1),
    _Field("stage", 3),
    _Field("decides", 1),
    _Field("doubled", 1),
    _Field("resigned", 2),
    _Field("first_die", 3),
    _Field("second_die", 3),
    _Field("length", 15),
    _Field("score_0", 15),
    _Field("score_1", 15),
    _Field("no_jacoby", 1),
)
_USED_BITS = sum(field.bits for field in _FIELDS)


def write_match_id(situation: Situation) -> str:
    """Gets the Match ID of a situation. It cannot say whether beavers are played, nor where the checkers are.

    While a beaver or a raccoon waits, the cube in the ID is the one that was offered before, and belongs to the taker.

    :raises IdentifierError: when a number is too large for its field.
    """
    cube, offer = situation.cube, situation.cube.offer
    value, owner = cube.value, cube.owner
    if offer is not None and offer.kind is not OfferKind.DOUBLE:
        value, owner = offer.value // 2, offer.taker
    if situation.resignation is WinKind.DOUBLE_BACKGAMMON:
        raise IdentifierError("a Match ID cannot say that four times the stake is resigned")
    roll = situation.roll or Roll(0, 0)
    values = {
        "cube": value.bit_length() - 1,
        "owner": _CENTRED if owner is None else _PLAYERS.index(owner),
        "on_roll": _PLAYERS.index(situation.seat),
        "crawford": int(situation.crawford),
        "stage": situation.stage.value,
        "decides": _PLAYERS.index(situation.decides),
        "doubled": int(offer is not None),
        "resigned": _RESIGNED.index(situation.resignation),
        "first_die": max(roll),  # as GNU Backgammon writes it, so that one situation has one ID
        "second_die": min(roll),
        "length": situation.length,
        "score_0": situation.score[1],
        "score_1": situation.score[0],
        "no_jacoby": int(not situation.jacoby),
    }
    bits = at = 0
    for field in _FIELDS:
        value = values[field.name]
        if value >> field.bits:
            raise IdentifierError(f"{field.name} {value} is too large for a Match ID")
        bits |= value << at
        at += field.bits
    return base64.b64encode(bits.to_bytes(_BYTES, "little")).decode("ascii")


def read_match_id(text: str, position: BackgammonPosition) -> Situation:
    """Gets the situation of a Match ID with the checkers as in ``position``.

    The cube's history before (automatic doubles, offers) is not in the ID and taken to be empty.

    :raises IdentifierError: when the text is none.
    """
    values = _values(text)
    for die in ("first_die", "second_die"):
        if values[die] > 6:
            raise IdentifierError(f"Match ID {quoted(text)}: a die shows {values[die]}")
    if values["stage"] > max(Stage) or values["owner"] == 2 or bool(values["first_die"]) != bool(values["second_die"]):
        raise IdentifierError(f"Match ID {quoted(text)} says what cannot be")
    seat = _PLAYERS[values["on_roll"]]
    owner = None if values["owner"] == _CENTRED else _PLAYERS[values["owner"]]
    cube = Cube(1 << values["cube"], owner)
    if values["doubled"]:
        offered = _offered(cube, seat, _PLAYERS[values["decides"]])
        if offered is None:
            raise IdentifierError(f"Match ID {quoted(text)}: nobody can have offered a cube like that")
        cube = offered
    situation = Situation(
        position,
        seat,
        roll=Roll(values["first_die"], values["second_die"]) if values["first_die"] else None,
        cube=cube,
        length=values["length"],
        score=(values["score_1"], values["score_0"]),
        crawford=bool(values["crawford"]),
        jacoby=not values["no_jacoby"],
        stage=Stage(values["stage"]),
        resignation=_RESIGNED[values["resigned"]],
        beaver_dropped=values["stage"] == Stage.DROPPED and values["decides"] == values["on_roll"],
    )
    if situation.stage is Stage.PLAYING and situation.decides is not _PLAYERS[values["decides"]]:
        raise IdentifierError(f"Match ID {quoted(text)}: {situation.decides.other.value} cannot have to decide there")
    return situation


def _offered(cube: Cube, doubler: Seat, answers: Seat) -> Cube | None:
    """Gets the cube with the offer that waits: a double, or the beaver or raccoon after it; None when none can."""
    if cube.owner is not doubler.other:
        return cube.double(doubler)
    turns = 1 if answers is doubler else 2
    if cube.value >> turns == 0:
        return None
    offered = Cube(cube.value >> turns).double(doubler)
    for _ in range(turns):
        offered = offered.redouble_at_once()
    return offered


def read_position_and_match_id(text: str) -> Situation:
    """Gets the situation of a Position ID and a Match ID with a colon between them, as GNU Backgammon prints them.

    :raises IdentifierError: when the text is none.
    """
    position_id, _, match_id = text.strip().partition(":")
    situation = read_match_id(match_id, BackgammonPosition.start())
    return replace(situation, position=read_position_id(position_id, situation.seat))


def _values(text: str) -> dict[str, int]:
    if len(text) != _CHARACTERS:
        raise IdentifierError(f"Match ID {quoted(text)} has {len(text)} characters, not {_CHARACTERS}")
    try:
        bits = int.from_bytes(base64.b64decode(text, validate=True), "little")
    except ValueError as error:  # of binascii, or for characters that are not ASCII
        raise IdentifierError(f"Match ID {quoted(text)}: {error}") from None
    if bits >> _USED_BITS:
        raise IdentifierError(f"Match ID {quoted(text)} goes on behind the last field")
    values = {}
    for field in _FIELDS:
        values[field.name] = bits & (1 << field.bits) - 1
        bits >>= field.bits
    return values
