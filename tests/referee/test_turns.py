"""Turns from the roll to the ruling: how they end, who may do what about an illegal play, and what follows."""

from dataclasses import replace

import pytest
from seats_at_table import Seats, at_turn, die, moved

from boardctl.referee import Match, Stage, read_catalogue, read_ruleset, render
from boardctl.referee.clock import Clock
from boardctl.referee.effects import (
    Certainty,
    Effect,
    GameEnded,
    Notice,
    Phase,
    PlayFault,
    Prompt,
    RollRead,
    Ruled,
    Scene,
    Sign,
    TurnJudged,
)
from boardctl.referee.facts import (
    Answered,
    ButtonPressed,
    Choice,
    ClockStopped,
    HandSeen,
    PauseReason,
    Role,
    TimePassed,
)
from boardctl.referee.readings import PlaceReading, StackChance, Witness, sure_reading
from boardctl.referee.ruleset import ClockTerms
from boardctl.rules import BackgammonPosition, Placement, Roll, Seat, bar, point

START = BackgammonPosition.start()
BOARD = START.placement()
LEGAL = moved(BOARD, ("8", "5"), ("6", "5"))
WRONG = moved(BOARD, ("8", "5"), ("6", "4"))


def of_kind(effects: list[Effect], kind: type) -> list:  # type: ignore[type-arg]
    return [effect for effect in effects if isinstance(effect, kind)]


def signs(effects: list[Effect]) -> list[tuple[Sign, object]]:
    return [(mark.sign, mark.place) for scene in of_kind(effects, Scene) for mark in scene.marks]


def played(board: Placement, ruleset: str = "house-seed") -> Seats:
    """Gets a table where A has rolled 3-1 from the start, moved, and lifted the dice."""
    seats = at_turn(START, Seat.A, ruleset)
    seats.roll(Seat.A, 3, 1)
    seats.show(board)
    seats.lift()
    return seats


def answer(seats: Seats, choice: Choice, by: Role = Role.B) -> list[Effect]:
    prompt = seats.referee.state.prompt
    assert prompt is not None
    return seats.feed(Answered(seats.now(), by, prompt.number, choice))


def test_a_wrong_set_up_is_lit_and_put_right() -> None:
    seats = Seats()
    effects = seats.show(moved(BOARD, ("6", "7")))
    assert set(signs(effects)) == {(Sign.MISSING, point(6)), (Sign.EXTRA, point(7))}
    assert seats.referee.state.phase is Phase.SETUP
    seats.start()
    assert seats.referee.state.phase is Phase.OPENING


def test_a_play_in_progress_is_followed() -> None:
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1)
    stages = []
    for board in (
        BOARD,
        moved(BOARD, ("8", "nowhere")),
        moved(BOARD, ("8", "5")),
        moved(BOARD, ("8", "5"), ("6", "nowhere")),
        LEGAL,
        WRONG,
    ):
        seats.show(board)
        stages.append(seats.referee.state.progress.stage)
    assert stages == [
        Stage.NOT_MOVED,
        Stage.IN_HAND,
        Stage.ON_THE_WAY,
        Stage.IN_HAND,
        Stage.COMPLETE,
        Stage.UNEXPLAINED,
    ]


def test_nothing_is_judged_before_the_turn_has_ended() -> None:
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1)
    for board in (WRONG, moved(BOARD, ("24", "1")), WRONG):
        effects = seats.show(board)
        assert not of_kind(effects, TurnJudged)
        assert Sign.PROBLEM not in {sign for sign, _ in signs(effects)}


def test_a_legal_play_is_said_in_standard_notation_and_the_next_seat_rolls() -> None:
    seats = played(LEGAL)
    assert seats.judged.legal is True
    assert seats.judged.play == "8/5 6/5"
    assert seats.judged.certainty is Certainty.CERTAIN
    assert seats.referee.state.phase is Phase.ROLL
    assert seats.referee.state.seat is Seat.B


def test_lifting_one_die_ends_the_turn_only_where_the_ruleset_says_so() -> None:
    for ruleset, phase in (("house-seed", Phase.MOVE), ("casual", Phase.ROLL)):
        seats = at_turn(START, Seat.A, ruleset)
        seats.roll(Seat.A, 3, 1)
        seats.show(LEGAL)
        seats.lift(left=1)
        assert seats.referee.state.phase is phase


