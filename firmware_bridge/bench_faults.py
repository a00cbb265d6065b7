"""Counts what is lost or doubled on the way from the board to the host, fault by fault."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from firmware_bridge.bad_cable import FATES, BadCable, Fate
from firmware_bridge.board import BoardUp, ChannelEvent, SensorBoard
from firmware_bridge.ports import ByteStream, open_port
from firmware_bridge.protocol import CHANNEL_COUNT, ChannelClass, ResetCause
from firmware_bridge.rig import BoardRig
from firmware_bridge.timings import LinkTimings

AT_ONCE = 24
"""Channels changed together: as many as fit one message, and fewer than the board's ring of events holds."""

_GIVE_UP_S = 30.0
_SILENT_S = 1.0
"""A board that is silent for so long has lost its link where a request was under way, which fails after 0.75 s."""

_QUICK = LinkTimings(back_off_first_s=0.05, back_off_last_s=0.1)
"""Faults that break the link would otherwise mostly measure how long it waits before it opens again."""

_VISIBLE = (ChannelClass.EMPTY, ChannelClass.LIGHT, ChannelClass.DARK)

Disturb = Callable[[BoardRig, Random], None]
"""Does something to a board just after its channels have changed."""


@dataclass(frozen=True, slots=True)
class FaultCount:
    """What one fault did to ``events`` changes. ``same``: host and board ended with the same state.

    ``kept``: the board goes on through the fault, and no event may be lost. A board that starts again forgets what it
    had not told; then the whole state must repair the host, and nothing may come twice.
    """

    fault: str
    events: int
    lost: int
    doubled: int
    same: bool
    kept: bool
    took_s: float


def bench_faults(
    make_rig: Callable[[], BoardRig], events: int = 10_000, random: Random | None = None
) -> Iterator[FaultCount]:
    """Shares ``events`` changes out among all faults and gets each count as soon as it is made; a new board each.

    :raises LinkError: when a board cannot be reached.
    """
    random = random or Random(1)  # noqa: S311  changes to make, no secret
    kinds: list[tuple[str, Fate | None, Disturb | None, bool]] = [
        *((name, fate, None, True) for name, fate in FATES.items()),
        *((name, None, disturb, True) for name, disturb in _DISTURBANCES.items()),
        *((name, None, disturb, False) for name, disturb in _RESTARTS.items()),
    ]
    for number, (name, fate, disturb, kept) in enumerate(kinds):
        share = events * (number + 1) // len(kinds) - events * number // len(kinds)
        yield _count(make_rig(), name, fate, disturb, share, kept, random)


def _count(
    rig: BoardRig, name: str, fate: Fate | None, disturb: Disturb | None, events: int, kept: bool, random: Random
) -> FaultCount:
    def opened(path: str) -> ByteStream:
        stream = open_port(path)
        return stream if fate is None else BadCable(stream, fate, random)

    begun_s = time.monotonic()
    try:
        with SensorBoard(rig.path, wait_s=_GIVE_UP_S, opener=opened, timings=_QUICK) as board:
            classes = [ChannelClass.EMPTY] * CHANNEL_COUNT
            told: list[tuple[int, int]] = []
            made = 0
            same = True
            while made < events:
                chosen = random.sample(range(CHANNEL_COUNT), min(AT_ONCE, events - made))
                for channel in chosen:
                    classes[channel] = random.choice([kind for kind in _VISIBLE if kind is not classes[channel]])
                rig.set_channels({channel: classes[channel] for channel in chosen})
                made += len(chosen)
                if disturb is not None:
                    board.reports()
                    disturb(rig, random)
                if disturb not in (None, _silent):
                    _wait(lambda: any(isinstance(report, BoardUp) for report in board.reports(timeout_s=0.1)))
                same = _gather(board, told, classes, made if kept else 0) and same
            _gather(board, told, classes, 0)
    finally:
        rig.close()
    lost = made - len(set(told)) if kept else 0
    return FaultCount(name, made, lost, len(told) - len(set(told)), same, kept, time.monotonic() - begun_s)


def _gather(board: SensorBoard, told: list[tuple[int, int]], classes: list[ChannelClass], wanted: int) -> bool:
    """Takes events until ``wanted`` different ones are there and the host knows every channel; whether it does."""

    def arrived() -> bool:
        found = board.events(timeout_s=0.05)
        told.extend((event.boot_id, event.number) for event in found if isinstance(event, ChannelEvent))
        return len(set(told)) >= wanted and list(board.snapshot()) == classes

    return _wait(arrived)


def _wait(happened: Callable[[], bool]) -> bool:
    give_up_s = time.monotonic() + _GIVE_UP_S
    while not happened():
        if time.monotonic() > give_up_s:
            return False
    return True


def _unplugged(rig: BoardRig, random: Random) -> None:
    time.sleep(random.uniform(0.015, 0.035))  # about when the events are on the wire
    rig.unplug()
    time.sleep(0.05)
    rig.replug()


def _unplugged_with_noise(rig: BoardRig, random: Random) -> None:
    _unplugged(rig, random)
    rig.babble(random.randbytes(random.randrange(1, 200)))


def _silent(rig: BoardRig, random: Random) -> None:
    time.sleep(random.uniform(0.0, 0.03))
    rig.pause()
    time.sleep(_SILENT_S)
    rig.resume()


def _restarting(cause: ResetCause) -> Disturb:
    def restart(rig: BoardRig, random: Random) -> None:
        time.sleep(random.uniform(0.0, 0.05))
        rig.reset(cause)

    return restart


def _hung(rig: BoardRig, random: Random) -> None:
    time.sleep(random.uniform(0.0, 0.05))
    rig.hang()


_DISTURBANCES: dict[str, Disturb] = {
    "unplugged in mid-frame": _unplugged,
    "noise when the port opens": _unplugged_with_noise,
    "silent for a second": _silent,
}
_RESTARTS: dict[str, Disturb] = {
    "reset": _restarting(ResetCause.EXTERNAL),
    "brown-out": _restarting(ResetCause.BROWN_OUT),
    "hung until the watchdog": _hung,
}
