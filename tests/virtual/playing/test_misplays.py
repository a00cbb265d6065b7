"""Misplays: each is illegal by the rules, moves what it says, and loses no checker but those it says it loses."""

from random import Random

import pytest

from boardctl.referee.effects import PlayFault
from boardctl.rules import Backgammon, BackgammonPosition, Placement, Position, Roll, Seat, bar, point, tray
from boardctl.virtual.playing.misplays import MAKERS, Situation, misplay, moved
from boardctl.virtual.playing.players import HandMove, choose_play, hand_moves

GAME = Backgammon()


def situations(count: int, seed: int = 1) -> list[Situation]:
    """Gets situations of random games, one after the other."""
    random = Random(seed)
    found: list[Situation] = []
    position: Position = GAME.start()
    seat = Seat.A
    while len(found) < count:
        roll = Roll.of(random.randint(1, 6), random.randint(1, 6))
        plays = GAME.plays(position, seat, roll)
        found.append(Situation(GAME, position, seat, roll, plays))
        position = choose_play(GAME, plays, seat, random).position
        seat = seat.other
        if GAME.result(position) is not None:
            position = GAME.start()
    return found


def only_one_number() -> Situation:
    """Gets a roll of which only the higher number may be played, though either could be."""
    position = BackgammonPosition.from_points([0] * 3 + [-2] + [0] * 5 + [1] + [0] * 8 + [-13] + [0] * 5)
    roll = Roll(5, 1)
    return Situation(GAME, position, Seat.A, roll, GAME.plays(position, Seat.A, roll))


SITUATIONS = [*situations(150), only_one_number()]


@pytest.mark.parametrize("fault", list(MAKERS))
def test_every_fault_comes_about_in_play_and_is_illegal(fault: PlayFault) -> None:
    random = Random(2)
    made = [(one, misplay(one, [fault], random)) for one in SITUATIONS]
    assert sum(result is not None for _, result in made) > 0
    for situation, result in made:
        if result is None:
            continue
        assert all(play.position.placement() != result.after for play in situation.plays)
        assert moved(situation.start, result.moves) == result.after
        lost = situation.start.total(Seat.A) + situation.start.total(Seat.B)
        lost -= result.after.total(Seat.A) + result.after.total(Seat.B)
        assert lost == {PlayFault.CHECKER_VANISHED: 1, PlayFault.CHECKER_EXTRA: -1}.get(fault, 0)


def test_a_fault_that_the_position_does_not_allow_gives_way_to_the_next() -> None:
    start = next(one for one in SITUATIONS if one.position == GAME.start())
    result = misplay(start, [PlayFault.BAR_IGNORED, PlayFault.EARLY_BEAR_OFF, PlayFault.NUMBER_NOT_USED], Random(1))
    assert result is not None
    assert result.fault in (PlayFault.EARLY_BEAR_OFF, PlayFault.NUMBER_NOT_USED)
    assert misplay(start, [PlayFault.BAR_IGNORED], Random(1)) is None


def test_a_fault_that_nobody_can_make_is_refused() -> None:
    with pytest.raises(ValueError, match="played_without_rolling"):
        misplay(SITUATIONS[0], [PlayFault.PLAYED_WITHOUT_ROLLING], Random(1))


def test_hands_carry_out_a_play_to_the_position_it_leads_to() -> None:
    random = Random(3)
    for situation in SITUATIONS:
        for play in situation.plays[:5]:
            moves = hand_moves(play, situation.seat, random)
            assert moved(situation.start, moves) == play.position.placement()


def test_a_hit_checker_left_shares_its_point() -> None:
    random = Random(4)
    left = [misplay(one, [PlayFault.HIT_CHECKER_LEFT], random) for one in SITUATIONS]
    made = [one for one in left if one is not None]
    assert made
    for one in made:
        assert any({Seat.A, Seat.B} == set(stack) for stack in one.after.values())


def test_lifting_a_checker_that_is_not_there_gives_nothing() -> None:
    placement = Placement({point(3): (Seat.A,)})
    assert moved(placement, [HandMove(Seat.B, point(3), bar(Seat.B))]) is None
    assert moved(placement, [HandMove(Seat.A, point(3), tray(Seat.A))]) == Placement({tray(Seat.A): (Seat.A,)})
