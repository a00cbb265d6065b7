"""The numbers on the hardware page are those of the program and the firmware."""

import re
from pathlib import Path

from firmware_bridge import ChainLayout, SlotMap
from firmware_bridge.protocol import Config
from firmware_bridge.slots import SlotKind

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "hardware.md").read_text()
PINS = (ROOT / "firmware_bridge" / "firmware" / "pins.h").read_text()


def test_the_page_says_that_nothing_was_built() -> None:
    assert "**Calculated and emulated, not yet built on a bench.**" in PAGE


def test_channels_are_where_the_page_says() -> None:
    assert "channel = 16 m + select" in PAGE
    assert "select  = 5 (point − 3m − 1) + slot" in PAGE
    slots = SlotMap.reference()
    for channel, slot in slots.slots.items():
        module, select = divmod(channel, 16)
        if slot.kind is SlotKind.POINT:
            assert select == 5 * (slot.number - 3 * module - 1) + slot.index
    last = re.search(r"select 15: (.*)", PAGE)
    assert last is not None
    found = {
        f"{kind} {seat}": {int(number) for number in numbers.replace("m = ", "").split(", ")}
        for kind, seat, numbers in re.findall(r"(bar|tray) ([AB]) \(([^)]*)\)", last[1])
    }
    assert found == {
        f"{kind} {seat}": {channel // 16 for channel in channels(seat)}
        for kind, channels in (("bar", slots.bar), ("tray", slots.tray))
        for seat in "AB"
    }


def test_lights_are_where_the_page_says() -> None:
    layout = ChainLayout()
    for point in range(1, 25):
        assert (layout.base(point), layout.tip(point)) == (2 * (point - 1), 2 * (point - 1) + 1)
    for name, seats in (("bar", layout.bar), ("tray", layout.trays), ("dice zone", layout.dice)):
        for seat, (first, second) in seats.items():
            assert f"| {first}, {second} | {name} of seat {seat} |" in PAGE


def test_pins_are_those_of_the_firmware() -> None:
    for name, arduino, use in (
        ("PIEZO_BIT PB0", "D8", "piezo"),
        ("EMITTER_BIT PB1", "D9", "emitters on"),
        ("SS_BIT PB2", "D10", "must stay an output"),
        ("LED_DATA_BIT PB3", "D11", "chain data"),
        ("LED_CLOCK_BIT PB5", "D13", "chain clock"),
        ("SELECT_SHIFT 2", "D2, D3, D4, D5", "select lines"),
        ("BUTTON_SHIFT 6", "D6, D7", "button of seat A"),
    ):
        assert f"#define {name}" in PINS
        assert re.search(rf"\| {arduino} \| [^|]*{use}", PAGE), arduino


def test_the_power_table_adds_up_and_fits_the_firmware() -> None:
    table = PAGE[PAGE.index("| | mA |") : PAGE.index("**in all**")]
    parts = [int(number) for number in re.findall(r"\| (\d+)[^|]*\|$", table, re.MULTILINE)]
    total = re.search(r"\*\*in all\*\* \| \*\*(\d+)\*\*", PAGE)
    assert total is not None
    assert sum(parts) == int(total[1])
    assert parts[0] == Config().current_budget_ma
