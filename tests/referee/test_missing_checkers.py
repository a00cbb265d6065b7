"""S3: a checker that was missing since the start, played on without, found late, put on, or left out to the end.

Outside the window and without agreement it stays out, is not counted as borne off, and a gammon is still possible.
"""

from dataclasses import replace

import pytest
from seats_at_table import Seats, die, moved
from test_wrong_start import UNTIL

from boardctl.referee import Match, read_ruleset
from boardctl.referee.effects import Effect, GameEnded, Notice, Phase, Ruled, TurnJudged
from boardctl.referee.facts import Answered, BoardSeen, ButtonPressed, Choice, Doubled, PositionDeclared, Role
from boardctl.referee.readings import BoardReading, StackChance, Witness, sure_reading
from boardctl.referee.roll.missing import filled, lacking
from boardctl.rules import Backgammon, BackgammonPosition, Placement, Position, Roll, Seat, point, tray

GAME = Backgammon()
BOARD = BackgammonPosition.start().placement()
SHORT = moved(BOARD, ("6", "nowhere"))
"""A began with four checkers on the 6-point."""

ROLLS = ((3, 1), (4, 3), (2, 1), (4, 3), (2, 1), (4, 3))


def really(position: Position, missing: int = 1) -> Placement:
    """Gets what lies on the board where so many checkers of A are missing."""
    board = position.placement()
    return board.replaced({tray(Seat.A): board.at(tray(Seat.A))[missing:]})


def end_turn(seats: Seats, seat: Seat) -> list[Effect]:
    effects: list[Effect] = []
    if seats.referee.ruleset.turn_end == "clock":
        effects += seats.feed(ButtonPressed(seats.now(), Role(seat.value)))
    return effects + seats.lift()


def begun(family: str, rolls: int = 1) -> Seats:
    """Gets a game that was begun without a checker, after so many rolls; each play leaves the rest of the 6-point."""
    seats = Seats(read_ruleset(family).model_copy(update={"witnesses_required": 1}))
    seats.show(SHORT, confidence=0.9999)
    seats.rest(die(3, Seat.A, spot=20), die(1, Seat.B, spot=21))
    position: Position = GAME.position_of(filled(SHORT, lacking(GAME, SHORT)))
    seat = Seat.A
    for number, values in enumerate(ROLLS[:rolls]):
        if number:
            seats.roll(seat, *values)
        plays = GAME.plays(position, seat, Roll(*values))
        position = next(play.position for play in plays if play.position.at(point(6)) == (Seat.A,) * 4)
        seats.show(really(position), confidence=0.9999)
        end_turn(seats, seat)
        seat = seat.other
    return seats


def said(seats: Seats) -> list[str]:
    return [effect.text.key for effect in seats.effects if isinstance(effect, Notice)]


def put_on(seats: Seats) -> str:
    """Lets the players put the missing checker where it belongs, and gets what follows."""
    expected = seats.referee.state.expected
    assert expected is not None
    effects = seats.show(moved(expected, ("off A", "6")), confidence=0.9999)
    if any(isinstance(effect, Ruled) and effect.ruling == "set_up" for effect in effects):
        return "taken"
    prompt = seats.referee.state.prompt
    return "asked" if prompt is not None and prompt.text.key == "ask.correct_start" else "board changed"


@pytest.mark.parametrize("rolls", [1, 2, 4, 5])
@pytest.mark.parametrize("family", UNTIL)
def test_s3_put_on_after_so_many_rolls(family: str, rolls: int) -> None:
    seats = begun(family, rolls)
    judged = [effect.legal for effect in seats.effects if isinstance(effect, TurnJudged)]
    assert judged == [True] * rolls
    assert seats.referee.state.missing == ((Seat.A, 1),)
    assert put_on(seats) == UNTIL[family][rolls - 1]


