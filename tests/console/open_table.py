"""A table that runs on a thread of its own with its page open, and visitors who look at it over real connections."""

import asyncio
import http.client
import json
import queue
import re
import ssl
import threading
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from boardctl.console import Certificate, Console, OpenPage, bound, keys_of, usable
from boardctl.console.texts import page_say
from boardctl.records import Journal
from boardctl.referee import Ruleset, read_ruleset
from boardctl.referee.effects import Effect
from boardctl.referee.facts import Fact
from boardctl.table import Desk, Session, run_table
from calibration import BoardGeometry
from config import Listening, PageSettings
from firmware_bridge import ChainLayout

WAIT_S = 20


class Fed:
    """A source of facts that a test hands in one by one."""

    waits = True

    def __init__(self) -> None:
        self._given: queue.SimpleQueue[Fact | None] = queue.SimpleQueue()
        self._waiting: dict[int, Future[None]] = {}

    def give(self, fact: Fact | None) -> "Future[None]":
        """Hands in a fact, or with None the end; done once it was handled."""
        done: Future[None] = Future()
        self._waiting[id(fact)] = done
        self._given.put(fact)
        return done

    async def facts(self) -> AsyncIterator[Fact]:
        while (fact := await asyncio.to_thread(self._given.get)) is not None:
            yield fact

    def hear(self, fact: Fact, effects: Sequence[Effect]) -> None:
        if (done := self._waiting.pop(id(fact), None)) is not None:
            done.set_result(None)


@dataclass
class Open:
    """A running table: its page's port and secrets, its journal's path."""

    port: int
    password: str
    pin: str
    journal: Path
    fed: Fed
    console: Console

    def feed(self, facts: Iterable[Fact]) -> None:
        """Lets facts happen, and waits until the last was handled."""
        for fact in facts:
            self.fed.give(fact).result(WAIT_S)

    def facts(self) -> list[Fact]:
        """Gets what stands in the journal."""
        with Journal.open(self.journal) as journal:
            return [fact for _, fact in journal.facts()]

    def visitor(self, trusting: ssl.SSLContext | None = None) -> "Visitor":
        """Gets somebody who has not come in yet; over an encrypted line, if they know what to trust."""
        return Visitor(self.port, trusting)


@contextmanager
def open_table(
    path: Path, ruleset: str | Ruleset = "house-seed", settings: PageSettings | None = None, **of_session: Any
) -> Iterator[Open]:
    """Runs a table with its page until the context ends."""
    rules = read_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    session = Session(**{"ruleset": rules, "match_length": 5, "cube": True, **of_session})
    ready: Future[Open] = Future()
    fed = Fed()

    def run() -> None:
        try:
            referee = session.referee()
            settled = settings or PageSettings(listen=Listening(port=0))
            keys = keys_of(settled)
            with Journal.create(path, session.header()) as journal:
                console = Console(referee, journal, lambda: 0, page_say())
                encrypting = settled.certificate and usable(Certificate(settled.certificate, settled.certificate_key))
                drawn = (BoardGeometry(), ChainLayout())
                page = OpenPage(console, bound(settled.listen), keys, *drawn, settled.names, certificate=encrypting)
                with page:
                    desk = Desk(journal, referee, [console, fed.hear])
                    ready.set_result(Open(page.port, keys.new_password or "", keys.new_pin or "", path, fed, console))
                    asyncio.run(run_table(desk, [fed], beside=[console]))
        except BaseException as error:
            if not ready.done():
                ready.set_exception(error)
            raise

    thread = threading.Thread(target=run, name="table")
    thread.start()
    try:
        yield ready.result(WAIT_S)
    finally:
        fed.give(None)
        thread.join(WAIT_S)
        assert not thread.is_alive(), "the table or its page did not stop"


@dataclass(frozen=True)
class Reply:
    """What the page answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Visitor:
    """A browser without a screen: keeps its cookie, knows the token of the page it was given."""

    def __init__(self, port: int, trusting: ssl.SSLContext | None = None) -> None:
        self.port = port
        self.trusting = trusting
        self.cookie = ""

    def _connection(self) -> http.client.HTTPConnection:
        if self.trusting is not None:
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=WAIT_S, context=self.trusting)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> Reply:
        """Sends a request as it is."""
        connection = self._connection()
        sent = {"Cookie": self.cookie} if self.cookie else {}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            reply = Reply(
                response.status, {key.lower(): value for key, value in response.getheaders()}, response.read()
            )
        finally:
            connection.close()
        if (cookie := reply.headers.get("set-cookie")) is not None:
            self.cookie = cookie.split(";")[0]
        return reply

    def get(self, path: str = "/") -> Reply:
        """Gets something."""
        return self.ask("GET", path)

    def enter(self, audience: str, secret: str) -> Reply:
        """Comes in."""
        return self.ask("POST", "/login", urlencode({"audience": audience, "secret": secret}))

    @property
    def token(self) -> str:
        """The token of the page as it is given to this visitor."""
        found = re.search(r'data-token="([^"]*)"', self.get().text)
        assert found is not None
        return found[1]

    def act(self, token: str | None = None, /, **ask: Any) -> Reply:
        """Asks for something, as the page's script does."""
        given = self.token if token is None else token
        return self.ask("POST", "/act", json.dumps(ask), X_Token=given, Content_Type="application/json")

    @property
    def state(self) -> Any:
        """What the page shows this visitor."""
        return self.get("/state").json

    @contextmanager
    def stream(self) -> Iterator[Iterator[Any]]:
        """Opens the stream of states."""
        connection = self._connection()
        connection.request("GET", "/events", headers={"Cookie": self.cookie} if self.cookie else {})
        response = connection.getresponse()
        assert response.status == 200, response.read()
        lines = iter(response.readline, b"")
        try:
            yield (json.loads(line[6:]) for line in lines if line.startswith(b"data: "))
        finally:
            connection.close()
