"""Facts: what a device or a person reported. Never edited, never bent to fit; what the journal keeps.

``at_ms`` is the host's monotonic time in milliseconds since the session began; ``device_ms`` is the device's own
time where it has one.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from boardctl.referee.readings import BoardReading, DiceReading
from boardctl.rules import Seat


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
class BoardSeen:
    """The board at rest as one witness sees it. ``frame`` names the stored picture, if any."""

    at_ms: int
    reading: BoardReading
    device_ms: int | None = None
    frame: str | None = None
    kind: Literal["board_seen"] = "board_seen"


@dataclass(frozen=True, slots=True)
class DiceRested:
    """Dice that lie still, after as many steady readings as the ruleset asks."""

    at_ms: int
    reading: DiceReading
    frame: str | None = None
    kind: Literal["dice_rested"] = "dice_rested"


@dataclass(frozen=True, slots=True)
class DiceLifted:
    """Dice that lay at rest are gone: ``left`` of them still lie."""

    at_ms: int
    left: int
    frame: str | None = None
    kind: Literal["dice_lifted"] = "dice_lifted"


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand came into the view over the board (``present``) or left it."""

    at_ms: int
    present: bool
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


@dataclass(frozen=True, slots=True)
class Queried:
    """A person asked the referee what it found. Matters where the ruleset lets it speak only when asked."""

    at_ms: int
    by: Role
    kind: Literal["queried"] = "queried"


Fact = (
    BoardSeen
    | DiceRested
    | DiceLifted
    | HandSeen
    | ButtonPressed
    | Answered
    | DeviceChanged
    | PositionDeclared
    | Queried
)
