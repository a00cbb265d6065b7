"""What a browser may ask for, as it comes in: every field checked before anything is done with it."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

from boardctl.referee.assistance import Level
from boardctl.referee.facts import Choice, Decision, PauseReason
from boardctl.referee.rows import ROWS
from boardctl.rules import Seat

_PLAIN = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60, pattern=_PLAIN)]
Reason = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500, pattern=_PLAIN)]
StatedReason = Annotated[Reason, StringConstraints(min_length=1)]


def _known_row(row: str) -> str:
    if row not in ROWS:
        raise ValueError(f"no row is called {row!r}: they are D1 to R9, as the page lists them")
    return row


Row = Annotated[str, StringConstraints(max_length=3), AfterValidator(_known_row)]

MOST_MS = 24 * 3600 * 1000


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Double(_Asked):
    """A seat doubles."""

    do: Literal["double"]
    seat: Seat


class Resign(_Asked):
    """A seat offers to lose at a level."""

    do: Literal["resign"]
    seat: Seat
    level: Annotated[int, Field(ge=1, le=4)] = 1


class Answer(_Asked):
    """The question that stands is answered, by a seat or by the director (``seat`` None). ``prompt``: its number, or
    ``offer``: what it must be about, for a button that stands there before anything is asked."""

    do: Literal["answer"]
    choice: Choice
    seat: Seat | None = None
    prompt: int | None = None
    offer: Literal["double", "resign"] | None = None


class Press(_Asked):
    """A seat presses its button: it is ready, and its time ends."""

    do: Literal["press"]
    seat: Seat


class Query(_Asked):
    """Somebody asks what was found about the turn that has ended."""

    do: Literal["query"]
    seat: Seat | None = None


class Assist(_Asked):
    """A seat wants other help with its play; ``lifts`` None: targets for every checker that is lifted."""

    do: Literal["assist"]
    seat: Seat
    level: Annotated[int, Field(ge=0, le=max(Level))]
    lifts: Annotated[int, Field(ge=0, le=99)] | None = None


class CallFlag(_Asked):
    """Somebody says that a player's time is up."""

    do: Literal["call_flag"]
    seat: Seat | None = None


class StopClock(_Asked):
    """Somebody stops the clock."""

    do: Literal["stop_clock"]
    reason: PauseReason
    seat: Seat | None = None


class ResumeClock(_Asked):
    """Somebody lets the clock go on."""

    do: Literal["resume_clock"]
    seat: Seat | None = None
    delay_whole: bool = False


class GiveTime(_Asked):
    """The director gives a seat time, or takes it (below 0)."""

    do: Literal["give_time"]
    seat: Seat
    seconds: Annotated[int, Field(ge=-MOST_MS // 1000, le=MOST_MS // 1000)]
    reason: StatedReason


class Rule(_Asked):
    """The director decides, or enters what only people saw. ``entry``: the journal's entry, ``row`` the row of the
    adjudication table, ``about`` the seat that it is about."""

    do: Literal["rule"]
    decision: Decision
    name: Name
    reason: StatedReason
    entry: Annotated[int, Field(ge=1, le=2**53)] | None = None
    score: dict[Seat, Annotated[int, Field(ge=0, le=999)]] = {}
    length: Annotated[int, Field(ge=1, le=99)] | None = None
    cube_value: Annotated[int, Field(ge=1, le=1024)] = 1
    cube_owner: Seat | None = None
    row: Row | None = None
    about: Seat | None = None


class Declare(_Asked):
    """The director takes the board as it stands to be set up anew. ``roller`` None: the dice tell who rolls."""

    do: Literal["declare"]
    roller: Seat | None = None


Ask = Double | Resign | Answer | Press | Query | Assist | CallFlag | StopClock | ResumeClock | GiveTime | Rule | Declare

ASK: TypeAdapter[Ask] = TypeAdapter(Annotated[Ask, Field(discriminator="do")])
"""Reads what came in.

:raises pydantic.ValidationError: for anything else.
"""

DIRECTORS = (GiveTime, Rule, Declare)
"""What only a director may ask for."""
