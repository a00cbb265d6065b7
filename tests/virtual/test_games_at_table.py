"""Every game at the virtual table, under a referee with perfect eyes: nothing is said wrongly, nothing is missed."""

from math import dist

import pytest
from perfect_eyes import read_world

from boardctl.referee import Referee, read_ruleset
from boardctl.referee.effects import Effect
from boardctl.referee.facts import ButtonPressed
from boardctl.rules import MultiGam, PlaceKind, Seat
from boardctl.rules.games import GAMES
from boardctl.virtual import Outcome, Rates, Report, VirtualTable
from boardctl.vision import Tracker
from calibration import BoardGeometry, board_for

RULESET = read_ruleset("house-seed")
OFTEN = Rates(misplay=0.2, irregular_throw=0.15, shuffle=0.1)
OTHER_GAMES = [name for name in GAMES if name not in ("backgammon", "house-rules")]


def refereed(name: str, seed: int) -> Report:
    """Plays a game under a referee who sees everything as it is."""
    game = GAMES[name]
    table = VirtualTable(game, seed=seed, ruleset=RULESET, rates=OFTEN)
    referee, tracker = Referee(game, RULESET), Tracker()
    effects: list[Effect] = []
    while (step := table.advance(effects)) is not None:
        effects = []
        for at_ms in step.shots_ms:
            for fact in tracker.feed(read_world(step.act.world, game), at_ms, "frame"):
                effects += referee.feed(fact)
        for press in table.panel.presses():
            effects += referee.feed(ButtonPressed(press.at_ms, press.by))
        for answer in table.panel.answers():
            effects += referee.feed(answer)
    return table.report()


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", OTHER_GAMES)
def test_a_referee_who_sees_everything_is_never_wrong(name: str, seed: int) -> None:
    report = refereed(name, seed)
    assert report.games == 1
    assert len(report.items) > 20
    assert [item for item in report.items if item.outcome is not Outcome.RIGHT] == []


@pytest.mark.parametrize("name", list(GAMES))
def test_every_checker_has_a_spot_of_its_own(name: str) -> None:
    game = GAMES[name]
    world = VirtualTable(game, seed=3)._game_start
    assert world.placement() == game.start().placement()
    spots = [(one.x_mm, one.y_mm, one.z_mm) for one in world.checkers]
    assert min(dist(one, other) for at, one in enumerate(spots) for other in spots[:at]) > 7


def test_four_seats_have_a_quarter_each() -> None:
    board = board_for(MultiGam(), BoardGeometry())
    assert [board.section_of(x, y) for x, y in ((200, -100), (-200, -100), (-200, 100), (200, 100))] == list(Seat)
    assert board.section_of(0, 100) is None


def test_bars_of_the_games_on_six_points_lie_in_the_other_half() -> None:
    for name in ("minigam", "multigam"):
        game = GAMES[name]
        board = board_for(game, BoardGeometry())
        edge = board.field_width_mm / 2
        for place in game.places:
            if place.kind is PlaceKind.BAR and place.seat is not None:
                x, _, _ = board.on_bar(place.seat, game.checkers_a_seat - 1)
                assert -edge < x < -board.bar_width_mm / 2
