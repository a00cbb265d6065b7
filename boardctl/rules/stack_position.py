"""Positions of the games in which it matters what lies on what, or that have few points: a string for each place."""

from functools import lru_cache
from typing import ClassVar, Self

from boardctl.rules.board import Place, Placement, Seat, Stack
from boardctl.rules.faults import fault_names, placement_faults
from boardctl.rules.game import Faults


@lru_cache(maxsize=4096)
def _stack_of(letters: str) -> Stack:
    """Gets the checkers that the letters of a place stand for: a game has the same few stacks again and again."""
    return tuple(Seat(letter) for letter in letters)


class StackPosition(tuple[str, ...]):
    """The stacks of a game's places, in their order: the letters of the seats, bottom first.

    Each game has a subclass of its own, which names its places and draws its board.
    """

    __slots__ = ()

    title: ClassVar[str]
    places: ClassVar[tuple[Place, ...]]
    seats: ClassVar[tuple[Seat, ...]]
    checkers: ClassVar[int]
    shared_points: ClassVar[bool]
    place_index: ClassVar[dict[Place, int]]

    def __init_subclass__(cls) -> None:
        cls.place_index = {place: at for at, place in enumerate(cls.places)}

    @classmethod
    def of(cls, placement: Placement) -> Self:
        """Gets the position that a placement is.

        :raises ValueError: when it is not one of this game; the message says why and draws it.
        """
        if faults := cls.faults(placement):
            raise ValueError(f"no position of {cls.title}: {fault_names(faults)}\n{cls.draw(placement)}")
        return cls("".join(placement.at(place)) for place in cls.places)

    @classmethod
    def parse(cls, drawn: str) -> Self:
        """Gets the position of a drawn board, as :meth:`drawn` draws it.

        :raises ValueError: when the drawing cannot be read or is no position of this game.
        """
        return cls.of(cls.read(drawn))

    @classmethod
    def faults(cls, placement: Placement) -> Faults:
        """Gets what is wrong with a physical placement."""
        return placement_faults(placement, cls.place_index, cls.seats, cls.checkers, shared_points=cls.shared_points)

    @classmethod
    def draw(cls, placement: Placement) -> str:
        """Gets any placement drawn on this game's board."""
        raise TypeError(f"{cls.__name__} draws no board")

    @classmethod
    def read(cls, drawn: str) -> Placement:
        """Gets the placement of a drawn board."""
        raise TypeError(f"{cls.__name__} reads no board")

    def at(self, place: Place, /) -> Stack:
        """Gets the stack at ``place`` from bottom to top."""
        at = self.place_index.get(place)
        return () if at is None else _stack_of(self[at])

    def placement(self) -> Placement:
        """Gets where all checkers are, to be compared with what was seen."""
        return Placement({place: self.at(place) for place in self.places})

    def drawn(self) -> str:
        """Gets the board as text; :meth:`parse` reads it back."""
        return self.draw(self.placement())

    def __str__(self) -> str:
        return self.drawn()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({super().__repr__()})"
