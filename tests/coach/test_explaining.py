"""What the coach says of a roll, held against the rules: every explanation is true, and none is missing."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl.coach import advice_on_roll, dead_ends, forced, leaves_nothing, pip_counts, unplayable
from boardctl.coach.way import move_name, singles
from boardctl.referee import read_catalogue, render
from boardctl.referee.assistance import Level
from boardctl.referee.effects import Text
from boardctl.rules import (
    Backgammon,
    BackgammonPosition,
    Blocking,
    BlockingExpress,
    Game,
    MiniGam,
    MultiGam,
    Position,
    Roll,
    Seat,
)

GAME = Backgammon()
GAMES: list[Game] = [GAME, Blocking(), BlockingExpress(), MiniGam(), MultiGam()]


def said(texts: tuple[Text, ...]) -> list[str]:
    return [render(text, read_catalogue()) for text in texts]


def later(game: Game, seed: int, turns: int) -> tuple[Position, Seat, Roll]:
    """Gets a position of a game after some turns of random plays, who is on turn, and a roll."""
    random = Random(seed)
    position, seat = game.start(), game.seats[0]

    def roll() -> Roll:
        return Roll(random.randint(1, 6), random.randint(1, 6))

    for _ in range(turns):
        following = random.choice(game.plays(position, seat, roll())).position
        if game.result(following) is not None:
            break
        position, seat = following, game.next_seat(following, seat)
    return position, seat, roll()


def test_a_point_that_is_held_stops_a_number() -> None:
    position = BackgammonPosition.from_points([0] * 5 + [5, 0, 3] + [0] * 4 + [5] + [0] * 6 + [-3] + [0] * 4, bar_a=2)
    assert said(unplayable(GAME, position, Seat.A, Roll(5, 5))) == [
        "The 5 cannot be played.",
        "20 is held by 3.",
        "2 on the bar: entering comes first.",
    ]


def test_a_number_that_can_be_played_after_entering_is_not_called_unplayable() -> None:
    position = BackgammonPosition.from_points([0] * 5 + [5, 0, 3] + [0] * 4 + [5] + [0] * 5 + [-3] + [0] * 5, bar_a=1)
    assert unplayable(GAME, position, Seat.A, Roll(6, 3)) == ()
    assert said(forced(GAME, position, Seat.A, Roll(6, 3))) == ["bar/22 is forced."]


def test_you_must_play_the_6() -> None:
    position = BackgammonPosition.from_mover_view(
        [0, -1, 3, 3, 4, -3, -2, -1, 0, 1, 0, -1, -2, 0, 0, 0, 2, 0, -2, 0, 0, 0, 2, -3, 0, 0], Seat.B
    )
    assert said(forced(GAME, position, Seat.B, Roll(6, 4))) == ["You must play the 6."]


def test_a_single_play_is_named() -> None:
    position = BackgammonPosition.from_points([-2] + [0] * 10 + [1] + [0] * 12)
    assert said(forced(GAME, position, Seat.A, Roll(6, 5))) == ["There is one play only: 12/6."]


def test_13_7_leaves_nothing_for_the_1() -> None:
    points = {20: 1, 19: -2, 13: 1, 6: -2}
    position = BackgammonPosition.from_points([points.get(number, 0) for number in range(1, 25)])
    assert said(dead_ends(GAME, position, Seat.A, Roll(6, 1))) == ["13/7 leaves nothing for the 1."]


def test_a_dead_end_is_named_before_and_when_it_is_reached_and_only_then() -> None:
    random, found = Random(2), 0
    position: Position = GAME.start()
    seat = Seat.A
    for _ in range(1500):
        roll = Roll(random.randint(1, 6), random.randint(1, 6))
        plays = GAME.plays(position, seat, roll)
        if not roll.is_double:
            found += _dead_ends_are_told_truly(position, seat, roll)
        position, seat = random.choice(plays).position, seat.other
        if GAME.result(position) is not None or random.random() < 0.01:
            position = GAME.start()
    assert found >= 3


def _dead_ends_are_told_truly(position: Position, seat: Seat, roll: Roll) -> int:
    named = {dict(text.arguments)["move"] for text in dead_ends(GAME, position, seat, roll)}
    legal = {reached for _, reached in GAME.moves(position, seat, roll).steps[position].onward}
    most = max(len(play.moves) for play in GAME.plays(position, seat, roll))
    found = 0
    for number in roll:
        for move, reached in singles(GAME, position, seat, number):
            dead = most == 2 and reached not in legal
            assert (move_name(GAME, seat, move) in named) == dead
            told = leaves_nothing(GAME, position, seat, roll, reached)
            assert (told is not None) == dead
            if told is not None:
                found += 1
                other = roll.first + roll.second - number
                assert said((told,)) == [f"{move_name(GAME, seat, move)} leaves nothing for the {other}."]
    return found


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 10_000), st.integers(0, 30))
def test_a_number_is_called_unplayable_exactly_when_no_play_uses_it(game: Game, seed: int, turns: int) -> None:
    position, seat, roll = later(game, seed, turns)
    graph = game.moves(position, seat, roll)
    used = {move.number for step in graph.steps.values() for move, _ in step.onward}
    told = {dict(text.arguments)["number"] for text in unplayable(game, position, seat, roll) if "no_move" in text.key}
    over = all(game.result(play.position) is not None for play in game.plays(position, seat, roll))
    assert told == (set() if over else {str(number) for number in roll.numbers if number not in used})


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 30))
def test_who_is_said_to_hold_a_point_holds_it(seed: int, turns: int) -> None:
    position, seat, roll = later(GAME, seed, turns)
    finals = [play.position for play in GAME.plays(position, seat, roll)]
    for text in unplayable(GAME, position, seat, roll):
        if text.key == "coach.held":
            arguments = dict(text.arguments)
            assert int(arguments["count"]) >= 2
            for place in GAME.places:
                if GAME.point_for(seat, place) == arguments["point"]:
                    counts = [final.at(place).count(seat.other) for final in finals]
                    assert int(arguments["count"]) in counts


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 10_000), st.integers(0, 30))
def test_what_is_forced_is_in_every_play(game: Game, seed: int, turns: int) -> None:
    position, seat, roll = later(game, seed, turns)
    plays = game.plays(position, seat, roll)
    for text in forced(game, position, seat, roll):
        if text.key == "coach.only_play":
            assert len(plays) == 1
        if text.key == "coach.must_play":
            number = int(dict(text.arguments)["number"])
            assert all([move.number for move in play.moves] == [number] for play in plays)
        if text.key == "coach.forced_move":
            source = dict(text.arguments)["move"].split("/")[0]
            assert all(source in {game.point_for(seat, move.source) for move in play.moves} for play in plays)


@pytest.mark.parametrize(
    ("game", "pips"), [(GAME, 167), (Blocking(), 375), (BlockingExpress(), 375), (MiniGam(), 56), (MultiGam(), 35)]
)
def test_pip_counts_of_the_starting_positions(game: Game, pips: int) -> None:
    assert set(pip_counts(game, game.start()).values()) == {pips}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 30))
def test_pip_counts_are_those_of_the_rules(seed: int, turns: int) -> None:
    position, _, _ = later(GAME, seed, turns)
    assert isinstance(position, BackgammonPosition)
    assert pip_counts(GAME, position) == {seat: position.pips(seat) for seat in GAME.seats}


def test_each_level_says_its_own() -> None:
    position, seat, roll = later(GAME, 3, 30)
    assert advice_on_roll(GAME, position, seat, roll, frozenset()).texts == ()
    (text,) = advice_on_roll(GAME, position, seat, roll, frozenset({Level.PIPS})).texts
    assert text.key == "coach.pips"
