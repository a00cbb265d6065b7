"""The C side of the wire against the Python side: names, numbers, sizes, and the golden frames."""

import json
import re
import subprocess
from pathlib import Path
from random import Random

import pytest
from needs_toolchain import needs_toolchain

from firmware_bridge import protocol
from firmware_bridge.host_messages import _RUN_LAYOUT
from firmware_bridge.protocol import (
    MESSAGE_TYPES,
    CalibrationStep,
    Capability,
    ChannelClass,
    Decoder,
    ErrorCode,
    EventRecord,
    FaultKind,
    ResetCause,
    SensorKind,
)
from firmware_bridge.toolchain import FIRMWARE_FOLDER

HEADER = (FIRMWARE_FOLDER / "wire.h").read_text()
GOLDEN = Path(__file__).parents[1] / "data" / "bridge" / "golden.jsonl"


def enumerators(prefix: str) -> dict[str, int]:
    """Gets NAME -> number of every enumerator ``prefix_NAME`` in the header."""
    return {name: int(number, 0) for name, number in re.findall(rf"\b{prefix}_(\w+) = (\w+)", HEADER)}


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper()


def test_message_types_are_the_same() -> None:
    assert enumerators("TYPE") == {snake(kind.__name__): number for number, kind in MESSAGE_TYPES.items()}


@pytest.mark.parametrize(
    ("prefix", "names"),
    [
        ("CLASS", ChannelClass),
        ("CAUSE", ResetCause),
        ("CAPABILITY", Capability),
        ("STEP", CalibrationStep),
        ("SENSOR", SensorKind),
        ("ERROR", [code for code in ErrorCode if code is not ErrorCode.UNNAMED]),
    ],
)
def test_named_values_are_the_same(prefix: str, names: type[ChannelClass]) -> None:
    assert enumerators(prefix) == {str(entry.name): int(entry) for entry in names}


@pytest.mark.parametrize("name", ["PROTOCOL_MAJOR", "PROTOCOL_MINOR", "CHANNEL_COUNT", "LED_COUNT", "MAX_PAYLOAD"])
def test_constants_are_the_same(name: str) -> None:
    found = re.search(rf"#define {name} (\d+)", HEADER)
    assert found is not None
    assert int(found[1]) == getattr(protocol, name)


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("wire") / "wire_check"
    sources = [str(Path(__file__).with_name("wire_check.c")), str(FIRMWARE_FOLDER / "frame.c")]
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined", "-fno-sanitize-recover", "-I"]
    subprocess.run(["cc", *flags, str(FIRMWARE_FOLDER), *sources, "-o", str(program)], check=True)
    return program


def run(checker: Path, frames: list[str]) -> list[list[str]]:
    done = subprocess.run([str(checker)], input="\n".join(frames), capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


@needs_toolchain
def test_crc_of_the_firmware_is_xmodem(checker: Path) -> None:
    assert run(checker, [])[0] == ["crc", "31c3"]


@needs_toolchain
def test_firmware_code_reads_and_writes_every_golden_frame_to_the_byte(checker: Path) -> None:
    frames = [json.loads(line)["frame"] for line in GOLDEN.read_text().splitlines()]
    assert [line[1] for line in run(checker, frames) if line[0] == "frame"] == frames


@needs_toolchain
def test_payloads_have_the_same_size_on_both_sides(checker: Path) -> None:
    sizes = {line[1]: int(line[2]) for line in run(checker, []) if line[0] == "size"}
    expected = {snake(kind.__name__).lower(): kind.LAYOUT.size for kind in MESSAGE_TYPES.values() if kind.LAYOUT.size}
    del expected["config_state"]  # carries the same payload as config
    assert sizes == expected | {"led_run": _RUN_LAYOUT.size, "event_record": EventRecord.LAYOUT.size}


@needs_toolchain
def test_both_decoders_agree_on_bent_cut_and_random_frames(checker: Path) -> None:
    random = Random(328)
    frames = [bytes.fromhex(json.loads(line)["frame"]) for line in GOLDEN.read_text().splitlines()]
    stream: list[bytes] = []
    for _ in range(3000):
        frame = bytearray(random.choice(frames))
        match random.randrange(4):
            case 0:
                frame[random.randrange(len(frame))] ^= 1 << random.randrange(8)
            case 1:
                del frame[random.randrange(len(frame)) :]
            case 2:
                frame = bytearray(random.randbytes(random.randrange(300)))
        stream.append(bytes(frame))
    found = Decoder().feed(b"".join(stream))
    ours = ["frame" if not isinstance(item, protocol.DecodeFault) else _result(item) for item in found]
    theirs = [line[0] if line[0] == "frame" else " ".join(line) for line in run(checker, [s.hex() for s in stream])]
    assert [line for line in theirs if line.split()[0] in ("frame", "fault")] == ours


def _result(fault: protocol.DecodeFault) -> str:
    """Gets what the C reader says: it checks framing and CRC; what is in the body is looked at behind it."""
    return {FaultKind.CRC: "fault 3", FaultKind.MESSAGE: "frame"}.get(fault.kind, "fault 2")
