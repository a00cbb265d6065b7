import json

import pytest
from command_line import run

from firmware_bridge import fuzzing
from firmware_bridge.bad_cable import FATES


def test_nothing_is_lost_or_doubled_whatever_happens_to_the_link() -> None:
    ran = run("bench", "faults", "--board", "standin", "--events", "130", "--buffers", "2000", "--json")
    assert ran.code == 0, ran.output
    *counts, fuzzed = [json.loads(line) for line in ran.output.splitlines()]
    assert sum(count["events"] for count in counts) == 130
    assert {count["fault"] for count in counts} > set(FATES)
    assert [(count["lost"], count["doubled"], count["same"]) for count in counts] == [(0, 0, True)] * len(counts)
    assert fuzzed == {"buffers": 2000, "raised": 0, "out_of_step": 0}


def test_a_decoder_that_raises_or_loses_its_step_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Careless(fuzzing.Decoder):
        """Takes the first byte behind a zero for granted, as readers without a check do."""

        def feed(self, data: bytes) -> list[object]:  # type: ignore[override]
            if data.startswith(b"\xff"):
                raise ValueError("no such message")
            if data.startswith(b"\x07"):
                return []
            return list(super().feed(data))

    monkeypatch.setattr(fuzzing, "Decoder", Careless)
    ran = run("bench", "faults", "--events", "0", "--buffers", "3000")
    assert ran.code == 1
    assert "raised 0" not in ran.output
    assert "out of step 0" not in ran.output