def test_a_button_ends_the_turn_only_where_the_ruleset_says_so_and_only_the_movers() -> None:
    button = read_ruleset("house-seed").model_copy(update={"turn_end": "button"})
    seats = at_turn(START, Seat.A, button)
    seats.roll(Seat.A, 3, 1)
    seats.show(LEGAL)
    seats.lift()
    seats.feed(ButtonPressed(seats.now(), Role.B))
    assert seats.referee.state.phase is Phase.MOVE
    seats.feed(ButtonPressed(seats.now(), Role.A))
    assert seats.referee.state.phase is Phase.ROLL


def test_dice_left_lying_after_the_button_are_not_rolled_again() -> None:
    button = read_ruleset("house-seed").model_copy(update={"turn_end": "button"})
    seats = at_turn(START, Seat.A, button)
    lying = (die(3), die(1, spot=1))
    seats.rest(*lying)
    seats.show(LEGAL)
    seats.feed(ButtonPressed(seats.now(), Role.A))
    assert not of_kind(seats.rest(*lying), RollRead)
    assert of_kind(seats.rest(die(2, Seat.B), die(1, Seat.B, spot=1)), RollRead)


def test_the_opponents_dice_show_that_the_turn_has_ended() -> None:
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1)
    seats.show(LEGAL)
    effects = seats.roll(Seat.B, 6, 4)
    assert [judged.play for judged in of_kind(effects, TurnJudged)] == ["8/5 6/5"]
    assert seats.referee.state.seat is Seat.B
    assert seats.referee.state.roll == Roll(6, 4)


def test_an_illegal_play_is_shown_and_the_opponent_is_asked() -> None:
    seats = played(WRONG)
    assert seats.judged.finding is not None
    assert seats.judged.finding.faults == (PlayFault.WRONG_PIPS,)
    assert (Sign.PROBLEM, point(4)) in signs(seats.effects)
    prompt = of_kind(seats.effects, Prompt)[-1]
    assert prompt.to == (Role.B,)
    assert prompt.choices == (Choice.ACCEPT, Choice.REQUIRE)


def test_the_opponent_may_accept_the_play_as_made() -> None:
    seats = played(WRONG)
    answer(seats, Choice.ACCEPT)
    assert of_kind(seats.effects, Ruled)[-1] == Ruled("accepted", "B", Seat.A)
    assert seats.referee.state.seat is Seat.B
    assert seats.referee.state.expected == WRONG


def test_rolling_accepts_the_play_as_made() -> None:
    seats = played(WRONG)
    seats.roll(Seat.B, 6, 4)
    assert of_kind(seats.effects, Ruled)[-1] == Ruled("condoned", "B", Seat.A)
    assert seats.referee.state.expected == WRONG
    assert seats.referee.state.roll == Roll(6, 4)


def test_a_roll_that_must_be_thrown_again_accepts_nothing() -> None:
    seats = played(WRONG)
    seats.rest(die(6, Seat.B), die(4, Seat.B, flat=False, spot=1))
    assert seats.referee.state.phase is Phase.CONFIRM
    answer(seats, Choice.REQUIRE)
    assert seats.referee.state.phase is Phase.MOVE


def test_the_opponent_may_require_a_legal_play_of_the_same_roll() -> None:
    seats = played(WRONG)
    answer(seats, Choice.REQUIRE)
    assert of_kind(seats.effects, Ruled)[-1] == Ruled("must_replay", "B", Seat.A)
    assert seats.referee.state.roll == Roll(3, 1)
    assert {mark.place for mark in seats.referee.state.scene.marks} >= {point(4), point(6)}
    seats.show(BOARD)
    seats.show(LEGAL)
    assert seats.judged.play == "8/5 6/5"
    assert seats.referee.state.seat is Seat.B


def test_a_button_of_the_opponent_requires_a_legal_play() -> None:
    seats = played(WRONG)
    seats.feed(ButtonPressed(seats.now(), Role.B))
    assert of_kind(seats.effects, Ruled)[-1] == Ruled("must_replay", "B", Seat.A)


