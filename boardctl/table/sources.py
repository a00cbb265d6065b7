"""Sources of facts: each device on its own thread, its facts handed to the table's one queue."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from functools import partial
from typing import Generic, Protocol, TypeVar

from boardctl.devices.faces import Camera, Picture
from boardctl.referee.effects import Effect
from boardctl.referee.facts import CheckerSensed, DeviceChanged, Fact
from boardctl.table.desk import Output

Reading = TypeVar("Reading")
Done = TypeVar("Done")
ReadingIn = TypeVar("ReadingIn", contravariant=True)


class FrameTracker(Protocol[ReadingIn]):
    """What follows readings over time and says what has come to rest."""

    def feed(self, reading: ReadingIn, /, at_ms: int, frame_name: str, still: bool) -> list[Fact]:
        """Takes the reading of one frame and gets the facts that it settles."""
        ...


class Watcher(Protocol):
    """A tracker that can be asked to tell again what it has told."""

    def tell_again(self, at_ms: int, /) -> None:
        """Lets the board be told again when it has been seen still from now on."""
        ...


def look_again(watcher: Watcher) -> Output:
    """Gets an output that has the camera's board told again after what the sensors felt, and after a device's return.

    The referee then knows that the camera's reading is of the board as it is now.
    """

    def heard(fact: Fact, effects: Sequence[Effect]) -> None:
        if isinstance(fact, CheckerSensed | DeviceChanged):
            watcher.tell_again(fact.at_ms)

    return heard


class CameraSource(Generic[Reading]):
    """A camera, the reader of its frames and the tracker that says what has settled.

    Capture and reading run on worker threads; the event loop stays free. ``threads`` False: both take no time, as where
    no picture is drawn, and threads would only be waited for. ``waits`` is for recorded pictures and virtual
    tables, whose next frame must not be taken before the last one was acted on. ``beside`` gives the facts of devices
    without a stream of their own, such as buttons: what they have to tell is asked for with every frame.
    """

    def __init__(
        self,
        camera: Camera,
        read: Callable[[Picture], Reading],
        tracker: FrameTracker[Reading],
        waits: bool,
        beside: Callable[[], Iterable[Fact]] = tuple,
        threads: bool = True,
    ) -> None:
        self._threads = threads
        self._camera = camera
        self._read = read
        self._tracker = tracker
        self._beside = beside
        self.waits = waits

    async def facts(self) -> AsyncIterator[Fact]:
        """Gets the facts that settle, frame by frame, until the camera ends.

        :raises CameraError: when the camera fails.
        """
        frames = self._camera.frames()
        while (frame := await self._done(lambda: next(frames, None))) is not None:
            reading = await self._done(partial(self._read, frame.picture))
            for fact in self._beside():
                yield fact
            for fact in self._tracker.feed(reading, frame.at_ms, frame.name, frame.still):
                yield fact

    async def _done(self, work: Callable[[], Done]) -> Done:
        return await asyncio.to_thread(work) if self._threads else work()
