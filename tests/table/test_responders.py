from boardctl.referee import Referee, read_ruleset
from boardctl.referee.effects import Phase
from boardctl.referee.facts import BoardSeen, PositionDeclared
from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness, sure_reading
from boardctl.rules import Backgammon, Seat, point, waiting
from boardctl.rules.games import GAMES
from boardctl.table import NewGame

GAME = Backgammon()
START = GAME.start().placement()
LATE = START.replaced({point(6): (Seat.A,) * 4, point(5): (Seat.A,)})


def seen(at_ms: int, hand: bool = False) -> BoardSeen:
    reading = sure_reading(START, GAME.places)
    return BoardSeen(at_ms, type(reading)(reading.witness, reading.places, hand))


def test_a_starting_position_in_the_middle_of_a_game_begins_the_next_one() -> None:
    referee = Referee(GAME, read_ruleset("house-seed"))
    referee.feed(PositionDeclared(0, "resync", sure_reading(LATE, GAME.places), Seat.B))
    assert referee.state.phase in (Phase.CUBE, Phase.ROLL)
    (declared,) = NewGame.of(referee)(seen(1000), [])
    referee.feed(declared)
    assert referee.state.phase is Phase.OPENING
    assert NewGame.of(referee)(seen(2000), []) == ()


def test_it_is_left_alone_while_no_game_is_played_under_a_hand_or_half_seen() -> None:
    assert NewGame(lambda: None, START)(seen(0), []) == ()
    assert NewGame(lambda: LATE, START)(seen(0, hand=True), []) == ()
    half = seen(0).reading
    hidden = tuple(
        PlaceReading(each.place, (), hidden=True) if each.place == point(6) else each for each in half.places
    )
    assert NewGame(lambda: LATE, START)(BoardSeen(0, type(half)(half.witness, hidden)), []) == ()


def test_a_game_before_its_first_play_is_no_new_one() -> None:
    assert NewGame(lambda: START, START)(seen(0), []) == ()


def test_a_board_set_up_anew_is_not_taken_for_where_an_unsure_play_led() -> None:
    game = GAMES["blocking"]
    referee = Referee(game, read_ruleset("house-seed"))
    start = game.start().placement()
    tall = {point(1): (Seat.B, Seat.B, *(Seat.A,) * 13), point(24): (Seat.A, Seat.A, *(Seat.B,) * 12)}
    seen_as = {place: {stack: 0.49, (stack[0].other, *stack[1:]): 0.49} for place, stack in tall.items()}
    seen_as[point(23)] = {(Seat.B,): 0.999}
    places = [
        PlaceReading(place, tuple(StackChance(*one) for one in seen_as.get(place, {(): 0.999}).items()))
        for place in game.places
    ]
    referee.feed(PositionDeclared(0, "resync", BoardReading(Witness.CAMERA, tuple(places)), Seat.B))
    assert (referee.state.phase, referee.state.position_sure) == (Phase.ROLL, False)
    new = BoardSeen(1000, sure_reading(start, game.places))
    referee.feed(new)
    (declared,) = NewGame.of(referee)(new, [])
    referee.feed(declared)
    assert referee.state.phase is Phase.OPENING


def test_checkers_that_wait_beside_the_board_need_not_be_counted() -> None:
    game = GAMES["express"]
    referee = Referee(game, read_ruleset("house-seed"))
    start = game.start().placement()
    entered = start.replaced({waiting(Seat.A): (Seat.A,) * 14, point(20): (Seat.A,)})
    referee.feed(PositionDeclared(0, "resync", sure_reading(entered, game.places), Seat.B))
    beside = [waiting(seat) for seat in game.seats]
    still = BoardSeen(1000, sure_reading(entered, game.places, hidden=beside))
    assert NewGame.of(referee)(still, []) == ()
    (declared,) = NewGame.of(referee)(BoardSeen(2000, sure_reading(start, game.places, hidden=beside)), [])
    referee.feed(declared)
    assert (referee.state.phase, referee.state.position) == (Phase.OPENING, game.start())
