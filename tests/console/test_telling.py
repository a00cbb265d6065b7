"""What everybody may see: what the lights tell, and nothing that gives a finding away."""

from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from people import GAME, LEGAL_31, START, WRONG_31, People

from boardctl.console.audience import Audience
from boardctl.console.console import Console
from boardctl.console.drawing import BoardDrawing
from boardctl.console.sending import Sender
from boardctl.console.texts import page_say
from boardctl.records import Journal
from boardctl.referee import Match, Referee, Ruleset, read_ruleset
from boardctl.referee.announcing import is_silent
from boardctl.referee.facts import Answered, ButtonPressed, Choice, Doubled, Fact, Queried, Role
from boardctl.rules import MatchRules, Seat
from boardctl.table import Desk
from calibration import BoardGeometry
from firmware_bridge import ChainLayout

SECRET = read_ruleset("house-seed").model_copy(update={"announce": "director_only"})
ON_QUERY = read_ruleset("us-2008-like").model_copy(update={"witnesses_required": 1})
MONITOR = read_ruleset("house-seed")


class Looked:
    """A table at which facts are handled one by one, and what its page shows."""

    def __init__(self, folder: Path, ruleset: Ruleset, cube: bool = True) -> None:
        rules = MatchRules(length=3, cube=cube)
        self.referee = Referee(GAME, ruleset, Match(3, cube, rules=rules))
        folder.mkdir(exist_ok=True)
        journal = Journal.create(folder / f"{len(list(folder.iterdir()))}.journal", {})
        self.journal = journal
        say = page_say()
        self.console = Console(self.referee, journal, lambda: 0, say)
        drawing = BoardDrawing(BoardGeometry(), ChainLayout())
        self.sender = Sender(ruleset, say, drawing, self.console.now_ms)
        self.desk = Desk(journal, self.referee, [self.console])

    def feed(self, facts: Iterable[Fact]) -> None:
        """Handles facts."""
        for fact in facts:
            self.desk.handle(fact)

    def state(self, audience: Audience = Audience.EVERYBODY) -> dict[str, Any]:
        """Gets what the page shows."""
        return self.sender.state_of(self.console.shown(audience), audience).model_dump()

    def without_checkers(self) -> dict[str, Any]:
        """Gets what everybody sees beside the checkers, which lie where they lie, and beside the clock."""
        state = self.state()
        shown = {key: value for key, value in state.items() if key not in ("board", "clock")}
        return shown | {key: state["board"][key] for key in ("lamps", "legend", "dice", "cube")}


def after_a_turn(folder: Path, ruleset: Ruleset, board: Any) -> tuple[Looked, People]:
    """Gets a table at which A has rolled 3-1, moved to a board and taken up the dice."""
    looked, people = Looked(folder, ruleset), People()
    looked.feed([people.to_roll(Seat.A), *people.turn(Seat.A, (3, 1), board)])
    return looked, people


def test_a_monitor_tells_everybody_what_it_found_and_asks(tmp_path: Path) -> None:
    looked, _ = after_a_turn(tmp_path, MONITOR, WRONG_31)
    state = looked.state()
    assert "A 3-1: not legal (certain)" in state["said"][-1]
    assert state["question"]["to"] == ("B",)
    assert [choice["label"] for choice in state["question"]["choices"]] == ["Accept", "Require a legal play"]
    assert any(lamp["symbol"] == "!" for lamp in state["board"]["lamps"])
    assert state["phase"] == "A has moved"
    assert state["director"] is None


def test_the_director_sees_what_nobody_else_is_told(tmp_path: Path) -> None:
    looked, _ = after_a_turn(tmp_path, SECRET, WRONG_31)
    state = looked.state(Audience.DIRECTOR)
    (finding,) = (one for one in state["director"]["findings"] if one["certainty"])
    assert finding["says"][0] == "A 3-1: not legal (certain)"
    assert "illegal_play: accept_or_require" in finding["rule"]
    assert state["question"]["text"].startswith("A has not played 3-1 legally")
    assert any(lamp["symbol"] == "!" for lamp in state["board"]["lamps"])
    everybody = looked.state()
    assert everybody["question"] is None
    assert everybody["board"]["lamps"] == ()
    assert everybody["phase"] == "The game goes on"
    assert everybody["said"] == ()


