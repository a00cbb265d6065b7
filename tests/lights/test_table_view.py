"""What a table shows after each effect of the referee."""

from dataclasses import replace
from functools import reduce

from drawn_tables import HINTS, PLAYED, START

from boardctl.lights import TableView, dice_of, follow, see
from boardctl.referee.effects import (
    Certainty,
    ClockShown,
    ClockSide,
    Cue,
    Effect,
    Finding,
    GameEnded,
    MatchLost,
    Notice,
    Phase,
    PhaseChanged,
    PlayFault,
    Prompt,
    RollRead,
    Ruled,
    Text,
    TurnJudged,
)
from boardctl.referee.facts import (
    BoardSeen,
    Choice,
    DiceLifted,
    DiceRested,
    HandSeen,
    PauseReason,
    PositionDeclared,
    Role,
)
from boardctl.referee.readings import BoardReading, DiceReading, DieReading, PlaceReading, StackChance, Support, Witness
from boardctl.rules import Placement, Roll, Seat, point

AFTER = START.replaced({point(6): (Seat.A,) * 4, point(8): (Seat.A,) * 2, point(5): (Seat.A,) * 2})


def followed(*effects: Effect, start: TableView | None = None) -> TableView:
    return reduce(follow, effects, start or TableView(START))


def judged(legal: bool | None, after: Placement | None = AFTER) -> TurnJudged:
    finding = Finding(
        (PlayFault.WRONG_PIPS,), Certainty.CERTAIN, (Text.of("fault.hit_checker_left", point=5),), (point(5),)
    )
    play = "8/5 6/5" if legal else None
    return TurnJudged(Seat.A, Roll(3, 1), play, legal, Certainty.CERTAIN, START, after, None if legal else finding)


def test_a_scene_replaces_the_scene_before() -> None:
    assert followed(HINTS).scene == HINTS


def test_a_roll_is_shown_with_dice_in_the_section_of_its_seat() -> None:
    view = followed(PhaseChanged(Phase.ROLL, Seat.B), RollRead(Seat.B, Roll(6, 2), True, Certainty.CERTAIN))
    assert view.roll == Roll(6, 2)
    assert [(die.value, die.section) for die in view.dice] == [(6, Seat.B), (2, Seat.B)]
    assert view.judgement == "B: rolled 6-2"


def test_an_invalid_roll_is_not_shown_as_a_roll() -> None:
    read = RollRead(Seat.A, Roll(6, 2), False, Certainty.CERTAIN, (Text.of("dice.on_checker", die=2),))
    view = followed(read)
    assert view.roll is None
    assert view.judgement == "A: roll again: The die showing 2 lies on a checker."


def test_the_dice_are_gone_when_the_next_seat_is_to_roll() -> None:
    view = followed(PhaseChanged(Phase.ROLL, Seat.B), start=PLAYED)
    assert (view.roll, view.dice, view.on_turn) == (None, (), Seat.B)


def test_the_dice_stay_while_a_play_is_judged() -> None:
    assert followed(PhaseChanged(Phase.CONFIRM, Seat.A), start=PLAYED).dice == PLAYED.dice


def test_a_legal_play_is_told_in_notation_and_shown() -> None:
    view = followed(judged(legal=True))
    assert view.judgement == "A 3-1: 8/5 6/5, legal"
    assert view.placement == AFTER


def test_an_illegal_play_is_told_with_its_reason() -> None:
    assert followed(judged(legal=False)).judgement.startswith(
        "A 3-1: not legal (certain): The checker that was hit on point 5"
    )


def test_what_cannot_be_told_is_said_to_be_so_and_the_board_stays() -> None:
    view = followed(judged(legal=None, after=None))
    assert view.judgement.startswith("A 3-1: cannot be told")
    assert view.placement == START


def test_a_question_stays_until_it_is_ruled_on() -> None:
    asked = followed(Prompt(1, (Role.B,), Text.of("ask.repair"), (Choice.ACCEPT, Choice.REQUIRE)))
    assert asked.prompt.endswith("(Accept / Require a legal play)")
    held = follow(asked, PhaseChanged(Phase.HOLD, Seat.A))
    assert held.prompt == asked.prompt
    ruled = follow(held, Ruled("must_replay", "B", Seat.A))
    assert (ruled.prompt, ruled.judgement) == ("", "Ruled by B: the roll is played again")


def test_the_score_grows_by_what_was_won() -> None:
    view = followed(GameEnded(Seat.A, ((Seat.A, 2),), "gammon"), start=PLAYED)
    assert dict(view.score) == {Seat.A: 4, Seat.B: 1}
    assert view.judgement == "A wins a gammon"


