"""Rows whose colour speaks for the other seat: a lamp that is mirrored in dark checkers makes them as light as others.

The network tells the seats by likeness to their colours as they were at the start. Where a row looks like neither, it
goes by lightness, and takes shining dark checkers for the light seat's. But a mirrored lamp adds its own light to the
checker's, and takes nothing away: a grey row may be black checkers below a lamp, and cannot be red ones, in whatever
light. So each row, and each checker on the bar, is held against both seats' colours, lit more or less and with light
added. What the told seat's cannot explain and the other's can is left open between the two: how many checkers lie
elsewhere, or the game, tells. So is what is burnt out, which has no colour any more. Where one seat's checkers are so
all over, a dark one below a lamp looks like them in its middle, and shows its colour only at the side away from the
lamp.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading, StackChance
from boardctl.rules import Stack
from boardctl.vision.points.columns import POINTS, ReferenceStrips
from boardctl.vision.points.own_colour import colours_at_start, least_lit, middles
from boardctl.vision.points.seat_palette import SEATS
from boardctl.vision.points.strip_reading import HAND, LAYERS
from calibration.channels import strongest
from calibration.difference import DARK_OFFSET

Floats = NDArray[np.float32]

LEAST_SEEN = 1e-12
"""Likelihood that has a finite logarithm."""

LIGHT = np.geomspace(0.4, 1.7, 9, dtype=np.float32)
"""How many times as much light may fall on a checker as at the start: a shadow takes more than half of it at times."""

UNCLEAR = 3.0
"""Logarithm of odds (20 to 1) up to which a slot leaves open whose checker it holds."""

OWN_UP_TO = 0.5
"""Difference (root scale, in terms of :attr:`ReferenceStrips.larger`) from a seat's colours at the start up to which a
checker is its own, and nothing more is asked."""

EITHERS = 0.5
"""Likelihood that a row is the other seat's where its colour does not tell whose it is."""

LESS_UNLIKE = 0.1
"""Another row must be so much further from what its seat's colour can look like than from what the other's can. Of
13,888 rows of boards drawn, traced and printed 18 whose seat was told wrongly are, with up to 1.0, and eight whose seat
was told rightly; of the others two were told wrongly, with less than 0.95. Of 449 checkers on bars two and one, and no
other was told wrongly (``docs/accuracy/boards.md``)."""

SIDE_LESS_UNLIKE = 0.25
"""The same where a white seat's row is held against both by its checkers' sides away from the lamp: on the one drawn
board on which dark checkers were taken for white ones theirs differ by 0.37 and more, and of 33 rows of white ones on
another one does by 0.13 (74001-02 and 29001-14, ``docs/accuracy/boards.md``)."""

OWN_LIKE, AS_LIKE, DOUBT = 0.1, 0.25, 0.15
"""A row further than the first from what its seat's colour can look like, and further from the other's by less than the
second, is its seat's but for this likelihood: of 22 such rows (of 9,756 on eight sets of boards drawn and traced) one
was the other's, a dark polished checker with a star in the lamp, and with it another row came out one short for sure
(27003-23)."""

ASKED_FROM = 0.03
"""Likelihood of a row from which it is asked whose it is, also where the point most likely is bare: of a seat whose
checkers all lie elsewhere it cannot be, and then nothing would be left of it."""

BURNT_OUT = 250
"""Level from which on, in all three channels, a checker says nothing of its colour; noise and compression take a few
levels off white. Below a lamp those of both seats come out so, the more where dim pictures are made brighter. A seat's
that do in as much light as may fall on them are white, and of them it says enough."""

LOOKED_AT = 5
"""So many checkers of a row are looked at, at most; those beyond are reached by few rows."""


