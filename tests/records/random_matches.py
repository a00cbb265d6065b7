"""Random matches for the tests of match files: every play legal, cubes turned and resignations offered by chance."""

import random

from boardctl.records.formats import (
    Action,
    CubeAnswered,
    CubeTurned,
    GameRecord,
    MatchRecord,
    Resigned,
    Rolled,
)
from boardctl.rules import Backgammon, Game, Match, MatchRules, Roll, Seat, WinKind
from boardctl.rules.playouts import playout

NAMES = [
    "Ann", "Bob", "Müller: Jr.", "x;y", "李雷", "  two   spaces ", "a\tb\nc", "[b]racket\\", "", "the Game 3", "Wins 2",
    'quo"te', "very long name that goes on and on and on", "7) seven", "31: 8/5", "O'Neil, Shaq", "ÅÄÖ" * 9,
]  # fmt: skip


def random_match(seed: int, rules: MatchRules) -> MatchRecord:
    """A match played to its end, or three games of a session."""
    dice = random.Random(seed)
    match, games = Match(rules), []
    while match.winner is None and (rules.length is not None or len(games) < 3):
        game = random_game(dice, match)
        games.append(game)
        assert game.outcome is not None
        match = match.after(game.outcome)
    players = dict(zip((Seat.A, Seat.B), dice.sample(NAMES, 2), strict=True))
    return MatchRecord(players, tuple(games), rules, event='Open: "A" [1]', place="Ζürich", date="2026-11-20")


def random_game(dice: random.Random, match: Match) -> GameRecord:
    """One game of backgammon in a match."""
    game = Backgammon()
    position, actions = game.start(), list[Action]()
    equal, roll = 0, Roll(dice.randint(1, 6), dice.randint(1, 6))
    while roll.is_double:
        equal, roll = equal + 1, Roll(dice.randint(1, 6), dice.randint(1, 6))
    cube = match.opening_cube(equal)
    seat = Seat.A if roll.first > roll.second else Seat.B
    stage = dice.choice([0.0, 0.02, 0.1])  # how often cubes are turned and games resigned: some games run to the end
    while True:
        if actions and match.refusal(cube, seat, opening_played=True) is None and dice.random() < stage:
            cube = cube.double(seat)
            actions.append(CubeTurned(seat))
            if match.may_redouble_at_once(cube) and dice.random() < 0.5:
                cube = cube.redouble_at_once()
                assert cube.offer is not None
                actions.append(CubeTurned(seat.other, cube.offer.kind))
            assert cube.offer is not None
            taken = dice.random() < 0.7
            actions.append(CubeAnswered(cube.offer.answers, taken))
            if not taken:
                return GameRecord(tuple(actions), match.dropped(cube), equal)
            cube = cube.take()
        if actions and dice.random() < stage / 8:
            resigned = match.resign(seat, dice.choice([WinKind.SINGLE, WinKind.GAMMON, WinKind.BACKGAMMON]))
            actions.append(Resigned(resigned.by, resigned.level))
            return GameRecord(tuple(actions), match.resigned(resigned, cube), equal)
        play = dice.choice(game.plays(position, seat, roll))
        actions.append(Rolled(seat, roll, play))
        position = game.position_of(play.position.placement())
        result = game.result(position)
        if result is not None:
            return GameRecord(tuple(actions), match.won(seat, result.kind, cube), equal)
        seat, roll = seat.other, Roll(dice.randint(1, 6), dice.randint(1, 6))


def playout_record(game: Game, seed: int, games: int = 1) -> MatchRecord:
    """Random games of any variant as the record of a session."""
    dice = random.Random(seed)
    match, played = Match.of(game, MatchRules(cube=False)), []
    for _ in range(games):
        states = list(playout(game, dice))
        result = game.result(states[-1].play.position)
        assert result is not None
        actions = tuple(Rolled(state.turn.control, state.turn.roll, state.play) for state in states)
        played.append(GameRecord(actions, match.ended(result)))
    return MatchRecord({seat: f"Player {seat.value}" for seat in game.seats}, tuple(played), match.rules, game)