@pytest.mark.parametrize(
    ("family", "heard"),
    [
        ("house-seed", {"setup.by_agreement", "setup.stays_out"}),
        ("usbgf-like", {"setup.correct", "setup.stands", "setup.stays_out"}),
        ("wbgf-legal-like", {"setup.correct", "setup.stands", "setup.stays_out"}),
        ("ukbgf-like", {"setup.by_agreement", "setup.stays_out"}),
        ("us-2008-like", {"setup.correct", "setup.stands", "setup.stays_out"}),
    ],
)
def test_s3_the_players_or_the_director_are_told_what_holds(family: str, heard: set[str]) -> None:
    seats = begun(family, rolls=5)
    assert {key for key in said(seats) if key.startswith("setup.")} - {"setup.wrong", "setup.first"} == heard
    assert said(seats).count("setup.stays_out") == 1


def test_a_checker_that_was_put_on_is_played_with() -> None:
    seats = begun("casual", rolls=2)
    assert put_on(seats) == "taken"
    state = seats.referee.state
    assert (state.missing, state.wrong_start) == ((), None)
    assert state.expected is not None
    assert state.expected.total(Seat.A) == 15
    assert state.expected.at(tray(Seat.A)) == ()
    seats.roll(Seat.A, 5, 3)
    right = state.expected
    seats.show(moved(right, ("8", "3"), ("6", "3")), confidence=0.9999)
    seats.lift()
    assert seats.judged.legal


@pytest.mark.parametrize("choice", [Choice.CONFIRM, Choice.DENY])
def test_after_the_window_both_must_agree(choice: Choice) -> None:
    seats = begun("house-seed", rolls=2)
    assert put_on(seats) == "asked"
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(Answered(seats.now(), Role.B, prompt.number, choice))
    assert seats.referee.state.missing == (() if choice is Choice.CONFIRM else ((Seat.A, 1),))


def won_by_b(borne_off: int) -> GameEnded:
    """How a game ends in which A is one checker short since the start, when B bears off the last one; A has borne off
    some by then."""
    seats = begun("house-seed")
    board = BackgammonPosition.from_points([3, 3, 2, 2, 2, 2 - borne_off] + [0] * 17 + [-1]).placement()
    board = board.replaced({tray(Seat.A): (Seat.A,) * borne_off})
    seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, sure_reading(board, GAME.places), Seat.B))
    assert seats.referee.state.missing == ((Seat.A, 1),)
    seats.roll(Seat.B, 6, 5)
    effects = seats.show(moved(board, ("24", "off B")), confidence=0.9999)
    (ended,) = [effect for effect in effects if isinstance(effect, GameEnded)]
    assert seats.referee.state.phase is Phase.GAME_OVER
    return ended


def test_a_checker_that_is_missing_saves_no_gammon_and_one_that_was_borne_off_does() -> None:
    assert (won_by_b(0).winner, won_by_b(0).win_kind) == (Seat.B, "gammon")
    assert won_by_b(1).win_kind == "single"


def test_who_is_short_has_borne_off_all_when_all_that_are_there_are_off() -> None:
    seats = begun("house-seed")
    board = BackgammonPosition.from_points([1] + [0] * 17 + [-15] + [0] * 5).placement()
    board = board.replaced({tray(Seat.A): (Seat.A,) * 13})
    seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, sure_reading(board, GAME.places), Seat.A))
    seats.roll(Seat.A, 6, 5)
    effects = seats.show(moved(board, ("1", "off A")), confidence=0.9999)
    (ended,) = [effect for effect in effects if isinstance(effect, GameEnded)]
    assert (ended.winner, ended.win_kind) == (Seat.A, "gammon")


