"""Facts: what a device or a person reported. Never edited, never bent to fit; what the journal keeps.

``at_ms`` is the host's monotonic time in milliseconds since the session began; ``device_ms`` is the device's own
time where it has one.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from boardctl.referee.readings import BoardReading, DiceReading, DieReading, Hand
from boardctl.rules import Place, Seat


class Role(StrEnum):
    """Who speaks at the console or presses a button."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    DIRECTOR = "director"


class Device(StrEnum):
    """The devices whose loss the referee must know of."""

    CAMERA = "camera"
    SENSORS = "sensors"
    PANEL = "panel"


@dataclass(frozen=True, slots=True)
class Text:
    """One entry of the catalogue of texts with its arguments; rendered in the reader's language at the edge."""

    key: str
    arguments: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, key: str, **arguments: object) -> "Text":
        """Gets a text with its arguments written out as strings."""
        return cls(key, tuple((name, str(value)) for name, value in arguments.items()))


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """The board at rest as one witness sees it. ``frame`` names the stored picture, if any."""

    at_ms: int
    reading: BoardReading
    device_ms: int | None = None
    frame: str | None = None
    kind: Literal["board_seen"] = "board_seen"


@dataclass(frozen=True, slots=True)
class CheckerSensed:
    """A sensor under the board told that a checker was lifted off it, or put on it: the board is no longer at rest.

    ``seat`` None: the sensors tell no colours. The order of such facts is the order of what happened, but they are no
    moves: a checker on top of another is not sensed, and what is sensed may be a die.
    """

    at_ms: int
    place: Place
    seat: Seat | None
    lifted: bool
    device_ms: int | None = None
    kind: Literal["checker_sensed"] = "checker_sensed"


@dataclass(frozen=True, slots=True)
class DiceRested:
    """Dice that lie still, after as many steady readings as the ruleset asks."""

    at_ms: int
    reading: DiceReading
    frame: str | None = None
    kind: Literal["dice_rested"] = "dice_rested"


@dataclass(frozen=True, slots=True)
class DiceLifted:
    """Dice that lay at rest are gone: ``left`` of them still lie; ``still`` says which.

    ``covered``: so many of those that are left are not seen, because something hides where they lay.
    """

    at_ms: int
    left: int
    frame: str | None = None
    still: tuple[DieReading, ...] | None = None
    covered: int = 0
    kind: Literal["dice_lifted"] = "dice_lifted"


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand came into the view over the board (``present``) or left it; told again when another joins or leaves it.

    ``hands``: those in the view, each with the side that it comes from, as far as it can be told.
    """

    at_ms: int
    present: bool
    hands: tuple[Hand, ...] = ()
    kind: Literal["hand_seen"] = "hand_seen"


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button on the panel or the board was pressed."""

    at_ms: int
    by: Role
    device_ms: int | None = None
    kind: Literal["button_pressed"] = "button_pressed"


class Choice(StrEnum):
    """What a person may answer to a prompt."""

    ACCEPT = "accept"  # the play stands as made
    REQUIRE = "require"  # a legal play is required
    CONFIRM = "confirm"
    DENY = "deny"
    SET_UP = "set_up"  # take the board as it stands as set up anew
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"  # turn the cube on at once and keep it
    RACCOON = "raccoon"  # the same in answer to a beaver


@dataclass(frozen=True, slots=True)
class Answered:
    """A person answered the prompt with number ``prompt``."""

    at_ms: int
    by: Role
    prompt: int
    choice: Choice
    kind: Literal["answered"] = "answered"


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """A device was lost or came back."""

    at_ms: int
    device: Device
    working: bool
    reason: str = ""
    kind: Literal["device_changed"] = "device_changed"


@dataclass(frozen=True, slots=True)
class PositionDeclared:
    """Someone who may do so declared the board as it stands to be set up anew, and who is to roll.

    ``roller`` None: whoever rolls next, told by the section in which the dice lie.
    """

    at_ms: int
    by: Role | Literal["resync"]
    reading: BoardReading
    roller: Seat | None = None
    kind: Literal["position_declared"] = "position_declared"


class PauseReason(StrEnum):
    """Why a clock may be stopped; other reasons there are none."""

    GAME_START = "game_start"
    CONCESSION = "concession"
    BREAK = "break"
    DIE_OFF_TABLE = "die_off_table"
    CONTEST = "contest"
    DIRECTOR = "director"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class ClockStopped:
    """Somebody stopped the clock, and said why."""

    at_ms: int
    by: Role
    reason: PauseReason
    kind: Literal["clock_stopped"] = "clock_stopped"


@dataclass(frozen=True, slots=True)
class ClockResumed:
    """The clock goes on for the seat whose time was stopped; ``delay_whole``: its delay begins again."""

    at_ms: int
    by: Role
    delay_whole: bool = False
    kind: Literal["clock_resumed"] = "clock_resumed"


