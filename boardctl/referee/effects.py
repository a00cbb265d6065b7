"""Effects: what the referee answers to a fact. Lights, sounds, prompts and record entries; devices carry them out."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from boardctl.referee.facts import Choice, PauseReason, Role
from boardctl.referee.facts import Text as Text
from boardctl.rules import Place, Placement, Roll, Seat


class Phase(StrEnum):
    """Where a game stands."""

    SETUP = "setup"
    OPENING = "opening"
    CUBE = "cube"
    ROLL = "roll"
    MOVE = "move"
    CONFIRM = "confirm"
    HOLD = "hold"
    REPAIR = "repair"
    GAME_OVER = "game_over"
    MATCH_OVER = "match_over"


class Certainty(StrEnum):
    """How far a finding is vouched for. Only CERTAIN speaks by itself."""

    CERTAIN = "certain"
    PROBABLE = "probable"
    AMBIGUOUS = "ambiguous"
    BLIND = "blind"


class Sign(StrEnum):
    """What a mark of light says. How each looks is written in ``config/lights.yaml``."""

    SOURCE = "source"
    TARGET = "target"
    PROBLEM = "problem"
    MISSING = "missing"
    EXTRA = "extra"
    TURN = "turn"
    REROLL = "reroll"
    UNCLEAR = "unclear"
    READY = "ready"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Mark:
    """One sign at one place; a place of None is the dice zone of ``seat`` (None: both zones)."""

    sign: Sign
    place: Place | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything the lights say from now on; it replaces the scene before."""

    marks: tuple[Mark, ...]
    kind: Literal["scene"] = "scene"


@dataclass(frozen=True, slots=True)
class Cue:
    """A short sound: ``ok``, ``problem``, ``reroll``, ``ask`` or ``over``."""

    sound: Literal["ok", "problem", "reroll", "ask", "over"]
    kind: Literal["cue"] = "cue"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question to some people, with the answers they may give; ``number`` goes into :class:`Answered`."""

    number: int
    to: tuple[Role, ...]
    text: Text
    choices: tuple[Choice, ...]
    kind: Literal["prompt"] = "prompt"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something said without a question, to everybody or only to the people in ``to``."""

    text: Text
    kind: Literal["notice"] = "notice"
    to: tuple[Role, ...] = ()


@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """The referee entered a phase; ``seat`` is on turn, if any."""

    phase: Phase
    seat: Seat | None
    kind: Literal["phase_changed"] = "phase_changed"


@dataclass(frozen=True, slots=True)
class RollRead:
    """A roll was read. ``valid`` False: it must be rolled again, for the reasons given.

    ``announced`` False: for the record and the director only.
    """

    seat: Seat | None
    roll: Roll | None
    valid: bool
    certainty: Certainty
    reasons: tuple[Text, ...] = ()
    kind: Literal["roll_read"] = "roll_read"
    announced: bool = True


class PlayFault(StrEnum):
    """What is wrong with a play, by name."""

    WRONG_PIPS = "wrong_pips"
    NUMBER_NOT_USED = "number_not_used"
    LOWER_NUMBER_USED = "lower_number_used"
    ENTRY_MISSED = "entry_missed"
    BAR_IGNORED = "bar_ignored"
    BLOCKED_POINT = "blocked_point"
    TRAPPED_CHECKER_MOVED = "trapped_checker_moved"
    HIT_CHECKER_LEFT = "hit_checker_left"
    HIT_CHECKER_IN_TRAY = "hit_checker_in_tray"
    OWN_CHECKER_ON_BAR = "own_checker_on_bar"
    MOVED_BACKWARDS = "moved_backwards"
    OPPONENT_CHECKER_MOVED = "opponent_checker_moved"
    EARLY_BEAR_OFF = "early_bear_off"
    EXCESS_BEAR_OFF = "excess_bear_off"
    CHECKER_VANISHED = "checker_vanished"
    CHECKER_EXTRA = "checker_extra"
    PLAYED_WITHOUT_ROLLING = "played_without_rolling"
    PLAYED_OPPONENTS_ROLL = "played_opponents_roll"
    AMBIGUOUS_PLACEMENT = "ambiguous_placement"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about a play: its faults by name, explained, with the places and what would have been legal."""

    faults: tuple[PlayFault, ...]
    certainty: Certainty
    explanation: tuple[Text, ...]
    places: tuple[Place, ...]
    legal_examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnJudged:
    """A turn ended and was judged. ``play`` is the play in standard notation when it is legal.

    ``announced`` False: for the record and the director only.
    """

    seat: Seat
    roll: Roll
    play: str | None
    legal: bool | None  # None: it cannot be told
    certainty: Certainty
    before: Placement
    after: Placement | None
    finding: Finding | None = None
    kind: Literal["turn_judged"] = "turn_judged"
    announced: bool = True


Ruling = Literal[
    "accepted", "must_replay", "condoned", "set_up", "restored", "score_set", "length_set", "cube_set", "noted"
]


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling came into force, by whom. ``restored``: the position before the roll, which its seat rolls anew;
    ``score_set``, ``length_set`` and ``cube_set``: put right by a director, with what the score and the match's length
    are from now on; ``noted``: for the record alone. ``reason`` is a director's, in his words, and ``row`` the row of
    the adjudication table that he named.
    """

    ruling: Ruling
    by: str
    seat: Seat | None
    kind: Literal["ruled"] = "ruled"
    reason: str = ""
    row: str = ""
    score: tuple[tuple[Seat, int], ...] = ()
    length: int | None = None


CubeStep = Literal["double", "beaver", "raccoon", "take", "drop", "automatic", "withdrawn"]


@dataclass(frozen=True, slots=True)
class CubeTurned:
    """The doubling cube was offered, taken or dropped, or turned by equal opening dice (``by`` None).

    ``value`` and ``owner`` (None: the middle) are the cube's from now on; an offer leaves them as they are until it is
    answered. ``offered`` is its value once the offer is taken.
    """

    step: CubeStep
    by: Seat | None
    value: int
    owner: Seat | None
    certainty: Certainty = Certainty.CERTAIN
    offered: int | None = None
    kind: Literal["cube_turned"] = "cube_turned"


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game was won or tied; ``points`` are what each seat scores."""

    winner: Seat | None
    points: tuple[tuple[Seat, int], ...]
    win_kind: str
    kind: Literal["game_ended"] = "game_ended"
    ended_by: str = "borne_off"
    certainty: Certainty = Certainty.CERTAIN  # PROBABLE where the board that it rests on was not seen for sure


@dataclass(frozen=True, slots=True)
class ClockSide:
    """What the clock shows for one seat."""

    seat: Seat
    reserve_ms: int
    delay_ms: int
    flagged: bool
    overtimes_used: int = 0


@dataclass(frozen=True, slots=True)
class ClockShown:
    """How the clock stands at ``at_ms``; from there on the delay of ``running`` goes down, then its reserve.

    ``paused``: why it is stopped; None while it runs and before it was ever started.
    """

    at_ms: int
    running: Seat | None
    paused: PauseReason | None
    sides: tuple[ClockSide, ...]
    kind: Literal["clock_shown"] = "clock_shown"


@dataclass(frozen=True, slots=True)
class MatchLost:
    """A match is lost otherwise than by play: on time."""

    seat: Seat
    winner: Seat
    reason: Literal["time"]
    kind: Literal["match_lost"] = "match_lost"


Effect = (
    Scene
    | Cue
    | Prompt
    | Notice
    | PhaseChanged
    | RollRead
    | TurnJudged
    | Ruled
    | CubeTurned
    | GameEnded
    | ClockShown
    | MatchLost
)