def test_the_next_game_begins_with_all_checkers() -> None:
    seats = begun("house-seed")
    board = BackgammonPosition.from_points([3, 3, 2, 2, 2, 2] + [0] * 17 + [-1]).placement()
    seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, sure_reading(board, GAME.places), Seat.B))
    seats.roll(Seat.B, 6, 5)
    final = moved(board, ("24", "off B"))
    seats.show(final, confidence=0.9999)
    seats.show(final, confidence=0.9999)
    assert seats.referee.state.phase is Phase.GAME_OVER
    seats.show(SHORT, confidence=0.9999)
    assert (seats.referee.state.phase, seats.referee.state.missing) == (Phase.SETUP, ())
    seats.start()
    assert seats.referee.state.phase is Phase.OPENING


def test_a_director_who_declares_a_whole_board_has_put_the_checker_on() -> None:
    seats = begun("house-seed")
    whole = BackgammonPosition.from_points([3, 3, 3, 2, 2, 2] + [0] * 17 + [-1]).placement()
    seats.feed(PositionDeclared(seats.now(), Role.DIRECTOR, sure_reading(whole, GAME.places), Seat.B))
    assert (seats.referee.state.missing, seats.referee.state.expected) == ((), whole)


def doubtful(board: Placement, place: str, likelihood: float) -> BoardSeen:
    """A board of which one place is read as one checker more with some likelihood, and as it is else."""
    reading = sure_reading(board, GAME.places, confidence=0.9999)
    at = point(int(place))
    stack = board.at(at)
    chances = (StackChance((*stack, stack[-1]), likelihood), StackChance(stack, 1 - likelihood))
    places = tuple(replace(one, chances=chances) if one.place == at else one for one in reading.places)
    return BoardSeen(0, replace(reading, places=places))


def found_late(family: str, seen_for_sure: bool) -> Seats:
    """A game in which A's 6-point was never seen for sure to hold five checkers, or was; after the first play it is
    seen for sure to hold four."""
    seats = Seats(read_ruleset(family).model_copy(update={"witnesses_required": 1}))
    seats.show(BOARD, confidence=0.9999) if seen_for_sure else seats.feed(doubtful(SHORT, "6", 0.6))
    assert seats.referee.state.phase is Phase.OPENING
    seats.rest(die(4, Seat.A, spot=20), die(3, Seat.B, spot=21))
    seats.show(moved(SHORT, ("24", "20"), ("13", "10")), confidence=0.9999)
    end_turn(seats, Seat.A)
    return seats


@pytest.mark.parametrize("family", UNTIL)
def test_s3_found_late_it_is_held_against_nobody_and_the_play_is_judged_as_it_was(family: str) -> None:
    seats = found_late(family, seen_for_sure=False)
    assert seats.judged.legal
    state = seats.referee.state
    assert (state.missing, state.seat) == (((Seat.A, 1),), Seat.B)
    words = {"usbgf-like": "setup.correct", "house-seed": "setup.by_agreement"}
    assert words.get(family, "setup.") in " ".join(said(seats))
    assert put_on(seats) == UNTIL[family][0]


@pytest.mark.parametrize("family", UNTIL)
def test_s5_a_checker_that_was_seen_for_sure_was_not_missing_since_the_start(family: str) -> None:
    seats = found_late(family, seen_for_sure=True)
    assert seats.referee.state.missing == ()
    assert [effect.legal for effect in seats.effects if isinstance(effect, TurnJudged)] == [False]


def test_a_checker_that_was_seen_when_the_turn_began_was_not_missing_since_the_start() -> None:
    """The start was in doubt; before the play all five were seen for sure, and of the play one is gone."""
    seats = Seats(read_ruleset("house-seed").model_copy(update={"witnesses_required": 1}))
    seats.feed(doubtful(SHORT, "6", 0.6))
    seats.feed(BoardSeen(seats.now(), alone(BOARD)))
    assert seats.referee.state.seen_whole == (Seat.A, Seat.B)
    seats.rest(die(4, Seat.A, spot=20), die(3, Seat.B, spot=21))
    seats.show(moved(SHORT, ("24", "20"), ("13", "10")), confidence=0.9999)
    end_turn(seats, Seat.A)
    assert seats.judged.legal is False


