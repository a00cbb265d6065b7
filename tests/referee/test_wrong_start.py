"""S2: a wrong starting position that was played on from, row by row: until when it is put right under each preset."""

from dataclasses import replace

import pytest
from seats_at_table import Seats, die, moved

from boardctl.referee import read_ruleset
from boardctl.referee.effects import Notice, Phase, Ruled
from boardctl.referee.facts import Answered, ButtonPressed, Choice, Role
from boardctl.referee.readings import PlaceReading, StackChance, sure_reading
from boardctl.rules import Backgammon, BackgammonPosition, Placement, Position, Roll, Seat, point, tray
from boardctl.rules.games import GAMES

WRONG = moved(BackgammonPosition.start().placement(), ("6", "7"))
"""One checker of A stands on its 7-point and belongs on its 6-point."""

ROLLS = ((3, 1), (4, 3), (2, 1), (4, 3), (2, 1), (4, 3))
"""What is rolled, A first; of each roll a play is made that leaves the misplaced checker where it is."""


def begun(family: str, rolls: int = 1) -> Seats:
    """Gets a game from the wrong position in which so many rolls were made and played."""
    seats = Seats(read_ruleset(family).model_copy(update={"witnesses_required": 1}))
    seats.show(WRONG)
    seats.rest(die(3, Seat.A, spot=20), die(1, Seat.B, spot=21))
    position: Position = Backgammon().position_of(WRONG)
    seat = Seat.A
    for number, values in enumerate(ROLLS[:rolls]):
        if number:
            seats.roll(seat, *values)
        plays = seats.game.plays(position, seat, Roll(*values))
        position = next(
            play.position
            for play in plays
            if play.position.at(point(7)) == (Seat.A,) and play.position.at(point(6))[:1] == (Seat.A,)
        )
        seats.show(position, confidence=0.9999)
        if seats.referee.ruleset.turn_end == "clock":
            seats.feed(ButtonPressed(seats.now(), Role(seat.value)))
        seats.lift()
        seat = seat.other
    return seats


def said(seats: Seats) -> list[str]:
    return [effect.text.key for effect in seats.effects if isinstance(effect, Notice)]


def put_right(seats: Seats) -> str:
    """Lets the players put the checker where it belongs, and gets what follows."""
    expected = seats.referee.state.expected
    assert expected is not None
    effects = seats.show(moved(expected, ("7", "6")))
    if any(isinstance(effect, Ruled) and effect.ruling == "set_up" for effect in effects):
        return "taken"
    prompt = seats.referee.state.prompt
    return "asked" if prompt is not None and prompt.text.key == "ask.correct_start" else "board changed"


UNTIL: dict[str, tuple[str, ...]] = {
    # what follows when the start is put right after one, two, three, four and five rolls
    "house-seed": ("asked", "asked", "asked", "asked", "asked"),
    "casual": ("taken", "taken", "taken", "taken", "asked"),
    "teaching": ("taken", "taken", "taken", "taken", "asked"),
    "usbgf-like": ("taken", "taken", "taken", "taken", "asked"),
    "wbgf-legal-like": ("taken", "taken", "asked", "asked", "asked"),
    "ukbgf-like": ("asked", "asked", "asked", "asked", "asked"),
    "wbgf-responsible-like": ("taken", "taken", "asked", "asked", "asked"),
    "us-2008-like": ("taken", "taken", "taken", "taken", "asked"),
}


@pytest.mark.parametrize("rolls", range(1, 6))
@pytest.mark.parametrize("family", UNTIL)
def test_s2_put_right_after_so_many_rolls(family: str, rolls: int) -> None:
    seats = begun(family, rolls)
    assert seats.referee.state.turns_played == rolls
    assert put_right(seats) == UNTIL[family][rolls - 1]


