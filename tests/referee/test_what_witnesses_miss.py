"""What one of two witnesses shows wrongly or not at all: it is named all the same, or nothing is vouched for."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from seats_at_table import Seats, at_turn, die, moved

from boardctl.referee import Match
from boardctl.referee.effects import Certainty, Effect, Notice, Phase, RollRead, TurnJudged
from boardctl.referee.facts import ButtonPressed, CheckerSensed, DiceLifted, Doubled, HandSeen, Role
from boardctl.referee.readings import BoardReading, CubeReading, Hand, StackChance, Support, Witness, sure_reading
from boardctl.rules import Backgammon, BackgammonPosition, Place, Placement, Roll, Seat, Stack, bar, point

A, B = Seat.A, Seat.B
START = BackgammonPosition.start()
BOARD = START.placement()
LEGAL = moved(BOARD, ("8", "5"), ("6", "5"))
CAMERA, SENSORS = Witness.CAMERA, Witness.SENSORS
Chances = Mapping[Place, Mapping[Stack, float]]


def read_as(board: Placement, other: Chances, witness: Witness = CAMERA) -> BoardReading:
    """Gets the reading of a witness that is sure of a board but for some places."""
    sure = sure_reading(board, Backgammon().places, witness)
    read = {place: tuple(StackChance(*one) for one in chances.items()) for place, chances in other.items()}
    places = tuple(replace(one, chances=read[one.place]) if one.place in read else one for one in sure.places)
    return BoardReading(witness, places)


def noticed(effects: list[Effect]) -> list[str]:
    return [effect.text.key for effect in effects if isinstance(effect, Notice)]


# -- a checker between two points

BETWEEN: Chances = {point(5): {(A, A): 0.5, (A,): 0.5}, point(4): {(A,): 0.5, (): 0.5}}


def astray(*, tidied: bool) -> Seats:
    """Gets a table at which the sensors feel a legal play, and the camera sees one of its checkers between two points;
    then the dice are lifted."""
    seats = at_turn(START, A)
    seats.witnesses = (CAMERA, SENSORS)
    seats.show(BOARD)
    seats.roll(A, 3, 1)
    seats.see(sure_reading(LEGAL, seats.game.places, SENSORS))
    seats.see(read_as(LEGAL, BETWEEN))
    seats.lift()
    if tidied:
        seats.see(sure_reading(LEGAL, seats.game.places))
    return seats


def test_a_checker_between_two_points_is_asked_about_though_the_sensors_feel_it_on_one() -> None:
    seats = astray(tidied=False)
    assert seats.referee.state.phase is Phase.CONFIRM
    assert noticed(seats.effects)[-1] == "turn.unclear"
    assert seats.referee.state.judged is None
    assert astray(tidied=True).judged.legal


def test_who_plays_on_with_a_checker_between_two_points_is_judged_by_what_is_likeliest() -> None:
    seats = astray(tidied=False)
    seats.roll(B, 4, 2)
    assert (seats.judged.legal, seats.judged.certainty) == (True, Certainty.PROBABLE)
    assert seats.referee.state.seat is B


def test_tall_stacks_side_by_side_that_are_hard_to_count_are_no_checker_astray() -> None:
    five = BOARD.replaced({point(6): (), point(3): (A,) * 6, point(8): (), point(4): (A,) * 6, point(13): (A,)})
    seats = at_turn(Backgammon().position_of(five), A)
    seats.roll(A, 3, 1)
    after = moved(five, ("24", "20"))
    doubted: Chances = {point(3): {(A,) * 6: 0.55, (A,) * 7: 0.4}, point(4): {(A,) * 6: 0.55, (A,) * 7: 0.4}}
    seats.see(read_as(after, doubted))
    seats.lift()
    assert seats.judged.legal


# -- witnesses that go on contradicting each other


def test_a_legal_play_counts_that_one_witness_contradicts_when_the_game_has_gone_on() -> None:
    seats = at_turn(START, A)
    seats.witnesses = (CAMERA, SENSORS)
    seats.show(BOARD)
    seats.roll(A, 3, 1)
    felt: Chances = {point(5): {(A,) * 3: 0.97, (A,) * 2: 0.02}}
    seats.see(read_as(LEGAL, felt, SENSORS))
    seats.see(sure_reading(LEGAL, seats.game.places, CAMERA, 0.9999))
    seats.lift()
    assert noticed(seats.effects)[-1] == "turn.unclear"
    seats.roll(B, 4, 2)
    assert (seats.judged.legal, seats.judged.certainty, seats.judged.after) == (True, Certainty.PROBABLE, LEGAL)
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.MOVE, B)


@pytest.mark.parametrize(("felt_then", "felt_now"), [(4, 3), (3, 2), (2, 1)])
def test_by_how_many_a_row_has_changed_is_felt_whatever_it_is_felt_as(felt_then: int, felt_now: int) -> None:
    right: Mapping[Stack, float] = {(B,) * 3: 0.1} if felt_then != 3 else {}
    seats = at_turn(START, A)
    seats.show(BOARD)
    seats.roll(A, 3, 1)
    seats.see(sure_reading(LEGAL, seats.game.places, CAMERA, 0.9999))
    seats.see(read_as(LEGAL, {point(17): {(B,) * felt_then: 0.8, **right}}, SENSORS))
    seats.lift()
    assert seats.judged.legal
    seats.effects.clear()
    gone = moved(LEGAL, ("17", "nowhere"))
    seats.see(read_as(gone, {point(17): {(B,) * felt_now: 0.5, (): 0.1}}, SENSORS))
    seats.see(sure_reading(gone, seats.game.places, CAMERA, 0.9999))
    assert noticed(seats.effects) == ["roll.board_changed", "repair.missing"]


def test_a_play_of_the_others_roll_of_which_only_the_leaving_is_seen_may_be_a_checker_that_is_gone() -> None:
    """The 3-1 before can be played by B with a single 1 from point 23, onto a stack that nobody can count."""
    before = Placement(
        {point(1): (A,) * 2, point(3): (A,) * 13, point(23): (B,) * 3, point(24): (B,) * 7, point(2): (B,) * 5}
    )
    after = moved(before, ("3", "off A"), ("1", "off A"))
    tall: Chances = {point(24): {(B,) * 7: 0.4, (B,) * 8: 0.35}}
    seats = at_turn(Backgammon().position_of(before), A)
    seats.roll(A, 3, 1)
    seats.see(read_as(after, tall))
    seats.lift()
    seats.effects.clear()
    seats.see(read_as(moved(after, ("23", "nowhere")), tall))
    assert "roll.played_opponents_roll" not in noticed(seats.effects)


# -- before a game


def short(seats: Seats, *witnesses: Witness) -> list[str]:
    seats.effects.clear()
    board = moved(BOARD, ("6", "nowhere"))
    for witness in witnesses:
        seats.see(read_as(board, {point(6): {(A,) * 4: 0.95, (A,) * 5: 0.03}}, witness))
    return noticed(seats.effects)


def test_a_checker_that_is_missing_before_a_game_is_told_by_two_witnesses_who_are_not_sure() -> None:
    seats = Seats()
    assert short(seats, CAMERA, SENSORS)[-1] in ("setup.wrong", "setup.unclear")
    assert seats.referee.state.phase is Phase.SETUP


def test_a_board_that_the_sensors_alone_have_told_of_since_it_was_changed_waits_for_the_camera() -> None:
    seats = Seats()
    wrong = moved(BOARD, ("6", "7"))
    for witness in (CAMERA, SENSORS):
        seats.see(sure_reading(wrong, seats.game.places, witness))
    seats.feed(CheckerSensed(seats.now(), point(6), A, lifted=False))
    phases = []
    for witness in (SENSORS, CAMERA):
        seats.see(sure_reading(BOARD, seats.game.places, witness))
        phases.append(seats.referee.state.phase)
    assert phases == [Phase.SETUP, Phase.OPENING]


def opened() -> Seats:
    """Gets a game whose opening was thrown, one die in either section, and read as surely as can be."""
    seats = Seats("usbgf-like", witnesses=(CAMERA, SENSORS))
    seats.start()
    (read,) = [one for one in seats.rest(die(3, A, spot=0), die(1, B, spot=1)) if isinstance(one, RollRead)]
    assert (read.seat, read.roll, read.certainty) == (A, Roll(3, 1), Certainty.PROBABLE)
    return seats


def test_who_starts_is_never_vouched_for_but_who_plays_the_first_roll_has_shown_it() -> None:
    seats = opened()
    seats.show(LEGAL, confidence=0.9999)
    seats.feed(ButtonPressed(seats.now(), Role.A))
    assert (seats.judged.legal, seats.judged.certainty) == (True, Certainty.CERTAIN)


def test_a_first_roll_of_which_nothing_was_played_is_not_surely_illegal() -> None:
    """Perhaps both dice rolled into the other's section, and were taken up because they did not count."""
    seats = opened()
    seats.show(BOARD, confidence=0.9999)
    seats.feed(ButtonPressed(seats.now(), Role.A))
    assert (seats.judged.legal, seats.judged.certainty) == (False, Certainty.PROBABLE)


