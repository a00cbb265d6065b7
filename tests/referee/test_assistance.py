"""Help with the play: each seat at its level, within the ruleset's aids; where there are none, none gets through."""

import pytest
from fact_logs import GAME, facts
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from seats_at_table import Seats, die, moved
from test_phases import Muddle

from boardctl.referee import Match, Ruleset, read_ruleset
from boardctl.referee.announcing import for_players
from boardctl.referee.assistance import Assist, Assistance, Level
from boardctl.referee.effects import Effect, Notice, Scene, Sign, Text
from boardctl.referee.facts import Advised, AssistanceChosen, Fact, HandSeen, Role
from boardctl.rules import BackgammonPosition, Seat, point

START = BackgammonPosition.start()
HINTS = (Sign.SOURCE, Sign.TARGET, Sign.READY)
TEACHING = read_ruleset("teaching")
ALL: Assist = tuple((seat, Assistance(Level.BEST)) for seat in (Seat.A, Seat.B))
WITHOUT_AIDS = [read_ruleset(name) for name in ("house-seed", "usbgf-like", "us-2008-like")]
DIRECTOR_ONLY = read_ruleset("house-seed").model_copy(update={"announce": "director_only"})


def table(assist: Assist | None, ruleset: Ruleset = TEACHING) -> Seats:
    """Gets a table at which A has rolled 3-1 from the start."""
    seats = Seats(ruleset, match=Match(assist=assist))
    seats.start()
    seats.rest(die(3, Seat.A, spot=1), die(1, Seat.B, spot=2))
    return seats


def lit(seats: Seats, sign: Sign) -> set[str]:
    return {str(mark.place) for mark in seats.referee.state.lit.marks if mark.sign is sign}


def told(effects: list[Effect], to: Role) -> list[str]:
    return [effect.text.key for effect in effects if isinstance(effect, Notice) and to in effect.to]


def lift(seats: Seats, place: str) -> None:
    seats.feed(HandSeen(seats.now(), True))
    seats.show(moved(START.placement(), (place, "nowhere")))