def alone(board: Placement) -> BoardReading:
    """The reading of a witness who names nothing but what lies there."""
    reading = sure_reading(board, GAME.places, confidence=0.9999)
    return replace(reading, places=tuple(replace(one, chances=one.chances[:1]) for one in reading.places))


def test_a_checker_that_vanishes_in_the_first_turn_after_a_dropped_double_was_there() -> None:
    """What was seen when a turn of the game before ended tells nothing of this one."""
    ruleset = read_ruleset("house-seed").model_copy(update={"witnesses_required": 1})
    seats = Seats(ruleset, match=Match(cube=True))
    seats.show(BOARD, confidence=0.9999)
    seats.rest(die(3, Seat.A, spot=20), die(1, Seat.B, spot=21))
    played = moved(BOARD, ("6", "5"), ("6", "3"))
    seats.show(played, confidence=0.9999)
    seats.lift()
    seats.feed(Doubled(seats.now(), Role.B))
    prompt = seats.referee.state.prompt
    assert prompt is not None
    seats.feed(Answered(seats.now(), Role.A, prompt.number, Choice.DROP))
    assert seats.referee.state.phase is Phase.GAME_OVER
    unsure = sure_reading(BOARD, GAME.places, confidence=0.85).at(point(13))
    seen = sure_reading(BOARD, GAME.places, confidence=0.9999)
    seats.see(replace(seen, places=tuple(unsure if one.place == point(13) else one for one in seen.places)))
    assert seats.referee.state.phase is Phase.OPENING
    seats.rest(die(3, Seat.A, spot=30), die(1, Seat.B, spot=31))
    seats.show(moved(BOARD, ("8", "5"), ("24", "23"), ("6", "nowhere")), confidence=0.9999)
    seats.lift()
    assert seats.referee.state.missing == ()
    assert seats.judged.legal is False


def test_who_is_seen_to_have_all_checkers_began_with_all() -> None:
    """What was read as too few is read as all, without anybody having put one on where it was missing."""
    seats = begun("house-seed", rolls=2)
    assert seats.referee.state.missing == ((Seat.A, 1),)
    expected = seats.referee.state.expected
    assert expected is not None
    whole = moved(expected, ("off A", "7"))
    seats.show(whole, confidence=0.95)  # one too many may have been counted somewhere
    assert seats.referee.state.missing == ((Seat.A, 1),)
    seats.show(whole, confidence=0.9999)
    assert (seats.referee.state.missing, seats.referee.state.wrong_start) == ((), None)
    assert seats.referee.state.position_sure is False


@pytest.mark.parametrize("felt", [True, False])
def test_a_checker_that_one_witness_had_seen_for_sure_was_there(felt: bool) -> None:
    """Where the eyes erred about a place, the sensors may have told what lay there; then it is gone since."""
    both = (Witness.CAMERA, Witness.SENSORS)
    ruleset = read_ruleset("house-seed").model_copy(update={"witnesses_required": 1})
    seats = Seats(ruleset, witnesses=both)
    erred = sure_reading(moved(BOARD, ("8", "nowhere")), GAME.places, confidence=0.966)
    unsure = sure_reading(BOARD, GAME.places, confidence=0.9)
    for_all = tuple(erred.at(point(8)) if one.place == point(8) else one for one in unsure.places)
    told = sure_reading(BOARD, GAME.places, Witness.SENSORS, 0.98 if felt else 0.6)
    seats.see(replace(unsure, places=for_all))
    seats.see(told)
    seats.rest(die(3, Seat.A, spot=20), die(1, Seat.B, spot=21))
    assert Seat.A not in seats.referee.state.seen_whole
    seats.show(moved(BOARD, ("8", "nowhere"), ("6", "5"), ("24", "21")), confidence=0.9999)
    seats.lift()
    assert (seats.referee.state.missing == ()) is felt