def test_only_who_was_asked_may_answer() -> None:
    seats = played(WRONG)
    answer(seats, Choice.ACCEPT, by=Role.A)
    assert seats.referee.state.phase is Phase.CONFIRM
    seats.feed(Answered(seats.now(), Role.B, 99, Choice.ACCEPT))
    assert seats.referee.state.phase is Phase.CONFIRM
    answer(seats, Choice.ACCEPT, by=Role.DIRECTOR)
    assert seats.referee.state.phase is Phase.ROLL


def test_a_play_corrected_before_anybody_ruled_is_taken_as_it_stands() -> None:
    seats = played(WRONG)
    seats.show(LEGAL)
    assert seats.judged.legal is True
    assert seats.referee.state.phase is Phase.ROLL


def test_taking_the_play_back_is_playing_again() -> None:
    seats = played(WRONG)
    seats.show(BOARD)
    assert seats.referee.state.phase is Phase.MOVE
    assert of_kind(seats.effects, Ruled)[-1] == Ruled("must_replay", "players", Seat.A)


def test_rolling_does_not_accept_a_forced_play_that_was_misplayed() -> None:
    forced = BackgammonPosition.from_points([0] * 12 + [-2] + [0] * 10 + [1])
    seats = at_turn(forced, Seat.A)
    seats.roll(Seat.A, 6, 5)
    after = moved(forced.placement(), ("24", "19"))
    seats.show(after)
    seats.lift()
    effects = seats.roll(Seat.B, 4, 3)
    assert [notice.text.key for notice in of_kind(effects, Notice)] == ["confirm.roll_does_not_accept"]
    assert seats.referee.state.phase is Phase.CONFIRM
    answer(seats, Choice.ACCEPT)
    assert seats.referee.state.roll == Roll(4, 3)


def test_must_correct_leaves_no_choice() -> None:
    seats = played(WRONG, "teaching")
    assert of_kind(seats.effects, Ruled)[-1] == Ruled("must_replay", "ruleset", Seat.A)
    assert seats.referee.state.phase is Phase.MOVE


def test_the_opponents_next_play_closes_the_window_where_the_ruleset_keeps_it_open_until_then() -> None:
    """C18, Gibson's variant: his roll alone does not, and what he plays on the board as it stands is his own play."""
    seats = played(WRONG, "teaching")
    effects = seats.roll(Seat.B, 6, 4)
    assert [notice.text.key for notice in of_kind(effects, Notice)].count("confirm.roll_does_not_accept") == 1
    effects = seats.show(moved(WRONG, ("1", "11"), seat=Seat.B), confidence=0.9999)
    assert of_kind(effects, Ruled)[-1] == Ruled("condoned", "B", Seat.A)
    state = seats.referee.state
    assert (state.phase, state.seat, state.roll, state.progress.stage) == (
        Phase.MOVE,
        Seat.B,
        Roll(6, 4),
        Stage.COMPLETE,
    )
    seats.lift()
    assert (seats.judged.seat, seats.judged.legal) == (Seat.B, True)
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.ROLL, Seat.A)


def test_a_question_that_stands_is_answered_by_the_opponents_next_play() -> None:
    ruleset = read_ruleset("casual").model_copy(
        update={
            "illegal_play": "accept_or_require",
            "correction_window": "next_play_complete",
            "announce": "monitor",
            "witnesses_required": 1,
        }
    )
    seats = at_turn(START, Seat.A, ruleset)
    seats.roll(Seat.A, 3, 1)
    seats.show(WRONG)
    seats.lift()
    assert seats.referee.state.prompt is not None
    seats.roll(Seat.B, 6, 4)
    assert seats.referee.state.phase is Phase.CONFIRM
    effects = seats.show(moved(WRONG, ("1", "11"), seat=Seat.B))
    assert of_kind(effects, Ruled)[-1] == Ruled("condoned", "B", Seat.A)
    assert (seats.referee.state.seat, seats.referee.state.prompt) == (Seat.B, None)


def test_until_then_it_can_be_played_again() -> None:
    seats = played(WRONG, "teaching")
    seats.roll(Seat.B, 6, 4)
    seats.show(BOARD)
    seats.show(LEGAL)
    assert (seats.judged.seat, seats.judged.legal) == (Seat.A, True)


