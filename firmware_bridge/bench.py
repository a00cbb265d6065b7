"""Measures the whole way from sensor to host to light, on a board whose world is under control."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from firmware_bridge.board import BoardUp, ChannelEvent, SensorBoard
from firmware_bridge.errors import NoAnswerError
from firmware_bridge.leds import LedFrame, Light
from firmware_bridge.protocol import CHANNEL_COUNT, LED_COUNT, ChannelClass, ResetCause
from firmware_bridge.rig import BoardRig

_GIVE_UP_S = 30.0
_TARGET_LED = 9
_LIT_IN_A_GAME = 10
"""Whose turn it is takes two lights, three movable checkers and their targets some more."""

_SHAKEN_AT_ONCE = 24
"""Channels changed together in the loss count: as many as fit one message, and fewer than the board's ring holds."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and 99th percentile of a series of times, in ms."""

    median_ms: float
    p99_ms: float

    @classmethod
    def of(cls, times_ms: Sequence[float]) -> "Spread":
        """Gets the spread of at least one time."""
        ordered = sorted(times_ms)
        return cls(statistics.median(ordered), ordered[min(len(ordered) - 1, round(len(ordered) * 0.99))])


@dataclass(frozen=True, slots=True)
class LinkFigures:
    """What :func:`bench_link` measures. Changes are counted from the instant the world changed, debounce included."""

    start_to_ident_ms: float
    state_fetch: Spread
    change_to_event: Spread
    change_to_light: Spread
    burst_ms: float
    led_frames_per_s: float
    plain_led_frames_per_s: float
    noisy_events: int
    noisy_lost: int
    noisy_doubled: int


def bench_link(
    make_rig: Callable[[], BoardRig], *, rounds: int = 100, noisy_events: int = 1000, random: Random | None = None
) -> LinkFigures:
    """Measures a new board made by ``make_rig`` and takes it away again.

    :raises LinkError: when the board cannot be reached.
    :raises NoAnswerError: when something that must come does not come within half a minute.
    """
    random = random or Random(1)  # noqa: S311  spreads the changes over the phases of the scan
    rig = make_rig()
    try:
        with SensorBoard(rig.path, wait_s=_GIVE_UP_S) as board:
            start_ms = _start_ms(rig, board)
            state_fetch = Spread.of([_fetch_ms(board) for _ in range(rounds)])
            reactions = [_reaction(rig, board, random) for _ in range(rounds)]
            burst_ms = _burst_ms(rig, board)
            frames_per_s = _frames_per_s(board, LED_COUNT)
            plain_frames_per_s = _frames_per_s(board, _LIT_IN_A_GAME)
            lost, doubled = _through_noise(rig, board, noisy_events, random)
        return LinkFigures(
            start_to_ident_ms=start_ms,
            state_fetch=state_fetch,
            change_to_event=Spread.of([event for event, _ in reactions]),
            change_to_light=Spread.of([light for _, light in reactions]),
            burst_ms=burst_ms,
            led_frames_per_s=frames_per_s,
            plain_led_frames_per_s=plain_frames_per_s,
            noisy_events=noisy_events,
            noisy_lost=lost,
            noisy_doubled=doubled,
        )
    finally:
        rig.close()


def _since_ms(begun_s: float) -> float:
    return (time.monotonic() - begun_s) * 1000


def _start_ms(rig: BoardRig, board: SensorBoard) -> float:
    """Switches the board off and on; gets how long it takes until it has identified itself and told its state."""
    board.reports()
    begun_s = time.monotonic()
    rig.reset(ResetCause.POWER_ON)
    while not any(isinstance(report, BoardUp) for report in board.reports(timeout_s=0.5)):
        _check_time(begun_s, "the board's identification")
    return _since_ms(begun_s)


def _fetch_ms(board: SensorBoard) -> float:
    begun_s = time.monotonic()
    board.state()
    return _since_ms(begun_s)


def _reaction(rig: BoardRig, board: SensorBoard, random: Random) -> tuple[float, float]:
    """Lifts or puts a checker, lights a target when told, and gets when each had happened, in ms."""
    time.sleep(random.random() * 0.02)
    now = board.snapshot()[0]
    target = Light(0, 200, 0) if rig.colours[_TARGET_LED] == (0, 0, 0) else Light(0, 0, 0)
    begun_s = time.monotonic()
    rig.set_channels({0: ChannelClass.EMPTY if now is ChannelClass.LIGHT else ChannelClass.LIGHT})
    _events(board, 1)
    event_ms = _since_ms(begun_s)
    board.show(LedFrame.of({_TARGET_LED: target}))
    while rig.colours[_TARGET_LED] != target[:3]:
        _check_time(begun_s, "the light")
        time.sleep(0.0005)
    return event_ms, _since_ms(begun_s)


def _burst_ms(rig: BoardRig, board: SensorBoard) -> float:
    begun_s = time.monotonic()
    rig.set_channels(dict.fromkeys(range(CHANNEL_COUNT), ChannelClass.DARK))
    _events(board, CHANNEL_COUNT)
    return _since_ms(begun_s)


def _frames_per_s(board: SensorBoard, lit: int, span_s: float = 1.5) -> float:
    """Offers more frames than the line can carry, with ``lit`` LEDs lit, no two alike; gets how many were lit. With all
    of them these are the longest frames there are.
    """
    before = board.stats().led_frames
    begun_s = time.monotonic()
    number = 0
    while time.monotonic() - begun_s < span_s:
        number += 1
        spread = range(0, LED_COUNT, LED_COUNT // lit)
        board.show(LedFrame.of({led: Light(number % 64, led, LED_COUNT - led) for led in spread}))
        time.sleep(0.002)
    after = board.stats().led_frames
    return (after - before) / (_since_ms(begun_s) / 1000)


def _through_noise(rig: BoardRig, board: SensorBoard, count: int, random: Random) -> tuple[int, int]:
    """Makes ``count`` events over a cable that loses and bends bytes; gets how many were lost and how many doubled."""
    rig.set_noise(lose_bytes_percent=0.2, flip_bits_percent=0.2)
    classes = list(board.snapshot())
    numbers: list[int] = []
    made = 0
    while made < count:
        chosen = random.sample(range(CHANNEL_COUNT), min(_SHAKEN_AT_ONCE, count - made))
        changed = {channel: random.choice([k for k in _VISIBLE if k is not classes[channel]]) for channel in chosen}
        for channel, kind in changed.items():
            classes[channel] = kind
        rig.set_channels(changed)
        made += len(changed)
        begun_s = time.monotonic()
        while len(set(numbers)) < made and time.monotonic() - begun_s < _GIVE_UP_S:
            numbers += [event.number for event in board.events(timeout_s=0.5)]
    rig.set_noise(0, 0)
    numbers += [event.number for event in board.events(timeout_s=0.5)]
    return made - len(set(numbers)), len(numbers) - len(set(numbers))


_VISIBLE = (ChannelClass.EMPTY, ChannelClass.LIGHT, ChannelClass.DARK)


def _events(board: SensorBoard, count: int) -> list[ChannelEvent]:
    found: list[ChannelEvent] = []
    begun_s = time.monotonic()
    while len(found) < count:
        found += [event for event in board.events(timeout_s=0.5) if isinstance(event, ChannelEvent)]
        _check_time(begun_s, "an event")
    return found


def _check_time(begun_s: float, what: str) -> None:
    if time.monotonic() - begun_s > _GIVE_UP_S:
        raise NoAnswerError(f"{what} did not come within {_GIVE_UP_S:g} s; is the board's link up?")
