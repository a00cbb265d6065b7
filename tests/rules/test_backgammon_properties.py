"""What must hold in every position of backgammon with every roll."""

from backgammon_cases import brute_force, positions, rolls, seats
from hypothesis import given, settings

from boardctl.rules import (
    Backgammon,
    BackgammonOptions,
    BackgammonPosition,
    BlockedHigher,
    Faults,
    Move,
    Placement,
    Roll,
    Seat,
    read_play,
    write_play,
)

GAME = Backgammon()


@given(positions(), seats, rolls)
@settings(max_examples=400, deadline=None)
def test_plays_are_what_trying_everything_finds(position: BackgammonPosition, seat: Seat, roll: Roll) -> None:
    found = [play.position.to_mover_view(seat) for play in GAME.plays(position, seat, roll)]
    assert len(set(found)) == len(found)
    assert set(found) == brute_force(position.to_mover_view(seat), roll)


@given(positions(), seats, rolls)
@settings(max_examples=400, deadline=None)
def test_plays_where_a_blocked_higher_checker_licenses(position: BackgammonPosition, seat: Seat, roll: Roll) -> None:
    game = Backgammon(BackgammonOptions(blocked_higher=BlockedHigher.LICENSES))
    plays = game.plays(position, seat, roll)
    found = [play.position.to_mover_view(seat) for play in plays]
    assert len(set(found)) == len(found)
    assert set(found) == brute_force(position.to_mover_view(seat), roll, licensed=True)
    steps = game.moves(position, seat, roll).steps
    assert {at for at, step in steps.items() if step.complete} == {play.position for play in plays}


@given(positions(), seats, rolls)
@settings(deadline=None)
def test_moves_of_a_play_lead_to_its_position(position: BackgammonPosition, seat: Seat, roll: Roll) -> None:
    for play in GAME.plays(position, seat, roll):
        placement = position.placement()
        for move in play.moves:
            placement = moved(placement, seat, move)
        assert placement == play.position.placement()
        assert GAME.faults(placement) is Faults.NONE
        assert GAME.position_of(placement) == play.position


@given(positions(), seats, rolls)
@settings(deadline=None)
def test_no_checker_appears_or_vanishes(position: BackgammonPosition, seat: Seat, roll: Roll) -> None:
    for play in GAME.plays(position, seat, roll):
        assert [play.position.placement().total(each) for each in GAME.seats] == [15, 15]
        assert position.pips(seat) - play.position.pips(seat) <= sum(roll.numbers)


@given(positions(), seats, rolls)
@settings(deadline=None)
def test_graph_holds_the_ways_of_legal_plays_and_no_others(
    position: BackgammonPosition, seat: Seat, roll: Roll
) -> None:
    plays = GAME.plays(position, seat, roll)
    steps = GAME.moves(position, seat, roll).steps
    assert {at for at, step in steps.items() if step.complete} == {play.position for play in plays}
    for play in plays:
        here = position
        for move in play.moves:
            here = dict(steps[here].onward)[move]
        assert here == play.position
    for at, step in steps.items():
        assert step.complete or step.onward, f"no complete play from\n{at}"
        assert all(result in steps for _, result in step.onward)


@given(positions(), rolls)
@settings(deadline=None)
def test_both_seats_play_by_the_same_rules(position: BackgammonPosition, roll: Roll) -> None:
    mirrored = BackgammonPosition(light=position.dark, dark=position.light)
    played = [play.position.to_mover_view(Seat.A) for play in GAME.plays(position, Seat.A, roll)]
    assert played == [play.position.to_mover_view(Seat.B) for play in GAME.plays(mirrored, Seat.B, roll)]


@given(positions(), seats, rolls)
@settings(deadline=None)
def test_the_order_of_the_dice_never_matters(position: BackgammonPosition, seat: Seat, roll: Roll) -> None:
    assert GAME.plays(position, seat, roll) == GAME.plays(position, seat, Roll(roll.second, roll.first))


@given(positions(), seats, rolls)
@settings(deadline=None)
def test_notation_of_a_play_reads_back(position: BackgammonPosition, seat: Seat, roll: Roll) -> None:
    for play in GAME.plays(position, seat, roll)[:20]:
        text = write_play(GAME, seat, play)
        assert read_play(GAME, position, seat, roll, text).position == play.position


@given(positions())
@settings(deadline=None)
def test_drawn_boards_and_views_read_back(position: BackgammonPosition) -> None:
    assert BackgammonPosition.parse(position.drawn()) == position
    assert eval(repr(position)) == position
    for seat in GAME.seats:
        assert BackgammonPosition.from_mover_view(position.to_mover_view(seat), seat) == position
    assert all(position.at(place) == position.placement().at(place) for place in GAME.places)


def moved(placement: Placement, seat: Seat, move: Move) -> Placement:
    """The placement after a move, made as hands make it."""
    changes = {move.source: placement.at(move.source)[:-1]}
    if move.hit is not None:
        assert placement.at(move.target) == (move.hit,)
        changes[move.target] = (seat,)
        of_hit = next(place for place in GAME.places if place.seat is move.hit and place.kind == "bar")
        changes[of_hit] = (*placement.at(of_hit), move.hit)
    else:
        changes[move.target] = (*placement.at(move.target), seat)
    return placement.replaced(changes)