def test_a_board_that_nobody_can_play_from_is_held() -> None:
    blot = BackgammonPosition.from_points([0, 0, 0, 0, -1, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, -1, 2])
    seats = at_turn(blot, Seat.A)
    seats.roll(Seat.A, 3, 1)
    left = moved(blot.placement(), ("8", "5"), ("6", "5"))
    seats.show(left)
    seats.lift()
    seats.roll(Seat.B, 6, 2)
    assert seats.referee.state.phase is Phase.HOLD
    seats.show(moved(left, ("5", "bar B"), seat=Seat.B))
    assert seats.judged.finding is not None
    assert seats.referee.state.seat is Seat.B
    assert seats.referee.state.expected is not None
    assert seats.referee.state.expected.at(bar(Seat.B)) == (Seat.B,)
    assert seats.referee.state.roll == Roll(6, 2)


def timed_with_a_blot() -> tuple[Seats, Placement]:
    """Gets a table with a clock, and the board there: A has hit B's blot without putting it on the bar, and pressed."""
    blot = BackgammonPosition.from_points([0, 0, 0, 0, -1, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, -1, 2])
    terms = ClockTerms(kind="delay", delay_s=12, reserve_a_point_s=120, flag="loses")
    seats = at_turn(blot, Seat.A, read_ruleset("casual").model_copy(update={"clock": terms, "witnesses_required": 1}))
    seats.roll(Seat.A, 3, 1)
    seats.feed(ButtonPressed(seats.now(), Role.B))
    left = moved(blot.placement(), ("8", "5"), ("6", "5"))
    seats.show(left)
    seats.lift()
    seats.feed(ButtonPressed(seats.now(), Role.A))
    return seats, left


def test_while_a_board_is_held_the_clock_stands_and_goes_on_with_the_game() -> None:
    """Nobody could do anything that would end their own time."""
    seats, left = timed_with_a_blot()
    assert the_clock(seats).running is Seat.B
    seats.roll(Seat.B, 6, 2)
    assert seats.referee.state.phase is Phase.HOLD
    stood = the_clock(seats)
    assert (stood.running, stood.paused, stood.stopped_seat) == (None, PauseReason.CONTEST, Seat.B)
    seats.feed(TimePassed(seats.now() + 3_600_000))
    assert the_clock(seats).fell == ()
    seats.show(moved(left, ("5", "bar B"), seat=Seat.B))
    assert seats.referee.state.phase is Phase.MOVE
    assert (the_clock(seats).running, the_clock(seats).paused) == (Seat.B, None)


def test_who_stopped_the_clock_before_a_board_was_held_lets_it_go_on() -> None:
    seats, left = timed_with_a_blot()
    seats.feed(ClockStopped(seats.now(), Role.B, PauseReason.CONTEST))
    seats.roll(Seat.B, 6, 2)
    assert seats.referee.state.phase is Phase.HOLD
    seats.show(moved(left, ("5", "bar B"), seat=Seat.B))
    assert (the_clock(seats).running, the_clock(seats).paused) == (None, PauseReason.CONTEST)


def the_clock(seats: Seats) -> Clock:
    clock = seats.referee.state.clock
    assert clock is not None
    return clock


def test_a_hidden_place_is_waited_for() -> None:
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1)
    hidden = {point(5), point(4), point(6)}
    seats.see(sure_reading(LEGAL, seats.game.places, hidden=hidden))
    effects = seats.lift()
    assert not of_kind(effects, TurnJudged)
    assert [notice.text.key for notice in of_kind(effects, Notice)] == ["turn.blind"]
    seats.show(LEGAL)
    assert seats.judged.play == "8/5 6/5"


@pytest.mark.parametrize("why", ["too_bright", "too_dark"])
def test_too_bright_light_and_too_dark_pictures_are_named_with_the_places_where_they_hide_what_was_played(
    why: str,
) -> None:
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1)
    unseen, bright = {point(5), point(4), point(6)}, {point(5), point(6), point(20)}
    seen = sure_reading(LEGAL, seats.game.places, hidden=unseen)
    seats.see(replace(seen, places=tuple(replace(one, **{why: one.place in bright}) for one in seen.places)))
    (notice,) = of_kind(seats.lift(), Notice)
    assert notice.text.key == f"light.{why}"
    said = render(notice.text, read_catalogue())
    assert "5" in said
    assert "6" in said
    assert "20" not in said, "what lies there does not matter to the play"
    seats.show(LEGAL)
    assert seats.judged.play == "8/5 6/5"


