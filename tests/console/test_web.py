"""Who may look and who may act, over real connections; and what a foreign page, name or sender is told."""

import http.client
import io
import json
import re
import socket
import zipfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from open_table import WAIT_S, Open, Visitor, open_table
from people import LEGAL_31, WRONG_31, People

from boardctl.console import PageError, bound
from boardctl.console.guard import MOST_BYTES
from boardctl.console.secrets_kept import hashed
from boardctl.console.web import MOST_STREAMS
from boardctl.records.frame_store import FrameStore
from boardctl.referee import read_ruleset
from boardctl.referee.facts import EvidenceKept
from boardctl.rules import Seat
from config import Listening, PageSettings

RULE = {"do": "rule", "decision": "note", "name": "Dora", "reason": "x"}
PRESS = {"do": "press", "seat": "A"}


def misplayed(table: Open) -> People:
    people = People()
    table.feed([people.to_roll(Seat.A), *people.turn(Seat.A, (3, 1), WRONG_31)])
    return people


def test_everybody_looks_and_nobody_acts_without_having_come_in(table: Open) -> None:
    visitor = table.visitor()
    assert visitor.get().status == 200
    assert visitor.state["audience"] == "everybody"
    for ask in (PRESS, RULE, {"do": "query"}):
        assert visitor.act(**ask).status == 403
    assert table.facts() == []


def test_the_table_does_not_rule(table: Open, players: Visitor) -> None:
    assert players.act(**RULE).status == 409
    assert players.act(do="declare").status == 409
    assert players.act(do="give_time", seat="A", seconds=9, reason="x").status == 409
    assert table.facts() == []


def test_a_wrong_password_lets_nobody_in(table: Open) -> None:
    visitor = table.visitor()
    for audience, secret in (
        ("director", "x"),
        ("director", table.pin),
        ("table", table.password),
        ("everybody", ""),
        ("king", "x"),
    ):
        reply = visitor.enter(audience, secret)
        assert reply.status in (303, 403)
        assert "set-cookie" not in reply.headers
    assert visitor.state["audience"] == "everybody"


def test_who_tries_too_often_has_to_wait_even_with_the_right_password(table: Open) -> None:
    visitor = table.visitor()
    assert [visitor.enter("director", str(number)).status for number in range(5)] == [403] * 5
    reply = visitor.enter("director", table.password)
    assert reply.status == 429
    assert 0 < int(reply.headers["retry-after"]) <= 300
    assert "set-cookie" not in reply.headers


def test_the_cookie_is_for_this_page_alone(table: Open) -> None:
    cookie = table.visitor().enter("director", table.password).headers["set-cookie"].lower()
    assert cookie.startswith(f"boardctl-{table.port}=")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_a_request_without_the_pages_token_is_refused(table: Open, director: Visitor) -> None:
    assert director.act("", **RULE).status == 403
    assert director.act("x" * 43, **RULE).status == 403
    other = table.visitor()
    other.enter("table", table.pin)
    assert director.act(other.token, **RULE).status == 403
    assert table.facts() == []
    assert director.act(**RULE).status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_a_request_from_another_page_is_refused(table: Open, director: Visitor, origin: str) -> None:
    body = json.dumps(RULE)
    assert director.ask("POST", "/act", body, X_Token=director.token, Origin=origin).status == 403
    entering = f"audience=director&secret={table.password}"
    assert table.visitor().ask("POST", "/login", entering, Origin=origin).status == 403
    own = f"http://127.0.0.1:{table.port}"
    assert director.ask("POST", "/act", body, X_Token=director.token, Origin=own).status == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [("127.0.0.1", 200), ("localhost", 200), ("[::1]:8080", 200), ("evil.example", 421), ("", 421), ("[", 421)],
)
def test_a_foreign_name_that_leads_here_is_turned_away(table: Open, host: str, status: int) -> None:
    assert table.visitor().ask("GET", "/state", Host=host).status == status


def test_a_configured_name_is_known(tmp_path: Path) -> None:
    settings = PageSettings(listen=Listening(port=0), names=("Table3.club.example",))
    with open_table(tmp_path / "a.journal", settings=settings) as table:
        assert table.visitor().ask("GET", "/", Host="table3.club.example:80").status == 200