@pytest.mark.parametrize(
    ("family", "heard"),
    [
        ("house-seed", {"setup.by_agreement"}),
        ("usbgf-like", {"setup.correct", "setup.stands"}),
        ("wbgf-legal-like", {"setup.correct", "setup.stands"}),
        ("ukbgf-like", {"setup.by_agreement"}),
    ],
)
def test_s2_the_players_are_told_what_holds(family: str, heard: set[str]) -> None:
    seats = begun(family, rolls=5)
    keys = {"setup.correct", "setup.stands", "setup.by_agreement"}
    assert keys & set(said(seats)) == heard
    assert said(seats).count("setup.stands") <= 1


def test_s1_before_anybody_rolls_the_board_must_be_set_up_under_every_ruleset() -> None:
    for family in UNTIL:
        seats = Seats(read_ruleset(family))
        seats.show(WRONG)
        seats.rest(die(3, Seat.A, spot=20), die(1, Seat.B, spot=21))
        assert seats.referee.state.phase is Phase.SETUP
        assert said(seats) == ["setup.wrong", "setup.first"]


def test_whoever_puts_the_board_right_after_the_dice_lay_there_begins_anew() -> None:
    seats = Seats("house-seed")
    seats.show(WRONG)
    seats.rest(die(3, Seat.A, spot=20), die(1, Seat.B, spot=21))
    seats.start()
    state = seats.referee.state
    assert (state.phase, state.late_roll, state.wrong_start) == (Phase.OPENING, None, None)


@pytest.mark.parametrize(("choice", "right"), [(Choice.CONFIRM, True), (Choice.DENY, False)])
def test_after_the_window_both_must_agree(choice: Choice, right: bool) -> None:
    seats = begun("house-seed", rolls=2)
    before = seats.referee.state.expected
    assert before is not None
    assert put_right(seats) == "asked"
    prompt = seats.referee.state.prompt
    assert prompt is not None
    assert set(prompt.to) == {Role.A, Role.B}
    seats.feed(Answered(seats.now(), Role.B, prompt.number, choice))
    assert seats.referee.state.expected == (moved(before, ("7", "6")) if right else before)
    assert ("setup.corrected" in said(seats), "setup.put_back" in said(seats)) == (right, not right)
    seats.roll(Seat.A, 6, 5)
    assert seats.referee.state.phase is Phase.MOVE


def test_a_start_that_is_put_right_with_a_roll_lying_is_played_from_there() -> None:
    seats = begun("casual", rolls=2)
    seats.roll(Seat.A, 5, 3)
    before = seats.referee.state.expected
    assert before is not None
    right = moved(before, ("7", "6"))
    seats.show(right)
    assert seats.referee.state.wrong_start is None
    assert seats.referee.state.expected == right
    seats.show(moved(right, ("8", "3"), ("6", "3")))
    seats.lift()
    assert seats.judged.legal
    assert seats.judged.before == right


def test_a_misplaced_checker_that_has_moved_on_cannot_be_put_back() -> None:
    seats = begun("casual", rolls=2)
    seats.roll(Seat.A, 6, 1)
    expected = seats.referee.state.expected
    assert expected is not None
    seats.show(moved(expected, ("7", "1"), ("21", "20")))
    seats.lift()
    seats.show(moved(moved(expected, ("7", "1"), ("21", "20")), ("1", "6")))
    assert "roll.board_changed" in said(seats)


def test_an_opening_that_nobody_could_read_does_not_lose_the_game() -> None:
    """One die of four is not read, and the players begin: the next roll that is played is followed."""
    game = GAMES["multigam"]
    seats = Seats(game=game)
    seats.start()
    unread = die(5, Seat.C, spot=22, flat=None)
    seats.rest(die(6, Seat.A, spot=20), die(4, Seat.B, spot=21), unread, die(1, Seat.D, spot=23))
    first = game.plays(game.start(), Seat.A, Roll(6, 1))[0].position
    seats.show(first)
    seats.lift()
    seats.roll(Seat.B, 3, 2)
    second = game.plays(first, Seat.B, Roll(3, 2))[0].position
    seats.show(second)
    seats.lift()
    assert (seats.judged.seat, seats.judged.legal, seats.judged.after) == (Seat.B, True, second.placement())
    assert (seats.referee.state.phase, seats.referee.state.seat) == (Phase.ROLL, Seat.C)


