"""The single physical acts of which a game at a board is made, and how long each takes."""

from dataclasses import dataclass
from enum import StrEnum

from boardctl.referee.facts import Choice, Device, Role
from boardctl.rules import Seat
from boardctl.virtual.truth import TruthItem
from boardctl.virtual.world import World


class ActKind(StrEnum):
    """What is done."""

    REST = "rest"  # nothing: the table lies still
    SET_UP = "set_up"
    TUMBLE = "tumble"  # dice in the air or rolling
    DICE_REST = "dice_rest"
    DICE_LIFTED = "dice_lifted"
    REACH = "reach"  # a hand comes in, or moves on with what it holds
    WITHDRAW = "withdraw"
    LIFT = "lift"
    PUT = "put"
    THINK = "think"
    PRESS = "press"
    ANSWER = "answer"
    DOUBLE = "double"
    DEVICE = "device"  # one is lost, or comes back


@dataclass(frozen=True, slots=True)
class Act:
    """One act: the world once it is done and how long that takes.

    ``truth``: what is true from now on about a throw or a turn. ``press`` and ``answer`` (prompt number, choice) are
    made by ``by``, who doubles where ``doubles`` says so. ``device``: one that is lost (False) or back with this act.
    """

    kind: ActKind
    world: World
    seat: Seat | None
    takes_ms: int
    frames: int
    truth: TruthItem | None = None
    by: Role | None = None
    answer: tuple[int, Choice] | None = None
    doubles: bool = False
    device: tuple[Device, bool] | None = None


@dataclass(frozen=True, slots=True)
class Pace:
    """How long acts take in the virtual clock, and of what there are frames.

    In real time (``frame_ms`` set) there is a frame every ``frame_ms``, whatever happens. Otherwise (None) time jumps:
    ``rest_frames`` frames, ``rest_ms`` apart, of a table that came to rest, ``tumble_steps`` of tumbling dice, and of a
    play's hands the first one only, ``hand_frames`` times.
    """

    frame_ms: int | None = None
    rest_frames: int = 3
    rest_ms: int = 320
    tumble_ms: int = 120
    tumble_steps: int = 1
    hand_ms: int = 150
    hand_steps: int = 0
    hand_frames: int = 1
    think_ms: int = 1500


FAST = Pace()
"""Nobody waits: only the instants at which something is to be seen. Three rest frames are the fewest that settle dice;
at 320 ms from one to the next any two that read the same settle a board."""

REAL_TIME = Pace(frame_ms=100, rest_ms=250, tumble_ms=90, tumble_steps=5, hand_ms=80, hand_steps=4, think_ms=2500)
"""As at a real table, ten frames a second."""
