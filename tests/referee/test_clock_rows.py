"""Turn and clock, row by row of the adjudication table (T1 to T8), to the millisecond: the facts, and what follows.

Families: ``usbgf-like`` as it is, and clubs of its kind that chose otherwise where the table leaves a choice.
"""

from collections.abc import Callable

import pytest
from seats_at_table import Seats, die, moved

from boardctl.referee import Match, Ruleset, read_ruleset
from boardctl.referee.effects import ClockShown, MatchLost, Notice, Phase
from boardctl.referee.facts import (
    ButtonPressed,
    ClockResumed,
    ClockStopped,
    Device,
    DeviceChanged,
    FlagCalled,
    PauseReason,
    PositionDeclared,
    Role,
    TimeGiven,
    TimePassed,
)
from boardctl.referee.readings import sure_reading
from boardctl.rules import BackgammonPosition, Seat

START = BackgammonPosition.start()
LEGAL = moved(START.placement(), ("8", "5"), ("6", "5"))
WRONG = moved(START.placement(), ("8", "5"), ("6", "4"))
TEN_MINUTES_MS = 600_000


def rules(**clock: object) -> Ruleset:
    """Gets the ruleset of the clocked family for a table with a camera only, with some options of its clock changed."""
    ruleset = read_ruleset("usbgf-like")
    return ruleset.model_copy(update={"witnesses_required": 1, "clock": ruleset.clock.model_copy(update=clock)})


class Clocked(Seats):
    """A match to 5 after the opening: A has rolled 3-1 and is to play; at 10.000 s B, the lower roller, hits the clock.

    Facts about the board happen at the instant at which something last happened to the clock.
    """

    def __init__(self, ruleset: Ruleset, started: bool = True) -> None:
        super().__init__(ruleset, match=Match(5))
        self.start()
        self.rest(die(3, Seat.A, spot=1), die(1, Seat.B, spot=2))
        self.at_ms = 9_999
        if started:
            self.press(Role.B, 10_000)

    def now(self) -> int:
        return self.at_ms

    def press(self, by: Role, at_ms: int) -> None:
        self.at_ms = at_ms
        self.feed(ButtonPressed(at_ms, by))

    def stop(self, by: Role, reason: PauseReason, at_ms: int) -> None:
        self.at_ms = at_ms
        self.feed(ClockStopped(at_ms, by, reason))

    def resume(self, by: Role, at_ms: int, delay_whole: bool = False) -> None:
        self.at_ms = at_ms
        self.feed(ClockResumed(at_ms, by, delay_whole))

    def call(self, by: Role, at_ms: int) -> None:
        self.at_ms = at_ms
        self.feed(FlagCalled(at_ms, by))

    def pass_time(self, at_ms: int) -> None:
        self.at_ms = at_ms
        self.feed(TimePassed(at_ms))

    def play(self, by: Seat, at_ms: int) -> None:
        """Lets A play 8/5 6/5 and hit the clock."""
        self.show(LEGAL)
        self.press(Role(by.value), at_ms)

    @property
    def shown(self) -> ClockShown:
        return [effect for effect in self.effects if isinstance(effect, ClockShown)][-1]

    def reserve(self, seat: Seat) -> int:
        return next(side.reserve_ms for side in self.shown.sides if side.seat is seat)

    def said(self) -> list[str]:
        return [effect.text.key for effect in self.effects if isinstance(effect, Notice)]

    def to_whom(self, key: str) -> tuple[Role, ...]:
        return next(effect.to for effect in self.effects if isinstance(effect, Notice) and effect.text.key == key)


def start_by_the_lower_roller() -> object:
    table = Clocked(rules())
    return table.shown.running, table.shown.at_ms, table.reserve(Seat.A)


def start_by_the_higher_roller() -> object:
    table = Clocked(rules(), started=False)
    table.show(LEGAL)
    table.press(Role.A, 12_000)
    return table.shown.running, "clock.started_late" in table.said()


def lever_before_the_opening() -> object:
    seats = Seats(rules(), match=Match(5))
    seats.start()
    seats.feed(ButtonPressed(seats.now(), Role.A))
    return [effect for effect in seats.effects if isinstance(effect, ClockShown)]