def test_a_first_throw_that_could_not_be_read_is_told_by_its_play_on_a_wrong_board_too() -> None:
    for first in (die(3, Seat.A, spot=20, flat=None), die(None, Seat.A, spot=20)):
        seats = Seats(read_ruleset("teaching").model_copy(update={"witnesses_required": 1}))
        seats.show(WRONG)
        seats.rest(first, die(1, Seat.B, spot=21))
        seats.show(moved(WRONG, ("8", "5"), ("6", "5")), confidence=0.9999)
        state = seats.referee.state
        assert (state.phase, state.seat, state.roll) == (Phase.MOVE, Seat.A, Roll(3, 1))
        assert state.wrong_start is not None
        assert state.wrong_start.astray == ((point(7), point(6), Seat.A),)


def test_while_a_checker_lies_between_two_points_it_is_not_told_how_they_began() -> None:
    seats = Seats(read_ruleset("teaching").model_copy(update={"witnesses_required": 1}))
    seats.show(WRONG)
    seats.rest(die(3, Seat.A, spot=20), die(1, Seat.B, spot=21))
    played = sure_reading(moved(WRONG, ("8", "5"), ("6", "nowhere")), seats.game.places)
    loose = {point(2): ((Seat.A,), ()), point(3): ((Seat.A,), ())}
    places = tuple(
        PlaceReading(one.place, tuple(StackChance(stack, 0.5) for stack in loose[one.place]))
        if one.place in loose
        else one
        for one in played.places
    )
    effects = seats.see(replace(played, places=places))
    assert [effect.text.key for effect in effects if isinstance(effect, Notice)] == ["setup.unclear"]
    seats.show(moved(WRONG, ("8", "5"), ("6", "5")), confidence=0.9999)
    assert seats.referee.state.roll == Roll(3, 1)


def test_a_tray_that_may_hold_a_checker_keeps_no_wrong_start_from_being_followed() -> None:
    """A wrong start and a tray misread make a board with a checker too many, from which nobody could play."""
    seats = Seats(read_ruleset("casual").model_copy(update={"witnesses_required": 1}))
    in_tray = PlaceReading(tray(Seat.B), (StackChance((Seat.B,), 0.647), StackChance((), 0.3)))

    def see(board: Placement) -> None:
        reading = sure_reading(board, seats.game.places, confidence=0.9999)
        seats.see(
            replace(reading, places=tuple(in_tray if one.place == in_tray.place else one for one in reading.places))
        )

    see(WRONG)
    assert seats.referee.state.wrongly_set_up == WRONG
    seats.rest(die(3, Seat.A, spot=20), die(1, Seat.B, spot=21))
    see(moved(WRONG, ("8", "5"), ("6", "5")))
    assert (seats.referee.state.phase, seats.referee.state.roll) == (Phase.MOVE, Roll(3, 1))


def test_where_too_bright_light_leaves_a_start_open_it_is_named_and_nobody_is_asked_to_tidy() -> None:
    seats = Seats(read_ruleset("casual").model_copy(update={"witnesses_required": 1}))
    four, five = ((Seat.A,) * count for count in (4, 5))
    by_rims = PlaceReading(point(6), (StackChance(four, 0.59), StackChance(five, 0.003)), too_bright=True)
    reading = sure_reading(seats.game.start().placement(), seats.game.places)
    places = tuple(by_rims if one.place == by_rims.place else one for one in reading.places)
    effects = seats.see(replace(reading, places=places))
    assert [effect.text.key for effect in effects if isinstance(effect, Notice)] == ["light.too_bright"]
    effects = seats.see(reading)
    assert [effect.text.key for effect in effects if isinstance(effect, Notice)] == ["opening.roll"]
