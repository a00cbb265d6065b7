"""Seats, places and what lies where: the words that every game, witness and light shares."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple


class Seat(StrEnum):
    """Who sits where. A is light and sits south; C and D take part in four-handed games only."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"

    @property
    def other(self) -> "Seat":
        """The opponent at a board for two.

        :raises ValueError: for C and D, who have more than one opponent.
        """
        if self is Seat.A:
            return Seat.B
        if self is Seat.B:
            return Seat.A
        raise ValueError(f"seat {self.value} has more than one opponent")


class PlaceKind(StrEnum):
    """The kinds of places that hold checkers."""

    POINT = "point"
    BAR = "bar"
    TRAY = "tray"
    WAITING = "waiting"  # off the board and still to be entered, as in the Blocking games


class Place(NamedTuple):
    """One place of the board, named the same for every seat.

    ``number`` is the point as seat A counts it; it is 0 for every other kind. ``seat`` is the owner of a bar, tray or
    waiting place; it is None for a point. On boards with one physical bar the two bars are two places all the same:
    colour tells them apart.
    """

    kind: PlaceKind
    number: int = 0
    seat: Seat | None = None

    def __str__(self) -> str:
        return f"point {self.number}" if self.seat is None else f"{self.kind.value} {self.seat.value}"

    @classmethod
    def parse(cls, text: str) -> "Place":
        """Gets the place that ``str`` wrote.

        :raises ValueError: for any other text.
        """
        kind, _, rest = text.partition(" ")
        if kind == PlaceKind.POINT and rest.isdecimal():
            return point(int(rest))
        if kind in (PlaceKind.BAR, PlaceKind.TRAY, PlaceKind.WAITING) and rest in list(Seat):
            return cls(PlaceKind(kind), 0, Seat(rest))
        raise ValueError(f"{text!r} names no place; expected 'point 6', 'bar A', 'tray B' or 'waiting A'")


def point(number: int) -> Place:
    """Gets the point that seat A counts as ``number``."""
    return Place(PlaceKind.POINT, number)


def bar(seat: Seat) -> Place:
    """Gets the bar of ``seat``."""
    return Place(PlaceKind.BAR, 0, seat)


def tray(seat: Seat) -> Place:
    """Gets the tray that holds the checkers ``seat`` has borne off."""
    return Place(PlaceKind.TRAY, 0, seat)


def waiting(seat: Seat) -> Place:
    """Gets the place beside the board where checkers of ``seat`` wait to be entered."""
    return Place(PlaceKind.WAITING, 0, seat)


Stack = tuple[Seat, ...]
"""The checkers of one place from bottom to top."""


class Placement(Mapping[Place, Stack]):
    """Where all checkers physically are, legal or not. Immutable and hashable; only occupied places are keys."""

    __slots__ = ("_hash", "_stacks")

    def __init__(self, stacks: Mapping[Place, Stack] | Iterable[tuple[Place, Stack]] = ()) -> None:
        self._stacks: dict[Place, Stack] = {place: tuple(stack) for place, stack in dict(stacks).items() if stack}
        self._hash = hash(frozenset(self._stacks.items()))

    def __getitem__(self, place: Place) -> Stack:
        return self._stacks[place]

    def __iter__(self) -> Iterator[Place]:
        return iter(self._stacks)

    def __len__(self) -> int:
        return len(self._stacks)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Placement):
            return self._stacks == other._stacks
        return NotImplemented

    def __repr__(self) -> str:
        return f"Placement({self._stacks!r})"

    def at(self, place: Place) -> Stack:
        """Gets the stack at ``place``, bottom first; empty when nothing is there."""
        return self._stacks.get(place, ())

    def count(self, place: Place, seat: Seat) -> int:
        """Gets how many checkers of ``seat`` are at ``place``."""
        return self.at(place).count(seat)

    def total(self, seat: Seat) -> int:
        """Gets how many checkers of ``seat`` there are in all."""
        return sum(stack.count(seat) for stack in self._stacks.values())

    def replaced(self, changes: Mapping[Place, Stack]) -> "Placement":
        """Gets this placement with the stacks at the given places exchanged for others."""
        return Placement({**self._stacks, **changes})

    def differences(self, other: "Placement") -> dict[Place, tuple[Stack, Stack]]:
        """Gets the places where the two differ: place -> (here, there)."""
        places = dict.fromkeys([*self, *other])
        return {place: (self.at(place), other.at(place)) for place in places if self.at(place) != other.at(place)}
