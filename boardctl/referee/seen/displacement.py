"""The smallest set of checker displacements that leads from one board to another.

A displacement is one checker of one seat that was at one place and is at another. Which checker went where cannot be
seen; of the shortest explanations the one is chosen that the roll accounts for best.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from boardctl.rules import Game, Place, PlaceKind, Placement, Roll, Seat
from boardctl.rules.traits import pips_left, point_count

_WRONG_NUMBER = 3.0
"""How badly a displacement fits a roll that does not give it at all."""

_TOGETHER_TOO_MUCH = 3.5
"""How badly displacements fit a roll that gives each of them but not all: worse than one plain wrong number."""

_MOST_PERMUTED = 5  # 120 ways to pair five sources with five targets; longer ones are paired in order


@dataclass(frozen=True, slots=True)
class Displacement:
    """One checker that changed its place. ``source`` None: it came from nowhere; ``target`` None: it vanished."""

    seat: Seat
    source: Place | None
    target: Place | None


@dataclass(frozen=True, slots=True)
class Geometry:
    """How far places lie apart for each seat, in pips. A bar lies one beyond the last point, a tray at 0."""

    game: Game
    last_point: int

    @classmethod
    def of(cls, game: Game) -> "Geometry":
        """Gets the geometry of a game."""
        return cls(game, point_count(game))

    def distance(self, seat: Seat, place: Place) -> int:
        """Gets how many pips a checker of ``seat`` at ``place`` has to go until it is borne off."""
        return pips_left(self.game, seat, place)

    def pips(self, displacement: Displacement) -> int | None:
        """Gets how many pips forward a displacement went; None when it came from nowhere or vanished."""
        if displacement.source is None or displacement.target is None:
            return None
        seat = displacement.seat
        return self.distance(seat, displacement.source) - self.distance(seat, displacement.target)

    def point_at(self, seat: Seat, distance: int) -> Place | None:
        """Gets the point that ``seat`` has ``distance`` pips from the end; None when there is no such point."""
        for place in self.game.places:
            if place.kind is PlaceKind.POINT and self.distance(seat, place) == distance:
                return place
        return None

    @property
    def home(self) -> int:
        """How many points the home board has."""
        return min(6, self.last_point)

    def no_contact(self, board: Placement) -> bool:
        """Whether no checker can be hit any more; only known for two seats that move against each other."""
        seats = self.game.seats
        if len(seats) != 2:
            return False
        first, second = seats
        farthest = max((self.distance(first, place) for place in board if board.count(place, first)), default=0)
        others = [self.distance(second, place) for place in board if board.count(place, second)]
        return farthest + max(others, default=0) <= self.last_point


def displacements(game: Game, before: Placement, after: Placement, roll: Roll, mover: Seat) -> list[Displacement]:
    """Gets the smallest set of displacements, the mover's first, the hindmost checkers first."""
    geometry = Geometry.of(game)
    found: list[Displacement] = []
    for seat in sorted(game.seats, key=lambda seat: seat is not mover):
        gone = sorted(_surplus(game, before, after, seat), key=lambda place: -geometry.distance(seat, place))
        come = sorted(_surplus(game, after, before, seat), key=lambda place: -geometry.distance(seat, place))
        paired = _paired(geometry, seat, gone, come, roll if seat is mover else None)
        found.extend(paired)
    return found


def _surplus(game: Game, here: Placement, there: Placement, seat: Seat) -> Iterator[Place]:
    for place in dict.fromkeys((*game.places, *here, *there)):
        for _ in range(here.count(place, seat) - there.count(place, seat)):
            yield place


def _paired(
    geometry: Geometry, seat: Seat, gone: list[Place], come: list[Place], roll: Roll | None
) -> list[Displacement]:
    short, long = (gone, come) if len(gone) <= len(come) else (come, gone)
    if len(long) > _MOST_PERMUTED:
        orders: Iterator[Sequence[Place]] = iter([long])
    else:
        orders = permutations(long)
    best: tuple[float, list[Displacement]] | None = None
    for order in orders:
        padded = [*short, *([None] * (len(long) - len(short)))]
        pairs = zip(padded, order, strict=True) if short is gone else zip(order, padded, strict=True)
        candidate = [Displacement(seat, source, target) for source, target in pairs]
        cost = sum(_strangeness(geometry, displacement, roll) for displacement in candidate)
        if roll is not None and cost < _WRONG_NUMBER and not shared_out(geometry, candidate, roll.numbers):
            cost += _TOGETHER_TOO_MUCH
        if best is None or cost < best[0]:
            best = (cost, candidate)
    return best[1] if best is not None else []


def _strangeness(geometry: Geometry, displacement: Displacement, roll: Roll | None) -> float:
    """Gets how badly a displacement fits the roll: 0 for one number, more for sums, most for backwards."""
    pips = geometry.pips(displacement)
    if pips is None:
        return 5.0
    if roll is None:
        return 0.0 if displacement.target is not None and displacement.target.kind is PlaceKind.BAR else 1.0
    if pips in roll.numbers:
        return 0.0
    if pips <= 0:
        return 10.0 - pips / 100
    number, most = max(roll), len(roll.numbers)
    sums = {roll.first + roll.second} if not roll.is_double else {number * times for times in range(2, most + 1)}
    borne_off = displacement.target is not None and displacement.target.kind is PlaceKind.TRAY
    if pips in sums:
        return 1.0
    if borne_off and pips < number:
        return 0.5
    return _WRONG_NUMBER + abs(pips - number) / 100


def bears_off(displacement: Displacement) -> bool:
    """Whether a checker went to a tray."""
    return displacement.target is not None and displacement.target.kind is PlaceKind.TRAY


def accounts_for(numbers: Sequence[int], pips: int, borne_off: bool) -> bool:
    """Whether numbers played one after the other move a checker so far; the last may be too large to bear it off."""
    return sum(numbers) == pips or (borne_off and sum(numbers[:-1]) < pips < sum(numbers))


def shared_out(geometry: Geometry, moved: Sequence[Displacement], numbers: tuple[int, ...]) -> bool:
    """Whether the numbers of a roll can be shared out among the checkers that moved."""
    if not moved:
        return True
    pips = geometry.pips(moved[0])
    if pips is None or pips <= 0:
        return False
    for length in range(1, len(numbers) + 1):
        for order in set(permutations(numbers, length)):
            if accounts_for(order, pips, bears_off(moved[0])):
                left = list(numbers)
                for number in order:
                    left.remove(number)
                if shared_out(geometry, moved[1:], tuple(left)):
                    return True
    return False
