"""How many checkers of one seat lie in a row, and in the layers on top of it: slots become stacks."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.points.columns import SLOTS
from boardctl.vision.points.strip_reading import LAYERS

Floats = NDArray[np.float64]

LEAST_LIKELY = 1e-4
"""Stacks less likely than this are not listed."""

TRAINED_SHORT = (1.0, 0.16, 0.036)
TRAINED_FULL = (1.0, 0.529, 0.159)
"""Odds of one, two and three checkers in a slot that holds any, in the training: in rows of up to four checkers, where
few were laid on top, and in full rows, where many were."""

DOUBLED_SHORT_ROW = 0.002
"""The same in games, for rows of up to four checkers: none on 1,148 such rows of the training pictures, taken to be one
in five hundred."""

ONE_MORE = 0.35
"""How often a full row that holds so many checkers on top holds one more: of the stacks of five and more in positions
of games, strong players' go on so in 0.22 to 0.3 of cases, random players' in 0.5 (the recorded positions of
``tests/data/rules``)."""

IN_DISORDER = 0.05
DOUBLED_IN_DISORDER = 0.05
"""The second layer of a full row is laid from the edge on, and a third after it. One row in twenty is taken to be laid
in any order, each slot doubled by itself one time in twenty."""

LAYERS_IN_DISORDER = np.array([1.0, DOUBLED_IN_DISORDER, DOUBLED_IN_DISORDER**2])
LAYERS_IN_DISORDER /= LAYERS_IN_DISORDER.sum()
"""How often one, two and three checkers then lie in a slot."""

IN_HOLLOWS = 0.3
"""How often the second layer lies in the hollows of a row, which are one less than its checkers, so that the third
begins sooner: as often as the networks were shown such rows; on two of the four boards to learn from on which a row of
five has two on top they lie so."""

EVIDENCE_TRUSTED, BESIDE_CLOSER_TRUSTED, CLOSER_TRUSTED = 0.5, 0.3, 0.8
"""Share of a network's evidence (logarithm of a ratio of likelihoods) for or against a second layer that is believed:
of the network for strips, by itself and beside the one that looks closer, and of that. Both see the same pixels, and
may be wrong together. Chosen on looks drawn as those for the training are, none of them in it; the last anew, with the
network that has learned from uncommon boards."""

MISLED = 0.15
"""How often all that is taken to be worth nothing: where a second layer is displaced by less than hands are. Of 34 full
rows of four looks that no network was trained on, told with over 0.9, one was wrong: none is told with over 0.95."""

FULL_ROW = 5


def held_as_layers_show(lying: Floats, closer: Floats) -> Floats:
    """Gets how likely each thing lies in each slot (7 x slots) of a full row that was looked at closer (``closer``: 3 x
    its length): where a second layer is seen, a checker lies below.

    A bare slot shows no second layer, as little as a single checker does. So what is seen is likelier of a slot that
    holds any, of as many as lie in one slot in disorder, than of a bare one by as much as than of a single checker.
    """
    weighted = lying.copy()
    weighted[1:, : closer.shape[1]] *= LAYERS_IN_DISORDER @ np.exp(CLOSER_TRUSTED * closer)
    return np.asarray(weighted / weighted.sum(axis=0), dtype=np.float64)


def row_counts(
    layers: Floats,
    ends: Floats,
    nothing_more: Floats,
    one_more: float = ONE_MORE,
    closer: Sequence[Floats | None] = (None,),
) -> Floats:
    """Gets for each of some rows how likely each number of checkers of one seat is, lying from the edge on (N x 22).

    ``layers`` (N x 3 x 7): how likely each slot is seen to hold one, two, three of them; ``ends`` (N x 7): how likely
    the row ends before the slot; ``nothing_more`` (N x 7): how likely a slot further on adds nothing; ``one_more``: how
    often a full row with checkers on top holds one more; ``closer``: of each row as in
    :func:`~boardctl.vision.points.reading.point_readings`.
    """
    ended = np.ones((len(layers), SLOTS + 1))
    # Before the slot a row has ended, and all slots behind that one add nothing.
    ended[:, :SLOTS] = ends
    ended[:, : SLOTS - 1] *= np.cumprod(nothing_more[:, :0:-1], axis=1)[:, ::-1]
    counts = np.zeros((len(layers), SLOTS * LAYERS + 1))
    short = with_doubled_odds(layers[..., : FULL_ROW - 1], DOUBLED_SHORT_ROW)
    held = np.cumprod(layers.sum(axis=1), axis=1)
    ended[:, 1:] *= held >= LEAST_LIKELY / SLOTS  # what is left of longer rows is not listed
    stacked = np.ones((len(layers), 1))
    for length in range(1, FULL_ROW):
        longer = np.zeros((len(layers), stacked.shape[1] + LAYERS - 1))
        for layer in range(LAYERS):
            longer[:, layer : layer + stacked.shape[1]] += stacked * short[:, layer, length - 1, None]
        stacked = longer
        counts[:, length : length + stacked.shape[1]] += stacked * ended[:, length, None]
    for row, before in np.argwhere(held[:, FULL_ROW - 1 :] * ended[:, FULL_ROW:] >= LEAST_LIKELY / SLOTS).tolist():
        length = FULL_ROW + before
        on_top = full_row_stacked(layers[row, :, :length], one_more, closer[row])
        counts[row, length : length + len(on_top)] += on_top * ended[row, length]
    return counts


def full_row_stacked(layers: Floats, one_more: float = ONE_MORE, closer: Floats | None = None) -> Floats:
    """Gets how likely each number of checkers lies on top of a full row (``layers``: 3 x its length).

    The chances add up to the chance that each slot of the row holds any checker at all.
    """
    said = doubled_evidence(layers, TRAINED_FULL, EVIDENCE_TRUSTED if closer is None else BESIDE_CLOSER_TRUSTED)
    length = layers.shape[1]
    if closer is not None:
        looked_at = min(length, closer.shape[1])
        said[:, :looked_at] *= np.exp(CLOSER_TRUSTED * closer[:, :looked_at])
    usual = one_more ** np.arange((LAYERS - 1) * length + 1)
    usual /= usual.sum()
    laid = (1 - IN_HOLLOWS) * _laid_in_order(said, usual) + IN_HOLLOWS * _laid_in_order(said[:, :-1], usual)
    anyhow = np.array([1.0])
    for slot in (said * LAYERS_IN_DISORDER[:, None]).T:
        anyhow = np.convolve(anyhow, slot)
    weighted = (1 - IN_DISORDER) * laid + IN_DISORDER * anyhow
    told = (1 - MISLED) * weighted / weighted.sum() + MISLED * usual
    return np.asarray(told * layers.sum(axis=0).prod(), dtype=np.float64)


def _laid_in_order(said: Floats, usual: Floats) -> Floats:
    """Gets how likely each number of checkers lies on top, laid layer by layer from the edge on.

    ``said`` (3 x slots): likelihoods of the layers in the slots that upper checkers count to; ``usual``: how often so
    many lie on top.
    """
    # One checker more on top: laid on the first slot that is a layer lower than the one before it.
    gained = (said[1:] / said[:-1]).ravel()
    likely = np.zeros_like(usual)
    likely[0] = 1.0
    np.cumprod(gained, out=likely[1 : 1 + len(gained)])
    return likely * usual


def doubled_evidence(layers: Floats, trained: tuple[float, float, float], trusted: float = EVIDENCE_TRUSTED) -> Floats:
    """Gets what a slot's picture says for one, two, three checkers in it (... x 3 x slots), as likelihoods against one:
    what the network says without the odds it was trained with (Saerens and others, 2002), as far as it is trusted."""
    seen = np.maximum(layers, 1e-12)
    said = seen / seen[..., :1, :] / np.array(trained)[:, None]
    return np.asarray(said**trusted, dtype=np.float64)


def with_doubled_odds(layers: Floats, odds: float) -> Floats:
    """Gets how likely each slot holds one, two, three checkers (... x 3 x slots), with other odds of a doubled one
    before looking than the network was trained with. Whether it holds any stays as it was."""
    weighted = doubled_evidence(layers, TRAINED_SHORT) * (odds ** np.arange(LAYERS))[:, None]
    shares = layers.sum(axis=-2, keepdims=True) / np.maximum(weighted.sum(axis=-2, keepdims=True), 1e-12)
    return np.asarray(weighted * shares, dtype=np.float64)
