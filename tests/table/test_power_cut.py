"""A table that is killed at any instant stands, started again, where it stood."""

import multiprocessing
import signal
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random

from played_games import facts_of_games

from boardctl.records import Journal, effect_to_plain
from boardctl.referee import Referee, read_ruleset
from boardctl.table import Desk, Session

SEED, GAMES, KILLS = 11, 2, 50


def play_on(path: Path, ready: Event) -> None:
    """Starts the table again and plays on; runs in a process of its own, which is killed."""
    with Journal.open(path) as journal:
        desk = Desk(journal, Session.from_header(journal.header).referee())
        desk.resume()
        done = sum(1 for _ in journal.facts())
        ready.set()
        for number, fact in enumerate(facts_of_games(SEED, GAMES)):
            if number >= done:
                desk.handle(fact)


def test_killed_at_fifty_random_instants_the_table_goes_on_where_it_stood(tmp_path: Path) -> None:
    path = tmp_path / "night.journal"
    session = Session(ruleset=read_ruleset("house-seed"))
    Journal.create(path, session.header()).close()
    facts = list(facts_of_games(SEED, GAMES))
    straight = session.referee()
    states, effects = [straight.state], []
    for fact in facts:
        effects.append([effect_to_plain(effect) for effect in straight.feed(fact)])
        states.append(straight.state)

    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["boardctl.table", "played_games"])
    random = Random(3)
    stood_at = [0]
    for _ in range(KILLS):
        ready = processes.Event()
        table = processes.Process(target=play_on, args=(path, ready))
        table.start()
        assert ready.wait(60)
        table.join(random.uniform(0.0, 0.04))
        table.kill()
        table.join()
        assert table.exitcode == -signal.SIGKILL, "it was to be killed before its games were over"

        with Journal.open(path) as journal:
            stored = [fact for _, fact in journal.facts()]
            referee: Referee = Session.from_header(journal.header).referee()
            Desk(journal, referee).resume()
            assert stored == facts[: len(stored)]
            assert referee.state == states[len(stored)]
            assert journal.unanswered() == set()
            assert journal.first_altered() is None
            recorded = {entry.answers: entry.content for entry in journal.entries() if entry.kind == "effects"}
            assert [recorded[number] for number, _ in journal.facts()] == effects[: len(stored)]
        stood_at.append(len(stored))
        if len(stored) > len(facts) - 300:
            path.unlink()
            Journal.create(path, session.header()).close()
    assert len(set(stood_at)) > KILLS // 2, "the kills were to fall at many different instants"