# -- hands


def over(seats: Seats, *seats_over: Seat) -> list[str]:
    places = ((point(8),), (point(13),))
    hands = tuple(Hand(seat, places[number]) for number, seat in enumerate(seats_over))
    seats.feed(HandSeen(seats.now(), False))
    return noticed(seats.feed(HandSeen(seats.now(), True, hands)))


def test_hands_are_noted_while_a_roll_is_played_that_could_not_be_read() -> None:
    for hands, name in (((A, A), "hands.two"), ((B,), "hands.out_of_turn")):
        seats = at_turn(START, A)
        seats.rest(die(3), die(None, spot=1, flat=None))
        assert over(seats, *hands) == [name]


def test_hands_are_noted_beside_dice_that_were_thrown_in_the_place_of_an_unsure_roll() -> None:
    seats = at_turn(START, A, "usbgf-like")
    seats.show(START)
    seats.rest(die(3, confidence=0.95), die(1, spot=1, confidence=0.95))
    seats.show(START)
    seats.rest(die(6, spot=4), die(4, spot=5))
    assert over(seats, B) == ["hands.out_of_turn"]


def test_where_the_dice_are_gone_no_hand_is_out_of_turn() -> None:
    """The turn may have ended in a way that was not seen."""
    seats = at_turn(START, A, "usbgf-like")
    seats.roll(A, 3, 1)
    assert over(seats, B) == ["hands.out_of_turn"]
    seats = at_turn(START, A, "usbgf-like")
    seats.roll(A, 3, 1)
    seats.lift()
    assert over(seats, B) == []