@dataclass(frozen=True, slots=True)
class TimeGiven:
    """By a ruling a seat is given time, or time is taken from it (``more_ms`` below 0)."""

    at_ms: int
    by: Role
    seat: Seat
    more_ms: int
    reason: str = ""
    kind: Literal["time_given"] = "time_given"


@dataclass(frozen=True, slots=True)
class FlagCalled:
    """Somebody says that a player's time is up."""

    at_ms: int
    by: Role
    kind: Literal["flag_called"] = "flag_called"


@dataclass(frozen=True, slots=True)
class TimePassed:
    """It is this late; the table says so when a player's time is due to be up."""

    at_ms: int
    kind: Literal["time_passed"] = "time_passed"


@dataclass(frozen=True, slots=True)
class KeptFrame:
    """A picture that lies beside the record: its name there, when it was taken, and the SHA-256 of the file."""

    name: str
    at_ms: int
    sha256: str


@dataclass(frozen=True, slots=True)
class EvidenceKept:
    """Pictures of what was found were stored. ``entry``: the journal's entry in which the finding stands.

    ``lost``: why some could not be stored; empty when all were.
    """

    at_ms: int
    entry: int
    frames: tuple[KeptFrame, ...]
    lost: str = ""
    kind: Literal["evidence_kept"] = "evidence_kept"


@dataclass(frozen=True, slots=True)
class Advised:
    """A coach has something to say to a seat about its turn, the one after ``turns_played`` others.

    ``sources`` and ``targets``: from where to where the best play moves checkers. ``afterwards``: it is about a turn
    that has ended.
    """

    at_ms: int
    seat: Seat
    turns_played: int
    texts: tuple[Text, ...] = ()
    sources: tuple[Place, ...] = ()
    targets: tuple[Place, ...] = ()
    afterwards: bool = False
    kind: Literal["advised"] = "advised"


@dataclass(frozen=True, slots=True)
class AssistanceChosen:
    """A seat's help with its play is chosen anew: the level, 0 to 6, and for how many lifted checkers a turn targets
    are lit; None: for all."""

    at_ms: int
    by: Role
    seat: Seat
    level: int
    lifts: int | None = None
    kind: Literal["assistance_chosen"] = "assistance_chosen"


@dataclass(frozen=True, slots=True)
class Queried:
    """A person asked the referee what it found. Matters where the ruleset lets it speak only when asked."""

    at_ms: int
    by: Role
    kind: Literal["queried"] = "queried"


@dataclass(frozen=True, slots=True)
class Doubled:
    """A seat said by a button or at the page that it doubles."""

    at_ms: int
    by: Role
    kind: Literal["doubled"] = "doubled"


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat offered to lose the game at a level: 1 single, 2 gammon, 3 backgammon, 4 double backgammon."""

    at_ms: int
    by: Role
    level: int = 1
    kind: Literal["resigned"] = "resigned"


class Decision(StrEnum):
    """What a director may decide."""

    ACCEPT = "accept"  # the play stands as made
    REQUIRE = "require"  # the roll is played again, legally
    RESTORE = "restore"  # the position before the roll; its seat rolls again
    SCORE = "score"  # the score is put right
    LENGTH = "length"  # the match is to another length than it was begun with
    CUBE = "cube"  # the cube is put right
    NOTE = "note"  # for the record: seen or heard by people only


@dataclass(frozen=True, slots=True)
class DirectorRuled:
    """A director decided. It supersedes what stood, and never edits it.

    ``name`` is the director's; ``reason`` is why, in his words. ``row``: the row of the adjudication table that it is
    about (:data:`~boardctl.referee.rows.ROWS`), ``seat``: the seat; both as far as he has named them.
    ``score``: the points of each seat, for SCORE. ``length``: the right one, for LENGTH.
    ``cube_value`` and ``cube_owner`` (None: the middle), for CUBE. ``entry``: the journal's entry it is about.
    """

    at_ms: int
    name: str
    decision: Decision
    reason: str
    score: tuple[tuple[Seat, int], ...] = ()
    cube_value: int = 1
    cube_owner: Seat | None = None
    entry: int | None = None
    length: int | None = None
    kind: Literal["director_ruled"] = "director_ruled"
    row: str = ""
    seat: Seat | None = None


Fact = (
    BoardSeen
    | CheckerSensed
    | DiceRested
    | DiceLifted
    | HandSeen
    | ButtonPressed
    | Answered
    | DeviceChanged
    | PositionDeclared
    | Queried
    | ClockStopped
    | ClockResumed
    | TimeGiven
    | FlagCalled
    | TimePassed
    | Advised
    | AssistanceChosen
    | EvidenceKept
    | Doubled
    | Resigned
    | DirectorRuled
)
