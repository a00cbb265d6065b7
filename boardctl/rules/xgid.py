"""XGIDs, such as ``XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10``: one situation as eXtreme Gammon writes it.

The 26 characters are the upper player's bar, points 1 to 24 as the lower player counts them, and the lower player's
bar: ``A`` to ``O`` for one to fifteen checkers of the lower player, ``a`` to ``o`` for the upper one. Then, between
colons: the cube as a power of two; its owner (1 the lower player, 0 nobody, -1 the upper one); who is on roll (1 or
-1); the dice, ``00`` before rolling, ``D``, ``B`` or ``R`` when a double, beaver or raccoon waits; the scores of the
lower and the upper player; in a match 1 for the Crawford game, in a session 1 for Jacoby plus 2 for beavers; the match
length; the largest cube as a power of two.
"""

import re

from boardctl.rules.backgammon_position import CHECKERS, BackgammonPosition
from boardctl.rules.board import Seat
from boardctl.rules.cube import Cube, OfferKind
from boardctl.rules.game import Roll
from boardctl.rules.situation import IdentifierError, Situation, Stage, quoted

_LARGEST_CUBE = 10  # what eXtreme Gammon writes for a cube without a limit
_SIDE = {Seat.A: 1, None: 0, Seat.B: -1}
_SEAT = {side: seat for seat, side in _SIDE.items()}
_OFFERS = {OfferKind.DOUBLE: "D", OfferKind.BEAVER: "B", OfferKind.RACCOON: "R"}
_XGID = re.compile(
    r"^(?:XGID=)?(?P<board>[-A-Oa-o]{26}):(?P<cube>[0-9]{1,2}):(?P<owner>-1|0|1):(?P<turn>-1|1):(?P<dice>[1-6]{2}|00|[DBR])"
    r":(?P<score_a>[0-9]{1,5}):(?P<score_b>[0-9]{1,5}):(?P<flags>[0-3]):(?P<length>[0-9]{1,5}):(?P<largest>[0-9]{1,2})$"
)


def write_xgid(situation: Situation) -> str:
    """Gets the XGID of a situation.

    :raises IdentifierError: when the game is not being played, or a resignation waits: an XGID cannot say that.
    """
    if situation.stage is not Stage.PLAYING or situation.resignation is not None:
        raise IdentifierError("an XGID can say neither that a game is over nor that it is being resigned")
    cube = situation.cube
    if cube.offer is not None:
        dice = _OFFERS[cube.offer.kind]
    else:
        dice = "00" if situation.roll is None else f"{situation.roll.first}{situation.roll.second}"
    flags = int(situation.crawford) if situation.length else situation.jacoby + 2 * situation.beavers
    fields = (
        "".join(_letter(count) for count in situation.position.to_mover_view(Seat.A)),
        cube.value.bit_length() - 1,
        _SIDE[cube.owner],
        _SIDE[situation.seat],
        dice,
        *situation.score,
        flags,
        situation.length,
        _LARGEST_CUBE,
    )
    return "XGID=" + ":".join(str(field) for field in fields)


def read_xgid(text: str) -> Situation:
    """Gets the situation of an XGID. The cube's history before (automatic doubles, offers) is taken to be empty.

    :raises IdentifierError: when the text is none, or its position is impossible.
    """
    found = _XGID.match(text.strip())
    if found is None:
        raise IdentifierError(f"{quoted(text)} is no XGID; expected such as XGID=<26 places>:0:0:1:00:0:0:0:0:10")
    try:
        position = BackgammonPosition.from_mover_view([_count(letter) for letter in found["board"]], Seat.A)
    except ValueError as error:
        raise IdentifierError(f"{quoted(text)}: {error}") from None
    seat = _SEAT[int(found["turn"])]
    assert seat is not None
    cube = Cube(1 << int(found["cube"]), _SEAT[int(found["owner"])])
    if found["dice"] in _OFFERS.values():
        if not cube.may_be_turned_by(seat):
            raise IdentifierError(f"{quoted(text)}: {seat.value} doubles, but {seat.other.value} owns the cube")
        cube = cube.double(seat)
        for _ in range("DBR".index(found["dice"])):
            cube = cube.redouble_at_once()
    length, flags = int(found["length"]), int(found["flags"])
    return Situation(
        position,
        seat,
        roll=Roll(*map(int, found["dice"])) if found["dice"] not in ("00", "D", "B", "R") else None,
        cube=cube,
        length=length,
        score=(int(found["score_a"]), int(found["score_b"])),
        crawford=bool(length) and bool(flags & 1),
        jacoby=not length and bool(flags & 1),
        beavers=not length and bool(flags & 2),
    )


def _letter(count: int) -> str:
    if not count:
        return "-"
    return chr(ord("A") - 1 + count) if count > 0 else chr(ord("a") - 1 - count)


def _count(letter: str) -> int:
    if letter == "-":
        return 0
    count = ord(letter.upper()) - ord("A") + 1
    assert count <= CHECKERS
    return count if letter.isupper() else -count
