"""What may come at any time: lost devices, a board knocked over, a position set up anew."""

from dataclasses import replace

import pytest
from seats_at_table import Seats, at_turn, die, moved

from boardctl.referee import Stage, read_catalogue, render
from boardctl.referee.effects import Certainty, Effect, Notice, Phase, RollRead, Ruled, Sign, TurnJudged
from boardctl.referee.facts import Answered, Choice, Device, DeviceChanged, PositionDeclared, Role
from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, sure_reading
from boardctl.rules import BackgammonPosition, Placement, Position, Roll, Seat, point

START = BackgammonPosition.start()
BOARD = START.placement()
LEGAL = moved(BOARD, ("8", "5"), ("6", "5"))


def notices(effects: list[Effect]) -> list[str]:
    return [effect.text.key for effect in effects if isinstance(effect, Notice)]


def words(effects: list[Effect]) -> list[str]:
    return [render(effect.text, read_catalogue()) for effect in effects if isinstance(effect, Notice)]


def device(seats: Seats, working: bool, which: Device = Device.CAMERA) -> list[Effect]:
    return seats.feed(DeviceChanged(seats.now(), which, working, "" if working else "unplugged"))


def declare(seats: Seats, board: Placement | Position, roller: Seat | None = None, by: str = "resync") -> list[Effect]:
    placement = board if isinstance(board, Placement) else board.placement()
    reading = sure_reading(placement, seats.game.places)
    who = "resync" if by == "resync" else Role(by)
    return seats.feed(PositionDeclared(seats.now(), who, reading, roller))  # type: ignore[arg-type]


def test_a_lost_device_is_said_once_and_once_that_it_is_back() -> None:
    seats = at_turn(START, Seat.A)
    assert notices(device(seats, working=False)) == ["device.lost"]
    assert device(seats, working=False) == []
    assert notices(device(seats, working=True)) == ["device.back", "repair.look"]
    assert device(seats, working=True) == []


def test_a_panel_that_comes_back_needs_no_repair() -> None:
    seats = at_turn(START, Seat.A)
    device(seats, working=False, which=Device.PANEL)
    device(seats, working=True, which=Device.PANEL)
    assert seats.referee.state.phase is Phase.ROLL


def test_the_repair_leads_back_one_difference_at_a_time() -> None:
    seats = at_turn(START, Seat.A)
    device(seats, working=False)
    device(seats, working=True)
    knocked = moved(BOARD, ("6", "8"), ("6", "8"), ("12", "11"))
    effects = seats.show(knocked)
    assert words(effects) == ["point 6: 2 missing (after this: 3 more)."]
    marks = [(mark.sign, mark.place) for mark in seats.referee.state.scene.marks if mark.place]
    assert marks == [(Sign.MISSING, point(6))]
    effects = seats.show(moved(BOARD, ("12", "11")))
    assert words(effects) == ["point 11: 1 too many (after this: 1 more)."]
    effects = seats.show(BOARD)
    assert notices(effects) == ["repair.done"]
    assert seats.referee.state.phase is Phase.ROLL
    assert seats.referee.state.seat is Seat.A


def test_a_play_in_progress_goes_on_after_the_repair() -> None:
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1)
    device(seats, working=False)
    device(seats, working=True)
    seats.show(moved(BOARD, ("8", "5")))
    assert seats.referee.state.phase is Phase.MOVE
    assert seats.referee.state.progress.stage is Stage.ON_THE_WAY


def test_a_throw_during_the_repair_is_kept() -> None:
    seats = at_turn(START, Seat.A)
    device(seats, working=False)
    device(seats, working=True)
    assert notices(seats.roll(Seat.A, 6, 2)) == ["repair.first"]
    seats.show(BOARD)
    assert seats.referee.state.roll == Roll(6, 2)


def test_a_judgement_that_stood_before_the_loss_stands_after_it() -> None:
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1)
    wrong = moved(BOARD, ("8", "5"), ("6", "4"))
    seats.show(wrong)
    seats.lift()
    device(seats, working=False)
    device(seats, working=True)
    seats.show(wrong)
    assert seats.referee.state.phase is Phase.CONFIRM
    seats.roll(Seat.B, 5, 4)
    assert seats.referee.state.expected == wrong


