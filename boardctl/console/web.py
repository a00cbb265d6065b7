"""What the page answers to a browser: the page itself, the table as it goes on, and what people say at it."""

import asyncio
import io
import json
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from threading import Lock
from urllib.parse import parse_qs

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from boardctl.console.acting import RefusedError
from boardctl.console.asks import ASK
from boardctl.console.audience import Audience
from boardctl.console.console import Console
from boardctl.console.drawing import board_shape
from boardctl.console.entrance import SESSION_S, Entrance, TooManyTriesError, Visit, is_token
from boardctl.console.forms import Layout
from boardctl.console.guard import Guard
from boardctl.console.page_state import Done, Refusal
from boardctl.console.pages import STATIC
from boardctl.console.sending import Sender
from boardctl.records import Journal, JournalError
from boardctl.records.findings import finding_of
from boardctl.records.frame_store import FrameStore
from boardctl.referee.effects import Text
from boardctl.table.packing import pack_of, refuse_altered
from calibration import BoardGeometry

ANSWER_S = 5.0
"""How long the table may take to get round to what was asked for."""

ALIVE_S = 15.0
"""How often a stream on which nothing happens gives a sign of life, which finds out who has gone."""

PACE_S = 0.1
"""How long a stream rests after each state: more than ten a second nobody sees."""

MOST_STREAMS = 48

_FILES = ("page.js", "page.css", "icon.svg")