@pytest.mark.parametrize("ruleset", [SECRET, ON_QUERY], ids=["director_only", "on_query"])
def test_nobody_can_tell_a_legal_play_from_another(tmp_path: Path, ruleset: Ruleset) -> None:
    legal, people = after_a_turn(tmp_path, ruleset, LEGAL_31)
    wrong, _ = after_a_turn(tmp_path, ruleset, WRONG_31)
    assert legal.without_checkers() == wrong.without_checkers()
    double = Doubled(people.now(), Role.B)
    legal.feed([double])
    wrong.feed([double])
    assert legal.without_checkers() == wrong.without_checkers()


def test_the_question_of_the_cube_is_told_where_findings_are_told_on_query(tmp_path: Path) -> None:
    looked, people = after_a_turn(tmp_path, ON_QUERY, LEGAL_31)
    looked.feed([Doubled(people.now(), Role.B)])
    assert looked.state()["question"]["text"] == "B doubles to 2. Take or drop?"


def test_who_asks_is_told(tmp_path: Path) -> None:
    looked, people = after_a_turn(tmp_path, ON_QUERY, WRONG_31)
    looked.feed([Queried(people.now(), Role.B)])
    assert looked.state()["question"]["to"] == ("B",)
    assert "not legal" in looked.state()["said"][-1]


def test_with_the_next_roll_the_page_goes_on(tmp_path: Path) -> None:
    looked, people = after_a_turn(tmp_path, SECRET, WRONG_31)
    looked.feed([people.roll(Seat.B, 6, 4)])
    state = looked.state()
    assert (state["phase"], state["roll"], state["on_turn"]) == ("B to move", "6-4", "B")
    assert state["said"] == ()


def test_a_clock_goes_on_whatever_is_held_back(tmp_path: Path) -> None:
    ruleset = read_ruleset("usbgf-like").model_copy(update={"announce": "director_only", "turn_end": "dice_lift_any"})
    looked, people = after_a_turn(tmp_path, ruleset, WRONG_31)
    looked.feed([ButtonPressed(people.now(), Role.A)])
    assert looked.state()["clock"]["running"] == "B"


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.integers(15, 40))
def test_from_the_end_of_a_turn_to_the_next_roll_nothing_changes(
    tmp_path_factory: pytest.TempPathFactory, seed: int, length: int
) -> None:
    random, people = Random(seed), People()
    looked = Looked(tmp_path_factory.mktemp("silent"), SECRET)
    looked.feed([people.show(START)])
    silent = False
    for _ in range(length):
        for fact in people.meddlesome(random) if random.random() < 0.3 else people.sensible(looked.referee, random):
            before, number = looked.state(), looked.console.shown(Audience.EVERYBODY).number
            looked.feed([fact])
            still = is_silent(SECRET, looked.referee.state)
            if silent and still:
                assert looked.state() == before
                assert looked.console.shown(Audience.EVERYBODY).number == number
            elif still:
                after = looked.state()
                assert (after["phase"], after["question"]) == ("The game goes on", None)
                assert after["board"]["checkers"] == before["board"]["checkers"]
                assert after["said"] == before["said"]
            silent = still


def test_a_play_that_was_required_again_is_not_told_before_it_is_made(tmp_path: Path) -> None:
    looked, people = after_a_turn(tmp_path, SECRET, WRONG_31)
    before = looked.state()
    prompt = looked.referee.state.prompt
    assert prompt is not None
    looked.feed([Answered(people.now(), Role.DIRECTOR, prompt.number, Choice.REQUIRE), people.show(LEGAL_31)])
    assert looked.state() == before
