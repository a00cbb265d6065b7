"""The hands over the board: which of the slots that look covered are so, by whose arm, and which cannot be.

The network says of each slot how much it looks as if something lay over it. A hand comes from outside: what looks
covered without an arm that reaches there is something else (a tall stack, a die beside a tip, a shadow), but for what
is larger than a checker, which may have been laid down.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import Hand, PlaceReading
from boardctl.rules import Place, Seat, bar, point
from boardctl.vision.points.border import Arm, arms_seen, border_of
from boardctl.vision.points.columns import POINTS, SLOTS, STRIPS, Picture, slot_middles_mm
from boardctl.vision.points.middle_lines import NOTHING_THERE, OPAQUE, lines_covered
from boardctl.vision.points.strip_reading import HAND
from calibration import Calibration
from calibration.installation import INSTALLATIONS_KEPT

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

OWN_SLOTS = 6
"""Slots from the edge to the middle of the board; in those beyond lies what the strip of the point opposite shows."""

LIKELY = -3.0
"""Logit from which a slot may be covered, so that an arm may go on over it."""

BESIDE, INWARDS = 1.6, 3.2
"""How far apart (in checkers) slots that touch are at most, and how far from the border an arm is met at the latest."""

NOT_REACHED = 3.0
"""Taken from the logits of slots that no arm reaches: one in twenty that the network takes for covered may be so. Doubt
is left, for what looks as unlike checkers as a hand does is not read well either."""

NO_ARM = -0.85
"""Most that is left of these logits where no arm is in the view: three in ten. Whatever it is that looks so, no more is
said than that it may not be read right."""

SURE = 1.4
"""Logit of a slot that is surely covered: four to one."""

MOST_BESIDE = 0.9
"""Most that is told of a point beside which something is covered: a hand of the colour of the board reaches further
than it seems to. On drawn boards that nothing had learned from every surely wrong point lay so."""

LEAST_BY_NETWORK, MOST_BY_NETWORK, MOST_BY_POINT = -0.85, 4.0, 1.4
"""Least and most that the network's logit adds to what the middle line of a bare point says of a hand over a slot, and
most that the highest of the point's logits adds to what is said of each."""

LAID_DOWN = 3
"""So many surely covered slots beside each other, not all of one point, are something larger than a checker."""


EXPLAINED = 0.5
"""Share of likelihood that the stacks of a place must have together for it to be explained by one of them."""


@dataclass(frozen=True)
class Slots:
    """Where the slots of one installation lie, counted over all strips."""

    places_mm: Floats
    """x and y of each slot's middle (N x 2)."""
    beside: Bools
    """Which slots lie side by side (N x N)."""
    at_open_border: Bools
    """Which lie at a part of the border that the picture does not show, so that an arm may come from there."""
    checker_mm: float


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def slots_of(calibration: Calibration) -> Slots:
    """Gets the slots of a calibration, made on first use."""
    geometry = calibration.geometry
    places = np.concatenate([slot_middles_mm(geometry, strip) for strip in range(STRIPS)])
    checker = geometry.checker_diameter_mm
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    hidden = border_of(calibration).hidden_mm
    to_hidden = np.linalg.norm(places[:, None] - hidden[None], axis=2).min(axis=1, initial=np.inf)
    return Slots(places, apart < BESIDE * checker, to_hidden < INWARDS * checker, checker)


@dataclass(frozen=True)
class HandsTold:
    """What is known of hands: the network's numbers with it (26 x 8 x 7), which strips look as if something lay over
    them, over which that may be, and beside which (26), and the hands. Nothing else can be hidden."""

    logits: Floats
    seems_covered: Bools
    covered: Bools
    beside: Bools
    hands: tuple[Hand, ...]

    @property
    def any_over(self) -> bool:
        """Whether a hand, or something else that is larger than a checker, is over the board."""
        sure = self.logits[:, HAND, :OWN_SLOTS] > SURE
        return bool(sure[self.covered].sum() >= LAID_DOWN) or any(hand.places for hand in self.hands)

    def read(self, reading: PlaceReading, *strips: int) -> PlaceReading:
        """Gets the reading of a place that was made of these strips: hidden only where one of them may be covered. What
        looks so and is not is unlike all that the network knows: where no stack explains it, nothing is said of it."""
        if any(self.covered[strip] for strip in strips) or not any(self.seems_covered[strip] for strip in strips):
            return reading
        return replace(reading, hidden=False) if is_explained(reading) else PlaceReading(reading.place, ())

    def doubted_beside(self, points: Iterable[PlaceReading]) -> Iterator[PlaceReading]:
        """Gets the readings of the points, in order, surely told only where nothing beside them is covered."""
        for reading, beside in zip(points, self.beside[:POINTS].tolist(), strict=True):
            yield reading.at_most(MOST_BESIDE) if beside else reading


