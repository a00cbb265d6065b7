"""What players and the director say at the page becomes facts of the table, or is refused with the reason."""

from html import escape
from pathlib import Path

import pytest
from open_table import Open, Visitor, open_table
from people import LEGAL_31, START, WRONG_31, People

from boardctl.lights.words import in_english
from boardctl.records import Journal
from boardctl.records.findings import findings
from boardctl.referee import read_ruleset
from boardctl.referee.facts import (
    Answered,
    AssistanceChosen,
    ButtonPressed,
    Choice,
    ClockStopped,
    Decision,
    DirectorRuled,
    Doubled,
    PauseReason,
    PositionDeclared,
    Queried,
    Resigned,
    Role,
    TimeGiven,
)
from boardctl.referee.rows import ROWS
from boardctl.rules import Seat
from boardctl.table.packing import pack_of


def test_players_double_and_take(table: Open, players: Visitor) -> None:
    people = People()
    table.feed([people.to_roll(Seat.A), *people.turn(Seat.A, (3, 1), LEGAL_31)])
    assert players.act(do="double", seat="B").status == 200
    question = players.state["question"]
    assert question["text"] == "B doubles to 2. Take or drop?"
    assert question["to"] == ["A"]
    assert players.act(do="answer", seat="B", choice="take").json["why"] == "No such question stands for you."
    assert players.act(do="answer", seat="A", choice="take", prompt=question["number"]).status == 200
    assert table.facts()[-2:] == [Doubled(2000, Role.B), Answered(2000, Role.A, question["number"], Choice.TAKE)]
    assert players.state["cube"] == "cube 2 with A"
    assert players.state["board"]["cube"]["owner"] == "A"


def test_players_resign_and_accept(table: Open, players: Visitor) -> None:
    people = People()
    table.feed([people.to_roll(Seat.A)])
    assert players.act(do="resign", seat="A", level=2).status == 200
    assert players.act(do="answer", seat="B", choice="accept", offer="resign").status == 200
    assert Resigned(500, Role.A, 2) in table.facts()
    assert players.state["score"] == [{"seat": "A", "points": 0}, {"seat": "B", "points": 2}]


def test_a_level_that_there_is_not_is_said(table: Open, players: Visitor) -> None:
    table.feed([People().to_roll(Seat.A)])
    assert "cannot be resigned at 4" in players.act(do="resign", seat="A", level=4).json["said"]


def test_a_button_of_the_page_ends_a_turn(tmp_path: Path) -> None:
    ruleset = read_ruleset("house-seed").model_copy(update={"turn_end": "button"})
    people = People()
    with open_table(tmp_path / "a.journal", ruleset) as table:
        players = table.visitor()
        players.enter("table", table.pin)
        table.feed([people.to_roll(Seat.A), people.roll(Seat.A, 3, 1), people.show(LEGAL_31)])
        assert players.act(do="press", seat="A").status == 200
        assert players.state["phase"] == "B may double or roll"
        assert table.facts()[-1] == ButtonPressed(people.at_ms, Role.A)


def test_who_says_to_be_done_answers_no_question_by_it(table: Open, players: Visitor) -> None:
    people = People()
    table.feed([people.to_roll(Seat.A), *people.turn(Seat.A, (3, 1), WRONG_31)])
    phase = players.state["phase"]
    pressed = players.act(do="press", seat="B")
    assert (pressed.status, pressed.json["why"]) == (409, "A question stands for you: answer it first.")
    assert players.state["phase"] == phase


def test_players_answer_what_the_referee_asks(table: Open, players: Visitor) -> None:
    people = People()
    table.feed([people.to_roll(Seat.A), *people.turn(Seat.A, (3, 1), WRONG_31)])
    assert players.act(do="answer", seat="B", choice="require").status == 200
    assert players.state["phase"] == "A to move"


def test_accepting_a_resignation_accepts_nothing_else(table: Open, players: Visitor) -> None:
    people = People()
    table.feed([people.to_roll(Seat.A), *people.turn(Seat.A, (3, 1), WRONG_31)])
    refused = players.act(do="answer", seat="B", choice="accept", offer="resign")
    assert refused.json["why"] == "No such question stands for you."
    assert players.state["phase"] == "A has moved"


@pytest.mark.parametrize("announce", ["director_only", "on_query"])
def test_players_cannot_find_out_by_answering_whether_something_was_found(tmp_path: Path, announce: str) -> None:
    ruleset = read_ruleset("house-seed").model_copy(update={"announce": announce})
    replies = []
    for name, board in (("legal", LEGAL_31), ("wrong", WRONG_31)):
        people = People()
        with open_table(tmp_path / f"{name}.journal", ruleset) as table:
            players = table.visitor()
            players.enter("table", table.pin)
            table.feed([people.to_roll(Seat.A), *people.turn(Seat.A, (3, 1), board)])
            asks = [
                *({"do": "answer", "seat": "B", "choice": choice} for choice in ("accept", "require", "take")),
                {"do": "answer", "seat": "B", "choice": "require", "prompt": 1},
                {"do": "double", "seat": "B"},
                {"do": "answer", "seat": "A", "choice": "take"},
                {"do": "resign", "seat": "A"},
            ]
            replies.append([(reply.status, reply.json) for reply in (players.act(**ask) for ask in asks)])
    assert replies[0][:6] == replies[1][:6]
    assert replies[0][0] == (409, {"why": "No such question stands for you."})
    assert replies[0][4:6] == [(200, {"entry": None, "said": ""})] * 2


