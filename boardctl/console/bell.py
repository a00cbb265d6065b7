"""A bell that the table's thread rings and that the page's event loop hears."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock


class Ear:
    """Hears the bell from its making on: a ring between :meth:`rest` and :meth:`heard` is not missed."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._rung = asyncio.Event()

    def rest(self) -> None:
        """Forgets what has rung so far. To be called before looking at what there is."""
        self._rung.clear()

    async def heard(self, timeout_s: float) -> bool:
        """Waits until it has rung since the last rest; whether it did before ``timeout_s`` had passed."""
        try:
            await asyncio.wait_for(self._rung.wait(), timeout_s)
        except TimeoutError:
            return False
        return True

    def wake(self) -> None:
        """Lets it hear a ring; from any thread."""
        # A loop that has been closed meanwhile has nobody left who waits.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._rung.set)


class Bell:
    """Wakes everybody who waits for news. Ringing is safe from any thread and waits for nobody."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._ears: set[Ear] = set()

    def ring(self) -> None:
        """Wakes all who wait now."""
        with self._lock:
            ears = list(self._ears)
        for ear in ears:
            ear.wake()

    @contextmanager
    def ear(self) -> Iterator[Ear]:
        """Gets an ear of the running event loop for as long as the context lasts."""
        ear = Ear()
        with self._lock:
            self._ears.add(ear)
        try:
            yield ear
        finally:
            with self._lock:
                self._ears.discard(ear)
