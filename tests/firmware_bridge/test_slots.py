"""Where the channels lie."""

import pytest

from firmware_bridge.errors import SlotMapError
from firmware_bridge.slots import Slot, SlotKind, SlotMap


def test_reference_board_places_every_channel_once() -> None:
    slots = SlotMap.reference()
    assert sorted(slots.slots) == list(range(128))
    assert len(set(slots.slots.values())) == 128


@pytest.mark.parametrize(
    ("channel", "text"),
    [
        (0, "point 1, slot 1"),
        (4, "point 1, slot 5"),
        (5, "point 2, slot 1"),
        (14, "point 3, slot 5"),
        (16, "point 4, slot 1"),
        (126, "point 24, slot 5"),
        (15, "bar A, slot 1"),
        (31, "bar A, slot 2"),
        (63, "bar B, slot 2"),
        (79, "tray A, slot 1"),
        (127, "tray B, slot 2"),
    ],
)
def test_reference_board_follows_the_wiring(channel: int, text: str) -> None:
    assert str(SlotMap.reference()[channel]) == text


def test_channels_of_a_place_come_edge_first() -> None:
    slots = SlotMap.reference()
    assert slots.point(4) == (16, 17, 18, 19, 20)
    assert slots.bar("B") == (47, 63)
    assert slots.tray("A") == (79, 95)


def test_map_of_another_board_is_read_from_plain_values() -> None:
    slots = SlotMap.from_mapping({"points": {24: [3, 2]}, "bars": {"A": [9]}})
    assert slots[2] == Slot(SlotKind.POINT, 24, None, 1)
    assert slots.get(100) is None


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"point": {}}, "no key 'point'"),
        ({"points": {1: [0, 0]}}, "channel 0 is used twice"),
        ({"points": {1: [128]}}, "channel 128"),
        ({"points": {25: [1]}}, "points 1..24"),
        ({"points": {"one": [1]}}, "numbers 1..24"),
        ({"points": {1: "0"}}, "list of channel numbers"),
        ({"bars": [1, 2]}, "must map places"),
        ({"trays": {"A": [1.5]}}, "list of channel numbers"),
    ],
)
def test_contradictions_are_refused_with_the_place_named(values: dict[str, object], complaint: str) -> None:
    with pytest.raises(SlotMapError, match=complaint):
        SlotMap.from_mapping(values)