def test_a_hidden_end_of_a_turn_is_told_by_what_is_seen_after_it() -> None:
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1)
    seats.see(sure_reading(LEGAL, seats.game.places, hidden={point(5), point(4), point(6), point(8), point(7)}))
    seats.roll(Seat.B, 6, 4)
    assert not of_kind(seats.effects, TurnJudged)
    seats.show(moved(LEGAL, ("1", "11"), seat=Seat.B))
    assert seats.judged.play == "8/5 6/5"
    assert seats.judged.certainty is Certainty.PROBABLE
    assert seats.referee.state.progress.stage is Stage.COMPLETE


def test_a_hand_that_was_over_the_board_since_is_waited_for() -> None:
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1)
    seats.show(moved(BOARD, ("8", "5")))
    seats.feed(HandSeen(seats.now(), True))
    assert not of_kind(seats.lift(), TurnJudged)
    seats.feed(HandSeen(seats.now(), False))
    seats.show(LEGAL)
    assert seats.judged.legal is True


def test_a_board_that_changes_before_anybody_rolled_is_shown_until_it_is_put_back() -> None:
    seats = played(LEGAL)
    effects = seats.show(moved(LEGAL, ("13", "16")))
    assert [notice.text.key for notice in of_kind(effects, Notice)] == ["roll.board_changed", "repair.missing"]
    assert (Sign.MISSING, point(13)) in signs(effects)
    assert seats.referee.unexplained
    effects = seats.show(LEGAL)
    assert signs(effects) == [(Sign.TURN, None)]
    assert not seats.referee.unexplained


def test_two_witnesses_that_agree_are_certain_and_one_of_two_is_probable() -> None:
    two = read_ruleset("house-seed").model_copy(update={"witnesses_required": 2})
    for witnesses, certainty in (
        ((Witness.CAMERA, Witness.SENSORS), Certainty.CERTAIN),
        ((Witness.CAMERA,), Certainty.PROBABLE),
    ):
        for board, legal in ((LEGAL, True), (WRONG, False)):
            seats = at_turn(START, Seat.A, two)
            seats.witnesses = witnesses
            seats.roll(Seat.A, 3, 1)
            seats.show(board)
            seats.lift()
            assert (seats.judged.legal, seats.judged.certainty) == (legal, certainty)


def test_witnesses_that_contradict_each_other_are_no_ground_for_a_ruling() -> None:
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1)
    seats.see(sure_reading(LEGAL, seats.game.places))
    seats.see(sure_reading(WRONG, seats.game.places, Witness.SENSORS))
    seats.lift()
    assert not of_kind(seats.effects, TurnJudged)
    assert {mark.place for mark in seats.referee.state.scene.marks if mark.sign is Sign.UNCLEAR} == {point(4), point(5)}


def test_the_last_checker_ends_the_game_and_the_next_one_begins_with_the_set_up() -> None:
    last = BackgammonPosition.from_points([1] + [0] * 22 + [-15 + 13])
    seats = at_turn(last, Seat.A)
    seats.roll(Seat.A, 6, 5)
    seats.show(moved(last.placement(), ("1", "off A")))
    assert of_kind(seats.effects, GameEnded) == [GameEnded(Seat.A, ((Seat.A, 1), (Seat.B, 0)), "single")]
    assert seats.referee.state.phase is Phase.GAME_OVER
    assert dict(seats.referee.state.score) == {Seat.A: 1, Seat.B: 0}
    seats.start()
    assert seats.referee.state.phase is Phase.OPENING
    assert seats.referee.state.game_number == 2


def test_a_match_ends_when_its_length_is_reached() -> None:
    last = BackgammonPosition.from_points([1] + [0] * 22 + [-2])
    seats = at_turn(last, Seat.A, match=Match(length=1))
    seats.roll(Seat.A, 6, 5)
    seats.show(moved(last.placement(), ("1", "off A")))
    assert seats.referee.state.phase is Phase.MATCH_OVER


