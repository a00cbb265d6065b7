"""Facts in any order, sense or nonsense, as hypothesis strategies."""

from hypothesis import strategies as st
from seats_at_table import die, moved

from boardctl.referee.facts import (
    Advised,
    Answered,
    AssistanceChosen,
    BoardSeen,
    ButtonPressed,
    CheckerSensed,
    Choice,
    ClockResumed,
    ClockStopped,
    Decision,
    Device,
    DeviceChanged,
    DiceLifted,
    DiceRested,
    DirectorRuled,
    Doubled,
    Fact,
    FlagCalled,
    HandSeen,
    PauseReason,
    PositionDeclared,
    Resigned,
    Role,
    Text,
    TimeGiven,
    TimePassed,
)
from boardctl.referee.readings import BoardReading, CubeReading, DiceReading, DieReading, Support, Witness, sure_reading
from boardctl.rules import Backgammon, BackgammonPosition, Placement, Roll, Seat

GAME = Backgammon()
START = GAME.start()
_LAST = BackgammonPosition.from_points([1] + [0] * 22 + [-1])


def _boards() -> list[Placement]:
    boards = [START.placement(), Placement(), _LAST.placement(), moved(_LAST.placement(), ("1", "off A"))]
    for first, second in ((3, 1), (6, 5), (4, 4)):
        for seat in (Seat.A, Seat.B):
            for play in GAME.plays(START, seat, Roll.of(first, second))[:4]:
                boards.append(play.position.placement())
    boards.append(moved(START.placement(), ("6", "nowhere")))
    boards.append(moved(START.placement(), ("6", "1"), ("13", "off A")))
    boards.append(moved(START.placement(), ("6", "12"), ("24", "bar A")))
    return boards


BOARDS = _boards()

boards = st.sampled_from(BOARDS)
cubes = st.one_of(
    st.none(),
    st.builds(
        CubeReading,
        st.sampled_from([None, 2, 64]),
        st.sampled_from(["bar", "A", "B", "field"]),
        st.sampled_from([0.6, 0.99]),
    ),
)
values = st.one_of(st.none(), st.integers(1, 6))


@st.composite
def readings(draw: st.DrawFn) -> BoardReading:
    """Any board, seen by any witness, more or less well."""
    hidden = draw(st.sets(st.sampled_from(GAME.places), max_size=4)) if draw(st.booleans()) else set()
    confidence = draw(st.sampled_from([0.5, 0.8, 0.97, 0.999, 1.0]))
    seen = sure_reading(draw(boards), GAME.places, draw(st.sampled_from(list(Witness))), confidence, hidden)
    return BoardReading(seen.witness, seen.places, hand=draw(st.booleans()) and draw(st.booleans()), cube=draw(cubes))


@st.composite
def dice(draw: st.DrawFn) -> DieReading:
    """Any die anywhere."""
    return die(
        draw(values),
        draw(st.sampled_from([Seat.A, Seat.B, None])),
        spot=draw(st.integers(0, 20)),
        on=draw(st.sampled_from([Support.SURFACE] * 4 + list(Support))),
        flat=draw(st.sampled_from([True, True, True, False, None])),
        confidence=draw(st.sampled_from([0.4, 0.95, 0.999])),
    )


def _fair_roll(first: int, second: int, seat: Seat, spot: int) -> DiceReading:
    return DiceReading((die(first, seat, spot=spot), die(second, seat, spot=spot + 1)))


dice_readings = st.one_of(
    st.builds(_fair_roll, st.integers(1, 6), st.integers(1, 6), st.sampled_from([Seat.A, Seat.B]), st.integers(0, 30)),
    st.builds(DiceReading, st.lists(dice(), max_size=5).map(tuple)),
)
at = st.just(0)

facts: st.SearchStrategy[Fact] = st.one_of(
    st.builds(BoardSeen, at, readings()),
    st.builds(
        CheckerSensed, at, st.sampled_from(Backgammon().places), st.sampled_from([None, Seat.A, Seat.B]), st.booleans()
    ),
    st.builds(DiceRested, at, dice_readings),
    st.builds(DiceLifted, at, st.integers(0, 4)),
    st.builds(HandSeen, at, st.booleans()),
    st.builds(ButtonPressed, at, st.sampled_from(list(Role))),
    st.builds(Answered, at, st.sampled_from(list(Role)), st.integers(0, 4), st.sampled_from(list(Choice))),
    st.builds(Doubled, at, st.sampled_from([Role.A, Role.B, Role.DIRECTOR])),
    st.builds(AssistanceChosen, at, st.sampled_from(list(Role)), st.sampled_from(list(Seat)), st.integers(0, 6)),
    st.builds(Resigned, at, st.sampled_from([Role.A, Role.B, Role.DIRECTOR]), st.integers(0, 4)),
    st.builds(
        DirectorRuled,
        at,
        st.just("Ada"),
        st.sampled_from(list(Decision)),
        st.just("both agree"),
        st.sampled_from([(), ((Seat.A, 1), (Seat.B, 2)), ((Seat.A, 3), (Seat.B, 2)), ((Seat.A, 0), (Seat.B, 9))]),
        st.sampled_from([1, 2, 3]),
        st.sampled_from([None, Seat.A, Seat.B]),
    ),
    st.builds(DeviceChanged, at, st.sampled_from(list(Device)), st.booleans(), st.just("unplugged")),
    st.builds(ClockStopped, at, st.sampled_from(list(Role)), st.sampled_from(list(PauseReason))),
    st.builds(ClockResumed, at, st.sampled_from(list(Role)), st.booleans()),
    st.builds(TimeGiven, at, st.sampled_from(list(Role)), st.sampled_from(list(Seat)), st.integers(-99999, 99999)),
    st.builds(
        Advised,
        at,
        st.sampled_from(list(Seat)),
        st.integers(0, 3),
        st.lists(st.sampled_from([Text.of("coach.pips", own=167, other=167), Text.of("coach.no_engine")])).map(tuple),
        st.lists(st.sampled_from(GAME.places)).map(tuple),
        st.lists(st.sampled_from(GAME.places)).map(tuple),
        st.booleans(),
    ),
    st.builds(FlagCalled, at, st.sampled_from(list(Role))),
    st.builds(TimePassed, st.sampled_from([0, 1_000_000])),
    st.builds(
        PositionDeclared,
        at,
        st.sampled_from([Role.DIRECTOR, Role.A, "resync"]),
        readings(),
        st.sampled_from([None, Seat.A, Seat.B]),
    ),
)

logs = st.lists(facts, max_size=25)
