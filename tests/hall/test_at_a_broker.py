"""Tables and directors at a real broker: who comes late, who dies, who is sent away, who comes back."""

import asyncio
import socket
import time
from contextlib import suppress
from pathlib import Path

import pytest
from mosquitto import Mosquitto, certificate, with_password
from needs_broker import needs_broker, needs_openssl
from told_tables import QUICK, WAIT_S, look_for, look_until, standing, told_table, until
from turns import LEGAL_31, WRONG_31, played, rolled, set_up

from boardctl.hall.book import HallBook, Standing
from boardctl.hall.broker import Broker, BrokerLostError, broker_of
from boardctl.hall.listening import hear_once, listen
from boardctl.hall.messages import LineStatus
from boardctl.hall.publishing import Publisher
from boardctl.referee.effects import Phase
from boardctl.referee.facts import ButtonPressed, Role
from boardctl.rules import Seat
from config import BrokerAddress

pytestmark = needs_broker


def test_a_director_who_comes_late_sees_how_a_table_stands(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as mosquitto, told_table(mosquitto.broker, tmp_path, page="http://pi:8080/") as table:
        table.feed([*set_up(), *played(WRONG_31)])
        look_until(mosquitto.broker, lambda seen: any(one.is_open for one in seen), "something is open")
        (seen,), book = look_until(mosquitto.broker, standing(Standing.LIVE), "it is there")
        assert book.reports == ()
        state = seen.state
        assert state is not None
        assert (state.phase, state.on_turn, state.match_length) == (Phase.CONFIRM, Seat.A, 5)
        assert state.question is not None
        assert state.question.to == ("B",)
        (found,) = state.irregularities
        assert found.entry in [entry.number for entry in table.desk.journal.entries()]
        assert "not legal" in found.says[0]
        assert state.evidence.record == str(table.desk.journal.path)
        assert state.evidence.page == "http://pi:8080/"


def test_a_table_that_is_left_says_so_and_stays_to_be_seen(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as mosquitto:
        with told_table(mosquitto.broker, tmp_path) as table:
            until(lambda: bool(table.said), "it has come")
            table.feed(set_up())
        (seen,), _ = look_until(mosquitto.broker, standing(Standing.ENDED), "it is said to have ended")
    assert seen.state is not None
    assert seen.state.roll == "3-1"


def test_a_table_that_fails_is_not_said_to_have_ended(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as mosquitto:
        with suppress(OSError), told_table(mosquitto.broker, tmp_path) as table:
            until(lambda: bool(table.said), "it has come")
            raise OSError("the disk is gone")
        look_until(mosquitto.broker, standing(Standing.LOST), "it is said to be lost")


def test_a_broker_that_dies_and_comes_back_is_told_the_newest_state(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as mosquitto, told_table(mosquitto.broker, tmp_path) as table:
        until(lambda: len(table.said) == 1, "it was said where it is told")
        mosquitto.kill()
        until(lambda: len(table.said) == 2, "the loss was said")
        began_s = time.monotonic()
        table.feed([*set_up(), *played(LEGAL_31), *rolled(Seat.B, 5, 2, 9000)])
        assert time.monotonic() - began_s < 1.0
        mosquitto.start()
        until(lambda: len(table.said) == 3, "the return was said")
        (seen,), _ = look_until(mosquitto.broker, standing(Standing.LIVE), "it is there")
        assert seen.state is not None
        assert (seen.state.on_turn, seen.state.roll) == (Seat.B, "5-2")
        there, lost, back = table.said
        mosquitto.kill()
        mosquitto.start()  # and it has forgotten everything, while nothing happened at the table
        look_until(
            mosquitto.broker,
            lambda seen: [one.state is not None and one.state.roll for one in seen] == ["5-2"],
            "the same state is told again",
        )
    assert there == f"hall: Table 1 is told of to {mosquitto.address}, not encrypted"
    assert lost.startswith(f"hall: {mosquitto.address}: ")
    assert lost.endswith("; the game goes on without, and it is tried again")
    assert back == f"hall: {mosquitto.address} is there again"


def test_a_director_whose_line_breaks_takes_nobody_for_live(tmp_path: Path) -> None:
    book = HallBook()

    async def look(mosquitto: Mosquitto) -> list[Standing]:
        standings = []
        listening = asyncio.create_task(listen(mosquitto.broker, book))
        for happens in (lambda: None, mosquitto.kill, mosquitto.start):
            happens()
            is_there = happens != mosquitto.kill
            give_up_s = time.monotonic() + WAIT_S
            while [one.standing is Standing.LIVE for one in book.seen(time.monotonic())] != [is_there]:
                assert time.monotonic() < give_up_s, f"never: {is_there}"
                await asyncio.wait([listening], timeout=0.02)
            standings += [one.standing for one in book.seen(time.monotonic())]
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        return standings

    with Mosquitto(tmp_path) as mosquitto, told_table(mosquitto.broker, tmp_path):
        assert asyncio.run(look(mosquitto)) == [Standing.LIVE, Standing.CUT_OFF, Standing.LIVE]


def test_nobody_at_the_table_waits_for_a_broker_that_answers_nothing(tmp_path: Path) -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        began_s = time.monotonic()
        with told_table(Broker("127.0.0.1", mute.getsockname()[1]), tmp_path) as table:
            table.feed([*set_up(), *played(LEGAL_31)])
            facts_s = time.monotonic() - began_s
            until(lambda: bool(table.said), "the silence was said")
        assert facts_s < 1.0
        assert "nobody answers there as a broker does" in table.said[0]
        assert time.monotonic() - began_s < 2 * QUICK.answer_s + QUICK.close_s


def test_a_table_takes_nothing_from_the_broker(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as mosquitto, told_table(mosquitto.broker, tmp_path) as table:
        table.feed(set_up())
        before = table.desk.journal.head_hash
        for topic in ("boardctl/tables/Table 1/state", "boardctl/tables/Table 1/set", "boardctl/all"):
            _publish(mosquitto.broker, topic, b'{"command": "resign"}', retain=False)
        until(lambda: mosquitto.log.count("Received PUBLISH from probe") == 3, "all was sent")
        look_until(mosquitto.broker, standing(Standing.LIVE), "it is there")
        assert table.desk.journal.head_hash == before
        subscribers = [line for line in mosquitto.log.splitlines() if "Received SUBSCRIBE" in line]
        assert len(subscribers) == 1  # the director's
        assert "from hall-" in subscribers[0]


def test_what_does_not_fit_is_reported_and_not_believed(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as mosquitto, told_table(mosquitto.broker, tmp_path) as table:
        table.feed(set_up())
        until(lambda: bool(table.said), "it has come")
        for topic, payload in (
            ("boardctl/tables/Table 2/state", b"no JSON"),
            ("boardctl/tables/Table 3/line", b'{"version": 2, "table": "Table 3", "status": "online"}'),
            ("boardctl/tables/Table 4/orders", b"{}"),
        ):
            _publish(mosquitto.broker, topic, payload, retain=True)
        _, book = look_until(mosquitto.broker, standing(Standing.LIVE), "it is there")
    assert {report.topic: report.why for report in book.reports} == {
        "boardctl/tables/Table 2/state": "is no JSON",
        "boardctl/tables/Table 3/line": "speaks version 2, newer than 1, the one known here: update boardctl",
        "boardctl/tables/Table 4/orders": "no table tells of itself there",
    }


def test_who_wants_the_director_comes_first(tmp_path: Path) -> None:
    with (
        Mosquitto(tmp_path) as mosquitto,
        told_table(mosquitto.broker, tmp_path, "Table 2") as second,
        told_table(mosquitto.broker, tmp_path, "Table 10") as tenth,
    ):
        second.feed(set_up())
        tenth.feed([ButtonPressed(0, Role.DIRECTOR)])
        seen, _ = look_until(mosquitto.broker, lambda seen: any(one.waits_ms is not None for one in seen), "it is told")
        assert [one.table for one in seen] == ["Table 10", "Table 2"]
        assert seen[1].waits_ms is None


def test_two_tables_of_one_name_are_found_out(tmp_path: Path) -> None:
    with (
        Mosquitto(tmp_path) as mosquitto,
        told_table(mosquitto.broker, tmp_path, "Table 1"),
        told_table(mosquitto.broker, tmp_path, "Table 1"),
    ):
        look_until(mosquitto.broker, lambda seen: [one.shared for one in seen] == [True], "it is found out")


def test_a_table_that_hangs_is_not_said_to_be_there(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as mosquitto:
        publisher = Publisher(mosquitto.broker, "Table 1", "0" * 16, lambda: 0, lambda: False, lambda _: None, QUICK)
        publisher.start()
        until(lambda: "CONNACK" in mosquitto.log, "it has come")
        assert look_for(mosquitto.broker, 0.5) == []
        publisher.close(LineStatus.ENDED)
        look_until(mosquitto.broker, standing(Standing.ENDED), "it has said that it ended")


def test_a_wrong_password_is_told_once_and_the_game_goes_on(tmp_path: Path) -> None:
    with Mosquitto(tmp_path, with_password(tmp_path, "table1", "right")) as mosquitto:
        wrong = Broker("127.0.0.1", mosquitto.port, "table1", "wrong")
        with told_table(wrong, tmp_path) as table:
            table.feed([*set_up(), *played(LEGAL_31)])
            until(lambda: mosquitto.log.count("not authori") >= 2, "it was tried twice")
        assert table.said == [
            f"hall: table1@{mosquitto.address}: the broker refuses the name or the password; the game goes on without, "
            "and it is tried again"
        ]
        with pytest.raises(BrokerLostError, match="refuses the name or the password") as refused:
            asyncio.run(hear_once(wrong, HallBook()))
        assert refused.value.lasts
        with told_table(Broker("127.0.0.1", mosquitto.port, "table1", "right"), tmp_path):
            right = Broker("127.0.0.1", mosquitto.port, "table1", "right")
            look_until(right, standing(Standing.LIVE), "it is there")


@needs_openssl
def test_a_line_is_encrypted_for_who_knows_thecertificate(tmp_path: Path) -> None:
    ca = certificate(tmp_path)
    lines = ["allow_anonymous true", f"certfile {ca}", f"keyfile {tmp_path / 'key.pem'}"]
    with Mosquitto(tmp_path, lines) as mosquitto:
        trusting = broker_of(BrokerAddress("127.0.0.1", mosquitto.port), None, ca, {})
        with told_table(trusting, tmp_path) as table:
            look_until(trusting, standing(Standing.LIVE), "it is there")
        assert table.said == [f"hall: Table 1 is told of to {mosquitto.address}, encrypted"]
        other = tmp_path / "other"
        other.mkdir()
        doubting = broker_of(BrokerAddress("127.0.0.1", mosquitto.port), None, certificate(other), {})
        with pytest.raises(BrokerLostError, match="certificate is not trusted") as refused:
            asyncio.run(hear_once(doubting, HallBook()))
        assert refused.value.lasts


def _publish(broker: Broker, topic: str, payload: bytes, retain: bool) -> None:
    async def publish() -> None:
        async with broker.client("probe", 5.0, incoming=1) as client:
            await client.publish(topic, payload, qos=1, retain=retain)

    asyncio.run(publish())