def test_configured_secrets_are_the_ones_that_count(tmp_path: Path) -> None:
    settings = PageSettings(listen=Listening(port=0), director=hashed("our own password"), table=hashed("314159"))
    with open_table(tmp_path / "a.journal", settings=settings) as table:
        assert (table.password, table.pin) == ("", "")
        assert table.visitor().enter("director", "our own password").status == 303
        assert table.visitor().enter("table", "314159").status == 303
        assert table.visitor().enter("director", "").status == 403


def test_a_body_that_is_too_long_or_of_no_length_is_refused(table: Open, director: Visitor) -> None:
    assert director.ask("POST", "/act", "x" * (MOST_BYTES + 1), X_Token=director.token).status == 413
    connection = http.client.HTTPConnection("127.0.0.1", table.port, timeout=WAIT_S)
    connection.request("POST", "/act", iter([b"{}"]), encode_chunked=True, headers={"Transfer-Encoding": "chunked"})
    assert connection.getresponse().status == 411
    connection.close()


@pytest.mark.parametrize(
    "ask",
    [
        {"do": "dance"},
        {"do": "press", "seat": "Z"},
        {**RULE, "entry": -1},
        {**RULE, "entry": "1; DROP TABLE entries"},
        {**RULE, "reason": ""},
        {**RULE, "name": "x" * 61},
        {**RULE, "name": "a\u0000b"},
        {**RULE, "more": 1},
        {"do": "give_time", "seat": "A", "seconds": 10**9, "reason": "x"},
    ],
)
def test_what_cannot_be_used_is_refused_with_the_fields_to_look_at(
    table: Open, director: Visitor, ask: dict[str, object]
) -> None:
    reply = director.act(**ask)
    assert reply.status == 422
    assert reply.json["why"].startswith("This cannot be used as it is; look at: ")
    assert table.facts() == []


@pytest.mark.parametrize("body", ["", "{", "[]", "null", '{"do": "press", "seat": "A"', "\udcff"])
def test_what_is_no_json_is_refused(table: Open, director: Visitor, body: str) -> None:
    data = body.encode("utf-8", "surrogateescape").decode("latin-1")
    assert director.ask("POST", "/act", data, X_Token=director.token).status == 422


def test_every_answer_lets_a_browser_load_and_run_nothing_but_the_pages_own_files(
    table: Open, director: Visitor
) -> None:
    for path in ("/", "/state", "/page.js", "/page.css", "/icon.svg", "/board", "/none", "/findings/1/pack.zip"):
        headers = director.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy, path
        assert "unsafe" not in policy
        assert "*" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] in ("no-store", "no-cache")
        assert "server" not in headers


def test_the_page_itself_has_no_script_or_style_in_it_and_names_no_other_place(table: Open) -> None:
    players, director = table.visitor(), table.visitor()
    players.enter("table", table.pin)
    director.enter("director", table.password)
    for visitor in (table.visitor(), players, director):
        page = visitor.get().text
        assert re.findall(r"<script[^>]*>(.+?)</script>", page) == []
        assert re.search(r"<style|\sstyle=|\son[a-z]+=|https?:|//", page.replace("<!doctype html>", "")) is None


def test_what_a_ruleset_is_called_is_escaped(tmp_path: Path) -> None:
    title = "<script>alert(1)</script>\"'&"
    ruleset = read_ruleset("house-seed").model_copy(update={"title": title})
    with open_table(tmp_path / "a.journal", ruleset) as table:
        page = table.visitor().get().text
    assert "alert(1)" in page
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#x27;&amp;" in page


def test_a_note_that_is_none_of_ours_is_not_said(table: Open) -> None:
    assert "hello" not in table.visitor().get("/?note=hello").text
    assert "You have left." in table.visitor().get("/?note=page.note.left").text


def test_who_leaves_is_outside(table: Open, director: Visitor) -> None:
    token = director.token
    assert director.ask("POST", "/logout", "token=wrong").status == 303
    assert director.state["audience"] == "director"
    assert director.ask("POST", "/logout", f"token={token}").status == 303
    assert director.state["audience"] == "everybody"
    assert director.act(token, **RULE).status == 403


def test_the_stream_tells_of_what_happens(table: Open) -> None:
    people = People()
    with table.visitor().stream() as states:
        assert next(states)["phase"] == "Set up the board"
        table.feed([people.to_roll(Seat.A), people.roll(Seat.A, 3, 1)])
        assert any(state["phase"] == "A to move" and state["roll"] == "3-1" for state in states)


