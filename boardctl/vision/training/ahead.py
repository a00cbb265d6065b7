"""Makes what is learned from in processes of their own, while the network learns from what was made before."""

import multiprocessing
from collections.abc import Iterable, Iterator
from queue import Empty
from typing import Any, TypeVar

Made = TypeVar("Made")

MOST_AHEAD = 16
"""So many batches lie ready at most."""
LOOKED_AFTER_S = 5.0
"""Where none is ready for so long, it is looked whether the other processes still run."""


def made_ahead(*batches: Iterable[Made]) -> Iterator[Made]:
    """Gets the same from other processes, one for each of ``batches``, which end with this one: of one in its order, of
    several as they come ready.

    What ``batches`` hold is shared and not copied, so it works where processes can be forked. Raises RuntimeError
    where a process ended before it had made all.
    """
    context = multiprocessing.get_context("fork")
    ready: Any = context.Queue(MOST_AHEAD)
    makers = [context.Process(target=_make, args=(each, ready), daemon=True) for each in batches]
    for maker in makers:
        maker.start()
    making = len(makers)
    try:
        while making:
            batch = _next(ready, makers)
            if batch is None:
                making -= 1
            else:
                yield batch
    finally:
        for maker in makers:
            maker.terminate()


def _next(ready: Any, makers: list[Any]) -> Any:
    while True:
        try:
            return ready.get(timeout=LOOKED_AFTER_S)
        except Empty:
            failed = [maker.exitcode for maker in makers if maker.exitcode]
            if failed or not any(maker.is_alive() for maker in makers):
                ended = failed[0] if failed else 0
                raise RuntimeError(f"what makes the batches ended with {ended}: see what it said") from None


def _make(batches: Iterable[Made], ready: Any) -> None:
    for batch in batches:
        ready.put(batch)
    ready.put(None)