def test_a_director_rules_about_an_entry_and_it_stands_in_the_record(table: Open, director: Visitor) -> None:
    people = People()
    table.feed([people.to_roll(Seat.A), *people.turn(Seat.A, (3, 1), WRONG_31)])
    finding = director.state["director"]["findings"][0]
    said = director.act(
        do="rule", decision="accept", name="Dora <b>", reason="Both saw it.", entry=finding["number"]
    ).json
    ruling = DirectorRuled(2000, "Dora <b>", Decision.ACCEPT, "Both saw it.", entry=finding["number"])
    with Journal.open(table.journal) as journal:
        assert dict(journal.facts())[said["entry"]] == ruling
    assert director.state["phase"] == "B may double or roll"
    assert "director Dora <b>" in director.state["said"][-1]


def test_a_ruling_about_an_entry_that_does_not_exist_is_refused_and_nothing_is_recorded(
    table: Open, director: Visitor
) -> None:
    table.feed([People().to_roll(Seat.A)])
    before = table.facts()
    refused = director.act(do="rule", decision="note", name="Dora", reason="x", entry=99)
    assert refused.status == 409
    assert refused.json["why"] == ("Entry 99 does not exist: the record's entries are 1 to 3. Nothing was recorded.")
    assert table.facts() == before
    assert director.act(do="rule", decision="note", name="Dora", reason="x", entry=3).status == 200


@pytest.mark.parametrize("row", ["D7", "C20", "S3", "R9"])
def test_what_only_people_saw_is_entered_by_its_row_and_stands_in_record_and_evidence_pack(
    table: Open, director: Visitor, row: str
) -> None:
    table.feed([People().to_roll(Seat.A)])
    said = director.act(do="rule", decision="note", name="Dora", reason="B slid the dice.", row=row, about="B")
    assert said.status == 200
    with Journal.open(table.journal) as journal:
        ruling = dict(journal.facts())[said.json["entry"]]
        assert isinstance(ruling, DirectorRuled)
        assert (ruling.row, ruling.seat, ruling.reason) == (row, Seat.B, "B slid the dice.")
        (finding,) = [one for one in findings(journal) if one.effects[0]["kind"] == "ruled" and one.effects[0]["row"]]
        pack, _ = pack_of(journal, finding)
    (words,) = pack.said
    title = in_english(ROWS[row])
    assert words == f"Ruled by director Dora: noted. {row}, {title}. About B. Why: B slid the dice."
    assert escape(title) in pack.files()["index.html"].decode()
    assert director.state["director"]["findings"][0]["says"] == [words]


def test_a_row_or_a_seat_that_there_is_not_is_refused(table: Open, director: Visitor) -> None:
    table.feed([People().to_roll(Seat.A)])
    before = table.facts()
    assert director.act(do="rule", decision="note", name="Dora", reason="x", row="Z9").status == 422
    assert director.act(do="rule", decision="note", name="Dora", reason="x", row="D7", about="C").status == 409
    assert table.facts() == before


def test_a_director_puts_the_length_of_the_match_right(table: Open, director: Visitor) -> None:
    table.feed([People().to_roll(Seat.A)])
    before = director.state["match_length"]
    assert director.act(do="rule", decision="length", name="Dora", reason="the sheet", length=9).status == 200
    assert (before, director.state["match_length"]) == (5, 9)


def test_a_director_puts_score_and_cube_right(table: Open, director: Visitor) -> None:
    table.feed([People().to_roll(Seat.A)])
    director.act(do="rule", decision="score", name="Dora", reason="miscounted", score={"A": 2, "B": 1})
    director.act(do="rule", decision="cube", name="Dora", reason="turned back", cube_value=4, cube_owner="B")
    state = director.state
    assert state["score"] == [{"seat": "A", "points": 2}, {"seat": "B", "points": 1}]
    assert state["cube"] == "cube 4 with B"


def test_what_cannot_be_decided_now_is_said(table: Open, director: Visitor) -> None:
    table.feed([People().to_roll(Seat.A)])
    said = director.act(do="rule", decision="accept", name="Dora", reason="x").json["said"]
    assert said == "There is nothing here to decide in this way now."


