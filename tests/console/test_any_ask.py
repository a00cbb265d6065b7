"""Whatever is asked for, whenever: it is refused, or it becomes a fact that the table can handle and store."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from people import GAME, START, People

from boardctl.console.acting import Actor, RefusedError
from boardctl.console.asks import ASK
from boardctl.console.audience import Audience
from boardctl.console.texts import page_say
from boardctl.records import Journal, fact_from_json, fact_to_json
from boardctl.referee import Match, Referee, read_ruleset
from boardctl.referee.facts import Choice, Decision, PauseReason
from boardctl.referee.rows import ROWS
from boardctl.rules import MatchRules, Seat
from boardctl.table import Desk

seats = st.sampled_from([*Seat])
some_seat = st.none() | seats
words = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=12)
said = words.filter(str.strip)
numbers = st.integers(1, 40)


def asked(do: str, **fields: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({"do": st.just(do), **fields})


asks = st.one_of(
    asked("double", seat=seats),
    asked("resign", seat=seats, level=st.integers(1, 4)),
    asked(
        "answer",
        seat=some_seat,
        choice=st.sampled_from([*Choice]),
        prompt=st.none() | st.integers(0, 9),
        offer=st.sampled_from([None, "double", "resign"]),
    ),
    asked("press", seat=seats),
    asked("query", seat=some_seat),
    asked("call_flag", seat=some_seat),
    asked("stop_clock", seat=some_seat, reason=st.sampled_from([*PauseReason])),
    asked("resume_clock", seat=some_seat, delay_whole=st.booleans()),
    asked("give_time", seat=seats, seconds=st.integers(-86400, 86400), reason=said),
    asked(
        "rule",
        decision=st.sampled_from([*Decision]),
        name=said,
        reason=said,
        entry=st.none() | numbers,
        score=st.dictionaries(seats, st.integers(0, 999)),
        cube_value=st.integers(1, 1024),
        cube_owner=some_seat,
        row=st.none() | st.sampled_from([*ROWS]),
        about=some_seat,
    ),
    asked("declare", roller=some_seat),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(0, 2**32),
    st.sampled_from(["house-seed", "usbgf-like", "us-2008-like"]),
    st.lists(st.none() | st.tuples(asks, st.sampled_from([*Audience])), max_size=40),
)
def test_anything_that_is_asked_for_is_refused_or_handled(
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
    name: str,
    course: list[tuple[dict[str, object], Audience] | None],
) -> None:
    random, people, say = Random(seed), People(), page_say()
    rules = MatchRules(length=None, cube=True, beavers=True, raccoons=True)
    referee = Referee(GAME, read_ruleset(name), Match(None, True, rules=rules))
    path: Path = tmp_path_factory.mktemp("asked") / "a.journal"
    with Journal.create(path, {}) as journal:
        desk, actor = Desk(journal, referee), Actor(referee, journal, people.now)
        desk.handle(people.show(START))
        refusals: list[str] = []
        for step in course:
            if step is None:
                for fact in people.sensible(referee, random):
                    desk.handle(fact)
                continue
            ask, audience = step
            try:
                fact = actor.fact_of(ASK.validate_python(ask), audience)
            except RefusedError as refused:
                refusals.append(say(refused.text))
                continue
            assert audience is not Audience.EVERYBODY
            assert fact_from_json(fact_to_json(fact)) == fact
            desk.handle(fact)
        assert all(refusals)
        assert journal.first_altered() is None
        assert journal.unanswered() == set()
