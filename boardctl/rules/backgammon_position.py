"""Positions of backgammon: two whole numbers, one for each side, with a byte for each place.

Byte 0 counts a side's checkers in the tray, bytes 1 to 24 those on its own points, byte 25 those on the bar. Each side
is counted from its own view, so a position looks the same to whoever is to move; moving a checker is one addition.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from boardctl.rules import diagram
from boardctl.rules.board import Place, PlaceKind, Placement, Seat, Stack, bar, point, tray

POINTS = 24
CHECKERS = 15
TRAY_BYTE = 0
BAR_BYTE = 25
SIDE_BYTES = 26

_START = ((24, 2), (13, 5), (8, 3), (6, 5))  # the same for both sides, each from its own view


def one_at(index: int) -> int:
    """Gets the number that adds one checker to byte ``index`` of a side."""
    return 1 << 8 * index


def side(counts: Iterable[tuple[int, int]]) -> int:
    """Gets a side from (byte, checkers) pairs; what is missing to fifteen goes to the tray."""
    total = sum(count * one_at(index) for index, count in counts)
    return total + (CHECKERS - sum(total.to_bytes(SIDE_BYTES, "little"))) * one_at(TRAY_BYTE)


class BackgammonPosition(NamedTuple):
    """Where the thirty checkers are. ``light`` is the side of seat A, ``dark`` that of seat B.

    Build one with :meth:`parse`, :meth:`of`, :meth:`from_points` or :meth:`start`; these check what they are given.
    """

    light: int
    dark: int

    @classmethod
    def start(cls) -> "BackgammonPosition":
        """Gets the starting position."""
        return cls(side(_START), side(_START))

    @classmethod
    def parse(cls, drawn: str) -> "BackgammonPosition":
        """Gets the position of a drawn board, as :meth:`drawn` draws it.

        :raises ValueError: when the drawing cannot be read or is no position of backgammon.
        """
        return cls.of(diagram.read(drawn))

    @classmethod
    def of(cls, placement: Placement) -> "BackgammonPosition":
        """Gets the position that a placement is.

        :raises ValueError: when it is not one of backgammon; the message draws it.
        """
        sides = {Seat.A: [0] * SIDE_BYTES, Seat.B: [0] * SIDE_BYTES}
        for place, stack in placement.items():
            seats = set(stack)
            if len(seats) > 1:
                raise _refused(placement, f"checkers of two seats at {place}")
            seat = seats.pop()
            if seat not in sides:
                raise _refused(placement, f"a checker of seat {seat.value} at {place}")
            if place.seat not in (None, seat) or not 0 <= place.number <= POINTS or place.kind is PlaceKind.WAITING:
                raise _refused(placement, f"a checker of seat {seat.value} at {place}")
            sides[seat][byte_of(place, seat)] = len(stack)
        for seat, counts in sides.items():
            if sum(counts) != CHECKERS:
                raise _refused(placement, f"seat {seat.value} has {sum(counts)} checkers, not {CHECKERS}")
        return cls(*(int.from_bytes(bytes(counts), "little") for counts in sides.values()))

    @classmethod
    def from_points(cls, points: Sequence[int], bar_a: int = 0, bar_b: int = 0) -> "BackgammonPosition":
        """Gets the position with ``points`` as :attr:`points` gives them; all other checkers are borne off.

        :raises ValueError: when there are not 24 points, or a side has more than fifteen checkers.
        """
        return cls.from_mover_view([-bar_b, *points, bar_a], Seat.A)

    @classmethod
    def from_mover_view(cls, values: Sequence[int], seat: Seat) -> "BackgammonPosition":
        """Gets the position of 26 numbers as ``seat`` sees them, as :meth:`to_mover_view` gives them.

        :raises ValueError: when there are not 26 numbers, a bar has the wrong sign or a side more than 15 checkers.
        """
        if len(values) != SIDE_BYTES:
            raise ValueError(f"{len(values)} numbers {list(values)}: a view is 26, the other's bar, 24 points, own bar")
        if values[0] > 0 or values[BAR_BYTE] < 0:
            raise ValueError(f"view {list(values)}: the other's bar is 0 or less, the own bar 0 or more")
        own = [(index, value) for index, value in enumerate(values) if value > 0]
        other = [(BAR_BYTE - index, -value) for index, value in enumerate(values) if value < 0]
        for pairs in (own, other):
            if sum(count for _, count in pairs) > CHECKERS:
                raise ValueError(f"view {list(values)}: a side has more than {CHECKERS} checkers")
        return cls.of_sides(side(own), side(other), seat)

    @classmethod
    def of_sides(cls, own: int, other: int, seat: Seat) -> "BackgammonPosition":
        """Gets the position from the side of ``seat`` and the other side."""
        return cls(own, other) if seat is Seat.A else cls(other, own)

    def sides(self, seat: Seat) -> tuple[int, int]:
        """Gets the side of ``seat`` and the other side."""
        return (self.light, self.dark) if seat is Seat.A else (self.dark, self.light)

    def counts(self, seat: Seat) -> bytes:
        """Gets how many checkers ``seat`` has in each of its 26 places: tray, own points 1 to 24, bar."""
        return self.sides(seat)[0].to_bytes(SIDE_BYTES, "little")

    def to_mover_view(self, seat: Seat) -> tuple[int, ...]:
        """Gets 26 numbers as ``seat`` sees them: minus the other's bar, points 1 to 24, the own bar.

        Own checkers count plus, the other's minus; the trays follow from fifteen checkers a side.
        """
        own, other = self.counts(seat), self.counts(seat.other)
        return (-other[BAR_BYTE], *(own[at] - other[BAR_BYTE - at] for at in range(1, POINTS + 1)), own[BAR_BYTE])

    @property
    def points(self) -> tuple[int, ...]:
        """The 24 points as seat A counts them, point 1 first: plus for checkers of A, minus for checkers of B."""
        return self.to_mover_view(Seat.A)[1:BAR_BYTE]

    def bar(self, seat: Seat) -> int:
        """Gets how many checkers ``seat`` has on the bar."""
        return self.counts(seat)[BAR_BYTE]

    def borne_off(self, seat: Seat) -> int:
        """Gets how many checkers ``seat`` has borne off."""
        return self.counts(seat)[TRAY_BYTE]

    def pips(self, seat: Seat) -> int:
        """Gets how many pips ``seat`` still needs to bear off everything."""
        return sum(index * count for index, count in enumerate(self.counts(seat)))

    def at(self, place: Place, /) -> Stack:
        """Gets the stack at ``place`` from bottom to top."""
        if place.kind is PlaceKind.POINT:
            if not 1 <= place.number <= POINTS:
                return ()
            light, dark = self.counts(Seat.A)[place.number], self.counts(Seat.B)[BAR_BYTE - place.number]
            return (Seat.A,) * light + (Seat.B,) * dark
        if place.seat not in (Seat.A, Seat.B) or place.kind is PlaceKind.WAITING:
            return ()
        return (place.seat,) * self.counts(place.seat)[byte_of(place, place.seat)]

    def placement(self) -> Placement:
        """Gets where all checkers are, to be compared with what was seen."""
        return _placement(self)

    def drawn(self) -> str:
        """Gets the board as text, seat A at the bottom; :meth:`parse` reads it back."""
        return diagram.draw(self.placement())

    def __str__(self) -> str:
        return self.drawn()

    def __repr__(self) -> str:
        view = self.to_mover_view(Seat.A)
        return f"BackgammonPosition.from_points({list(view[1:-1])}, bar_a={view[-1]}, bar_b={-view[0]})"


@lru_cache(maxsize=4096)
def _placement(position: BackgammonPosition) -> Placement:
    """Gets where all checkers are; kept, because whoever compares what was seen asks for it again and again."""
    stacks: dict[Place, Stack] = {}
    for seat in (Seat.A, Seat.B):
        for index, count in enumerate(position.counts(seat)):
            if count:
                place = place_of(index, seat)
                stacks[place] = stacks.get(place, ()) + (seat,) * count
    return Placement(stacks)


def byte_of(place: Place, seat: Seat) -> int:
    """Gets the byte in which ``seat`` counts its checkers at ``place``."""
    if place.kind is PlaceKind.POINT:
        return place.number if seat is Seat.A else BAR_BYTE - place.number
    return BAR_BYTE if place.kind is PlaceKind.BAR else TRAY_BYTE


def place_of(index: int, seat: Seat) -> Place:
    """Gets the place that ``seat`` counts in byte ``index``."""
    if index == TRAY_BYTE:
        return tray(seat)
    if index == BAR_BYTE:
        return bar(seat)
    return point(index if seat is Seat.A else BAR_BYTE - index)


def _refused(placement: Placement, why: str) -> ValueError:
    return ValueError(f"no position of backgammon: {why}\n{diagram.draw(placement)}")
