"""Makes what is learned from in a process of its own, while the network learns from what was made before."""

import multiprocessing
from collections.abc import Iterable, Iterator
from queue import Empty
from typing import Any, TypeVar

Made = TypeVar("Made")

MOST_AHEAD = 16
"""So many batches lie ready at most."""
LOOKED_AFTER_S = 5.0
"""Where none is ready for so long, it is looked whether the other process still runs."""


def made_ahead(batches: Iterable[Made]) -> Iterator[Made]:
    """Gets the same, in the same order, from another process, which ends with this one.

    What ``batches`` holds is shared and not copied, so it works where processes can be forked. Raises RuntimeError
    where that process ended before it had made all.
    """
    context = multiprocessing.get_context("fork")
    ready: Any = context.Queue(MOST_AHEAD)
    maker = context.Process(target=_make, args=(batches, ready), daemon=True)
    maker.start()
    try:
        while (batch := _next(ready, maker)) is not None:
            yield batch
    finally:
        maker.terminate()


def _next(ready: Any, maker: Any) -> Any:
    while True:
        try:
            return ready.get(timeout=LOOKED_AFTER_S)
        except Empty:
            if not maker.is_alive():
                raise RuntimeError(f"what makes the batches ended with {maker.exitcode}: see what it said") from None


def _make(batches: Iterable[Made], ready: Any) -> None:
    for batch in batches:
        ready.put(batch)
    ready.put(None)
