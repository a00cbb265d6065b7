"""One message of each kind and each edge, by name: what the golden file holds. Shared with the C side's test."""

from firmware_bridge.protocol import (
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
    Error,
    ErrorCode,
    EventAck,
    EventRecord,
    Events,
    Hello,
    Ident,
    LedRun,
    Leds,
    Log,
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
)

_CLASSES = tuple(ChannelClass(channel * 7 % 4) for channel in range(128))
_CAPABILITIES = Capability.REFLECTANCE | Capability.LEDS_WS2812 | Capability.PIEZO | Capability.SEAT_BUTTONS

EXAMPLES: dict[str, Message] = {
    "hello": Hello(1, 0, sequence=1),
    "state_request": StateRequest(sequence=2),
    "leds_dark": Leds(0, True, (LedRun(60, 0, 0, 0, 0),), sequence=3),
    "leds_longest": Leds(0, False, tuple(LedRun(1, n, 255 - n, 0, 170) for n in range(39)), sequence=4),
    "leds_rest": Leds(39, True, tuple(LedRun(1, n, 255 - n, 0, 255) for n in range(21)), sequence=5),
    "config_default": Config(sequence=6),
    "config_other": Config(debounce_scans=5, brightness=0, current_budget_ma=900, host_lost_ms=65535, sequence=7),
    "config_request": ConfigRequest(sequence=8),
    "raw_request": RawRequest(32, 96, sequence=9),
    "calibrate": Calibrate(CalibrationStep.DARK, 16, 16, sequence=10),
    "beep": Beep(2093, 120, 3, sequence=11),
    "ping": Ping(0xFFFFFFFF, sequence=12),
    "stats_request": StatsRequest(sequence=255),
    "event_ack": EventAck(513, 65535, sequence=0),
    "ident": Ident(
        *(1, 0, (0, 1, 0), "BOARD01", _CAPABILITIES, 128, 60, ResetCause.BROWN_OUT, 513, 70, 0x1234, 0, 0), sequence=1
    ),
    "state": State(513, 65535, 4_000_000_000, 0b10, 1, _CLASSES, sequence=2),
    "config_state": ConfigState(sequence=6),
    "raw": Raw(3, (-512, -1, 0, 1, 1023), sequence=9),
    "calibrated": Calibrated(CalibrationStep.LIGHT, frozenset({0, 9, 127}), sequence=10),
    "pong": Pong(513, 0xFFFFFFFF, 0, sequence=12),
    "stats": Stats(90_000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 65535, ResetCause.WATCHDOG, sequence=255),
    "ack": Ack(Leds.TYPE, sequence=5),
    "error": Error(Beep.TYPE, ErrorCode.OUT_OF_RANGE, 513, sequence=11),
    "events_one": Events(513, 65535, 0, (EventRecord(0, 0, 0),)),
    "events_most": Events(513, 0, 255, tuple(EventRecord(n << 24 | n, 104 + n, n % 4) for n in range(24))),
    "log": Log(3, 77, "supply 4.6 V"),
}
"""Name -> message, in the order of the golden file."""
