"""What the host knows of the channels: the board's last whole state with the later events laid on top."""

from collections.abc import Sequence

from firmware_bridge.counters import steps_between
from firmware_bridge.protocol import CHANNEL_COUNT, ChannelClass, EventRecord, State


class ChannelPicture:
    """Folds events and states, in whatever order a bad line delivers them, into the board's present state."""

    def __init__(self) -> None:
        self._classes: list[ChannelClass] = [ChannelClass.UNKNOWN] * CHANNEL_COUNT
        self._boot_id: int | None = None
        self._next_number = 0

    @property
    def classes(self) -> tuple[ChannelClass, ...]:
        """Gets the class of every channel; unknown until a state has come."""
        return tuple(self._classes)

    def take_state(self, state: State) -> dict[int, tuple[ChannelClass, ChannelClass]]:
        """Takes a whole state, unless it is older than what is known.

        Gets the channels that changed without an event that the picture has seen: channel -> (before, now).
        """
        known = self._boot_id == state.boot_id
        if known and steps_between(self._next_number, state.next_event) < 0:
            return {}
        changed = {
            channel: (before, now)
            for channel, (before, now) in enumerate(zip(self._classes, state.classes, strict=True))
            if before != now
        }
        self._classes = list(state.classes)
        self._boot_id, self._next_number = state.boot_id, state.next_event
        return changed

    def take_event(self, number: int, record: EventRecord) -> None:
        """Takes one event of the current boot; an event that a state already held changes nothing."""
        if steps_between(self._next_number, number) < 0:
            return
        self._next_number = number + 1 & 0xFFFF
        if record.source < CHANNEL_COUNT and record.value in _CLASS_VALUES:
            self._classes[record.source] = ChannelClass(record.value)


_CLASS_VALUES = frozenset(int(kind) for kind in ChannelClass)


def differing(expected: Sequence[ChannelClass], seen: Sequence[ChannelClass]) -> tuple[int, ...]:
    """Gets the channels where two pictures of the board differ."""
    return tuple(c for c, (left, right) in enumerate(zip(expected, seen, strict=True)) if left != right)
