"""What lies on points over which a hand may lie in part: what is seen of them, and beyond it what is usual in games.

At the table the referee weighs whole boards, and wants nothing that was guessed; in a picture that stands alone what
lies elsewhere tells how such rows go on (:mod:`boardctl.vision.whole_sets`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import StackChance
from boardctl.rules import Place, point
from boardctl.vision.points.columns import SLOTS
from boardctl.vision.points.reading import (
    BARE_HIDDEN_FROM,
    BARE_SLOTS,
    GOES_ON,
    HELD_HIDDEN_FROM,
    OWN_SLOTS,
    SEATS,
    VOUCHED,
    CoveredPoint,
    listed_chances,
    lying_and_seen_clear,
)
from boardctl.vision.points.row_counts import LEAST_LIKELY, ONE_MORE, TRAINED_SHORT, row_counts
from boardctl.vision.points.strip_reading import LAYERS

Floats = NDArray[np.float64]

ONE_MORE_UNSEEN = 0.5
"""How often a point that holds so many checkers, from none to four, holds one more where that cannot be seen: in
positions of games that random players played 0.5 to 0.59, strong ones 0.42 to 0.73 (the recorded positions of
``tests/data/rules``)."""

UNSEEN_TRUSTED = 0.2
"""Share of the network's evidence that is believed of what lies in a slot that a hand covers: it sees a part of it, or
of its shadow. With it the true stacks of 1,445 covered points of 136 drawn boards were likeliest together."""

ODDS_UNSEEN = np.array(
    [ONE_MORE_UNSEEN / (1 - ONE_MORE_UNSEEN)] * OWN_SLOTS + [GOES_ON / (1 - GOES_ON)] * (SLOTS - OWN_SLOTS)
)
"""The odds that a row goes on in each slot."""

LAYERS_UNSEEN = np.array(TRAINED_SHORT) / sum(TRAINED_SHORT)
"""Shares of one, two and three checkers in a covered slot: as in the training, so that it tells nothing of them."""

LEAST = 1e-6


@dataclass(frozen=True)
class PartlySeen:
    """The stacks that may lie on a point, and how likely each of its slots (7) is free of hands."""

    chances: tuple[StackChance, ...]
    free: tuple[float, ...]

    def is_hidden(self, chances: Sequence[StackChance]) -> bool:
        """Whether a hand keeps the point from being read of which these are the stacks, the likeliest first: whether
        it is as likely as not that the likeliest does not lie there, or a hand may well lie over a part of it."""
        if not chances:
            return min(self.free[: BARE_SLOTS + 1]) < VOUCHED
        length = len(chances[0].stack)
        least = VOUCHED if length else 1 - BARE_HIDDEN_FROM
        clear = min(self.free[: min(length or BARE_SLOTS, BARE_SLOTS)])
        if length and 1 - clear > HELD_HIDDEN_FROM:
            return True
        seen = chances[0].likelihood * clear
        return seen < least and min(self.free[: BARE_SLOTS + 1]) < least


def partly_seen(points: Sequence[CoveredPoint]) -> dict[Place, PartlySeen]:
    """Gets what may lie on points over which a hand may lie."""
    if not points:
        return {}
    closer = [each.closer for each in points]
    lying, clear = lying_and_seen_clear(np.stack([each.logits for each in points]), closer)
    listed = _listed(lying, clear, closer)
    return {
        point(each.strip + 1): PartlySeen(chances, tuple(free))
        for each, chances, free in zip(points, listed, clear.tolist(), strict=True)
    }


def _listed(lying: Floats, clear: Floats, closer: Sequence[Floats | None]) -> list[tuple[StackChance, ...]]:
    """Gets the stacks of points from how likely each thing lies in each slot (N x 7 x 7) and each is clear (N x 7)."""
    covered = 1 - clear
    each = lying[:, 1:].reshape(len(lying), len(SEATS), LAYERS, SLOTS)
    held, bare = _held_unseen(each.sum(axis=2), lying[:, 0])
    ends = (lying[:, 0] * clear)[:, None] + covered[:, None] * (1 - held)
    layers = each * clear[:, None, None] + (covered[:, None] * held)[:, :, None] * LAYERS_UNSEEN[:, None]
    # Beside a hand checkers are seen that are none: a row that has ended is not doubted for them.
    beside = np.pad(clear, ((0, 0), (1, 1)), constant_values=1.0)
    sure = np.minimum(np.minimum(beside[:, :-2], beside[:, 2:]), clear)
    nothing_more = 1 - sure * (1 - lying[:, 0])
    bare_points = (lying[:, 0, 0] * clear[:, 0] + covered[:, 0] * bare) * nothing_more[:, 1:OWN_SLOTS].prod(axis=1)
    strips, seats = np.nonzero(layers[..., 0].sum(axis=2) >= LEAST_LIKELY)  # a row lies from the edge on
    of_seat, ended, beyond = layers[strips, seats], ends[strips, seats], nothing_more[strips]
    ended[:, OWN_SLOTS:] = 1 - of_seat[:, :, OWN_SLOTS:].sum(axis=1)
    beyond[:, OWN_SLOTS:] = 1.0
    counts = row_counts(of_seat, ended, beyond, ONE_MORE, [closer[strip] for strip in strips.tolist()])
    return listed_chances(bare_points, strips, seats, counts)


def _held_unseen(lying: Floats, nothing: Floats) -> tuple[Floats, Floats]:
    """Gets how likely a row of each seat goes on in each slot if a hand covers it (N x 2 x 7), and how likely nothing
    lies in the first (N). ``lying`` (N x 2 x 7), ``nothing`` (N x 7): what the network says all the same."""
    said = np.maximum(lying, LEAST) / np.maximum(nothing, LEAST)[:, None]
    odds = said**UNSEEN_TRUSTED * ODDS_UNSEEN ** (1 - UNSEEN_TRUSTED)
    held = odds / (1 + odds)
    # In the first slot lies a checker of either seat, or nothing.
    first = said[..., 0] ** UNSEEN_TRUSTED * (ODDS_UNSEEN[0] / len(SEATS)) ** (1 - UNSEEN_TRUSTED)
    either = 1 + first.sum(axis=1)
    held[..., 0] = first / either[:, None]
    return held, 1 / either
