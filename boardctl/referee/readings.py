"""What one witness saw: readings with likelihoods. The eyes and the sensors make them, the referee weighs them.

A reading never says more than was seen: a place that cannot be seen is hidden, a die that cannot be read has no value.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from boardctl.rules import Place, Placement, Seat, Stack


class Witness(StrEnum):
    """Who saw it. The two are kept apart until the referee weighs them."""

    CAMERA = "camera"
    SENSORS = "sensors"


@dataclass(frozen=True, slots=True)
class StackChance:
    """One thing that may be at a place, bottom first, and how likely the witness holds it to be."""

    stack: Stack
    likelihood: float


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """What may be at one place. Chances are sorted, the most likely first, and add up to at most 1.

    ``too_bright``: the light there is brighter than the camera can tell: it is why the place is hidden, or told by no
    more than rims and shadows. ``too_dark``: the same of a camera that writes all that is dark there as black.
    """

    place: Place
    chances: tuple[StackChance, ...]
    hidden: bool = False
    too_bright: bool = False
    too_dark: bool = False

    @property
    def best(self) -> Stack | None:
        """The most likely stack; None when the place is hidden or nothing is vouched for."""
        return None if self.hidden or not self.chances else self.chances[0].stack

    @property
    def likeliest(self) -> StackChance | None:
        """What most likely lies there by what can be seen, of a hidden place too, with its likelihood: nothing to judge
        a play by, but to show to people."""
        return self.chances[0] if self.chances else None

    @property
    def confidence(self) -> float:
        """How likely the best stack is, 0 to 1; 0 when hidden."""
        return 0.0 if self.hidden or not self.chances else self.chances[0].likelihood

    def at_most(self, most: float) -> "PlaceReading":
        """Gets the reading with stacks that together are no likelier than ``most``."""
        told = sum(chance.likelihood for chance in self.chances)
        if told <= most:
            return self
        share = most / told
        return replace(self, chances=tuple(StackChance(each.stack, each.likelihood * share) for each in self.chances))

    def likelihood(self, stack: Stack) -> float:
        """Gets how likely ``stack`` is; what the witness did not list has likelihood 0."""
        return next((chance.likelihood for chance in self.chances if chance.stack == stack), 0.0)


class Support(StrEnum):
    """What a die stands on or leans against."""

    SURFACE = "surface"
    CHECKER = "checker"
    DIE = "die"
    RAIL = "rail"
    TRAY = "tray"
    OFF_BOARD = "off_board"
    THING = "thing"
    """Something that is no part of the board: it lies in a cup, on a telephone."""


Lab = tuple[float, float, float]
"""A colour: CIE L* (0 black to 100 white), a* (green to red), b* (blue to yellow)."""


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die as it lies.

    ``value`` is None when it is not vouched for; so is ``flat``. A value may be told with doubt all the same, as of a
    die that a hand may cover in part: ``confidence`` is how likely it is right, and the referee uses none below 0.9
    (:func:`~boardctl.referee.seen.dice.vouched`). ``section`` is the seat in whose right-hand section the die lies;
    None on the bar, rail, tray or off the board. ``center_px`` is x, y in the unscaled picture.
    ``body``: the colour of what is not pips, in one light for the whole board; None where it is not told.
    ``likeliest``: the value that is likeliest, vouched for or not: nothing is judged by it; None where nobody says so.
    """

    value: int | None
    confidence: float
    flat: bool | None
    on: Support
    section: Seat | None
    tilt_deg: float
    center_px: tuple[float, float]
    center_mm: tuple[float, float]
    body: Lab | None = None
    likeliest: int | None = None


@dataclass(frozen=True, slots=True)
class CubeReading:
    """The doubling cube: the value it shows, if read, and where it lies: ``bar``, ``A``, ``B`` or ``field``."""

    value: int | None
    at: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand in the view, with the arm or sleeve behind it.

    ``entry``: the seat from whose long side of the board it comes; None where it comes in at a short side, or that
    cannot be told. ``places``: those that it covers, wholly or in part; none while it is beside the board only.
    """

    entry: Seat | None
    places: tuple[Place, ...] = ()


@dataclass(frozen=True)
class BoardReading:
    """All places as one witness saw them at one instant. A place that is not listed was not looked at.

    ``hand``: whether something is over the board; ``hands``: each of them that could be told by itself.
    """

    witness: Witness
    places: tuple[PlaceReading, ...]
    hand: bool = False
    cube: CubeReading | None = None
    hands: tuple[Hand, ...] = ()

    @cached_property
    def by_place(self) -> dict[Place, PlaceReading]:
        """The readings by their place."""
        return {reading.place: reading for reading in self.places}

    def at(self, place: Place) -> PlaceReading:
        """Gets the reading of a place; hidden when the witness did not look at it."""
        return self.by_place.get(place) or PlaceReading(place, (), hidden=True)


@dataclass(frozen=True, slots=True)
class DiceReading:
    """All dice in view at one instant, in play or not."""

    dice: tuple[DieReading, ...]


def sure_reading(
    board: Placement,
    places: Iterable[Place],
    witness: Witness = Witness.CAMERA,
    confidence: float = 0.999,
    hidden: Container[Place] = (),
) -> BoardReading:
    """Gets the reading of a witness that sees a board as it is, with the same confidence at every place.

    What is left to certainty goes in equal parts to the stacks with one checker more and one fewer.
    """
    read = []
    for place in places:
        if place in hidden:
            read.append(PlaceReading(place, (), hidden=True))
            continue
        stack = board.at(place)
        owner = stack[-1] if stack else place.seat or Seat.A
        others = [(*stack, owner), stack[:-1]] if stack else [(owner,)]
        rest = (1 - confidence) / len(others)
        chances = (StackChance(stack, confidence), *(StackChance(other, rest) for other in others))
        read.append(PlaceReading(place, chances))
    return BoardReading(witness, tuple(read))


__all__ = [
    "BoardReading",
    "CubeReading",
    "DiceReading",
    "DieReading",
    "Hand",
    "Lab",
    "PlaceReading",
    "StackChance",
    "Support",
    "Witness",
    "sure_reading",
]