def test_a_declared_position_is_played_on_from() -> None:
    seats = at_turn(START, Seat.A)
    later = BackgammonPosition.from_points([3, 3, 3, 2, 2, 2] + [0] * 12 + [-2, -2, -2, -3, -3, -3])
    effects = declare(seats, later, Seat.B, by="director")
    assert Ruled("set_up", "director", Seat.B) in effects
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.ROLL, Seat.B)
    assert seats.referee.state.expected == later.placement()


def test_a_board_that_is_no_position_is_not_taken() -> None:
    seats = at_turn(START, Seat.A)
    effects = declare(seats, moved(BOARD, ("6", "nowhere"), ("6", "nowhere")), Seat.B)
    assert notices(effects) == ["declared.impossible"]
    assert seats.referee.state.expected == BOARD


def test_after_a_gap_the_section_of_the_dice_tells_the_roller() -> None:
    seats = at_turn(START, Seat.A)
    seats.roll(Seat.A, 3, 1)
    seats.show(LEGAL)
    later = BackgammonPosition.from_points([3, 3, 3, 2, 2, 2] + [0] * 12 + [-2, -2, -2, -3, -3, -3])
    seats.rest(die(6, Seat.A, spot=20), die(5, Seat.A, spot=21))
    seats.show(later)
    assert seats.referee.unexplained
    effects = declare(seats, later)
    said = [(judged.play, judged.certainty) for judged in effects if isinstance(judged, TurnJudged)]
    assert said == [("8/5 6/5", Certainty.PROBABLE)]
    assert [read.seat for read in effects if isinstance(read, RollRead)] == [Seat.A]
    assert seats.referee.state.roll == Roll(6, 5)


def test_dice_found_lying_after_a_gap_are_held_against_nobody() -> None:
    seats = at_turn(START, Seat.B)
    later = BackgammonPosition.from_points([3, 3, 3, 2, 2, 2] + [0] * 12 + [-2, -2, -2, -3, -3, -3])
    seats.rest(die(6, Seat.A, spot=20), die(5, Seat.A, spot=21))
    declare(seats, later)
    effects = seats.roll(Seat.B, 2, 1)
    judged = next(effect for effect in effects if isinstance(effect, TurnJudged))
    assert (judged.legal, judged.certainty) == (None, Certainty.BLIND)
    assert seats.referee.state.roll == Roll(2, 1)


def test_a_tall_stack_that_cannot_be_counted_is_counted_by_what_is_left() -> None:
    seats = at_turn(START, Seat.A)
    tall = moved(BOARD, ("13", "6"), ("13", "6"))
    six, seven = ((Seat.A,) * count for count in (6, 7))
    vague = PlaceReading(point(6), (StackChance(six, 0.5), StackChance(seven, 0.45)))
    reading = with_place(sure_reading(tall, seats.game.places), vague)
    seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, reading, Seat.A))
    assert seats.referee.state.expected == tall


def test_a_board_with_hidden_checkers_is_not_taken_unless_they_can_only_be_in_one_place() -> None:
    for hidden, taken in (({6, 7}, False), ({7, 9}, True), ({6}, True)):
        seats = Seats()
        reading = sure_reading(BOARD, seats.game.places, hidden={point(number) for number in hidden})
        effects = seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, reading, Seat.A))
        assert (seats.referee.state.expected == BOARD) is taken
        assert notices(effects) == ([] if taken else ["declared.hidden"])


@pytest.mark.parametrize("why", ["too_bright", "too_dark"])
def test_a_board_in_too_bright_light_or_a_too_dark_picture_is_refused_with_what_to_do_about_it(why: str) -> None:
    seats = Seats()
    reading = sure_reading(BOARD, seats.game.places, hidden={point(6), point(7)})
    reading = with_place(reading, replace(PlaceReading(point(6), (), hidden=True), **{why: True}))
    effects = seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, reading, Seat.A))
    assert notices(effects) == [f"declared.{why}"]
    (said,) = words(effects)
    assert "6" in said
    assert "7" not in said


