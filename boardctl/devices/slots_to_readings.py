"""The sensors as a witness: what the channels see, as readings with likelihoods. A pure calculation.

A slot tells empty, light, dark or unknown. A checker on top of another covers no slot, so a full row says "at least so
many", and every count from there on is equally likely: the referee weighs it against the camera, the rules and the
number of checkers there are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import comb, prod

from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness
from boardctl.referee.seen.weighing import LIKELIHOOD_FLOOR
from boardctl.rules import Place, PlaceKind, Seat, Stack, bar, point, tray
from calibration import BoardGeometry
from firmware_bridge import ChannelClass, Slot, SlotKind, SlotMap
from firmware_bridge.protocol import SensorKind

TRAY_COVERED_FROM = (2, 11)
"""With how many checkers in a tray its sensors are covered: one tells that some are there, one that it fills."""

TRAY_SPOTS = tuple(count - 1 for count in TRAY_COVERED_FROM)
"""Under which checkers of a full tray, the first being 0, its sensors lie."""

SEATS = {ChannelClass.LIGHT: Seat.A, ChannelClass.DARK: Seat.B}


@dataclass(frozen=True, slots=True)
class SlotTrust:
    """How far the slots are believed. Assumed, and on the careful side: no board of metal has been measured yet.

    ``misread``: how often a slot that has settled tells another class than what lies over it: at one in 500 a whole
    board of 128 slots is right three times in four. ``astray``: how often a checker lies between two slots, on
    another checker though there is room, or in another slot of its row than its neighbours leave to it.
    """

    misread: float = 1 / 500
    astray: float = 1 / 50


def spot_mm(geometry: BoardGeometry, slot: Slot) -> tuple[float, float]:
    """Gets x and y of the sensor of a slot: under where an orderly checker of that number lies."""
    if slot.kind is SlotKind.POINT:
        x, y, _ = geometry.on_point(slot.number, slot.index)
    elif slot.kind is SlotKind.BAR:
        x, y, _ = geometry.on_bar(Seat(str(slot.seat)), slot.index)
    else:
        x, y, _ = geometry.in_tray(Seat(str(slot.seat)), TRAY_SPOTS[min(slot.index, len(TRAY_SPOTS) - 1)])
    return x, y


def read_slots(
    classes: Sequence[ChannelClass],
    slots: SlotMap,
    *,
    seats: Mapping[ChannelClass, Seat] = SEATS,
    kind: SensorKind = SensorKind.REFLECTANCE,
    checkers_a_seat: int = 15,
    trust: SlotTrust | None = None,
) -> BoardReading:
    """Gets what the sensors saw: every place that has slots, likeliest stack first.

    ``classes``: one for each channel, as :meth:`~firmware_bridge.SensorBoard.snapshot` gives them. ``seats``: whose
    checkers are light and whose are dark. ``kind``: with Hall sensors ``unknown`` means covered, of either colour. A
    place all of whose slots are blind is hidden. Dice that lie on a slot look like a checker there.
    """
    asked = trust or SlotTrust()
    colours = (seats[ChannelClass.LIGHT], seats[ChannelClass.DARK])
    readings = []
    for place, channels in _wired(slots, colours):
        seen = tuple(classes[channel] for channel in channels)
        if kind is SensorKind.REFLECTANCE and all(one is ChannelClass.UNKNOWN for one in seen):
            readings.append(PlaceReading(place, (), hidden=True))
            continue
        covered_from = _covered_from(place, len(seen))
        chances = _chances(seen, covered_from, colours, place.seat, kind, checkers_a_seat, asked)
        readings.append(PlaceReading(place, chances))
    return BoardReading(Witness.SENSORS, tuple(readings))


def _wired(slots: SlotMap, colours: Sequence[Seat]) -> list[tuple[Place, tuple[int, ...]]]:
    places = [(point(number), slots.point(number)) for number in range(1, 25)]
    for seat in sorted(colours):
        places += [(bar(seat), slots.bar(seat.value)), (tray(seat), slots.tray(seat.value))]
    return [(place, channels) for place, channels in places if channels]


def _covered_from(place: Place, slot_count: int) -> tuple[int, ...]:
    """Gets with how many checkers in good order each slot of a place is covered."""
    if place.kind is PlaceKind.TRAY and slot_count == len(TRAY_COVERED_FROM):
        return TRAY_COVERED_FROM
    return tuple(range(1, slot_count + 1))


@lru_cache(maxsize=4096)
def _chances(
    seen: tuple[ChannelClass, ...],
    covered_from: tuple[int, ...],
    colours: tuple[Seat, Seat],
    owner: Seat | None,
    kind: SensorKind,
    most: int,
    trust: SlotTrust,
) -> tuple[StackChance, ...]:
    """Gets the stacks that may lie over a row of slots.

    Each stack counts as equally likely before the slots are looked at; those less likely than a witness may say are
    left out.
    """
    weights = {
        stack: _likelihood(seen, stack, covered_from, colours, kind, trust)
        for stack in _candidates(seen, covered_from, colours, owner, most)
    }
    total = sum(weights.values())
    chances = [StackChance(stack, weight / total) for stack, weight in weights.items()]
    chances.sort(key=lambda chance: (-round(chance.likelihood, 9), len(chance.stack)))
    return tuple(chance for chance in chances if chance.likelihood >= LIKELIHOOD_FLOOR)


def _candidates(
    seen: tuple[ChannelClass, ...],
    covered_from: tuple[int, ...],
    colours: tuple[Seat, Seat],
    owner: Seat | None,
    most: int,
) -> dict[Stack, None]:
    """Gets nothing, one to ``most`` checkers of a seat that may lie there, and what both colours in one row show."""
    stacks: dict[Stack, None] = {(): None}
    for seat in colours if owner is None else (owner,):
        stacks |= {(seat,) * count: None for count in range(1, most + 1)}
    shown = tuple(colours[0] if one is ChannelClass.LIGHT else colours[1] for one in seen if one in SEATS)
    if owner is None and len(set(shown)) == 2:
        beyond = most if len(shown) == len(covered_from) else 0
        stacks |= {(*shown, *(shown[-1:] * more)): None for more in range(beyond + 1)}
    return stacks


def _likelihood(
    seen: tuple[ChannelClass, ...],
    stack: Stack,
    covered_from: tuple[int, ...],
    colours: tuple[Seat, Seat],
    kind: SensorKind,
    trust: SlotTrust,
) -> float:
    """Gets how likely the slots show ``seen`` when ``stack`` lies there, over all ways in which it may lie."""
    slot_count = len(seen)
    due = sum(1 for count in covered_from if count <= len(stack))
    likelihood = 0.0
    for covered in product((False, True), repeat=slot_count):
        number = sum(covered)
        if number > due:
            continue
        lies = _lies(number, due, trust.astray) * trust.astray / comb(slot_count, number)
        if covered[:number] == (True,) * number:
            lies += _lies(number, due, trust.astray) * (1 - trust.astray)
        row = iter(stack)
        truth = [(next(row) if over else None) for over in covered]
        likelihood += lies * prod(
            _told(one, checker, colours, kind, trust.misread) for one, checker in zip(seen, truth, strict=True)
        )
    return likelihood


def _lies(number: int, due: int, astray: float) -> float:
    """Gets how likely ``number`` slots are covered where ``due`` would be: each checker that goes astray is rare."""
    return float(astray ** (due - number) * (1 - astray) / (1 - astray ** (due + 1)))


def _told(
    seen: ChannelClass, checker: Seat | None, colours: tuple[Seat, Seat], kind: SensorKind, wrong: float
) -> float:
    """Gets how likely a slot tells ``seen`` with this checker over it, or none."""
    if kind is SensorKind.HALL:
        return 1 - wrong if (seen is ChannelClass.EMPTY) == (checker is None) else wrong
    if seen is ChannelClass.UNKNOWN:
        return 1.0  # a blinded slot says nothing
    if checker is None:
        right = ChannelClass.EMPTY
    else:
        right = ChannelClass.LIGHT if checker is colours[0] else ChannelClass.DARK
    return 1 - wrong if seen is right else wrong / 2
