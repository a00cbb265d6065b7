"""The witness: keeps the last pictures in a ring, and stores those around each finding and the dice of each roll."""

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

import cv2
import numpy as np

from boardctl.devices.faces import Camera, Frame, Picture
from boardctl.records import Journal
from boardctl.records.findings import is_finding
from boardctl.records.frame_store import FrameStore
from boardctl.referee.effects import Effect, RollRead
from boardctl.referee.facts import DiceRested, EvidenceKept, Fact, KeptFrame
from boardctl.referee.readings import DieReading

_log = logging.getLogger(__name__)

RING_FRAMES = 60
"""How many pictures are held: four seconds at fifteen a second, some 20 MB of 1920 x 1080."""

BEFORE_MS = 4000
AFTER_MS = 1000
"""How long before and after a finding pictures are stored: a play is made in seconds, and a hand then leaves."""

MOST_FRAMES = 24
"""How many are stored for one finding before it, evenly over the time; as many again would follow it at most."""

JPEG_QUALITY = 90


AROUND_DICE = 0.06
"""How much around the middles of a roll's dice is stored, as a share of the picture's width: four dice or so."""

MOST_UNPACKED = 8
"""How many pictures may wait to be packed; where more come than can be packed, some are not held."""


@dataclass(frozen=True, slots=True)
class HeldFrame:
    """A picture in the ring, being packed as a JPEG file has it."""

    name: str
    at_ms: int
    packed: Future[bytes]

    @property
    def jpeg(self) -> bytes:
        """The picture as a JPEG file; waits until it is packed.

        :raises OSError: when it cannot be packed.
        """
        return self.packed.result()


class FrameRing:
    """A camera whose last frames are held. Frames pass through at once and as they are; a thread packs them."""

    def __init__(self, camera: Camera, most: int = RING_FRAMES) -> None:
        self._camera = camera
        self._held: deque[HeldFrame] = deque(maxlen=most)
        self._lock = Lock()
        self._packer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="packer")

    def frames(self) -> Iterator[Frame]:
        """Gets the frames of the camera.

        :raises CameraError: as the camera does.
        """
        for frame in self._camera.frames():
            with self._lock:
                if sum(not held.packed.done() for held in self._held) < MOST_UNPACKED:
                    packed = self._packer.submit(as_jpeg, frame.picture)
                    self._held.append(HeldFrame(frame.name, frame.at_ms, packed))
            yield frame

    def close(self) -> None:
        """Lets the camera go. What is held can still be had."""
        self._packer.shutdown(wait=True)
        self._camera.close()

    def between(self, from_ms: int, to_ms: int) -> list[HeldFrame]:
        """Gets the pictures held that were taken from one instant to another, both included."""
        with self._lock:
            return [frame for frame in self._held if from_ms <= frame.at_ms <= to_ms]


class EvidenceKeeper:
    """A responder: stores the pictures around each finding, and has their hashes recorded as a fact.

    It is the first of the desk's responders: the entry that was written last is then the one that it is told of.
    """

    def __init__(self, ring: FrameRing, journal: Journal, store: FrameStore | None = None) -> None:
        self._ring = ring
        self._journal = journal
        self._store = store or FrameStore(journal.path)
        self._open: list[tuple[int, int]] = []  # entry and instant of findings whose time afterwards still runs
        self._now_ms = 0
        self._dice: DiceRested | None = None  # those that came to rest last

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> Sequence[Fact]:
        """Stores what was seen until now of a finding that was just recorded, and what came after earlier ones; of a
        roll that counts its dice."""
        self._now_ms = max(self._now_ms, fact.at_ms)
        if isinstance(fact, DiceRested):
            self._dice = fact
        kept = self._afterwards(lambda at_ms: self._now_ms >= at_ms + AFTER_MS)
        if any(is_finding(effect) for effect in effects):
            entry = self._journal.last_number
            self._open.append((entry, fact.at_ms))
            kept.append(self._kept(entry, fact.at_ms - BEFORE_MS, fact.at_ms))
        elif self._dice is not None and any(isinstance(effect, RollRead) for effect in effects):
            kept += self._of_roll(self._dice)
        return kept

    def finish(self, handle: Callable[[Fact], object]) -> None:
        """Stores what is still to be stored and has it handled: the table is left."""
        for fact in self._afterwards(lambda at_ms: True):
            handle(fact)

    def _afterwards(self, is_over: Callable[[int], bool]) -> list[Fact]:
        over = [(entry, at_ms) for entry, at_ms in self._open if is_over(at_ms)]
        self._open = [one for one in self._open if one not in over]
        kept = (self._kept(entry, at_ms + 1, at_ms + AFTER_MS) for entry, at_ms in over)
        return [fact for fact in kept if fact.frames or fact.lost]

    def _of_roll(self, rested: DiceRested) -> list[EvidenceKept]:
        """Stores the dice of a roll, by the picture in which they came to rest or the last one before; none is stored
        where the ring holds neither."""
        until = self._ring.between(rested.at_ms - BEFORE_MS, rested.at_ms)
        named = [held for held in until if held.name == rested.frame]
        dice = rested.reading.dice
        return [
            self._stored(self._journal.last_number, [held], lambda jpeg: cut_around(jpeg, dice))
            for held in (named or until)[-1:]
        ]

    def _kept(self, entry: int, from_ms: int, to_ms: int) -> EvidenceKept:
        return self._stored(entry, _thinned(self._ring.between(from_ms, to_ms)), lambda jpeg: jpeg)

    def _stored(self, entry: int, pictures: list[HeldFrame], cut: Callable[[bytes], bytes]) -> EvidenceKept:
        frames: list[KeptFrame] = []
        lost = ""
        for held in pictures:
            try:
                frames.append(self._store.put(held.name, held.at_ms, cut(held.jpeg)))
            except OSError as error:
                lost = f"pictures could not be stored: {error.strerror or error}"
                _log.warning("%s: %s", self._store.folder, lost)
                break
        return EvidenceKept(self._now_ms, entry, tuple(frames), lost)


def as_jpeg(picture: Picture) -> bytes:
    """Gets a picture as a JPEG file has it.

    :raises OSError: when it cannot be packed.
    """
    worked, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not worked:
        raise OSError("a picture could not be packed as JPEG")
    return data.tobytes()


def cut_around(jpeg: bytes, dice: Sequence[DieReading]) -> bytes:
    """Gets the part of a picture in which some dice lie, as a JPEG file has it.

    :raises OSError: when it cannot be packed.
    """
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise OSError("a picture of dice could not be unpacked")
    height, width = picture.shape[:2]
    around = AROUND_DICE * width
    middles = np.array([die.center_px for die in dice])
    left, top = np.clip(np.floor(middles.min(axis=0) - around), 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.clip(np.ceil(middles.max(axis=0) + around), (left + 1, top + 1), (width, height)).astype(int)
    return as_jpeg(picture[top:bottom, left:right].astype(np.uint8, copy=False))


def _thinned(frames: list[HeldFrame]) -> list[HeldFrame]:
    """Gets at most :data:`MOST_FRAMES` of the frames, evenly spread, the first and the last among them."""
    if len(frames) <= MOST_FRAMES:
        return frames
    last = len(frames) - 1
    return [frames[round(number * last / (MOST_FRAMES - 1))] for number in range(MOST_FRAMES)]
