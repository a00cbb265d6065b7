"""Listens to what the tables of a hall tell, for a director's view. It publishes nothing."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aiomqtt import Client, MqttError
from paho.mqtt.reasoncodes import ReasonCode

from boardctl.hall.book import SILENT_AFTER_S, HallBook, Standing
from boardctl.hall.broker import Broker, BrokerLostError
from boardctl.hall.messages import EVERY_TABLE

MOST_WAITING = 2000
"""Messages that wait to be read: some seconds of a large hall; what comes beyond is sent again soon."""

_ANSWER_S = 5.0
_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 10.0
_REFUSED = 128  # reason codes from here on are refusals
_LOOK_S = 0.1


async def listen(broker: Broker, book: HallBook) -> None:
    """Writes into ``book`` what the tables tell, for ever; after a broken line it comes back by itself.

    :raises BrokerLostError: when there is no line at the beginning, or the broker lets nobody read.
    """
    wait_s = _FIRST_WAIT_S
    while True:
        try:
            async with broker.client(f"hall-{secrets.token_hex(6)}", _ANSWER_S, incoming=MOST_WAITING) as client:
                await _subscribe(client, broker)
                book.line_is(there=True)
                wait_s = _FIRST_WAIT_S
                async for message in client.messages:
                    payload = message.payload if isinstance(message.payload, bytes) else b""
                    book.hear(message.topic.value, payload, bool(message.retain), time.monotonic())
        except MqttError as error:
            lost = broker.lost(error)
            if book.line is None:
                raise lost from error
            book.line_is(there=False, why=str(lost))
        await asyncio.sleep(wait_s)
        wait_s = min(2 * wait_s, _LONGEST_WAIT_S)


async def _subscribe(client: Client, broker: Broker) -> None:
    for code in await client.subscribe(EVERY_TABLE, qos=1):
        value = code.value if isinstance(code, ReasonCode) else code
        if value >= _REFUSED:
            raise BrokerLostError(f"{broker}: the broker does not let this name read {EVERY_TABLE}", lasts=True)


async def hear_once(broker: Broker, book: HallBook, least_s: float = 0.5) -> None:
    """Writes into ``book`` what the broker has kept, and who is there: for ``least_s`` at least, and until every table
    that is said to be there has been heard, or can be said not to be.

    :raises BrokerLostError: when there is no line, or it breaks meanwhile.
    """
    async with _listening(broker, book) as listening:
        began_s: float | None = None
        while not listening.done():
            await asyncio.wait([listening], timeout=_LOOK_S)
            now_s = time.monotonic()
            if book.line:
                raise BrokerLostError(book.line, lasts=False)
            if book.line is not None:
                began_s = now_s if began_s is None else began_s
                unheard = any(seen.standing is Standing.UNHEARD for seen in book.seen(now_s))
                if now_s - began_s > (SILENT_AFTER_S if unheard else least_s):
                    return
        listening.result()


async def look_often(broker: Broker, book: HallBook, look: Callable[[], None], every_s: float = 0.25) -> None:
    """Listens for ever and calls ``look`` now and again, from the beginning of the first line on.

    :raises BrokerLostError: as :func:`listen` does.
    """
    async with _listening(broker, book) as listening:
        while not listening.done():
            await asyncio.wait([listening], timeout=every_s)
            if book.line is not None:
                look()
        listening.result()


@asynccontextmanager
async def _listening(broker: Broker, book: HallBook) -> AsyncIterator[asyncio.Task[None]]:
    listening = asyncio.create_task(listen(broker, book))
    try:
        yield listening
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