class Page:
    """The page of one table. ``app`` is the ASGI application; ``close`` ends its streams."""

    def __init__(
        self,
        console: Console,
        sender: Sender,
        entrance: Entrance,
        layout: Layout,
        geometry: BoardGeometry,
        names: Iterable[str] = (),
    ) -> None:
        self._console = console
        self._sender = sender
        self._entrance = entrance
        self._layout = layout
        self._shape = board_shape(geometry, console.referee.game)
        self._packing = Lock()
        self._streams = 0
        self._closed = False
        routes = [
            Route("/", self._page),
            Route("/state", self._state),
            Route("/events", self._events),
            Route("/board", self._board),
            Route("/login", self._login, methods=["POST"]),
            Route("/logout", self._logout, methods=["POST"]),
            Route("/act", self._act, methods=["POST"]),
            Route("/findings/{number:int}/frames/{name}", self._frame),
            Route("/findings/{number:int}/pack.zip", self._pack),
            *(Route(f"/{name}", _file(name)) for name in _FILES),
        ]
        self.app = Starlette(routes=routes, middleware=[Middleware(Guard, names=tuple(names))])

    def close(self) -> None:
        """Ends the streams: the table is over. May be called again."""
        self._closed = True
        self._console.bell.ring()

    def _visit(self, request: Request) -> Visit | None:
        return self._entrance.visit(request.cookies.get(_cookie(request)))

    def _audience(self, request: Request) -> Audience:
        visit = self._visit(request)
        return visit.audience if visit is not None else Audience.EVERYBODY

    async def _page(self, request: Request) -> Response:
        visit = self._visit(request)
        return HTMLResponse(self._layout.page(visit, request.query_params.get("note", "")))

    def _now(self, request: Request) -> str:
        audience = self._audience(request)
        return self._sender.state_of(self._console.shown(audience), audience).model_dump_json()

    async def _state(self, request: Request) -> Response:
        return Response(self._now(request), media_type="application/json")

    async def _board(self, request: Request) -> Response:
        return Response(self._shape.model_dump_json(), media_type="application/json")

    async def _events(self, request: Request) -> Response:
        if self._streams >= MOST_STREAMS:
            return PlainTextResponse("Too many are looking.\n", status_code=503)
        return StreamingResponse(self._stream(request), media_type="text/event-stream")

    async def _stream(self, request: Request) -> AsyncIterator[str]:
        self._streams += 1
        told: tuple[Audience, int] | None = None
        try:
            with self._console.bell.ear() as ear:
                while not self._closed:
                    ear.rest()
                    audience = self._audience(request)  # who has left is told no more than anybody
                    shown = self._console.shown(audience)
                    if (audience, shown.number) != told:
                        told = (audience, shown.number)
                        yield f"data: {self._sender.state_of(shown, audience).model_dump_json()}\n\n"
                        await asyncio.sleep(PACE_S)
                    elif not await ear.heard(ALIVE_S):
                        yield ": alive\n\n"
        finally:
            self._streams -= 1

    async def _login(self, request: Request) -> Response:
        fields = parse_qs((await request.body()).decode(errors="replace"), max_num_fields=8)
        secret = fields.get("secret", [""])[0]
        try:
            audience = Audience(fields.get("audience", [""])[0])
        except ValueError:
            return _back("page.note.wrong")
        address = request.client.host if request.client is not None else "?"
        try:
            key = await run_in_threadpool(self._entrance.enter, audience, secret, address)
        except TooManyTriesError as error:
            response = HTMLResponse(self._layout.page(None, "page.note.too_many"), status_code=429)
            response.headers["retry-after"] = str(math.ceil(error.wait_s))
            return response
        if key is None:
            return HTMLResponse(self._layout.page(None, "page.note.wrong"), status_code=403)
        entered = RedirectResponse("./", status_code=303)
        entered.set_cookie(
            _cookie(request),
            key,
            max_age=SESSION_S,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
            path="/",
        )
        return entered

    async def _logout(self, request: Request) -> Response:
        visit = self._visit(request)
        fields = parse_qs((await request.body()).decode(errors="replace"), max_num_fields=8)
        if visit is not None and is_token(visit, fields.get("token", [""])[0]):
            self._entrance.leave(request.cookies[_cookie(request)])
        return _back("page.note.left")

    async def _act(self, request: Request) -> Response:
        visit = self._visit(request)
        if visit is None or not is_token(visit, request.headers.get("x-token", "")):
            return self._refused("page.refused.role", 403)
        try:
            ask = ASK.validate_json(await request.body())
        except ValidationError as error:
            return self._malformed(error)
        answer = self._console.ask(ask, visit.audience)
        try:
            done = await asyncio.wait_for(asyncio.wrap_future(answer), ANSWER_S)
        except RefusedError as refused:
            why = self._layout.say(refused.text)
            return Response(Refusal(why=why).model_dump_json(), 409, media_type="application/json")
        except TimeoutError:
            return self._refused("page.refused.no_answer", 503)
        said = " ".join(self._layout.say(text) for text in done.said)
        entry = done.entry if visit.audience is Audience.DIRECTOR else None
        return Response(Done(entry=entry, said=said).model_dump_json(), media_type="application/json")

    def _refused(self, key: str, status: int) -> Response:
        why = self._layout.say(Text(key))
        return Response(Refusal(why=why).model_dump_json(), status, media_type="application/json")

    def _malformed(self, error: ValidationError) -> Response:
        fields = ", ".join(dict.fromkeys(str(fault["loc"][-1]) for fault in error.errors() if fault["loc"])) or "?"
        why = self._layout.say(Text.of("page.refused.malformed", fields=fields))
        return Response(Refusal(why=why).model_dump_json(), 422, media_type="application/json")

    async def _frame(self, request: Request) -> Response:
        if self._audience(request) is not Audience.DIRECTOR:
            return self._refused("page.refused.role", 403)
        kept = self._console.findings.frame(request.path_params["number"], request.path_params["name"])
        if kept is None:
            return self._refused("page.refused.no_picture", 404)
        try:
            picture = await run_in_threadpool(FrameStore(self._console.journal_path).read, kept)
        except JournalError as error:
            return Response(Refusal(why=str(error)).model_dump_json(), 404, media_type="application/json")
        return Response(picture, media_type="image/jpeg")

    async def _pack(self, request: Request) -> Response:
        if self._audience(request) is not Audience.DIRECTOR:
            return self._refused("page.refused.role", 403)
        number = request.path_params["number"]
        try:
            data = await run_in_threadpool(self._packed, number)
        except JournalError as error:
            return Response(Refusal(why=str(error)).model_dump_json(), 404, media_type="application/json")
        name = f"{self._console.journal_path.stem}-{number}.zip"
        quoted = json.dumps(name.encode("ascii", "replace").decode())
        return Response(
            data, media_type="application/zip", headers={"content-disposition": f"attachment; filename={quoted}"}
        )

    def _packed(self, number: int) -> bytes:
        with self._packing, Journal.open(self._console.journal_path) as journal:
            refuse_altered(journal)
            pack, _ = pack_of(journal, finding_of(journal, number))
            packed = io.BytesIO()
            pack.write(packed)
        return packed.getvalue()


def _file(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return FileResponse(STATIC / name, headers={"cache-control": "no-cache"})

    return answer


def _back(note: str) -> Response:
    return RedirectResponse(f"./?note={note}", status_code=303)


def _cookie(request: Request) -> str:
    """Gets the name of the cookie. Browsers do not tell the ports of one machine apart; its tables must be."""
    server = request.scope.get("server") or ("", 0)
    return f"boardctl-{server[1]}"