def t1_the_lever_ends_the_turn() -> object:
    table = Clocked(rules())
    table.play(Seat.A, 25_250)
    return table.referee.state.phase, table.shown.running, table.reserve(Seat.A)


def t1_lifting_dice_ends_nothing() -> object:
    table = Clocked(rules())
    table.show(LEGAL)
    table.lift()
    return table.referee.state.phase, table.shown.running


def t2_forgot_to_hit_the_clock() -> object:
    table = Clocked(rules())
    table.show(LEGAL)
    table.lift()
    table.rest(die(6, Seat.B, spot=9), die(4, Seat.B, spot=10))
    return table.shown.running, "clock.runs_for_other" in table.said()


def t2_the_opponents_throw_does_not_even_count() -> object:
    table = Clocked(rules())
    table.show(LEGAL)
    table.lift()
    table.rest(die(6, Seat.B, spot=9), die(4, Seat.B, flat=False, spot=10))
    return table.shown.running, "clock.runs_for_other" in table.said()


def t2_lost_time_restored() -> object:
    table = Clocked(rules())
    table.pass_time(30_000)
    table.feed(TimeGiven(30_000, Role.DIRECTOR, Seat.A, 8_000, "B had rolled"))
    return table.reserve(Seat.A), table.reserve(Seat.B)


def t3_the_wrong_side_runs() -> object:
    table = Clocked(rules(), started=False)
    table.show(LEGAL)
    table.press(Role.A, 12_000)
    table.press(Role.B, 13_000)
    table.rest(die(6, Seat.B, spot=9), die(4, Seat.B, spot=10))
    return table.shown.running, "clock.runs_for_other" in table.said()


def t3_players_give_no_time() -> object:
    table = Clocked(rules())
    table.feed(TimeGiven(12_000, Role.A, Seat.A, 60_000))
    return table.reserve(Seat.A)


DOWN_MS = 10_000 + 12_000 + TEN_MINUTES_MS
"""When the flag of A falls: start, delay, reserve."""


def t4_noticed_by_the_opponent() -> object:
    table = Clocked(rules())
    table.pass_time(DOWN_MS)
    silent = table.referee.state.phase
    table.call(Role.B, DOWN_MS + 5_000)
    lost = [effect for effect in table.effects if isinstance(effect, MatchLost)]
    return silent, table.referee.state.phase, [(one.seat, one.winner) for one in lost]


def t4_called_too_soon() -> object:
    table = Clocked(rules())
    table.call(Role.B, DOWN_MS - 1)
    return table.referee.state.phase, table.said()[-1]


def t4_loses_at_once() -> object:
    table = Clocked(rules(flag="loses"))
    table.pass_time(DOWN_MS - 1)
    still = table.referee.state.phase
    table.pass_time(DOWN_MS)
    return still, table.referee.state.phase


def t4_penalty_points() -> object:
    table = Clocked(rules(flag="penalty_points"))
    table.pass_time(DOWN_MS)
    return table.referee.state.phase, table.to_whom("clock.penalty")


def t4_no_flag() -> object:
    table = Clocked(rules(flag="none"))
    table.pass_time(DOWN_MS)
    return table.referee.state.phase, table.said()[-1]


def t4_overtime_once() -> object:
    table = Clocked(rules(overtime_s=(60,), flag="loses"))
    table.pass_time(DOWN_MS)
    told = table.to_whom("clock.overtime")
    table.pass_time(DOWN_MS + 59_999)
    still = table.referee.state.phase
    table.pass_time(DOWN_MS + 60_000)
    return told, still, table.referee.state.phase


def t5_both_down() -> object:
    table = Clocked(rules())
    table.play(Seat.A, DOWN_MS + 1)
    table.pass_time(DOWN_MS + 1 + 12_000 + TEN_MINUTES_MS)
    table.call(Role.A, DOWN_MS + 1 + 12_000 + TEN_MINUTES_MS)
    both = next(e for e in table.effects if isinstance(e, Notice) and e.text.key == "clock.both_down")
    return table.referee.state.phase, both.to, dict(both.text.arguments)["seat"]


def t5_both_down_and_nobody_is_told_who_was_first() -> object:
    table = Clocked(rules(tell_first=False))
    table.play(Seat.A, DOWN_MS + 1)
    table.call(Role.A, DOWN_MS + 1 + 12_000 + TEN_MINUTES_MS)
    return table.referee.state.phase, table.to_whom("clock.both_are_down"), "clock.both_down" in table.said()


