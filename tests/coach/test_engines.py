"""Engines: the real GNU Backgammon as a process of its own, and the rollout player for games that it does not know."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from boardctl.coach import EngineError, GnuBackgammon, RolloutPlayer, Stake, find_gnubg, review
from boardctl.coach.gnubg import ANSWER_S
from boardctl.rules import (
    HOUSE_RULES,
    Backgammon,
    BackgammonPosition,
    BlockingExpress,
    Cube,
    Game,
    Match,
    MatchRules,
    MiniGam,
    MultiGam,
    Roll,
    Seat,
    write_play,
)
from boardctl.rules.cube import CENTRED

GAME = Backgammon()
START = GAME.start()
THERE = find_gnubg() is not None
needs_gnubg = pytest.mark.skipif(not THERE and not os.environ.get("CI"), reason="gnubg is not installed")


@pytest.fixture(scope="module")
def gnubg() -> Iterator[GnuBackgammon]:
    with GnuBackgammon() as engine:
        yield engine


@needs_gnubg
def test_it_knows_the_opening_plays(gnubg: GnuBackgammon) -> None:
    for roll, best in ((Roll(3, 1), "8/5 6/5"), (Roll(4, 2), "8/4 6/4"), (Roll(6, 1), "13/7 8/7")):
        rated = gnubg.rate(GAME, START, Seat.A, roll)
        assert write_play(GAME, Seat.A, rated[0].play) == best
        assert rated[0].equity > rated[1].equity


@needs_gnubg
def test_it_rates_every_legal_play_of_either_seat(gnubg: GnuBackgammon) -> None:
    random = Random(11)
    position, seat = START, Seat.B
    for _ in range(60):
        roll = Roll(random.randint(1, 6), random.randint(1, 6))
        plays = GAME.plays(position, seat, roll)
        rated = gnubg.rate(GAME, position, seat, roll)
        assert {one.play.position for one in rated} == ({play.position for play in plays} if len(plays) > 1 else set())
        assert [one.equity for one in rated] == sorted((one.equity for one in rated), reverse=True)
        position = random.choice(plays).position
        assert isinstance(position, BackgammonPosition)
        seat = seat.other
        if GAME.result(position) is not None:
            position = START


@needs_gnubg
def test_what_a_play_has_cost_is_told_with_the_better_one(gnubg: GnuBackgammon) -> None:
    rated = gnubg.rate(GAME, START, Seat.A, Roll(3, 1))
    made = next(play for play in GAME.plays(START, Seat.A, Roll(3, 1)) if write_play(GAME, Seat.A, play) == "24/20")
    seen = review(rated, made.position)
    assert seen is not None
    assert write_play(GAME, Seat.A, seen.best.play) == "8/5 6/5"
    assert 0.1 < seen.loss < 0.4
    assert review(rated, START) is None


@needs_gnubg
def test_where_gammons_do_not_count_it_plays_for_the_game(gnubg: GnuBackgammon) -> None:
    house = Backgammon(HOUSE_RULES)
    money = gnubg.rate(GAME, START, Seat.A, Roll(6, 4))
    point = gnubg.rate(house, START, Seat.A, Roll(6, 4))
    assert {one.play.position for one in money} == {one.play.position for one in point}
    assert [one.equity for one in money] != [one.equity for one in point]


def best(
    gnubg: GnuBackgammon, roll: Roll, match: Match, seat: Seat = Seat.A, cube: Cube = CENTRED
) -> tuple[str, float]:
    rated = gnubg.rate(GAME, START, seat, roll, Stake(match, cube))[0]
    return write_play(GAME, seat, rated.play), rated.equity


@needs_gnubg
def test_the_score_decides_which_play_is_best(gnubg: GnuBackgammon) -> None:
    # Where gammons cannot help, 6-4 runs or comes down; where only they do, the point in the home board is made.
    level = Match(MatchRules(length=7))
    double_match_point = Match(MatchRules(length=7), score=(6, 6), crawford_played=True)
    gammon_go = Match(MatchRules(length=7), score=(5, 6), crawford_played=False)
    plays = {best(gnubg, Roll(6, 4), match)[0] for match in (level, double_match_point, gammon_go)}
    assert best(gnubg, Roll(6, 4), gammon_go)[0] == "8/2 6/2"
    assert len(plays) > 1


@needs_gnubg
@pytest.mark.parametrize("seat", list(Seat)[:2])
def test_a_cube_is_worth_something_to_the_seat_that_owns_it(gnubg: GnuBackgammon, seat: Seat) -> None:
    session = Match()
    owned, centred, theirs = (
        best(gnubg, Roll(3, 1), session, seat, Cube(2, owner) if owner else CENTRED)[1]
        for owner in (seat, None, seat.other)
    )
    assert owned > centred > theirs
    assert best(gnubg, Roll(3, 1), Match(MatchRules(cube=False)), seat)[1] not in (owned, centred, theirs)


@needs_gnubg
def test_it_is_kept_alive_and_started_again_when_it_has_gone(gnubg: GnuBackgammon) -> None:
    gnubg.rate(GAME, START, Seat.A, Roll(3, 1))
    first = gnubg.pid
    gnubg.rate(GAME, START, Seat.A, Roll(4, 2))
    assert gnubg.pid == first
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert gnubg.rate(GAME, START, Seat.A, Roll(3, 1))
    assert gnubg.pid != first


@needs_gnubg
def test_it_ends_with_us() -> None:
    program = (
        "from boardctl.coach import GnuBackgammon; from boardctl.rules import *; import time\n"
        "engine = GnuBackgammon(); engine.rate(Backgammon(), Backgammon().start(), Seat.A, Roll(3, 1))\n"
        "print(engine.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as ours:
        assert ours.stdout is not None
        pid = int(ours.stdout.readline())
        ours.kill()
    give_up_s = time.monotonic() + 10
    while _runs(pid) and time.monotonic() < give_up_s:
        time.sleep(0.05)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"


@needs_gnubg
def test_games_that_it_does_not_know_are_left_to_others(gnubg: GnuBackgammon) -> None:
    assert gnubg.knows(GAME)
    assert not gnubg.knows(MiniGam())
    with pytest.raises(ValueError, match="plays backgammon only"):
        gnubg.rate(MiniGam(), MiniGam().start(), Seat.A, Roll(2, 1))


def script(folder: Path, body: str) -> str:
    path = folder / "gnubg"
    path.write_text(f"#!{shutil.which('sh')}\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("body", "says"),
    [("sleep 30", "has not answered in 0.3 s"), ("exit 3", "gone|ended by itself")],
)
def test_a_program_that_does_not_answer_is_told_of_in_time(tmp_path: Path, body: str, says: str) -> None:
    began_s = time.monotonic()
    with GnuBackgammon(script(tmp_path, body), start_s=0.3) as engine, pytest.raises(EngineError, match=says):
        engine.rate(GAME, START, Seat.A, Roll(3, 1))
    assert time.monotonic() - began_s < ANSWER_S


def test_a_program_that_cannot_be_started_is_told_of(tmp_path: Path) -> None:
    with GnuBackgammon(str(tmp_path / "none")) as engine, pytest.raises(EngineError, match="cannot be started"):
        engine.rate(GAME, START, Seat.A, Roll(3, 1))


def test_where_none_is_installed_it_is_said_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardctl.coach.gnubg.find_gnubg", lambda: None)
    with pytest.raises(EngineError, match="apt install gnubg"):
        GnuBackgammon()


@pytest.mark.parametrize("game", [MiniGam(), MultiGam(), BlockingExpress()])
def test_the_rollout_player_rates_plays_of_any_game_alike_each_time(game: Game) -> None:
    player = RolloutPlayer(games=2, candidates=3, horizon_turns=12)
    position, seat = game.start(), game.seats[0]
    position = game.plays(position, seat, Roll(4, 3))[0].position
    seat = game.next_seat(position, seat)
    first, again = (player.rate(game, position, seat, Roll(5, 2)) for _ in range(2))
    assert first == again
    assert [one.equity for one in first] == sorted((one.equity for one in first), reverse=True)


def test_the_rollout_player_wins_a_game_that_it_can_win_at_once() -> None:
    position = BackgammonPosition.from_points([1, 1] + [0] * 21 + [-1])
    assert len(GAME.plays(position, Seat.A, Roll(2, 1))) == 2
    rated = RolloutPlayer(games=4).rate(GAME, position, Seat.A, Roll(2, 1))
    assert write_play(GAME, Seat.A, rated[0].play) == "2/off 1/off"
    assert (rated[0].equity, rated[1].equity) == (1.0, -1.0)


def test_the_rollout_player_sees_what_a_play_leads_to() -> None:
    # B bears off next turn with any roll: only hitting keeps the game open.
    position = BackgammonPosition.from_points([0, 0, 0, -1, 0, 0, 2, 2, 2, 2] + [0] * 8 + [2, 2, 2, 1, 0, 0])
    rated = RolloutPlayer(games=2, candidates=5, horizon_turns=4).rate(GAME, position, Seat.A, Roll(4, 3))
    assert "*" in write_play(GAME, Seat.A, rated[0].play)
