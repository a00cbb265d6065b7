"""Boards that changed while nobody watched: nothing is held against a player that another hand may have done."""

from seats_at_table import Seats, die, moved

from boardctl.referee import Match, Stage
from boardctl.referee.effects import Certainty, Phase, TurnJudged
from boardctl.referee.facts import HandSeen, PositionDeclared
from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness, sure_reading
from boardctl.rules import Backgammon, Placement, Seat, point

START = Backgammon().start().placement()
MIDDLE_GAME = moved(
    START, ("6", "5"), ("6", "4"), ("8", "3"), ("13", "7"), ("13", "9"), ("24", "18"), ("19", "20"), ("17", "21")
)


def opened(board: Placement) -> Seats:
    """Gets a table where A has opened with 3-1, a board lies there and the dice are lifted."""
    seats = Seats()
    seats.start()
    seats.rest(die(3, Seat.A), die(1, Seat.B))
    seats.show(board)
    seats.lift()
    return seats


def judgements(seats: Seats) -> list[TurnJudged]:
    return [effect for effect in seats.effects if isinstance(effect, TurnJudged)]


def test_a_board_that_no_hand_can_have_played_is_no_misplay() -> None:
    seats = opened(MIDDLE_GAME)
    assert all(judged.legal is not False for judged in judgements(seats))
    assert seats.referee.state.phase is Phase.CONFIRM
    assert seats.referee.unexplained


def test_a_misplay_of_every_number_is_still_called_one() -> None:
    seats = opened(moved(START, ("8", "6"), ("13", "11")))
    assert seats.judged.legal is False
    assert seats.judged.certainty is Certainty.CERTAIN


def test_after_a_throw_that_does_not_count_a_changed_board_is_held_against_nobody() -> None:
    seats = Seats()
    seats.start()
    seats.rest(die(3, Seat.A), die(1, Seat.B))
    seats.feed(HandSeen(seats.now(), True))
    seats.feed(HandSeen(seats.now(), False))
    seats.lift()
    seats.rest(die(4, Seat.B, spot=2), die(2, Seat.B, spot=3, flat=False))
    seats.show(moved(START, ("8", "5"), ("13", "12"), ("1", "5")))
    assert all(judged.legal is not False for judged in judgements(seats))


def test_a_board_set_up_anew_has_all_its_checkers_when_a_tall_stack_is_hard_to_count() -> None:
    stacked = moved(START, ("8", "6"), ("13", "6"))
    reading = sure_reading(stacked, Backgammon().places)
    six = PlaceReading(point(6), tuple(StackChance((Seat.A,) * n, p) for n, p in ((6, 0.94), (5, 0.03), (7, 0.03))))
    doubtful = BoardReading(
        Witness.CAMERA, tuple(six if place.place == point(6) else place for place in reading.places)
    )
    seats = Seats()
    seats.feed(PositionDeclared(seats.now(), "resync", doubtful))
    state = seats.referee.state
    assert state.position is not None
    assert state.position.placement() == stacked
    assert not state.position_sure


def test_a_board_seen_to_lack_a_checker_is_not_taken_up() -> None:
    lacking = sure_reading(moved(START, ("8", "nowhere")), Backgammon().places)
    seats = Seats()
    seats.feed(PositionDeclared(seats.now(), "resync", lacking))
    assert seats.referee.state.phase is Phase.SETUP


def to_play(match: Match | None = None) -> Seats:
    """Gets a table where A has opened with 3-1 and has not moved yet."""
    seats = Seats(match=match)
    seats.start()
    seats.rest(die(3, Seat.A, spot=0), die(1, Seat.B, spot=1))
    return seats


def test_a_lifted_checker_of_the_mover_is_in_the_hand() -> None:
    seats = to_play()
    seats.show(moved(START, ("6", "nowhere")))
    assert seats.referee.state.progress.stage is Stage.IN_HAND


def test_a_checker_of_the_opponent_that_was_not_hit_is_not_in_the_movers_hand() -> None:
    seats = to_play()
    seats.show(moved(START, ("12", "nowhere")))
    assert seats.referee.state.progress.stage is not Stage.IN_HAND


def test_in_pictures_taken_now_and_then_nothing_is_in_the_air() -> None:
    seats = to_play(Match(recorded=True))
    seats.show(moved(START, ("6", "nowhere")))
    assert seats.referee.state.progress.stage is not Stage.IN_HAND