def advice(seats: Seats, *keys: str, **more: object) -> list[Effect]:
    arguments = {"coach.pips": {"own": 167, "other": 167}, "coach.best": {"engine": "GNU", "play": "8/5 6/5"}}
    texts = tuple(Text.of(key, **arguments.get(key, {"number": 6})) for key in keys)
    return seats.feed(Advised(seats.now(), Seat.A, seats.referee.state.turns_played, texts, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("level", "sources", "targets"),
    [
        (Level.OFF, set(), set()),
        (Level.MOVABLE, {"point 8", "point 6", "point 13", "point 24"}, set()),
        (Level.TARGETS, {"point 8", "point 6", "point 13", "point 24"}, {"point 5", "point 7"}),
    ],
)
def test_each_level_lights_its_own(level: Level, sources: set[str], targets: set[str]) -> None:
    seats = table(((Seat.A, Assistance(level)),))
    assert lit(seats, Sign.SOURCE) == sources
    lift(seats, "8")
    assert lit(seats, Sign.TARGET) == targets


def test_a_seat_without_a_level_gets_none() -> None:
    assert lit(table(((Seat.B, Assistance(Level.BEST)),)), Sign.SOURCE) == set()


def test_targets_are_lit_for_as_many_lifted_checkers_as_the_seat_wants() -> None:
    seats = table(((Seat.A, Assistance(Level.TARGETS, lifts=1)),))
    lift(seats, "8")
    assert lit(seats, Sign.TARGET)
    lift(seats, "6")
    assert not lit(seats, Sign.TARGET)
    lift(seats, "8")
    assert lit(seats, Sign.TARGET)


@pytest.mark.parametrize(
    ("level", "passed"),
    [
        (Level.TARGETS, []),
        (Level.REASONS, ["coach.no_move"]),
        (Level.FORCED, ["coach.no_move", "coach.must_play"]),
        (Level.PIPS, ["coach.no_move", "coach.must_play", "coach.pips"]),
        (Level.BEST, ["coach.no_move", "coach.must_play", "coach.pips", "coach.best"]),
    ],
)
def test_what_a_coach_says_is_passed_on_by_level(level: Level, passed: list[str]) -> None:
    seats = table(((Seat.A, Assistance(level)),))
    effects = advice(seats, "coach.no_move", "coach.must_play", "coach.pips", "coach.best")
    assert told(effects, Role.A) == passed
    assert told(effects, Role.B) == []


def test_the_best_play_is_lit_until_something_is_moved() -> None:
    seats = table(ALL)
    advice(seats, "coach.best", sources=(point(8), point(6)), targets=(point(5),))
    assert (lit(seats, Sign.SOURCE), lit(seats, Sign.TARGET)) == ({"point 8", "point 6"}, {"point 5"})
    seats.show(moved(START.placement(), ("8", "5")))
    assert lit(seats, Sign.TARGET) == set()


def test_the_best_play_of_a_turn_that_has_ended_is_not_lit() -> None:
    seats = table(ALL)
    late = Advised(seats.now(), Seat.A, 7, (Text.of("coach.best", engine="GNU", play="8/5 6/5"),), (point(8),))
    assert seats.feed(late) == []


def test_pip_counts_alone_may_be_allowed() -> None:
    seats = table(ALL, read_ruleset("casual"))
    assert told(advice(seats, "coach.no_move", "coach.pips", "coach.best"), Role.A) == ["coach.pips"]
    assert lit(seats, Sign.SOURCE) == set()


def is_help(effect: Effect) -> bool:
    if isinstance(effect, Notice):
        return effect.text.key.startswith("coach.")
    return isinstance(effect, Scene) and any(mark.sign in HINTS for mark in effect.marks)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.randoms(use_true_random=False),
    st.sampled_from([*WITHOUT_AIDS, DIRECTOR_ONLY]),
    st.lists(st.one_of(st.none(), facts), max_size=30),
)
def test_where_aids_are_off_no_help_is_possible(random: object, ruleset: Ruleset, course: list[Fact | None]) -> None:
    muddle = Muddle(random, ruleset)  # type: ignore[arg-type]
    muddle.table = Seats(ruleset, match=Match(3, assist=ALL))
    muddle.table.start()
    for thrown_in in course:
        if thrown_in is None:
            muddle.sensible()
        else:
            muddle.table.feed(thrown_in)
        state = muddle.table.referee.state
        if state.turn is not None:
            said = (Text.of("coach.best", engine="GNU", play="8/5 6/5"), Text.of("coach.pips", own=1, other=2))
            muddle.table.feed(Advised(0, state.turn.seat, state.turns_played, said, GAME.places[:3], GAME.places[3:6]))
    assert not [effect for effect in muddle.table.effects if is_help(effect)]
    assert not [effect for effect in for_players(muddle.table.effects) if is_help(effect)]


def test_a_level_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="levels are 0 to 6"):
        Assistance(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="-1 lifts"):
        Assistance(Level.TARGETS, -1)


def choose(seats: Seats, seat: Seat, level: Level, lifts: int | None = None) -> list[Effect]:
    return seats.feed(AssistanceChosen(seats.now(), Role(seat.value), seat, level, lifts))


def test_a_seat_may_choose_other_help_while_the_game_goes_on() -> None:
    seats = table(tuple((seat, Assistance()) for seat in (Seat.A, Seat.B)))
    assert lit(seats, Sign.SOURCE) == set()
    effects = choose(seats, Seat.A, Level.MOVABLE)
    assert lit(seats, Sign.SOURCE) == {"point 8", "point 6", "point 13", "point 24"}
    assert told(effects, Role.A) == ["assist.chosen"]
    choose(seats, Seat.A, Level.OFF)
    assert lit(seats, Sign.SOURCE) == set()


def test_the_help_of_the_other_seat_stays_as_it_was() -> None:
    seats = table(None)
    choose(seats, Seat.B, Level.BEST, 2)
    assert dict(seats.referee.state.assist or ()) == {
        Seat.A: Assistance(Level.TARGETS),
        Seat.B: Assistance(Level.BEST, 2),
    }


def test_where_the_ruleset_allows_no_help_none_can_be_chosen() -> None:
    seats = table(None, read_ruleset("house-seed"))
    effects = choose(seats, Seat.A, Level.BEST)
    assert told(effects, Role.A) == ["assist.none_allowed"]
    assert seats.referee.state.assist is None
    assert not any(lit(seats, sign) for sign in HINTS)
