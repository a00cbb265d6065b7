"""Frames and messages: golden bytes, round trips, and a decoder that survives anything."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire_examples import EXAMPLES

from firmware_bridge.errors import MessageError
from firmware_bridge.protocol import (
    CHANNEL_COUNT,
    MESSAGE_TYPES,
    Beep,
    Calibrated,
    CalibrationStep,
    ChannelClass,
    DecodeFault,
    Decoder,
    Error,
    ErrorCode,
    EventRecord,
    Events,
    FaultKind,
    Hello,
    LedRun,
    Leds,
    Log,
    Message,
    Ping,
    Pong,
    Raw,
    ResetCause,
    State,
    crc16,
    encode,
)

GOLDEN = Path(__file__).parents[1] / "data" / "bridge" / "golden.jsonl"


def golden() -> list[dict[str, str]]:
    return [json.loads(line) for line in GOLDEN.read_text().splitlines()]


def test_crc_is_xmodem_of_the_catalogue() -> None:
    assert crc16(b"123456789") == 0x31C3


def test_golden_file_has_every_message_type() -> None:
    assert {type(message) for message in EXAMPLES.values()} == set(MESSAGE_TYPES.values())
    assert [entry["name"] for entry in golden()] == list(EXAMPLES)


@pytest.mark.parametrize("entry", golden(), ids=lambda entry: entry["name"])
def test_message_encodes_to_its_golden_bytes_and_back(entry: dict[str, str]) -> None:
    message = EXAMPLES[entry["name"]]
    assert encode(message).hex() == entry["frame"]
    assert Decoder().feed(bytes.fromhex(entry["frame"])) == [message]
    assert repr(message) == entry["message"]


def test_a_newer_minor_version_may_append_fields() -> None:
    longer = Ping(1234).to_bytes() + b"\x07\x07"
    assert Ping.from_bytes(longer) == Ping(1234)


@given(
    st.lists(st.sampled_from(list(ChannelClass)), min_size=CHANNEL_COUNT, max_size=CHANNEL_COUNT),
    st.integers(0, 0xFFFF),
    st.integers(0, 0xFFFFFFFF),
    st.integers(0, 255),
)
def test_state_returns_as_sent(classes: list[ChannelClass], number: int, device_ms: int, sequence: int) -> None:
    state = State(number, number, device_ms, 3, 1, tuple(classes), sequence=sequence)
    assert Decoder().feed(encode(state)) == [state]


@given(st.lists(st.tuples(st.integers(0, 0xFFFFFFFF), st.integers(0, 255), st.integers(0, 255)), max_size=24))
def test_events_return_as_sent(records: list[tuple[int, int, int]]) -> None:
    events = Events(7, 65530, 0, tuple(EventRecord(*record) for record in records))
    assert Decoder().feed(encode(events)) == [events]


@given(st.integers(0, 32), st.lists(st.integers(-32768, 32767), max_size=96))
def test_raw_values_return_as_sent(first: int, values: list[int]) -> None:
    assert Decoder().feed(encode(Raw(first, tuple(values)))) == [Raw(first, tuple(values))]


@pytest.mark.parametrize(
    "message",
    [
        Beep(70000, 10),
        Ping(-1),
        Ping(1, sequence=256),
        Leds(50, True, (LedRun(11, 0, 0, 0, 0),)),
        Leds(0, True, (LedRun(1, 256, 0, 0, 0),)),
        Events(1, 0, 0, (EventRecord(0, 0, 0),) * 25),
        State(1, 0, 0, 0, 0, (ChannelClass.EMPTY,) * 127),
        Calibrated(CalibrationStep.EMPTY, frozenset({128})),
        Log(2, 0, "x" * 196),
        Raw(0, (0,) * 97),
    ],
    ids=repr,
)
def test_what_does_not_fit_the_wire_is_refused_with_the_message_quoted(message: Message) -> None:
    with pytest.raises(MessageError):
        encode(message)


@pytest.mark.parametrize("kind", MESSAGE_TYPES.values(), ids=lambda kind: kind.__name__)
def test_a_payload_that_is_cut_short_is_a_fault_and_not_a_message(kind: type[Message]) -> None:
    payload = next(message for message in EXAMPLES.values() if type(message) is kind).to_bytes()
    for length in range(kind.LAYOUT.size):
        with pytest.raises(MessageError):
            kind.from_bytes(payload[:length])


def test_unknown_numbers_of_a_newer_firmware_become_unknown() -> None:
    assert ResetCause(77) is ResetCause.UNKNOWN
    assert ErrorCode(77) is ErrorCode.UNNAMED
    assert Error.from_bytes(bytes((3, 77, 1, 0))).code is ErrorCode.UNNAMED


# ---- the decoder


def test_bytes_may_come_one_at_a_time() -> None:
    decoder = Decoder()
    stream = b"".join(encode(message) for message in EXAMPLES.values())
    found = [item for byte in stream for item in decoder.feed(bytes((byte,)))]
    assert found == list(EXAMPLES.values())


@given(st.lists(st.integers(1, 300), max_size=30))
def test_pieces_of_any_size_give_the_same_messages(sizes: list[int]) -> None:
    stream = b"".join(encode(message) for message in EXAMPLES.values())
    decoder, found, place = Decoder(), [], 0
    for size in [*sizes, len(stream)]:
        found += decoder.feed(stream[place : place + size])
        place += size
    assert found == list(EXAMPLES.values())


def test_every_single_bit_error_is_noticed() -> None:
    frame = encode(Pong(1, 1000, 2000, sequence=9))
    for place in range(len(frame) - 1):
        for bit in range(8):
            bent = bytearray(frame)
            bent[place] ^= 1 << bit
            found = Decoder().feed(bytes(bent))
            assert all(isinstance(item, DecodeFault) for item in found), (place, bit, found)


def test_zeros_between_frames_say_nothing() -> None:
    assert Decoder().feed(b"\0\0\0" + encode(Hello()) + b"\0\0") == [Hello()]


def test_endless_noise_without_a_zero_is_one_fault_and_little_memory() -> None:
    decoder = Decoder()
    for _ in range(1000):
        assert decoder.feed(b"\x55" * 1000) == []
    fault, message = decoder.feed(b"\0" + encode(Hello()))
    assert isinstance(fault, DecodeFault)
    assert fault.kind is FaultKind.TOO_LONG
    assert len(fault.raw) < 300
    assert message == Hello()


def test_truncated_frame_costs_only_itself() -> None:
    stream = encode(Ping(1))[:-4] + b"\0" + encode(Ping(2))
    fault, message = Decoder().feed(stream)
    assert isinstance(fault, DecodeFault)
    assert message == Ping(2)


def test_a_million_random_buffers_never_raise_and_the_next_frame_is_read() -> None:
    random = Random(20061)
    decoder = Decoder()
    for number in range(1_000_000):
        decoder.feed(random.randbytes(random.randrange(0, 48)))
        if number % 50 == 0:
            good = Ping(number)
            assert decoder.feed(b"\0" + encode(good))[-1] == good


def test_random_bodies_with_a_right_crc_never_raise() -> None:
    from cobs import cobs

    random = Random(4067)
    types = list(MESSAGE_TYPES)
    for _ in range(20_000):
        body = bytes((random.choice(types), random.randrange(256))) + random.randbytes(random.randrange(0, 201))
        frame = cobs.encode(body + crc16(body).to_bytes(2, "little")) + b"\0"
        (found,) = Decoder().feed(frame)
        assert isinstance(found, Message | DecodeFault)
