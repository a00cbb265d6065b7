"""The link to the sensor board: a thread that holds the port open, talks, and opens it again when it was lost."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass

from firmware_bridge.errors import (
    BridgeError,
    LinkDownError,
    LinkError,
    PermanentLinkError,
    TransientLinkError,
)
from firmware_bridge.leds import LedFrame
from firmware_bridge.news import Answered, News, SessionDown, SessionUp
from firmware_bridge.ports import ByteStream
from firmware_bridge.protocol import Log, Message
from firmware_bridge.session import EventCursor, Session
from firmware_bridge.timings import BackOff, LinkTimings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LinkLost:
    """The link is down. ``error`` says why and what to do; after a permanent one it stays down."""

    error: LinkError


LinkNews = News | LinkLost


class Link:
    """Keeps the conversation with one board alive.

    ``listen`` gets all news in order, on the link's own thread. ``clock_s`` gives seconds that only go forward.
    """

    def __init__(
        self,
        name: str,
        opener: Callable[[], ByteStream],
        listen: Callable[[LinkNews], None],
        *,
        clock_s: Callable[[], float],
        timings: LinkTimings | None = None,
    ) -> None:
        self._name = name
        self._opener = opener
        self._listen = listen
        self._clock_s = clock_s
        self._timings = timings or LinkTimings()
        self._lock = threading.RLock()
        self._closing = threading.Event()
        self._session: Session | None = None
        self._stream: ByteStream | None = None
        self._write_error: LinkError | None = None
        self._frame: LedFrame | None = None
        self._cursor: EventCursor | None = None
        self._answers: dict[int, Future[Message]] = {}
        self._told_down = False
        self._thread = threading.Thread(target=self._run, name=f"link {name}", daemon=True)

    def start(self) -> None:
        """Begins to open the port and to talk."""
        self._thread.start()

    def close(self) -> None:
        """Stops talking and closes the port; closing twice is allowed."""
        self._closing.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()

    def show(self, frame: LedFrame) -> None:
        """Shows ``frame`` now, or as soon as the board is there. Does not wait."""
        with self._lock:
            self._frame = frame
            if self._session is not None and self._session.up:
                self._session.show(frame.parts())
                self._flush(self._session)

    def request(self, message: Message) -> Message:
        """Sends a request and waits for the answer: at most 750 ms, behind those before it.

        :raises LinkDownError: when the board is not connected or goes away before it answers.
        :raises RequestRefusedError: when the board answers with an error.
        """
        future: Future[Message] = Future()
        with self._lock:
            if self._session is None:
                raise LinkDownError(f"{type(message).__name__} was not sent: {self._name} is not connected")
            self._answers[self._session.ask(message)] = future
            self._flush(self._session)
        return future.result()

    # -- the thread

    def _run(self) -> None:
        back_off = BackOff(self._timings)
        while not self._closing.is_set():
            try:
                self._converse(back_off)
            except TransientLinkError as error:
                self._down(error)
                self._closing.wait(back_off.next_s())
            except PermanentLinkError as error:
                self._down(error)
                return
            except Exception as error:
                self._down(
                    PermanentLinkError(f"{self._name}: the link has ended by a fault of this program: {error!r}")
                )
                raise

    def _converse(self, back_off: BackOff) -> None:
        stream = self._opener()
        session = Session(self._timings, self._cursor, self._name)
        try:
            with self._lock:
                self._session, self._stream, self._write_error = session, stream, None
                session.open(self._clock_s())
            while not self._closing.is_set():
                self._step(session, stream, back_off)
        finally:
            with self._lock:
                self._session, self._stream, self._cursor = None, None, session.cursor
            stream.close()
            self._fail_answers(LinkDownError(f"{self._name}: the link went down before the answer came"))

    def _step(self, session: Session, stream: ByteStream, back_off: BackOff) -> None:
        with self._lock:
            news = session.tick(self._clock_s())
            self._flush(session)
            if self._write_error is not None:
                raise self._write_error
        self._tell(news, back_off)
        data = stream.read()
        if data:
            with self._lock:
                news = session.receive(data, self._clock_s())
                self._flush(session)
            self._tell(news, back_off)

    def _flush(self, session: Session) -> None:
        session.pump(self._clock_s())
        out = session.take_output()
        if out and self._stream is not None:
            try:
                self._stream.write(out)
            except LinkError as error:  # told by the link's own thread, whoever's request hit it
                self._write_error = error

    def _tell(self, news: list[News], back_off: BackOff) -> None:
        for entry in news:
            if isinstance(entry, Answered):
                self._answer(entry)
                continue
            if isinstance(entry, SessionUp):
                back_off.reset()
                self._up(entry)
            elif isinstance(entry, SessionDown):
                self._log_down(entry.reason)
            elif isinstance(entry, Log):
                log.log(entry.level * 10, "%s: %s", self._name, entry.text)
            self._listen(entry)

    def _up(self, news: SessionUp) -> None:
        if self._told_down:
            log.info("%s: the sensor board is back", self._name)
        else:
            log.info("%s: sensor board %s connected", self._name, news.ident.board_id)
        self._told_down = False
        with self._lock:
            if self._frame is not None:
                self.show(self._frame)

    def _down(self, error: LinkError) -> None:
        if isinstance(error, PermanentLinkError):
            log.error("%s", error)
        else:
            self._log_down(str(error))
        self._listen(LinkLost(error))

    def _log_down(self, reason: str) -> None:
        if not self._told_down:
            log.warning("The sensor board is not connected. %s", reason)
        self._told_down = True

    def _answer(self, answered: Answered) -> None:
        with self._lock:
            future = self._answers.pop(answered.ticket, None)
        if future is None:
            return
        if isinstance(answered.answer, Exception):
            future.set_exception(answered.answer)
        else:
            future.set_result(answered.answer)

    def _fail_answers(self, error: BridgeError) -> None:
        with self._lock:
            waiting, self._answers = list(self._answers.values()), {}
        for future in waiting:
            future.set_exception(error)