def test_hints_are_impossible_with_the_aids_off_and_shown_with_them() -> None:
    hints = {Sign.SOURCE, Sign.TARGET, Sign.READY}
    for ruleset, shown in (("house-seed", set()), ("teaching", hints)):
        seats = at_turn(START, Seat.A, ruleset)
        seats.roll(Seat.A, 3, 1)
        for board in (BOARD, moved(BOARD, ("8", "nowhere")), moved(BOARD, ("8", "5")), LEGAL):
            seats.show(board)
        assert {sign for sign, _ in signs(seats.effects)} & hints == shown


def test_targets_are_those_of_the_lifted_checker() -> None:
    seats = at_turn(START, Seat.A, "teaching")
    seats.roll(Seat.A, 3, 1)
    seats.show(moved(BOARD, ("8", "nowhere")))
    targets = {mark.place for mark in seats.referee.state.scene.marks if mark.sign is Sign.TARGET}
    assert targets == {point(5), point(7)}


def test_a_match_of_no_points_is_refused() -> None:
    with pytest.raises(ValueError, match="match length 0"):
        Match(length=0)


def test_players_who_say_that_a_play_was_legal_are_believed_and_the_next_look_tells_which() -> None:
    two = read_ruleset("house-seed").model_copy(update={"witnesses_required": 2})
    seats = at_turn(START, Seat.A, two)
    seats.roll(Seat.A, 3, 1)
    seats.show(WRONG)
    seats.lift()
    answer(seats, Choice.DENY)
    assert seats.referee.state.seat is Seat.B
    seats.roll(Seat.B, 6, 4)
    seats.show(moved(LEGAL, ("1", "11"), seat=Seat.B))
    assert seats.judged.play == "8/5 6/5"
    assert seats.referee.state.progress.stage is Stage.COMPLETE


def test_where_a_presumed_position_is_seen_to_be_another_the_board_counts() -> None:
    two = read_ruleset("house-seed").model_copy(update={"witnesses_required": 2})
    seats = at_turn(START, Seat.A, two)
    seats.roll(Seat.A, 3, 1)
    seats.show(WRONG)
    seats.lift()
    answer(seats, Choice.DENY)
    other = moved(BOARD, ("24", "23"), ("13", "10"), ("17", "18"))
    seats.show(other)
    assert seats.referee.state.expected == other
    assert not seats.referee.unexplained


def test_a_play_said_to_be_legal_is_taken_as_it_stands_though_a_stack_is_miscounted() -> None:
    """A stack of which one checker too many is counted keeps no board from being a position."""
    two = read_ruleset("house-seed").model_copy(update={"witnesses_required": 2})
    seats = at_turn(START, Seat.A, two)
    seats.roll(Seat.A, 3, 1)
    other = moved(BOARD, ("24", "23"), ("13", "10"), ("17", "18"))
    seen = sure_reading(moved(other, ("nowhere", "19"), seat=Seat.B), seats.game.places)
    six, five = (Seat.B,) * 6, (Seat.B,) * 5
    miscounted = PlaceReading(point(19), (StackChance(six, 0.9), StackChance(five, 0.07)))
    seen = replace(seen, places=tuple(miscounted if one.place == point(19) else one for one in seen.places))
    seats.see(seen)
    seats.lift()
    assert seats.judged.legal is False
    answer(seats, Choice.DENY)
    seats.see(seen)
    assert seats.referee.state.expected == other


def test_the_wrong_seat_rolling_twice_is_asked_about_and_taken_up() -> None:
    seats = played(LEGAL)
    seats.roll(Seat.A, 6, 5)
    assert not of_kind(seats.effects, Prompt)
    seats.lift()
    seats.roll(Seat.A, 6, 2)
    assert [prompt.text.key for prompt in of_kind(seats.effects, Prompt)] == ["ask.whose_turn"]
    answer(seats, Choice.CONFIRM, by=Role.A)
    assert (seats.referee.state.seat, seats.referee.state.roll) == (Seat.A, Roll(6, 2))


def test_the_seat_that_is_to_roll_may_say_that_it_is_its_turn() -> None:
    seats = played(LEGAL)
    for value in (5, 2):
        seats.roll(Seat.A, 6, value)
        seats.lift()
    answer(seats, Choice.DENY)
    seats.roll(Seat.B, 3, 1)
    assert (seats.referee.state.seat, seats.referee.state.roll) == (Seat.B, Roll(3, 1))