def of_one_seat(layers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Gets how likely each slot of some rows is seen to hold one, two, three of each seat's (N x seats x 3 x slots), if
    the slots before it hold that seat's.

    In one light checkers of one colour look alike: where it is unclear whose they are, all of a row say it together
    once, and not each by itself, as if they might be of both seats.
    """
    of_seats = np.maximum(layers.sum(axis=2), LEAST_SEEN)
    odds = np.log(of_seats[:, 0] / of_seats[:, 1])
    unclear = np.abs(odds) < UNCLEAR
    together = np.cumsum(np.where(unclear, odds, 0.0), axis=1) / np.maximum(np.cumsum(unclear, axis=1), 1)
    shares = 1 / (1 + np.exp(np.stack([-together, together], axis=1)))
    shares = np.where(np.cumsum(unclear, axis=1)[:, None] > 0, shares, 1.0)
    before = np.concatenate([np.ones_like(shares[..., :1]), shares[..., :-1]], axis=-1)
    own = of_seats / of_seats.sum(axis=1, keepdims=True)
    told = np.where(unclear[:, None], np.minimum(shares / before, 1.0) / own, 1.0)
    return np.asarray(layers * told[:, :, None], dtype=np.float64)


def with_doubted_seats(
    readings: Sequence[PlaceReading],
    blocks: Floats,
    strips: Sequence[int],
    reference: ReferenceStrips,
) -> list[PlaceReading]:
    """Gets readings of points, those of ``strips``, with the seat left open where its colour speaks for the other's.

    ``blocks`` (26 x rows x columns x 3) are all strips', as :func:`~boardctl.vision.points.column_input.block_roots`
    gives them, of pictures in the calibration's light.
    """
    told = list(readings)
    colours = middles(blocks[list(strips)])[:, :LOOKED_AT]
    of_seats = colours_at_start(reference)
    # What is its own in the light of the start is its own: nothing else need be asked.
    away = np.abs(colours.transpose(2, 0, 1)[:, None, :, :, None] - of_seats.transpose(2, 1, 0)[:, :, None, None])
    own = (away.max(axis=0).min(axis=0) <= OWN_UP_TO * reference.larger).tolist()
    burnt_out, white = _is_burnt_out(colours), _are_white(of_seats)
    white_all_over = _are_white(colours_at_start(reference, least_lit))
    for index, reading in enumerate(readings):
        stack = next((each.stack for each in reading.chances if each.stack and each.likelihood >= ASKED_FROM), ())
        if not stack:
            continue
        seat, slots = SEATS.index(stack[0]), min(len(stack), LOOKED_AT)
        if not white[seat] and 2 * np.count_nonzero(burnt_out[index, :slots]) > slots:
            told[index] = _shared(reading, EITHERS)
            continue
        if white_all_over[seat]:
            sides = least_lit(blocks[[strips[index]]])[0, :slots]
            if _are_others_sides(sides, seat, reference):
                told[index] = _shared(reading, EITHERS)
                continue
        if 2 * sum(each[seat] for each in own[index][:slots]) >= slots:
            continue
        if others := _others_likelihood(colours[index, :slots], of_seats, seat, reference):
            told[index] = _shared(reading, others)
    return told


def with_doubted_bar(logits: NDArray[np.float64], blocks: Floats, reference: ReferenceStrips) -> NDArray[np.float64]:
    """Gets the network's numbers of the bar's strips (2 x 8 x 7) with each slot's seat left open where the colour of
    what lies there speaks for the other's.

    ``blocks`` as for :func:`with_doubted_seats`.
    """
    held = np.argwhere(logits[:, 0] < logits[:, 1:HAND].max(axis=1))
    if not len(held):
        return logits
    colours, of_seats = middles(blocks[POINTS:]), colours_at_start(reference)
    white, white_all_over = _are_white(of_seats), _are_white(colours_at_start(reference, least_lit))
    told = logits.copy()
    for strip, slot in held.tolist():
        of_layers = np.exp(logits[strip, 1:HAND, slot]).reshape(len(SEATS), LAYERS)
        seat = int(of_layers.sum(axis=1).argmax())
        seen = colours[strip, slot : slot + 1]
        is_eithers = not white[seat] and bool(_is_burnt_out(seen).all())
        if white_all_over[seat]:
            sides = least_lit(blocks[[POINTS + strip]])[0, slot : slot + 1]
            is_eithers = is_eithers or _are_others_sides(sides, seat, reference)
        if not is_eithers and strongest(np.abs(seen - of_seats[seat])).min() <= OWN_UP_TO * reference.larger:
            continue
        if is_eithers or _others_likelihood(seen, of_seats, seat, reference) > DOUBT:
            told[strip, 1:HAND, slot] = np.tile(np.log(of_layers.mean(axis=0)), len(SEATS))
    return told


def _others_likelihood(seen: Floats, of_seats: Floats, seat: int, reference: ReferenceStrips) -> float:
    """Gets how likely what has colours (N x 3) is not the seat's but the other's (2 x M x 3), by what either can look
    like."""
    as_its, as_other = _how_unlike(seen, of_seats, seat, reference)
    if as_its - as_other > LESS_UNLIKE:
        return EITHERS
    return DOUBT if as_its > OWN_LIKE and as_other - as_its < AS_LIKE else 0.0


def _are_others_sides(sides: Floats, seat: int, reference: ReferenceStrips) -> bool:
    """Whether what is seen of checkers at the side away from a lamp (N x 3) speaks for the other seat's."""
    of_seats = colours_at_start(reference, least_lit)
    own = strongest(np.abs(sides[:, None] - of_seats[seat])).min(axis=1) <= OWN_UP_TO * reference.larger
    if 2 * np.count_nonzero(own) > len(sides):
        return False
    as_its, as_other = _how_unlike(sides, of_seats, seat, reference)
    return as_its - as_other > SIDE_LESS_UNLIKE


def _how_unlike(seen: Floats, of_seats: Floats, seat: int, reference: ReferenceStrips) -> tuple[float, float]:
    """Gets how far what has colours (N x 3) is from what the seat's and the other's (2 x M x 3) can look like, in terms
    of :attr:`ReferenceStrips.larger`."""
    as_its, as_other = (
        float(np.median(_unlikeness(seen, of_seats[each]))) / reference.larger for each in (seat, 1 - seat)
    )
    return as_its, as_other


def _is_burnt_out(colours: Floats) -> NDArray[np.bool_]:
    """Whether colours (... x 3, root scale) say no more than that there is much light."""
    return np.asarray(colours.min(axis=-1) >= np.sqrt(BURNT_OUT + DARK_OFFSET), dtype=np.bool_)


def _are_white(of_seats: Floats) -> NDArray[np.bool_]:
    """Whether most of each seat's checkers (2 x M x 3, as at the start) are burnt out where much light falls on them,
    without a lamp that is mirrored in them. All are taken to be where no start tells."""
    lit = _roots(_light(of_seats) * LIGHT[-1])
    return np.asarray(2 * _is_burnt_out(lit).sum(axis=-1) > of_seats.shape[1], dtype=np.bool_)


def _unlikeness(seen: Floats, own: Floats) -> Floats:
    """Gets how far colours (N x 3, root scale) are from what one of a seat's (M x 3) looks like in more or less light,
    with any grey light added (N): in that channel in which they are furthest from it.

    Light is taken to go with the square of levels, near enough to what cameras write.
    """
    light = _light(seen)[:, None, None]  # N x colours and lights x added x 3
    lit = (_light(own)[:, None] * LIGHT[:, None]).reshape(-1, 1, 3)
    over = np.sort(np.maximum(light - lit, 0), axis=-1).swapaxes(-1, -2)  # as much as one of the channels asks for
    return np.asarray(strongest(np.abs(_roots(lit + over) - seen[:, None, None])).min(axis=(1, 2)), dtype=np.float32)


def _light(roots: Floats) -> Floats:
    return np.asarray(np.maximum(roots * roots - DARK_OFFSET, 0) ** 2, dtype=np.float32)


def _roots(light: Floats) -> Floats:
    return np.asarray(np.sqrt(np.sqrt(light) + DARK_OFFSET), dtype=np.float32)


def _shared(reading: PlaceReading, others: float) -> PlaceReading:
    """Gets the reading of a point with each stack so likely the other seat's."""
    likely: dict[Stack, float] = {}
    for chance in reading.chances:
        for stack, share in ((chance.stack, 1 - others), (_others(chance.stack), others)):
            likely[stack] = likely.get(stack, 0.0) + share * chance.likelihood
    listed = sorted(likely.items(), key=lambda each: -each[1])
    return replace(reading, chances=tuple(StackChance(stack, likelihood) for stack, likelihood in listed))


def _others(stack: Stack) -> Stack:
    return tuple(SEATS[1 - SEATS.index(seat)] for seat in stack)
