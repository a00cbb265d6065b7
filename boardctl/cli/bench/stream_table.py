"""A table that is shown a film as a live camera would show it: the other process of ``boardctl bench stream``."""

import asyncio
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.cli.session.devices import SessionClock
from boardctl.devices.faces import Picture
from boardctl.devices.live_camera import LiveCamera
from boardctl.records import Journal
from boardctl.referee import read_ruleset
from boardctl.referee.effects import Effect, RollRead, TurnJudged
from boardctl.referee.facts import Fact
from boardctl.table import CameraSource, Desk, EvidenceKeeper, FrameRing, NewGame, Session, run_table
from boardctl.table.one_heap import share_one_heap
from boardctl.vision.frame import FrameReading
from boardctl.vision.game_eyes import eyes_for
from boardctl.vision.tracking import Tracker
from calibration import load

LAST_MS = 1500
"""How long the last frame stays: what lies there settles meanwhile."""


class Film:
    """Frames in files that are named by their instant, shown as a camera shows them: each when it is due.

    Who comes too late gets the frame that is due then. ``over`` is called at the end.
    """

    def __init__(self, folder: Path, over: Callable[[], None]) -> None:
        self._files = sorted(folder.glob("*.jpg"))
        self._dues_s = [int(path.stem) / 1000 for path in self._files]
        self._over = over
        self._next = 0
        self._began_s: float | None = None

    @property
    def frames(self) -> int:
        """How many there are."""
        return len(self._files)

    @property
    def lasts_s(self) -> float:
        """From the first frame to the last."""
        return self._dues_s[-1] - self._dues_s[0]

    def read(self) -> tuple[bool, NDArray[np.generic] | None]:
        """Waits for the next frame; the last one stays."""
        now_s = time.monotonic()
        if self._began_s is None:
            self._began_s = now_s - self._dues_s[0]
        if self._next >= len(self._files):
            time.sleep(LAST_MS / 1000)
            self._over()
            return True, cv2.imread(str(self._files[-1]))
        while self._next + 1 < len(self._files) and self._began_s + self._dues_s[self._next + 1] <= now_s:
            self._next += 1
        wait_s = self._began_s + self._dues_s[self._next] - now_s
        if wait_s > 0:
            time.sleep(wait_s)
        picture = cv2.imread(str(self._files[self._next]))
        self._next += 1
        return True, picture

    def release(self) -> None:
        """Nothing is held."""


@dataclass
class Timing:
    """How long frames took to be read, and how old they were when the referee had dealt with them."""

    read_ms: list[float] = field(default_factory=list)
    behind_ms: list[float] = field(default_factory=list)

    def timed(self, see: Callable[[Picture], FrameReading]) -> Callable[[Picture], FrameReading]:
        """Gets eyes whose time is taken."""

        def read(picture: Picture) -> FrameReading:
            began_s = time.perf_counter()
            seen = see(picture)
            self.read_ms.append((time.perf_counter() - began_s) * 1000)
            return seen

        return read


class TimedTracker(Tracker):
    """A tracker that notes how old each frame is when it comes to it."""

    def __init__(self, timing: Timing, clock: SessionClock) -> None:
        super().__init__()
        self._timing = timing
        self._clock = clock

    def feed(self, reading: FrameReading, at_ms: int, frame: str | None = None, still: bool = False) -> list[Fact]:
        """Gets the facts that a frame's reading brings."""
        self._timing.behind_ms.append(self._clock() - at_ms)
        return super().feed(reading, at_ms, frame, still)


@dataclass
class Course:
    """An output that counts what came of the game."""

    rolls: int = 0
    legal: int = 0
    other: int = 0

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        for effect in effects:
            self.rolls += isinstance(effect, RollRead) and effect.valid
            self.legal += isinstance(effect, TurnJudged) and effect.legal is True
            self.other += isinstance(effect, TurnJudged) and effect.legal is not True


def shown_to(folder: Path, ruleset: str) -> dict[str, str]:
    """Gets how a table did that was shown the film in a folder."""
    share_one_heap()
    session = Session(ruleset=read_ruleset(ruleset), source=str(folder))
    referee, clock, timing, course = session.referee(), SessionClock(), Timing(), Course()
    camera = LiveCamera("film", lambda: shown, clock)
    shown = Film(folder, camera.close)
    see = timing.timed(eyes_for(referee.game, load(folder / "calibration.yaml"), None))
    with Journal.create(folder / "stream.journal", session.header()) as journal:
        ring = FrameRing(camera)
        keeper = EvidenceKeeper(ring, journal)
        desk = Desk(journal, referee, [course], [keeper, NewGame.of(referee)])
        source = CameraSource[FrameReading](ring, see, TimedTracker(timing, clock), waits=True)
        busy_s = time.process_time()
        asyncio.run(run_table(desk, [source]))
        keeper.finish(desk.handle)
        busy_s = time.process_time() - busy_s
        ring.close()
    read = len(timing.read_ms)
    return {
        "frames shown, read": f"{shown.frames}, {min(read, shown.frames)} ({min(1.0, read / shown.frames):.1%})",
        "time to read one: median, p99": _two(timing.read_ms),
        "age when it was dealt with: median, p99": _two(timing.behind_ms),
        "processor time, of one core": f"{busy_s / shown.lasts_s:.0%}",
        "memory at most": f"{_most_memory_mb():.0f} MB",
        "rolls read; turns judged legal, otherwise": f"{course.rolls}; {course.legal}, {course.other}",
    }


def _most_memory_mb() -> float:
    """Gets the most memory that this program has held. What the system tells of a process itself counts what it was
    before it became this program: the one that drew the film."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="utf-8").splitlines() if status.is_file() else []
    peak_kb = next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), None)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if peak_kb is None else peak_kb) / 1024


def _two(times_ms: Sequence[float]) -> str:
    p99 = statistics.quantiles(times_ms, n=100)[-1]
    return f"{statistics.median(times_ms):.1f}, {p99:.1f} ms"


if __name__ == "__main__":
    sys.stdout.write(json.dumps(shown_to(Path(sys.argv[1]), sys.argv[2])))