# -- dice over a sensor, and under something


def test_a_die_that_rolls_over_a_sensor_is_no_checker() -> None:
    """It is felt before the camera has seen it lie still."""
    seats = at_turn(START, A)
    seats.witnesses = (CAMERA, SENSORS)
    seats.roll(A, 3, 1)
    seats.show(LEGAL)
    seats.lift()
    seats.effects.clear()
    seats.feed(CheckerSensed(seats.now(), point(15), A, lifted=False))
    seats.see(sure_reading(LEGAL.replaced({point(15): (A,)}), seats.game.places, SENSORS))
    assert noticed(seats.effects) == []
    seats.see(sure_reading(LEGAL, seats.game.places))
    seats.rest(die(4, B, spot=2), die(2, B, spot=3))
    assert noticed(seats.effects) == []
    assert seats.referee.state.phase is Phase.MOVE


@pytest.mark.parametrize(("board", "covered", "ends"), [(LEGAL, 1, True), (LEGAL, 0, False), (BOARD, 1, False)])
def test_who_has_played_and_takes_up_the_die_that_is_seen_takes_the_one_under_something_too(
    board: Placement, covered: int, ends: bool
) -> None:
    seats = at_turn(START, A)
    dice = die(3, spot=0), die(1, spot=1)
    seats.rest(*dice)
    seats.show(board)
    seats.feed(DiceLifted(seats.now(), 1, still=dice[:1], covered=covered))
    assert (seats.referee.state.phase is not Phase.MOVE) == ends


def test_a_glint_beside_two_dice_is_no_third_one_but_nothing_is_vouched_for() -> None:
    glint = die(None, spot=3, flat=None, confidence=0.24)
    for dice, valid in (((die(3), die(1, spot=1), glint), True), ((die(3), die(1, spot=1), die(2, spot=2)), False)):
        (read,) = [one for one in at_turn(START, A).rest(*dice) if isinstance(one, RollRead)]
        assert read.valid == valid
        assert (read.certainty is Certainty.PROBABLE) == valid


