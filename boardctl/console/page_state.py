"""What leaves the process for the page: one model of a table at one instant, in words and in millimetres.

Nothing else is sent to a browser but files of the page itself and stored pictures.
"""

from pydantic import BaseModel, ConfigDict


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CheckerDrawn(_Sent):
    """One checker, its middle in mm of the board; ``edge``: it stands on its edge in a tray. ``label``: how many lie
    here, on the topmost of a high stack."""

    x: float
    y: float
    seat: str
    edge: bool = False
    label: str = ""


class DieDrawn(_Sent):
    """One die; ``value`` None: it cannot be read for sure."""

    x: float
    y: float
    angle_deg: float
    value: int | None
    flat: bool


class LampDrawn(_Sent):
    """One light of the board that is lit at any time. ``pattern``: a second in eighths, ``o`` lit and ``.`` dark."""

    x: float
    y: float
    colour: str
    pattern: str
    symbol: str


class SignExplained(_Sent):
    """What a sign of the lights means."""

    symbol: str
    colour: str
    means: str


class CubeDrawn(_Sent):
    """The doubling cube; ``owner`` None: it lies in the middle."""

    value: int
    owner: str | None
    x: float
    y: float


class BoardDrawn(_Sent):
    """What lies on the board, and its lights. ``words``: the same for who cannot see it."""

    checkers: tuple[CheckerDrawn, ...] = ()
    dice: tuple[DieDrawn, ...] = ()
    lamps: tuple[LampDrawn, ...] = ()
    legend: tuple[SignExplained, ...] = ()
    cube: CubeDrawn | None = None
    words: str = ""


class PointDrawn(_Sent):
    """One point of the empty board: its triangle, and where its number is written."""

    number: int
    corners: tuple[tuple[float, float], ...]
    label_y: float


class BoardShape(_Sent):
    """The empty board: half its width and height, its bar and rails, its trays and its points; in mm. With
    ``waiting`` there are trays at the other side, too, for checkers that are still to be entered."""

    half_width: float
    half_height: float
    rail: float
    bar_width: float
    checker_radius: float
    checker_height: float
    die_size: float
    tray_x: float
    tray_width: float
    waiting: bool
    points: tuple[PointDrawn, ...]


class SeatTime(_Sent):
    """The time of a seat as it stood ``age_ms`` before it was sent."""

    seat: str
    reserve_ms: int
    delay_ms: int
    is_up: bool


class ClockSent(_Sent):
    """The clock. ``running``: whose delay and then reserve go down; ``paused``: why it is stopped, in words."""

    sides: tuple[SeatTime, ...]
    running: str | None
    paused: str
    age_ms: int


class SeatScore(_Sent):
    """The points of a seat."""

    seat: str
    points: int


class ChoiceSent(_Sent):
    """One answer that may be given."""

    choice: str
    label: str


class QuestionSent(_Sent):
    """The question that stands, who is asked, and what may be answered. ``number`` None: that is not told."""

    number: int | None
    to: tuple[str, ...]
    text: str
    choices: tuple[ChoiceSent, ...]


class FrameSent(_Sent):
    """A picture stored of a finding, and where the page gets it."""

    name: str
    url: str
    at_s: float


class FindingSent(_Sent):
    """One finding for the director. ``number``: the journal's entry; ``rule``: the ruleset's words about it."""

    number: int
    at_s: float
    certainty: str
    says: tuple[str, ...]
    rule: str
    frames: tuple[FrameSent, ...]
    frames_lost: str
    pack_url: str


class DirectorSent(_Sent):
    """What the director sees besides: the record's last entry and the last findings, the newest first."""

    last_entry: int
    findings: tuple[FindingSent, ...]


class PageState(_Sent):
    """A table at one instant as one audience may see it."""

    audience: str
    phase: str
    on_turn: str | None
    roll: str
    score: tuple[SeatScore, ...]
    match_length: int | None
    cube: str
    clock: ClockSent | None
    question: QuestionSent | None
    advice: str
    said: tuple[str, ...]
    board: BoardDrawn
    director: DirectorSent | None = None


class Done(_Sent):
    """What was asked for stands in the record. ``entry``: its number, for the director; ``said``: what the referee says
    to it."""

    entry: int | None
    said: str


class Refusal(_Sent):
    """What was asked for is not done, and why."""

    why: str