def t6_stopped_with_a_reason() -> object:
    table = Clocked(rules())
    table.stop(Role.A, PauseReason.DIE_OFF_TABLE, 15_000)
    table.resume(Role.A, 60_000)
    table.play(Seat.A, 67_500)
    return table.reserve(Seat.A)


def t6_stopped_without_one() -> object:
    table = Clocked(rules())
    table.stop(Role.A, PauseReason.GAME_START, 15_000)
    return table.shown.running, table.said()[-1]


def t6_only_the_director_ends_a_directors_pause() -> object:
    table = Clocked(rules())
    table.stop(Role.DIRECTOR, PauseReason.DIRECTOR, 15_000)
    table.resume(Role.A, 20_000)
    still = table.shown.running
    table.resume(Role.DIRECTOR, 21_000, delay_whole=True)
    return still, table.shown.running, table.shown.sides[0].delay_ms


def t6_the_directors_button() -> object:
    table = Clocked(rules())
    table.press(Role.DIRECTOR, 15_000)
    stopped = table.shown.running, table.shown.paused
    table.press(Role.DIRECTOR, 95_000)
    return stopped, table.shown.running, table.shown.sides[0].delay_ms


def t7_illegal_play(**clock: object) -> Callable[[], object]:
    def happens() -> object:
        table = Clocked(rules(**clock))
        table.show(WRONG, confidence=0.9999)
        table.press(Role.A, 18_000)
        return table.shown.running, table.shown.sides[0].delay_ms, table.reserve(Seat.B)

    return happens


def t8_cocked(**clock: object) -> Callable[[], object]:
    def happens() -> object:
        table = Clocked(rules(**clock))
        table.play(Seat.A, 15_000)
        table.at_ms = 20_000
        table.rest(die(6, Seat.B, spot=9), die(4, Seat.B, flat=False, spot=10))
        return table.shown.running, table.shown.at_ms

    return happens


def lever_lost() -> object:
    table = Clocked(rules())
    table.at_ms = 15_000
    table.feed(DeviceChanged(15_000, Device.PANEL, False, "unplugged"))
    return table.shown.running, table.shown.paused, "device.lost" in table.said()


def clock_jumps_backwards() -> object:
    table = Clocked(rules())
    table.press(Role.A, 9_000)
    return table.shown.running, table.shown.paused, table.shown.at_ms, "clock.went_back" in table.said()


ROWS: dict[str, tuple[Callable[[], object], object]] = {
    # row: what happens                       what follows
    "start: the lower roller hits": (start_by_the_lower_roller, (Seat.A, 10_000, TEN_MINUTES_MS)),
    "start: nobody hit, A plays and hits": (start_by_the_higher_roller, (Seat.B, True)),
    "start: a lever before the opening": (lever_before_the_opening, []),
    "T1 the lever ends the turn": (t1_the_lever_ends_the_turn, (Phase.ROLL, Seat.B, TEN_MINUTES_MS - 3_250)),
    "T1 lifting the dice ends nothing": (t1_lifting_dice_ends_nothing, (Phase.MOVE, Seat.A)),
    "T2 forgot to hit the clock": (t2_forgot_to_hit_the_clock, (Seat.A, True)),
    "T2 forgot, and the next throw is cocked": (t2_the_opponents_throw_does_not_even_count, (Seat.A, True)),
    "T2 lost time is given back": (t2_lost_time_restored, (TEN_MINUTES_MS, TEN_MINUTES_MS)),
    "T3 the wrong side runs": (t3_the_wrong_side_runs, (Seat.A, True)),
    "T3 players give no time": (t3_players_give_no_time, TEN_MINUTES_MS),
    "T4 lost when noticed": (t4_noticed_by_the_opponent, (Phase.MOVE, Phase.MATCH_OVER, [(Seat.A, Seat.B)])),
    "T4 called a millisecond too soon": (t4_called_too_soon, (Phase.MOVE, "clock.flag_is_up")),
    "T4 lost at once": (t4_loses_at_once, (Phase.MOVE, Phase.MATCH_OVER)),
    "T4 penalty points": (t4_penalty_points, (Phase.MOVE, (Role.DIRECTOR,))),
    "T4 a flag that means nothing": (t4_no_flag, (Phase.MOVE, "clock.flag_fell")),
    "T4 overtime once": (t4_overtime_once, ((Role.DIRECTOR,), Phase.MOVE, Phase.MATCH_OVER)),
    "T5 both down": (t5_both_down, (Phase.ROLL, (Role.DIRECTOR,), "A")),
    "T5 both down, untold": (
        t5_both_down_and_nobody_is_told_who_was_first,
        (Phase.ROLL, (Role.DIRECTOR,), False),
    ),
    "T6 a die off the table": (t6_stopped_with_a_reason, TEN_MINUTES_MS - 500),
    "T6 without a reason": (t6_stopped_without_one, (Seat.A, "clock.no_reason")),
    "T6 the director's pause": (t6_only_the_director_ends_a_directors_pause, (None, Seat.A, 12_000)),
    "T6 the director's button": (
        t6_the_directors_button,
        ((None, PauseReason.DIRECTOR), Seat.A, 7_000),
    ),
    "T7 made again with the whole delay": (t7_illegal_play(), (Seat.A, 12_000, TEN_MINUTES_MS)),
    "T7 made again after the delay": (t7_illegal_play(replay="delay_spent"), (Seat.A, 0, TEN_MINUTES_MS)),
    "T8 cocked dice: time runs on": (t8_cocked(), (Seat.B, 15_000)),
    "T8 cocked dice: the delay again": (t8_cocked(cocked="delay_restarts"), (Seat.B, 20_000)),
    "faulty lever": (lever_lost, (None, PauseReason.FAULT, True)),
    "clock that jumps backwards": (clock_jumps_backwards, (None, PauseReason.FAULT, 10_000, True)),
}