def test_one_die_that_is_thrown_again_is_named_beside_a_glint() -> None:
    seats = at_turn(START, A)
    seats.rest(die(3), die(2, None, spot=20, on=Support.OFF_BOARD))
    (read,) = [
        one
        for one in seats.rest(die(3), die(4, spot=5), die(None, spot=9, flat=None, confidence=0.24))
        if isinstance(one, RollRead)
    ]
    assert [reason.key for reason in read.reasons] == ["dice.only_one_again"]


# -- presses and doubles of which the referee has lost count


def test_a_press_that_comes_after_the_own_next_throw_ends_the_turn_before_it() -> None:
    """The other seat has to wait: who forgot the clock rolls again."""
    shut = Placement(
        {point(24): (B,) * 2, point(23): (B,) * 2, point(22): (B,) * 2, point(21): (B,) * 2, point(20): (B,) * 2}
        | {point(19): (B,) * 2, point(12): (B,) * 3, bar(A): (A,), point(1): (A,) * 14}
    )
    seats = at_turn(Backgammon().position_of(shut), B, "usbgf-like")
    seats.roll(B, 2, 1)
    seats.show(moved(shut, ("12", "14"), ("12", "13")))
    seats.lift()
    seats.roll(B, 3, 1)
    assert seats.judged.legal
    assert seats.referee.state.seat is B
    seats.effects.clear()
    seats.feed(ButtonPressed(seats.now(), Role.B))
    assert seats.referee.state.phase is Phase.MOVE
    assert not [one for one in seats.effects if isinstance(one, TurnJudged)]
    seats.feed(ButtonPressed(seats.now(), Role.B))
    assert seats.judged.legal is False


def offered() -> Seats:
    """Gets a table at which B has shown a double in A's turn, and is held to it when its own has come."""
    seats = at_turn(START, A, "wbgf-responsible-like", Match(cube=True))
    seats.roll(A, 3, 1)
    seats.feed(Doubled(seats.now(), Role.B))
    assert seats.referee.state.cube_bound is B
    return seats


def cube_at(zone: str) -> BoardReading:
    return replace(sure_reading(LEGAL, Backgammon().places), cube=CubeReading(None, zone, 0.99))


def played(seats: Seats, reading: BoardReading) -> None:
    seats.see(reading)
    seats.feed(ButtonPressed(seats.now(), Role.A))
    seats.lift()
    seats.see(reading)


def test_who_is_held_to_a_double_whose_cube_lies_with_the_other_has_had_the_answer() -> None:
    seats = offered()
    played(seats, cube_at("A"))
    cube = seats.referee.state.cube
    assert (cube.offer, cube.owner, cube.value) == (None, A, 2)
    assert seats.referee.state.phase is Phase.ROLL


@pytest.mark.parametrize(("lies", "owner"), [("bar", None), ("A", A)])
def test_a_double_that_nobody_waits_to_see_answered_stands_in_nobodys_way(lies: str, owner: Seat | None) -> None:
    seats = offered()
    played(seats, cube_at("bar"))
    assert seats.referee.state.cube.offer is not None
    seats.roll(B, 4, 2)
    assert seats.referee.state.cube.offer is not None
    seats.lift()
    if lies == "bar":
        seats.roll(A, 6, 5)
        assert seats.referee.state.cube.offer is None
    else:
        seats.see(cube_at("A"))
    assert seats.referee.state.cube.owner is owner


def test_who_has_thrown_what_could_not_be_read_and_presses_has_gone_on_from_an_open_play() -> None:
    seats = at_turn(START, A, "usbgf-like")
    seats.witnesses = (CAMERA, SENSORS)
    seats.show(BOARD)
    seats.roll(A, 3, 1)
    seats.see(sure_reading(LEGAL, seats.game.places, CAMERA))
    seats.see(read_as(LEGAL, {point(5): {(A,) * 3: 0.97, (A,) * 2: 0.02}}, SENSORS))
    seats.feed(ButtonPressed(seats.now(), Role.A))
    assert seats.referee.state.phase is Phase.CONFIRM
    seats.lift()
    seats.rest(die(4, B, spot=8), die(2, B, spot=9, flat=None))
    after = moved(LEGAL, ("12", "16"), ("17", "19"))
    seats.see(read_as(after, {point(5): {(A,) * 3: 0.97, (A,) * 2: 0.02}}, SENSORS))
    seats.see(sure_reading(after, seats.game.places, CAMERA))
    seats.feed(ButtonPressed(seats.now(), Role.B))
    assert (seats.referee.state.seat, seats.referee.state.expected) == (A, after)