def told_hands(picture: Picture, calibration: Calibration, logits: Floats) -> HandsTold:
    """Gets what is known of hands in a picture (H x W x 3) of which the network says ``logits`` (26 x 8 x 7)."""
    slots = slots_of(calibration)
    told = weighed_by_arms(logits, arms_seen(picture, calibration), slots)
    if not told.covered.any():
        return told
    over = (told.logits[:, HAND] > 0) & told.covered[:, None]
    beside, over_mm = told.beside[:POINTS], slots.places_mm[over.reshape(-1)]
    return weighed_by_lines(told, lines_covered(picture, calibration, beside, over_mm))


def weighed_by_lines(told: HandsTold, lines: Floats) -> HandsTold:
    """Gets what is known of hands by what lies over the middle lines of points, too (24 x 5), where these look bare. A
    row tells by itself, slot by slot, how far it is seen."""
    slots = lines.shape[1]
    logits = told.logits.copy()
    over = logits[:POINTS, HAND, :slots]
    nothing = logits[:POINTS, :HAND, :slots].argmax(axis=1) == 0
    bare = (nothing | (over > 0)).all(axis=1)
    of_point = np.minimum(over.max(axis=1, keepdims=True), MOST_BY_POINT)
    by_network = np.clip(np.maximum(over, of_point), LEAST_BY_NETWORK, MOST_BY_NETWORK)
    neither = (lines < OPAQUE) & (over < 0)
    both = np.where(neither, np.minimum(over, NOTHING_THERE), lines + by_network)
    weighed = np.where(bare[:, None] & nothing, both, over)
    logits[:POINTS, HAND, :slots] = weighed
    line_covered = np.zeros_like(told.covered)
    line_covered[:POINTS] = bare & (weighed > 0).any(axis=1)
    return replace(told, logits=logits, covered=told.covered | line_covered, beside=told.beside | line_covered)


def weighed_by_arms(logits: Floats, arms: tuple[Arm, ...], slots: Slots) -> HandsTold:
    """Gets what is known of hands by the network's numbers (26 x 8 x 7) and the arms that cross the border."""
    looks = logits[:, HAND].reshape(-1)
    likely = looks > LIKELY
    by_open_border = _spread(slots.at_open_border & likely, likely, slots)
    covered = by_open_border | _laid_down(looks > SURE, slots)
    hands = []
    if (by_open_border & (looks > SURE)).sum() >= LAID_DOWN:  # its arm is outside the picture
        hands.append(Hand(None, _places(by_open_border & (looks > 0))))
    for arm in arms:
        away = np.linalg.norm(slots.places_mm - (arm.x_mm, arm.y_mm), axis=1) - arm.width_mm / 2
        over = _spread((away < INWARDS * slots.checker_mm) & likely, likely, slots)
        covered |= over
        hand = Hand(arm.entry, _places(over & (looks > 0)))
        if not (hand.places and hand in hands):  # else it is one arm, of which two pieces are seen at the border
            hands.append(hand)
    weighed = logits.copy()
    unreached = ~covered.reshape(-1, SLOTS)
    weighed[:, HAND] -= NOT_REACHED * unreached
    if arms:
        covered |= weighed[:, HAND].reshape(-1) > 0  # an arm may reach further than it seems to
    else:
        weighed[:, HAND][unreached] = np.minimum(weighed[:, HAND][unreached], NO_ARM)
    near = np.asarray(slots.beside[covered].any(axis=0), dtype=np.bool_)
    return HandsTold(weighed, _strips(looks > 0), _strips(covered), _strips(near), tuple(hands))


def is_explained(reading: PlaceReading) -> bool:
    """Whether one of the stacks that are listed for a place explains what is seen there. If none does, which of them is
    a little less unlikely than the others tells nothing."""
    return sum(chance.likelihood for chance in reading.chances) > EXPLAINED


def _strips(slots: Bools) -> Bools:
    """Gets which strips (26) have one of these slots, of those from the edge to the middle."""
    return np.asarray(slots.reshape(-1, SLOTS)[:, :OWN_SLOTS].any(axis=1), dtype=np.bool_)


def _spread(start: Bools, over: Bools, slots: Slots) -> Bools:
    """Gets the slots that are reached from some of them, from one to the next, over those of ``over``."""
    reached = start
    while True:
        further = (slots.beside[reached].any(axis=0) & over) | reached
        if further.sum() == reached.sum():
            return reached
        reached = further


def _laid_down(sure: Bools, slots: Slots) -> Bools:
    """Gets the slots under things that are larger than a checker, whether an arm is seen or not."""
    found = np.zeros_like(sure)
    left = sure.copy()
    while left.any():
        first = np.zeros_like(sure)
        first[int(np.argmax(left))] = True
        part = _spread(first, sure, slots)
        left &= ~part
        strips = np.flatnonzero(part) // SLOTS
        if len(strips) >= LAID_DOWN and len(np.unique(strips)) > 1:
            found |= part
    return found


def _places(over: Bools) -> tuple[Place, ...]:
    """Gets the places of which slots are covered, of those from the edge to the middle."""
    strips = np.flatnonzero(_strips(over)).tolist()
    return tuple(point(strip + 1) if strip < POINTS else bar((Seat.B, Seat.A)[strip - POINTS]) for strip in strips)