@pytest.mark.parametrize("row", ROWS)
def test_row(row: str) -> None:
    happens, expected = ROWS[row]
    assert happens() == expected


def test_a_game_that_is_over_stops_the_clock_until_the_next_one_begins() -> None:
    table = Clocked(rules())
    nearly = BackgammonPosition.from_points([1] + [0] * 22 + [-1])
    reading = sure_reading(nearly.placement(), table.game.places)
    table.feed(PositionDeclared(table.at_ms, Role.DIRECTOR, reading, Seat.A))
    table.roll(Seat.A, 6, 5)
    table.show(moved(nearly.placement(), ("1", "off A")))
    assert table.referee.state.phase is Phase.GAME_OVER
    assert (table.shown.running, table.shown.paused) == (None, PauseReason.GAME_START)


def test_a_ruleset_without_a_clock_says_nothing_of_one() -> None:
    seats = Seats("house-seed")
    seats.start()
    seats.feed(ClockStopped(0, Role.DIRECTOR, PauseReason.BREAK))
    seats.feed(FlagCalled(0, Role.A))
    assert not [effect for effect in seats.effects if isinstance(effect, ClockShown)]


def test_the_reserve_is_that_of_the_match() -> None:
    assert Clocked(rules()).reserve(Seat.B) == TEN_MINUTES_MS


def test_a_pause_before_the_first_start_ends_and_the_lower_roller_then_starts() -> None:
    table = Clocked(rules(), started=False)
    table.stop(Role.DIRECTOR, PauseReason.FAULT, 10_500)
    table.press(Role.B, 11_000)
    assert table.shown.running is None
    table.press(Role.DIRECTOR, 12_000)
    assert table.shown.paused is None
    table.press(Role.B, 13_000)
    assert (table.shown.running, table.shown.at_ms) == (Seat.A, 13_000)


def test_nobody_but_a_lever_starts_the_clock_of_the_next_game() -> None:
    table = Clocked(rules())
    nearly = BackgammonPosition.from_points([1] + [0] * 22 + [-1])
    reading = sure_reading(nearly.placement(), table.game.places)
    table.feed(PositionDeclared(table.at_ms, Role.DIRECTOR, reading, Seat.A))
    table.stop(Role.A, PauseReason.CONTEST, 11_000)
    table.roll(Seat.A, 6, 5)
    table.show(moved(nearly.placement(), ("1", "off A")))
    assert table.shown.paused is PauseReason.GAME_START
    table.resume(Role.A, 12_000)
    assert table.shown.running is None