def test_a_director_takes_the_board_as_it_stands(table: Open, director: Visitor) -> None:
    assert director.act(do="declare", roller="B").json["why"] == "The camera has not seen the board yet."
    people = People()
    table.feed([people.to_roll(Seat.A), *people.turn(Seat.A, (3, 1), LEGAL_31), people.show(START)])
    assert director.act(do="declare", roller="B").status == 200
    declared = table.facts()[-1]
    assert isinstance(declared, PositionDeclared)
    assert (declared.by, declared.roller) == (Role.DIRECTOR, Seat.B)
    assert director.state["phase"] == "B may double or roll"


def test_a_clock_is_stopped_and_time_is_given(tmp_path: Path) -> None:
    people = People()
    with open_table(tmp_path / "a.journal", "usbgf-like") as table:
        director, players = table.visitor(), table.visitor()
        director.enter("director", table.password)
        players.enter("table", table.pin)
        table.feed([people.to_roll(Seat.A), people.roll(Seat.A, 3, 1), ButtonPressed(people.now(), Role.B)])
        assert players.state["clock"]["running"] == "A"
        assert players.act(do="stop_clock", seat="B", reason="contest").status == 200
        assert players.state["clock"]["paused"] == "a disagreement"
        assert players.act(do="stop_clock", seat="B", reason="director").json["said"].startswith("B may not stop")
        assert players.act(do="give_time", seat="A", seconds=60, reason="x").status == 409
        assert director.act(do="give_time", seat="A", seconds=-60, reason="late").status == 200
        assert director.act(do="resume_clock", delay_whole=True).status == 200
        sides = {side["seat"]: side["reserve_ms"] for side in players.state["clock"]["sides"]}
        assert sides == {"A": 540_000, "B": 600_000}
        assert "Nobody's time is up" in players.act(do="call_flag", seat="B").json["said"]
        facts = table.facts()
    assert ClockStopped(1500, Role.B, PauseReason.CONTEST) in facts
    assert TimeGiven(1500, Role.DIRECTOR, Seat.A, -60_000, "late") in facts


def test_without_a_clock_there_is_none_to_stop(table: Open, director: Visitor) -> None:
    assert director.act(do="stop_clock", reason="break").json["why"] == "There is no clock here."


def test_who_asks_what_was_found_says_who_it_is(table: Open, players: Visitor, director: Visitor) -> None:
    assert players.act(do="query").json["why"] == "Which seat says so?"
    assert players.act(do="query", seat="C").json["why"] == "Seat C does not play here."
    assert director.act(do="query").status == 200
    assert table.facts()[-1] == Queried(0, Role.DIRECTOR)


@pytest.mark.parametrize(
    ("announce", "said"), [("on_query", "Nothing was found."), ("director_only", ""), ("monitor", "")]
)
def test_who_asks_is_told_that_nothing_was_found_where_asking_is_what_counts(
    tmp_path: Path, announce: str, said: str
) -> None:
    ruleset, people = read_ruleset("house-seed").model_copy(update={"announce": announce}), People()
    with open_table(tmp_path / "a.journal", ruleset) as table:
        players = table.visitor()
        players.enter("table", table.pin)
        table.feed([people.to_roll(Seat.A), *people.turn(Seat.A, (3, 1), LEGAL_31)])
        assert players.act(do="query", seat="B").json["said"] == said


def test_facts_of_the_page_are_never_earlier_than_what_was_heard_of(table: Open, players: Visitor) -> None:
    people = People()
    people.at_ms = 60_000
    table.feed([people.to_roll(Seat.A)])
    players.act(do="press", seat="A")
    assert [fact.at_ms for fact in table.facts()] == [60_500, 60_500]


def test_when_the_table_is_over_nothing_more_is_taken_up(tmp_path: Path) -> None:
    with open_table(tmp_path / "a.journal") as table:
        players = table.visitor()
        players.enter("table", table.pin)
        token = players.token
        table.console.close()
        assert players.act(token, do="double", seat="A").json["why"] == "The table is over; nothing more is taken up."


def test_a_seat_chooses_its_help(tmp_path: Path) -> None:
    people = People()
    with open_table(tmp_path / "a.journal", read_ruleset("teaching")) as table:
        players = table.visitor()
        players.enter("table", table.pin)
        table.feed([people.to_roll(Seat.A)])
        assert "6, and the best play" in players.get("/").text
        reply = players.act(do="assist", seat="A", level=3, lifts=1)
        assert (reply.status, reply.json["said"]) == (200, "A gets help of level 3 from now on.")
        assert table.facts()[-1] == AssistanceChosen(people.at_ms, Role.A, Seat.A, 3, 1)
        assert '<option value="3" selected>' in players.get("/").text
        assert players.act(do="assist", seat="A", level=7).status == 422


def test_where_no_help_is_allowed_the_page_offers_none(table: Open, players: Visitor) -> None:
    table.feed([People().to_roll(Seat.A)])
    refused = players.act(do="assist", seat="A", level=3)
    assert (refused.status, refused.json["why"]) == (409, "The rules of this table allow no help with the play.")
    assert "the best play" not in players.get("/").text
