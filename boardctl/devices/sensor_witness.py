"""The sensor board as a witness: what it tells, as facts. Times are passed in; nothing here waits or reads a clock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from boardctl.devices.slots_to_readings import SEATS, read_slots, spot_mm
from boardctl.referee.effects import Effect
from boardctl.referee.facts import (
    BoardSeen,
    ButtonPressed,
    CheckerSensed,
    Device,
    DeviceChanged,
    DiceLifted,
    DiceRested,
    Fact,
    Role,
)
from boardctl.rules import Game, Place, Seat, bar, point, tray
from boardctl.rules.traits import leaves_last_first
from calibration import BoardGeometry, is_played_on_quarter
from firmware_bridge import (
    CHANNEL_COUNT,
    BoardDown,
    BoardMissed,
    BoardRepaired,
    BoardReport,
    BoardUp,
    ButtonEvent,
    ChannelClass,
    ChannelEvent,
    SensorEvent,
    Slot,
    SlotKind,
    SlotMap,
)
from firmware_bridge.protocol import SensorKind

BUTTONS = (Role.A, Role.B)
"""Whose buttons the board's two are."""

DIE_REACH = 0.75
"""How far from a sensor's spot the middle of a die may lie and still be over it, in widths of a die: half a diagonal,
and one millimetre or two by which the camera's reading of a die may be off."""


@dataclass(frozen=True, slots=True)
class SensorSettings:
    """``settle_ms``: the board is at rest when no channel has changed for so long; a hand that carries a checker from
    slot to slot changes one more often."""

    settle_ms: int = 300


class SensorWitness:
    """Makes facts of one board's events and reports. Feed it in order; ask :meth:`rested` now and then.

    A lifted or put checker is told at once, the whole board when it has come to rest, the loss and the return of the
    board once each. Slots on which the camera has seen dice come to rest are blind until the dice are lifted: a die
    over a slot looks like a checker. ``slots`` are the wired channels (with none it tells of buttons alone),
    ``geometry`` tells where they lie, ``seats`` whose checkers are light and whose dark, ``kind`` what the board's
    sensors are set to; it may be set once the board has told.
    """

    def __init__(
        self,
        slots: SlotMap,
        geometry: BoardGeometry,
        *,
        seats: Mapping[ChannelClass, Seat] = SEATS,
        kind: SensorKind = SensorKind.REFLECTANCE,
        settings: SensorSettings | None = None,
    ) -> None:
        self._slots = slots
        self._spots = {channel: spot_mm(geometry, slot) for channel, slot in slots.slots.items()}
        self._die_mm = geometry.die_size_mm
        self._seats = seats
        self._settings = settings or SensorSettings()
        self._classes: list[ChannelClass] = [ChannelClass.UNKNOWN] * CHANNEL_COUNT
        self.kind = kind
        self._under_dice: frozenset[int] = frozenset()
        self._changed_ms: int | None = None
        self._device_ms: int | None = None
        self._lost = False

    def feed(self, entry: SensorEvent | BoardReport, at_ms: int) -> list[Fact]:
        """Takes what the board told and gets the facts that it makes at once."""
        match entry:
            case ChannelEvent():
                return self._changed(entry, at_ms)
            case ButtonEvent(button=button, down=True) if button < len(BUTTONS):
                return [ButtonPressed(at_ms, BUTTONS[button], entry.device_ms)]
            case BoardUp(classes=classes):
                self._classes = list(classes)
                self._changed_ms, self._device_ms = at_ms, None
                was_lost, self._lost = self._lost, False
                return [DeviceChanged(at_ms, Device.SENSORS, working=True)] if was_lost else []
            case BoardDown(reason=reason):
                self._changed_ms = None
                was_lost, self._lost = self._lost, True
                return [] if was_lost else [DeviceChanged(at_ms, Device.SENSORS, working=False, reason=reason)]
            case BoardRepaired(changed=changed):
                for channel, _, now in changed:
                    self._classes[channel] = now
                self._changed_ms = at_ms
            case BoardMissed():
                self._changed_ms = at_ms
        return []

    def hear(self, fact: Fact, effects: Sequence[Effect] = ()) -> None:
        """Hears of dice that came to rest and were lifted: an output of the table's desk."""
        if isinstance(fact, DiceRested):
            lying = [die.center_mm for die in fact.reading.dice]
            under = frozenset(channel for channel, spot in self._spots.items() if self._is_under(spot, lying))
        elif isinstance(fact, DiceLifted) and fact.left == 0:
            under = frozenset()
        else:
            return
        if under != self._under_dice and self._known:
            self._changed_ms = fact.at_ms if self._changed_ms is None else self._changed_ms
        self._under_dice = under

    @property
    def due_ms(self) -> int | None:
        """When :meth:`rested` will have something to tell, if nothing changes until then; None: nothing to tell."""
        return None if self._changed_ms is None else self._changed_ms + self._settings.settle_ms

    def rested(self, now_ms: int) -> list[Fact]:
        """Gets the board as the sensors see it, once, when it has come to rest since it was told last."""
        due_ms = self.due_ms
        if due_ms is None or now_ms < due_ms or self._lost:
            return []
        self._changed_ms = None
        if not self._spots:
            return []
        blind = self._under_dice
        classes = [ChannelClass.UNKNOWN if c in blind else kind for c, kind in enumerate(self._classes)]
        reading = read_slots(classes, self._slots, seats=self._seats, kind=self.kind)
        return [BoardSeen(now_ms, reading, device_ms=self._device_ms)]

    @property
    def _known(self) -> bool:
        return any(kind is not ChannelClass.UNKNOWN for kind in self._classes)

    def _changed(self, event: ChannelEvent, at_ms: int) -> list[Fact]:
        before, self._classes[event.channel] = self._classes[event.channel], event.now
        self._changed_ms, self._device_ms = at_ms, event.device_ms
        slot = self._slots.get(event.channel)
        if slot is None or event.channel in self._under_dice:
            return []
        place = place_of(slot)
        felt = ((before, True), (event.now, False))
        covered = [(self._seats.get(kind), lifted) for kind, lifted in felt if self._covered(kind)]
        return [CheckerSensed(at_ms, place, seat, lifted, event.device_ms) for seat, lifted in covered]

    def _covered(self, kind: ChannelClass) -> bool:
        """Whether a class tells of a checker; with Hall sensors one whose colour is not known does."""
        return kind in self._seats or (self.kind is SensorKind.HALL and kind is ChannelClass.UNKNOWN)

    def _is_under(self, spot: tuple[float, float], dice_mm: Sequence[tuple[float, float]]) -> bool:
        reach = self._die_mm * DIE_REACH
        return any(hypot(spot[0] - x, spot[1] - y) <= reach for x, y in dice_mm)


def is_felt(game: Game) -> bool:
    """Whether the sensors of an ordinary board tell where the checkers of a game are.

    They do not know of bars in columns, nor whose checkers lie one upon the other.
    """
    return not leaves_last_first(game) and not is_played_on_quarter(game)


def place_of(slot: Slot) -> Place:
    """Gets the place that a slot belongs to."""
    if slot.kind is SlotKind.POINT:
        return point(slot.number)
    seat = Seat(str(slot.seat))
    return bar(seat) if slot.kind is SlotKind.BAR else tray(seat)
