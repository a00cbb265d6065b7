"""The coach at a table: what the rules tell is said at once, what an engine says when it says it; all is recorded."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from threading import Event

from played_games import facts_of_games

from boardctl.coach import FOR_ITSELF, Engine, EngineError, RatedPlay, Stake
from boardctl.records import Journal, effect_to_plain
from boardctl.referee import read_ruleset
from boardctl.referee.assistance import Assist, Assistance, Level
from boardctl.referee.effects import Effect, Notice
from boardctl.referee.facts import Fact
from boardctl.rules import Game, Position, Roll, Seat
from boardctl.table import Coach, Desk, Session

ALL: Assist = tuple((seat, Assistance(Level.BEST)) for seat in (Seat.A, Seat.B))


class LastIsBest:
    """An engine that thinks highest of the last play, each one before it a tenth of a point worse."""

    name = "the last play"

    def __init__(self, known: bool = True, may_answer: Event | None = None, error: str = "") -> None:
        self._known = known
        self._may_answer = may_answer
        self._error = error
        self.closed = False

    def knows(self, game: Game) -> bool:
        return self._known

    def rate(
        self, game: Game, position: Position, seat: Seat, roll: Roll, stake: Stake = FOR_ITSELF
    ) -> Sequence[RatedPlay]:
        if self._may_answer is not None:
            self._may_answer.wait(10)
        if self._error:
            raise EngineError(self._error)
        plays = game.plays(position, seat, roll)
        return [RatedPlay(play, -number / 10) for number, play in enumerate(reversed(plays))] if len(plays) > 1 else []

    def close(self) -> None:
        self.closed = True


def played(path: Path, engines: Sequence[Engine], turns: int = 6, wait_s: float = 5.0) -> tuple[list[Effect], Session]:
    """Gets what is said in the first turns of a game, and its session; the journal lies at ``path``."""
    session = Session(ruleset=read_ruleset("teaching"), assist=ALL)
    referee = session.referee()
    coach = Coach(referee, engines, wait_s)
    said: list[Effect] = []
    with Journal.create(path, session.header()) as journal:
        desk = Desk(journal, referee, responders=[coach])
        for fact in facts_of_games(1, 1, illegal_share=0.0):
            said += desk.handle(fact)
            if referee.state.turns_played >= turns:
                break
    coach.close()
    return said, session


def keys(said: Sequence[Effect]) -> list[str]:
    return [effect.text.key for effect in said if isinstance(effect, Notice)]


def test_the_best_play_and_afterwards_what_was_given_away(tmp_path: Path) -> None:
    engine = LastIsBest()
    said, _ = played(tmp_path / "game.journal", [LastIsBest(known=False), engine])
    assert {"coach.pips", "coach.best"} <= set(keys(said))
    assert {"coach.better", "coach.best_made"} & set(keys(said))
    assert engine.closed


def test_a_game_with_advice_replays_alike(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    _, session = played(path, [LastIsBest()])
    with Journal.open(path) as journal:
        again = Session.from_header(journal.header).referee()
        assert session == Session.from_header(journal.header)
        recorded = {entry.answers: entry.content for entry in journal.entries() if entry.kind == "effects"}
        for number, fact in journal.facts():
            assert [effect_to_plain(effect) for effect in again.feed(fact)] == recorded[number]


def test_where_no_engine_knows_the_game_it_is_said_once_and_the_rest_is_shown(tmp_path: Path) -> None:
    said, _ = played(tmp_path / "game.journal", [LastIsBest(known=False)])
    assert keys(said).count("coach.no_engine") == 2  # to each seat
    assert "coach.pips" in keys(said)
    assert "coach.best" not in keys(said)


def test_an_engine_that_does_not_answer_stops_nothing(tmp_path: Path) -> None:
    said, _ = played(tmp_path / "game.journal", [LastIsBest(error="it has gone")])
    lost = next(effect for effect in said if isinstance(effect, Notice) and effect.text.key == "coach.engine_lost")
    assert dict(lost.text.arguments)["reason"] == "it has gone"
    assert "coach.pips" in keys(said)


def test_nobody_waits_for_an_engine_at_a_real_table_and_its_answer_comes_later(tmp_path: Path) -> None:
    may_answer = Event()
    session = Session(ruleset=read_ruleset("teaching"), assist=ALL)
    referee = session.referee()
    coach = Coach(referee, [LastIsBest(may_answer=may_answer)])
    with Journal.create(tmp_path / "game.journal", session.header()) as journal:
        desk = Desk(journal, referee, responders=[coach])
        said: list[Effect] = []
        for fact in facts_of_games(1, 1, illegal_share=0.0):
            said += desk.handle(fact)
            if referee.state.turn is not None:
                break
        assert "coach.pips" in keys(said)
        assert "coach.best" not in keys(said)
        may_answer.set()
        assert keys(desk.handle(asyncio.run(next_fact(coach)))) == ["coach.best"]
    coach.close()


async def next_fact(coach: Coach) -> Fact:
    """Gets what the coach says next by itself."""
    async with asyncio.timeout(10):
        return await anext(coach.facts())
