"""Points on which checkers of several seats may lie, in an order that matters: what is seen of them, and what is not.

A row lies from the edge on, the first to arrive nearest to it; from the sixth on checkers lie on top of the first ones.
Of those underneath nothing is seen: whose they are, is left open. A taller stack is not held to be less likely for
that: the picture fits each of the stacks that look alike as well as if there were one of them only.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading, StackChance
from boardctl.rules import Place, Seat, Stack
from boardctl.vision.points.reading import BARE_SLOTS, HIDDEN_FROM, OWN_SLOTS, lying_and_clear
from boardctl.vision.points.row_counts import FULL_ROW, LEAST_LIKELY, row_counts
from boardctl.vision.points.strip_reading import LAYERS

Floats = NDArray[np.float64]

MOST_LISTED = 64
"""Stacks that are followed while a reading is made: six hidden checkers of either seat."""


def mixed_reading(
    place: Place, logits: Floats, colours: Floats, seats: tuple[Seat, ...], shared: bool = True
) -> PlaceReading:
    """Gets the reading of a point from the network's numbers (8 x 7) and the colours of its slots (seats x 7).

    ``shared``: whether checkers of several seats lie on one point by the rules of the game, and tall stacks are common.
    Where they do not, a checker that is covered counts in equal parts for every seat, so that a taller stack is held to
    be less likely: on the columns of the small boards hardly any checker is laid on others.
    """
    lying, clear = lying_and_clear(logits)
    layers = (lying[1 : 1 + LAYERS] + lying[1 + LAYERS : 1 + 2 * LAYERS]) * clear
    seen_bare = lying[0] * clear
    bare_or_covered = 1 - clear * (1 - lying[0])
    beyond = bare_or_covered.copy()
    beyond[OWN_SLOTS:] = 1.0
    counts = row_counts(layers[None], seen_bare[None], beyond[None])[0]
    counts[0] = seen_bare[0] * bare_or_covered[1:OWN_SLOTS].prod()
    chances = [
        StackChance(stack, float(count_chance * chance))
        for count, count_chance in enumerate(counts)
        if count_chance >= LEAST_LIKELY
        for stack, chance in _stacks(count, _row_length(count, layers), colours, seats, shared)
    ]
    if shared:
        whole, seen = sum(chance.likelihood for chance in chances), min(1.0, float(counts.sum()))
        chances = [StackChance(chance.stack, chance.likelihood * seen / whole) for chance in chances]
    listed = sorted((each for each in chances if each.likelihood >= LEAST_LIKELY), key=lambda each: -each.likelihood)
    return PlaceReading(place, tuple(listed), hidden=_is_covered(listed, clear))


def _is_covered(listed: list[StackChance], clear: Floats) -> bool:
    """Whether a hand keeps a point from being read."""
    length = len(listed[0].stack) if listed else 0
    return float(1 - clear[: min(length, BARE_SLOTS) or BARE_SLOTS].min()) > HIDDEN_FROM


def _row_length(count: int, layers: Floats) -> int:
    """Gets how many checkers of so many lie on the board itself: five, or more where more slots are seen covered."""
    covered = layers.sum(axis=0) > 1 / 2
    length = FULL_ROW
    while length < min(count, len(covered)) and covered[length]:
        length += 1
    return min(count, length)


def _stacks(
    count: int, length: int, colours: Floats, seats: tuple[Seat, ...], shared: bool
) -> Iterator[tuple[Stack, float]]:
    """Gets the stacks of so many checkers, ``length`` of them in the row, each with how well its colours fit."""
    covered = count - length
    unseen = np.full(len(seats), 1.0 if shared else 1 / len(seats))
    found: list[tuple[Stack, float]] = [((), 1.0)]
    for index in range(count):
        shares = unseen if index < covered else colours[:, index % length]
        longer = [
            ((*stack, seat), likelihood * float(share))
            for stack, likelihood in found
            for seat, share in zip(seats, shares, strict=True)
        ]
        # Where not all can be followed: players who move on lay checkers of one seat on each other.
        longer.sort(key=lambda entry: (-entry[1], _changes(entry[0]) if shared else 0))
        found = longer[:MOST_LISTED]
    yield from found


def _changes(stack: Stack) -> int:
    """Gets how often another seat's checker follows in a stack."""
    return sum(lower is not upper for lower, upper in pairwise(stack))


def column_of(place: Place, reading: PlaceReading, seat: Seat) -> PlaceReading:
    """Gets a column of checkers as a place that holds those of one seat only."""
    own = tuple(chance for chance in reading.chances if all(one is seat for one in chance.stack))
    return PlaceReading(place, own, hidden=reading.hidden)


def joined(place: Place, columns: list[PlaceReading], seat: Seat) -> PlaceReading:
    """Gets the reading of a place whose checkers lie in several columns; hidden where one of them is."""
    too_bright, too_dark = (any(getattr(column, why) for column in columns) for why in ("too_bright", "too_dark"))
    if any(column.hidden for column in columns):
        return PlaceReading(place, (), hidden=True, too_bright=too_bright, too_dark=too_dark)
    totals = np.array([1.0])
    for column in columns:
        own = column_of(place, column, seat).chances
        counts = np.zeros(max((len(chance.stack) for chance in own), default=0) + 1)
        for chance in own:
            counts[len(chance.stack)] += chance.likelihood
        totals = np.convolve(totals, counts)
    chances = [StackChance((seat,) * count, float(chance)) for count, chance in enumerate(totals)]
    listed = sorted((each for each in chances if each.likelihood >= LEAST_LIKELY), key=lambda each: -each.likelihood)
    return PlaceReading(place, tuple(listed), hidden=not listed, too_bright=too_bright, too_dark=too_dark)