def test_the_stream_of_who_leaves_tells_no_more_than_anybody_is_told(table: Open, director: Visitor) -> None:
    with director.stream() as states:
        assert next(states)["director"] is not None
        director.ask("POST", "/logout", f"token={director.token}")
        misplayed(table)
        assert next(states)["director"] is None


def test_pictures_and_packs_are_for_the_director(table: Open, director: Visitor, players: Visitor) -> None:
    people = misplayed(table)
    number = director.state["director"]["findings"][0]["number"]
    picture = b"\xff\xd8 a picture"
    kept = FrameStore(table.journal).put("f1", people.at_ms, picture)
    table.feed([EvidenceKept(people.now(), number, (kept,))])
    finding = director.state["director"]["findings"][0]
    frame, pack = f"/{finding['frames'][0]['url']}", f"/{finding['pack_url']}"
    for visitor in (table.visitor(), players):
        assert visitor.get(frame).status == 403
        assert visitor.get(pack).status == 403
    given = director.get(frame)
    assert (given.body, given.headers["content-type"]) == (picture, "image/jpeg")
    packed = director.get(pack)
    assert packed.headers["content-disposition"] == f'attachment; filename="evening-{number}.zip"'
    with zipfile.ZipFile(io.BytesIO(packed.body)) as opened:
        assert {"index.html", "ruleset.txt", f"frames/{kept.name}"} <= set(opened.namelist())
    (FrameStore(table.journal).folder / kept.name).write_bytes(b"another")
    assert "altered" in director.get(frame).json["why"]


@pytest.mark.parametrize("path", ["/findings/1/frames/x.jpg", "/findings/1/frames/..%2f..%2fevening.journal"])
def test_other_files_are_not_given_out(table: Open, director: Visitor, path: str) -> None:
    misplayed(table)
    assert director.get(path).status == 404


def test_an_entry_that_is_no_finding_has_no_pack(table: Open, director: Visitor) -> None:
    assert "entry 1 is no finding" in director.get("/findings/1/pack.zip").json["why"]


def test_a_port_that_is_in_use_or_not_for_us_is_said() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PageError, match=f"port {port} is in use; choose another, such as --page {port + 1}"):
            bound(Listening(port=port))
    with pytest.raises(PageError, match="none of this machine's"):
        bound(Listening("192.0.2.1", 0))
    with pytest.raises(PageError, match="no address of this machine"):
        bound(Listening("no-such-host.invalid", 0))


def test_the_page_is_closed_when_the_table_ends_whoever_looks(tmp_path: Path) -> None:
    with open_table(tmp_path / "a.journal") as table:
        visitor = table.visitor()
        stream = visitor.stream()
        states = stream.__enter__()
        next(states)
    assert list(states) == []
    stream.__exit__(None, None, None)
    with pytest.raises(ConnectionRefusedError):
        visitor.get()


def test_a_legal_turn_shows_where_the_checkers_went(table: Open) -> None:
    people = People()
    table.feed([people.to_roll(Seat.A), *people.turn(Seat.A, (3, 1), LEGAL_31)])
    state = table.visitor().state
    assert "point 5: 2 A" in state["board"]["words"]
    assert state["said"][-1].startswith("A 3-1: 8/5 6/5")
    assert len([one for one in state["board"]["checkers"] if one["seat"] == "A"]) == 15


def test_four_seats_have_a_box_each_and_nothing_to_double_or_resign(tmp_path: Path) -> None:
    with open_table(tmp_path / "a.journal", game="multigam", match_length=None, cube=False) as table:
        players, director = table.visitor(), table.visitor()
        players.enter("table", table.pin)
        director.enter("director", table.password)
        page = players.get().text
        assert re.findall(r"<h2>Seat (\w)</h2>", page) == ["A", "B", "C", "D"]
        assert "I double" not in page
        assert "I resign" not in page
        assert len(re.findall(r'name="score\.[ABCD]"', director.get().text)) == 4
        assert len(players.state["board"]["checkers"]) == 0
        assert [score["seat"] for score in players.state["score"]] == ["A", "B", "C", "D"]


def test_so_many_may_look_and_no_more(table: Open) -> None:
    with ExitStack() as looking:
        for _ in range(MOST_STREAMS):
            next(looking.enter_context(table.visitor().stream()))
        assert table.visitor().get("/events").status == 503
        assert table.visitor().get("/state").status == 200