def test_a_notice_is_said_and_a_sound_changes_nothing() -> None:
    view = followed(Notice(Text.of("query.nothing")))
    assert view.judgement == "Nothing was found."
    assert follow(view, Cue("ok")) is view


def test_texts_go_through_the_readers_language() -> None:
    view = TableView(say=lambda text: f"Guten Tag, {text.arguments[0][1]}")
    view = follow(view, Notice(Text.of("hello", name="A")))
    assert view.judgement == "Guten Tag, A"


def test_seen_dice_lie_where_they_were_seen() -> None:
    seen = DieReading(4, 0.99, None, Support.SURFACE, Seat.A, 1.0, (900.0, 400.0), (120.0, -8.0))
    die, tipped = dice_of(DiceReading((seen, replace(seen, flat=False))))
    assert (die.value, die.section, die.center_mm, die.flat) == (4, Seat.A, (120.0, -8.0), True)
    assert not tipped.flat


def stacks(**best: tuple[Seat, ...] | None) -> BoardReading:
    """Gets a camera's reading; ``p6`` is point 6, None is a place that it does not vouch for."""
    places = (
        PlaceReading(point(int(name[1:])), () if stack is None else (StackChance(stack, 0.99),))
        for name, stack in best.items()
    )
    return BoardReading(Witness.CAMERA, tuple(places))


def test_checkers_are_shown_where_the_camera_vouches_for_them() -> None:
    view = see(TableView(START), BoardSeen(0, stacks(p6=(Seat.A,) * 4, p5=(Seat.A,), p8=None)))
    assert view.placement == START.replaced({point(6): (Seat.A,) * 4, point(5): (Seat.A,)})


def test_sensors_that_cannot_count_do_not_change_the_picture() -> None:
    reading = replace(stacks(p6=(Seat.A,)), witness=Witness.SENSORS)
    assert see(TableView(START), BoardSeen(0, reading)).placement == START


def test_a_declared_position_is_shown() -> None:
    declared = PositionDeclared(0, Role.DIRECTOR, stacks(p6=()))
    assert point(6) not in see(TableView(START), declared).placement


def test_dice_are_shown_from_rest_until_they_are_lifted() -> None:
    die = DieReading(4, 0.99, True, Support.SURFACE, Seat.A, 1.0, (900.0, 400.0), (120.0, -8.0))
    rested = see(TableView(), DiceRested(0, DiceReading((die, replace(die, value=2)))))
    assert [shown.value for shown in rested.dice] == [4, 2]
    assert len(see(rested, DiceLifted(1, 1)).dice) == 1
    assert see(rested, DiceLifted(1, 0)).dice == ()
    assert see(rested, HandSeen(1, True)) is rested


def test_the_head_says_who_is_to_act() -> None:
    assert PLAYED.phase_line == "A to move"
    assert PLAYED.score_line == "A 2  B 1   match to 5"
    assert TableView().phase_line == ""


def test_what_a_coach_says_of_one_turn_stands_together_until_the_next() -> None:
    to_a = (Role.A,)
    view = followed(
        Notice(Text.of("coach.must_play", number=6), to=to_a), Notice(Text.of("coach.no_move", number=1), to=to_a)
    )
    assert view.advice == "A: You must play the 6. A: The 1 cannot be played."
    assert view.judgement == ""
    view = followed(
        PhaseChanged(Phase.ROLL, Seat.B), Notice(Text.of("coach.best_made", engine="GNU"), to=to_a), start=view
    )
    assert view.advice == "A: GNU would have played the same."
    assert followed(RollRead(Seat.B, Roll(6, 2), True, Certainty.CERTAIN), start=view).advice == ""


def test_the_clock_is_shown_as_it_was_last_started_or_stopped() -> None:
    sides = (ClockSide(Seat.A, 599_001, 12_000, False), ClockSide(Seat.B, 0, 0, True))
    assert TableView(START).clock_line == ""
    view = followed(ClockShown(0, Seat.A, None, sides))
    assert view.clock_line == "clock: A 10:00  B 0:00 (up)  runs for A"
    view = followed(ClockShown(0, None, PauseReason.DIE_OFF_TABLE, sides))
    assert view.clock_line == "clock: A 10:00  B 0:00 (up)  stopped: a die off the table"


def test_a_match_that_is_lost_on_time_is_said() -> None:
    assert followed(MatchLost(Seat.A, Seat.B, "time")).judgement == "A loses the match on time; B wins it"
