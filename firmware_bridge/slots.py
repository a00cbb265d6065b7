"""Which sensor channel lies where on the board."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from firmware_bridge.errors import SlotMapError
from firmware_bridge.protocol import CHANNEL_COUNT

CHANNELS_PER_MUX = 16


class SlotKind(StrEnum):
    """The kinds of places that carry sensors."""

    POINT = "point"
    BAR = "bar"
    TRAY = "tray"


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """One sensor's place.

    ``number`` is the point as seat A counts it, 0 elsewhere; ``seat`` owns a bar or tray, else None. ``index``
    counts from the board's edge on a point: 0 is where the first checker lies.
    """

    kind: SlotKind
    number: int
    seat: str | None
    index: int

    def __str__(self) -> str:
        place = f"point {self.number}" if self.seat is None else f"{self.kind} {self.seat}"
        return f"{place}, slot {self.index + 1}"


def reference_channel(point: int, index: int) -> int:
    """Gets the channel of a slot on the reference board: mux m carries points 3m+1..3m+3, five slots each."""
    mux, place = divmod(point - 1, 3)
    return mux * CHANNELS_PER_MUX + 5 * place + index


@dataclass(frozen=True, slots=True)
class SlotMap:
    """Channel to slot, and back. Channels without a slot are not wired."""

    slots: Mapping[int, Slot]

    def __post_init__(self) -> None:
        places: dict[Slot, int] = {}
        for channel, slot in self.slots.items():
            if not 0 <= channel < CHANNEL_COUNT:
                raise SlotMapError(f"{slot} lies at channel {channel}; the board has 0..{CHANNEL_COUNT - 1}")
            if slot.kind is SlotKind.POINT and not 1 <= slot.number <= 24:
                raise SlotMapError(f"channel {channel} lies on point {slot.number}; a board has points 1..24")
            if slot in places:
                raise SlotMapError(f"{slot} has two channels: {places[slot]} and {channel}")
            places[slot] = channel

    def __getitem__(self, channel: int) -> Slot:
        return self.slots[channel]

    def get(self, channel: int) -> Slot | None:
        """Gets the slot of ``channel``, or None when it is not wired."""
        return self.slots.get(channel)

    def point(self, number: int) -> tuple[int, ...]:
        """Gets the channels of a point, edge first."""
        return self._channels(SlotKind.POINT, number, None)

    def bar(self, seat: str) -> tuple[int, ...]:
        """Gets the channels of the bar of ``seat``."""
        return self._channels(SlotKind.BAR, 0, seat)

    def tray(self, seat: str) -> tuple[int, ...]:
        """Gets the channels of the tray of ``seat``."""
        return self._channels(SlotKind.TRAY, 0, seat)

    def _channels(self, kind: SlotKind, number: int, seat: str | None) -> tuple[int, ...]:
        found = [(s.index, c) for c, s in self.slots.items() if (s.kind, s.number, s.seat) == (kind, number, seat)]
        return tuple(channel for _, channel in sorted(found))

    @classmethod
    def reference(cls) -> Self:
        """Gets the map of the reference board: 24 points of five slots; select 15 carries bars and trays."""
        return cls.from_mapping(
            {
                "points": {p: [reference_channel(p, index) for index in range(5)] for p in range(1, 25)},
                "bars": {"A": [15, 31], "B": [47, 63]},
                "trays": {"A": [79, 95], "B": [111, 127]},
            }
        )

    @classmethod
    def from_mapping(cls, values: Mapping[str, object]) -> Self:
        """Reads ``{points: {1: [channel, ...edge first]}, bars: {A: [...]}, trays: {A: [...]}}``, as YAML holds it.

        :raises SlotMapError: for an unknown key, a wrong shape, a channel used twice or one that does not exist.
        """
        unknown = sorted(set(values) - {"points", "bars", "trays"})
        if unknown:
            raise SlotMapError(f"the slot map has no key {unknown[0]!r}; known: points, bars, trays")
        slots: dict[int, Slot] = {}
        for channel, slot in _entries(values):
            if channel in slots:
                raise SlotMapError(f"channel {channel} is used twice: for {slots[channel]} and for {slot}")
            slots[channel] = slot
        return cls(slots)


def _entries(values: Mapping[str, object]) -> Iterator[tuple[int, Slot]]:
    for number, channels in _named(values, "points"):
        if not isinstance(number, int):
            raise SlotMapError(f"points of the slot map are numbers 1..24, not {number!r}")
        for index, channel in enumerate(channels):
            yield channel, Slot(SlotKind.POINT, number, None, index)
    for key, kind in (("bars", SlotKind.BAR), ("trays", SlotKind.TRAY)):
        for seat, channels in _named(values, key):
            for index, channel in enumerate(channels):
                yield channel, Slot(kind, 0, str(seat), index)


def _named(values: Mapping[str, object], key: str) -> Iterator[tuple[object, list[int]]]:
    places = values.get(key, {})
    if not isinstance(places, Mapping):
        raise SlotMapError(f"{key} of the slot map must map places to lists of channels, not {places!r}")
    for place, channels in places.items():
        if not isinstance(channels, Sequence) or not all(isinstance(channel, int) for channel in channels):
            raise SlotMapError(f"{key}: {place} of the slot map must be a list of channel numbers, not {channels!r}")
        yield place, list(channels)
