"""The firmware's behaviour in Python, without input, output or clock: for demos and for tests of the host side.

It answers the same protocol as the real firmware and keeps the same promises, but senses classes instead of voltages.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

from cobs import cobs

from firmware_bridge.counters import steps_between
from firmware_bridge.leds import NO_HOST_FRAME, LedFrame
from firmware_bridge.protocol import (
    CHANNEL_COUNT,
    LED_COUNT,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    Ack,
    Beep,
    Calibrate,
    Calibrated,
    CalibrationStep,
    Capability,
    ChannelClass,
    Config,
    ConfigRequest,
    ConfigState,
    DecodeFault,
    Decoder,
    Error,
    ErrorCode,
    EventAck,
    EventRecord,
    Events,
    FaultKind,
    Hello,
    Ident,
    Leds,
    Message,
    Ping,
    Pong,
    Raw,
    RawRequest,
    ResetCause,
    State,
    StateRequest,
    Stats,
    StatsRequest,
    encode,
)

RING_SIZE = 32
RESEND_MS = 60
RESEND_MEMORY_MS = 2000
"""A request with the sequence of one this recent is its resend: the acknowledgement was lost, not the request."""

RAW_COUNTS = {ChannelClass.EMPTY: 8, ChannelClass.DARK: 160, ChannelClass.LIGHT: 600, ChannelClass.UNKNOWN: 70}

_GROUNDS = {
    CalibrationStep.EMPTY: ChannelClass.EMPTY,
    CalibrationStep.LIGHT: ChannelClass.LIGHT,
    CalibrationStep.DARK: ChannelClass.DARK,
}


@dataclass(frozen=True, slots=True)
class StandInMake:
    """What a stand-in claims to be; another protocol version makes it one that the host refuses."""

    board_id: str = "STANDIN1"
    protocol: tuple[int, int] = (PROTOCOL_MAJOR, PROTOCOL_MINOR)
    firmware_version: tuple[int, int, int] = (0, 1, 0)
    capabilities: Capability = (
        Capability.REFLECTANCE | Capability.LEDS_WS2812 | Capability.PIEZO | Capability.SEAT_BUTTONS
    )


class StandInFirmware:
    """One boot of a stand-in board. Times are milliseconds since that boot and only go forward.

    ``sensed`` is what lies over the channels now; it belongs to the world and is read at every scan.
    """

    def __init__(
        self, make: StandInMake, sensed: Sequence[ChannelClass], boot_id: int, cause: ResetCause, config: Config
    ) -> None:
        self._make = make
        self._sensed = sensed
        self._boot_id = boot_id
        self._cause = cause
        self._config = config
        self._decoder = Decoder()
        self._out = bytearray()
        self._reported = list(sensed)
        self._candidates: dict[int, tuple[ChannelClass, int]] = {}
        self._looked_at = list(sensed)
        self._next_scan_ms = config.scan_period_ms
        self._ring: deque[EventRecord] = deque()
        self._oldest = 0
        self._unsent = 0
        self._resend_due_ms = 0
        self._overflows = 0
        self._buttons = 0
        self._frame = LedFrame()
        self._shown = LedFrame()
        self._greeted = False
        self._heard_ms = 0
        self._state_due_ms = 0
        self._beep: tuple[int, int] | None = None
        self._last_leds: tuple[int, int] | None = None
        self._grounds: set[CalibrationStep] = set()
        self._counts = dict.fromkeys(("frames", "crc", "framing", "events", "resent", "led_frames"), 0)
        self.beeps: list[Beep] = []
        self._send(self._ident(0))

    # -- the world's side

    @property
    def config(self) -> Config:
        """Gets the settings in use."""
        return self._config

    @property
    def shown(self) -> LedFrame:
        """Gets the last whole frame the host has sent."""
        return self._shown

    def lit(self, now_ms: int) -> LedFrame:
        """Gets what the chain is driven with: the frame within its current budget, or the sign of no host."""
        frame = self._shown if self.host_present(now_ms) else NO_HOST_FRAME
        return frame.within(self._config.current_budget_ma, self._config.brightness)

    def host_present(self, now_ms: int) -> bool:
        """Gets whether a host has greeted this boot and was heard lately."""
        return self._greeted and now_ms - self._heard_ms < self._config.host_lost_ms

    @property
    def settled(self) -> bool:
        """Gets whether every channel's present class has become an event that the host has acknowledged."""
        return not self._ring and not self._candidates and self._looked_at == list(self._sensed)

    def press(self, button: int, down: bool, now_ms: int) -> None:
        """Presses or releases a seat button."""
        self.tick(now_ms)
        if bool(self._buttons >> button & 1) == down:
            return
        self._buttons ^= 1 << button
        if len(self._ring) < RING_SIZE:
            self._note(EventRecord(now_ms & 0xFFFFFFFF, EventRecord.BUTTON_BASE + button, int(down)))
        else:
            self._overflows = self._overflows + 1 & 0xFF
        self.tick(now_ms)

    # -- time

    def tick(self, now_ms: int) -> None:
        """Does what is due: scans, events, whole states."""
        if not self._candidates and self._looked_at == self._sensed:
            self._skip_scans(now_ms)
        while self._next_scan_ms <= now_ms:
            self._scan(self._next_scan_ms)
            self._next_scan_ms += self._config.scan_period_ms
        if not self.host_present(now_ms):
            return
        if self._unsent < len(self._ring) or (self._ring and now_ms >= self._resend_due_ms):
            self._send_events(now_ms)
        if now_ms >= self._state_due_ms:
            self._state_due_ms = now_ms + self._config.state_period_ms
            self._send(self._state(0, now_ms))

    def next_due_ms(self, now_ms: int) -> int | None:
        """Gets when ``tick`` has something to do; None: nothing until something comes in."""
        dues: list[int] = []
        if self._candidates or self._looked_at != self._sensed:
            dues.append(self._next_scan_ms)
        if self.host_present(now_ms):
            dues.append(self._state_due_ms)
            dues.append(self._heard_ms + self._config.host_lost_ms)
            if self._ring:
                dues.append(now_ms if self._unsent < len(self._ring) else self._resend_due_ms)
        return min(dues, default=None)

    def _skip_scans(self, now_ms: int) -> None:
        period_ms = self._config.scan_period_ms
        if self._next_scan_ms <= now_ms:
            self._next_scan_ms += ((now_ms - self._next_scan_ms) // period_ms + 1) * period_ms

    def _scan(self, at_ms: int) -> None:
        self._looked_at = list(self._sensed)
        for channel, (seen, reported) in enumerate(zip(self._looked_at, self._reported, strict=True)):
            candidate, count = self._candidates.get(channel, (reported, 0))
            if seen == reported:
                if count >= self._config.debounce_scans:
                    self._overflows = self._overflows + 1 & 0xFF  # it had settled elsewhere and found no room
                self._candidates.pop(channel, None)
                continue
            count = min(count + 1, self._config.debounce_scans) if seen == candidate else 1
            self._candidates[channel] = (seen, count)
            if count >= self._config.debounce_scans and len(self._ring) < RING_SIZE:
                self._reported[channel] = seen
                del self._candidates[channel]
                self._note(EventRecord(at_ms & 0xFFFFFFFF, channel, seen))

    # -- the wire

    def take_output(self) -> bytes:
        """Gets the bytes sent since the last call."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def receive(self, data: bytes, now_ms: int) -> None:
        """Takes bytes as they came."""
        self.tick(now_ms)
        for found in self._decoder.feed(data):
            if isinstance(found, DecodeFault):
                self._refuse_fault(found)
                continue
            self._counts["frames"] += 1
            self._heard_ms = now_ms
            answer = self._handlers().get(type(found), self._unknown)(found, now_ms)
            if answer is not None:
                self._send(answer)
        self.tick(now_ms)

    def _handlers(self) -> Mapping[type[Message], Callable[..., Message | None]]:
        return {
            Hello: self._hello,
            StateRequest: lambda message, now_ms: self._state(message.sequence, now_ms),
            Leds: self._leds,
            Config: self._configure,
            ConfigRequest: lambda message, now_ms: self._config_state(message.sequence),
            RawRequest: self._raw,
            Calibrate: self._calibrate,
            Beep: self._sound,
            Ping: lambda m, now_ms: Pong(self._boot_id, m.host_ms, now_ms & 0xFFFFFFFF, sequence=m.sequence),
            StatsRequest: self._stats,
            EventAck: self._acknowledged,
        }

    def _send(self, message: Message) -> None:
        self._out += encode(message)

    def _refuse_fault(self, fault: DecodeFault) -> None:
        if fault.kind is FaultKind.MESSAGE:
            body = cobs.decode(fault.raw)
            self._send(Error(body[0], ErrorCode.UNKNOWN_TYPE, body[0], sequence=body[1]))
        else:
            self._counts["crc" if fault.kind is FaultKind.CRC else "framing"] += 1

    def _unknown(self, message: Message, now_ms: int) -> Message:
        return Error(type(message).TYPE, ErrorCode.UNKNOWN_TYPE, type(message).TYPE, sequence=message.sequence)

    def _ident(self, sequence: int, now_ms: int = 0) -> Ident:
        return Ident(
            *self._make.protocol,
            self._make.firmware_version,
            self._make.board_id,
            self._make.capabilities,
            CHANNEL_COUNT,
            LED_COUNT,
            self._cause,
            self._boot_id,
            now_ms & 0xFFFFFFFF,
            self._config_state(0).crc,
            self._oldest,
            self._oldest + len(self._ring) & 0xFFFF,
            sequence=sequence,
        )

    def _hello(self, message: Hello, now_ms: int) -> Message:
        self._greeted = True
        self._last_leds = None
        self._resend_due_ms = now_ms
        self._state_due_ms = now_ms + self._config.state_period_ms
        return self._ident(message.sequence, now_ms)

    def _state(self, sequence: int, now_ms: int) -> State:
        number = self._oldest + len(self._ring) & 0xFFFF
        ms = now_ms & 0xFFFFFFFF
        classes = tuple(self._reported)
        return State(self._boot_id, number, ms, self._buttons, self._overflows, classes, sequence=sequence)

    def _leds(self, message: Leds, now_ms: int) -> Message:
        if self._overtaken(message.sequence, now_ms):
            return Ack(Leds.TYPE, sequence=message.sequence)
        self._last_leds = (message.sequence, now_ms)
        self._frame = self._frame.with_part(message)
        if message.show:
            self._shown = self._frame
            self._counts["led_frames"] += 1
        return Ack(Leds.TYPE, sequence=message.sequence)

    def _overtaken(self, sequence: int, now_ms: int) -> bool:
        """Gets whether a later part of a frame has come before this one, which says what has long been replaced."""
        if self._last_leds is None or now_ms - self._last_leds[1] >= RESEND_MEMORY_MS:
            return False
        return steps_between(self._last_leds[0], sequence, bits=8) <= 0

    def _configure(self, message: Config, now_ms: int) -> Message:
        for name, (least, most) in Config.LIMITS.items():
            if not least <= getattr(message, name) <= most:
                place = [field.name for field in fields(message)].index(name)
                return Error(Config.TYPE, ErrorCode.OUT_OF_RANGE, place, sequence=message.sequence)
        self._config = message
        return self._config_state(message.sequence)

    def _config_state(self, sequence: int) -> ConfigState:
        return ConfigState.from_bytes(self._config.to_bytes(), sequence)

    def _raw(self, message: RawRequest, now_ms: int) -> Message:
        if message.count > RawRequest.MAX_CHANNELS or message.first + message.count > CHANNEL_COUNT:
            return Error(RawRequest.TYPE, ErrorCode.OUT_OF_RANGE, message.first, sequence=message.sequence)
        seen = self._sensed[message.first : message.first + message.count]
        return Raw(message.first, tuple(RAW_COUNTS[kind] for kind in seen), sequence=message.sequence)

    def _calibrate(self, message: Calibrate, now_ms: int) -> Message:
        step, last = message.step, message.first + message.count
        if last > CHANNEL_COUNT:
            return Error(Calibrate.TYPE, ErrorCode.OUT_OF_RANGE, message.first, sequence=message.sequence)
        weak: frozenset[int] = frozenset()
        if step is CalibrationStep.FORGET:
            self._grounds.clear()
        elif step is CalibrationStep.STORE:
            if self._grounds != set(_GROUNDS):
                return Error(Calibrate.TYPE, ErrorCode.NOT_CALIBRATED, 0, sequence=message.sequence)
        else:
            self._grounds.add(step)
            weak = frozenset(c for c in range(message.first, last) if self._sensed[c] != _GROUNDS[step])
        return Calibrated(step, weak, sequence=message.sequence)

    def _sound(self, message: Beep, now_ms: int) -> Message:
        if self._beep is None or self._beep[0] != message.sequence or now_ms - self._beep[1] > RESEND_MEMORY_MS:
            self.beeps.append(message)
        self._beep = (message.sequence, now_ms)
        return Ack(Beep.TYPE, sequence=message.sequence)

    def _stats(self, message: StatsRequest, now_ms: int) -> Message:
        counts = {name: min(value, 0xFFFF) for name, value in self._counts.items()}
        return Stats(
            uptime_ms=now_ms & 0xFFFFFFFF,
            frames_received=counts["frames"],
            crc_errors=counts["crc"],
            framing_errors=counts["framing"],
            uart_overruns=0,
            events_made=counts["events"],
            events_resent=counts["resent"],
            overflow_count=self._overflows,
            led_frames=counts["led_frames"],
            led_current_ma=self.lit(now_ms).current_ma(),
            worst_scan_us=0,
            worst_loop_us=0,
            free_ram_bytes=0,
            reset_cause=self._cause,
            sequence=message.sequence,
        )

    # -- events

    def _note(self, record: EventRecord) -> None:
        self._ring.append(record)
        self._counts["events"] += 1

    def _send_events(self, now_ms: int) -> None:
        if self._unsent == len(self._ring):  # nothing new, so the old ones have waited too long
            self._counts["resent"] += self._unsent
            self._unsent = 0
        batch = tuple(self._ring)[self._unsent : self._unsent + Events.MAX_RECORDS]
        number = self._oldest + self._unsent & 0xFFFF
        self._send(Events(self._boot_id, number, self._overflows, batch))
        self._unsent += len(batch)
        self._resend_due_ms = now_ms + RESEND_MS

    def _acknowledged(self, message: EventAck, now_ms: int) -> None:
        done = steps_between(self._oldest, message.next_number)
        if message.boot_id != self._boot_id or not 0 < done <= len(self._ring):
            return
        for _ in range(done):
            self._ring.popleft()
        self._oldest = message.next_number
        self._unsent = max(self._unsent - done, 0)
        self._resend_due_ms = now_ms + RESEND_MS