def with_place(reading: BoardReading, place: PlaceReading) -> BoardReading:
    others = (place if other.place == place.place else other for other in reading.places)
    return BoardReading(reading.witness, tuple(others))


def test_who_rolls_on_another_board_may_have_it_taken_as_it_stands() -> None:
    """The game went on while the camera was gone."""
    seats = at_turn(START, Seat.A)
    device(seats, working=False)
    device(seats, working=True)
    after = moved(LEGAL, ("12", "18"), ("17", "18"))
    seats.show(after)
    seats.roll(Seat.A, 6, 4)
    prompt = seats.referee.state.prompt
    assert prompt is not None
    assert prompt.choices == (Choice.SET_UP,)
    effects = seats.feed(Answered(seats.now(), Role.B, prompt.number, Choice.SET_UP))
    assert [effect.ruling for effect in effects if isinstance(effect, Ruled)] == ["set_up"]
    state = seats.referee.state
    assert (state.phase, state.seat, state.roll, state.expected) == (Phase.MOVE, Seat.A, Roll(6, 4), after)


def test_a_board_of_which_one_stack_is_miscounted_may_be_taken_as_it_stands() -> None:
    """Who rolls on it knows that all checkers are there."""
    seats = at_turn(START, Seat.A)
    device(seats, working=False)
    device(seats, working=True)
    after = moved(LEGAL, ("12", "18"), ("17", "18"))
    six, five = (Seat.B,) * 6, (Seat.B,) * 5
    miscounted = PlaceReading(point(19), (StackChance(six, 0.948), StackChance(five, 0.03)))
    seats.see(with_place(sure_reading(after, seats.game.places), miscounted))
    seats.roll(Seat.A, 6, 4)
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(Answered(seats.now(), Role.B, prompt.number, Choice.SET_UP))
    state = seats.referee.state
    assert (state.phase, state.seat, state.roll, state.expected) == (Phase.MOVE, Seat.A, Roll(6, 4), after)
    assert state.position_sure is False


def test_the_question_goes_away_when_the_board_is_put_right() -> None:
    seats = at_turn(START, Seat.A)
    device(seats, working=False)
    device(seats, working=True)
    seats.show(moved(BOARD, ("6", "8"), ("12", "11")))
    seats.roll(Seat.A, 6, 4)
    assert seats.referee.state.prompt is not None
    seats.show(BOARD)
    assert seats.referee.state.prompt is None
    assert (seats.referee.state.phase, seats.referee.state.roll) == (Phase.MOVE, Roll(6, 4))


def test_a_board_that_is_none_of_the_game_is_not_taken_as_it_stands() -> None:
    seats = at_turn(START, Seat.A)
    device(seats, working=False)
    device(seats, working=True)
    seats.show(moved(BOARD, ("6", "nowhere"), ("13", "nowhere")))
    seats.roll(Seat.A, 6, 4)
    prompt = seats.referee.state.prompt
    assert prompt is not None
    effects = seats.feed(Answered(seats.now(), Role.B, prompt.number, Choice.SET_UP))
    assert notices(effects) == ["declared.impossible"]
    assert seats.referee.state.phase is Phase.REPAIR


OVER = BackgammonPosition.from_points([0] * 23 + [-2])  # A has borne off all fifteen


@pytest.mark.parametrize("well", [True, False])
def test_a_declared_board_ends_the_game_only_if_it_is_seen_well(well: bool) -> None:
    seats = at_turn(START, Seat.A)
    reading = sure_reading(OVER.placement(), seats.game.places)
    if not well:
        either = PlaceReading(point(24), (StackChance((Seat.B,) * 2, 0.5), StackChance((Seat.B,), 0.5)))
        places = (either if place.place == either.place else place for place in reading.places)
        reading = replace(reading, places=tuple(places))
    effects = seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, reading, Seat.B))
    if well:
        assert seats.referee.state.phase is Phase.GAME_OVER
        return
    again = seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, reading, Seat.B))
    assert [notices(effects), notices(again)] == [["declared.would_end"]] * 2  # people are told each time
    assert seats.referee.state.expected == BOARD
