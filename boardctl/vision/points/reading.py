"""Reads points and bar from their strips: what the networks say of slots, of layers, of hands and of the bar."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import Hand, PlaceReading, StackChance
from boardctl.rules import Place, Seat, bar, point
from boardctl.vision.points.brightness import Brightness, brightness
from boardctl.vision.points.columns import POINTS, SLOTS, STRIPS, Picture, ReferenceStrips
from boardctl.vision.points.flat_bar import bar_logits, in_middle, unseen_on
from boardctl.vision.points.hands import told_hands
from boardctl.vision.points.off_centre import put_in_rows
from boardctl.vision.points.own_colour import ALIKE, BARE_OF_ITS_COLOUR, away_from_board
from boardctl.vision.points.row_counts import (
    DOUBLED_SHORT_ROW,
    FULL_ROW,
    LEAST_LIKELY,
    ONE_MORE,
    TRAINED_FULL,
    doubled_evidence,
    held_as_layers_show,
    row_counts,
    with_doubled_odds,
)
from boardctl.vision.points.stack_strips import layer_evidence
from boardctl.vision.points.strip_reading import BARE_LOGITS, HAND, LAYERS, StripsSeen, see_strips
from boardctl.vision.points.whose_colour import of_one_seat, with_doubted_bar, with_doubted_seats
from calibration import Calibration

Floats = NDArray[np.float64]

BARE_SLOTS = 5
"""Slots as long as a bare point: a hand over one of them hides it."""

BAR_SLOTS = 4
"""Slots from the middle of the bar to its end."""

OWN_SLOTS = 5
"""Slots that only this point's checkers reach; in those beyond, the end of a long row of the point opposite may lie."""

GOES_ON = 0.1
"""How often a row of five goes on where it cannot be seen: checkers are mostly laid on top from the sixth on."""

GOES_ON_UNSEEN = 0.95
"""Most that is told of a row behind which something lies that the network calls bare, and of a point on which it does.
Of 4,539 rows of four sets of boards 14 are so; one of them went on, and was told not to with 0.999. Of 49 such points
told bare on seven sets two held a checker."""

VOUCHED = 0.5
"""Likelihood under which something else is as likely."""

PLAINLY_HELD = 0.9
"""Likelihood from which a slot of a short row shows how a checker of its seat looks."""

SURE = 0.9
"""Confidence from which a place that has not changed is not read again in the next frame: no full row is told surer."""

HIDDEN_FROM = 0.5
"""Likelihood of a hand over what lies on a point, from which the point is hidden."""

HELD_HIDDEN_FROM = 0.15
"""The same of the checkers that a point seems to hold. With it six of eight such points are hidden that are covered by
more than a seventh, and by 0.5 were told, and three of 1,266 others, all of them covered by less (155 pictures with a
hand, of eleven renders, five drawn and eight traced sets of boards)."""

BARE_HIDDEN_FROM = 0.27
"""The same of one that seems bare: what is taken for bare and is not loses a checker, what is taken for hidden is
read when the hand is gone. On drawn boards two in three points between the two are covered."""


BARE = (StackChance((), 0.9999),)
"""The reading of a point whose strip looks as on the empty board. No checker in any picture has looked so; with as
many points seen as one in ten thousand is, that is what can be vouched for."""

SEATS = (Seat.A, Seat.B)


@dataclass(frozen=True)
class CoveredPoint:
    """The strip of a point over which a hand may lie in part, the network's numbers of it (8 x 7), and what a closer
    look said."""

    strip: int
    logits: Floats
    closer: Floats | None


@dataclass(frozen=True)
class PointsSeen:
    """The readings of points and bar, whether something is over the board, the strips that this was read from, and the
    hands that were told."""

    places: tuple[PlaceReading, ...]
    hand: bool
    strips: StripsSeen
    hands: tuple[Hand, ...] = ()
    unsaid: tuple[PlaceReading, ...] = ()
    """What little was seen of points of which nothing is said, because no stack explains it."""
    colours: Floats | None = None
    """Where stacks are told by colour: how likely the checker in each slot is each seat's (24 x seats x slots)."""
    covered: tuple[CoveredPoint, ...] = ()


def read_points_and_bar(
    picture: Picture,
    calibration: Calibration,
    before: PointsSeen | None = None,
    reference: ReferenceStrips | None = None,
) -> PointsSeen:
    """Gets a reading for each of the 24 points and for both seats' bars, and the hands over the board.

    ``before``, what was seen in the frame before, spares the network what has not changed. ``reference``: the strips
    that are compared with, where they are not the calibration's own. Hands are told in the picture as it is.
    """
    is_calibrated = reference is None
    bright = brightness(calibration) if is_calibrated else Brightness(calibration)
    shown, lit = bright.picture(picture), bright.calibration
    reference = reference or bright.reference
    last = None if before is None else before.strips
    strips = reference.cutter.cut(shown)
    seen = see_strips(strips, reference, last, sure_strips(before))
    seen, _ = put_in_rows(shown, lit, reference, strips, seen)
    told = told_hands(picture, calibration, seen.logits)
    points = [PlaceReading(point(number), BARE) for number in range(1, POINTS + 1)]
    alike = before is not None and (before.hand, bool(before.hands)) == (told.any_over, bool(told.hands))
    known = before.places if before is not None and alike else ()
    unsaid: list[PlaceReading] = []
    covered: list[CoveredPoint] = []
    read_anew = seen.asked if known else seen.looked_at
    for strip in np.flatnonzero(seen.looked_at[:POINTS] & ~read_anew[:POINTS]).tolist():
        points[strip] = known[strip]
    strips_read = np.flatnonzero(read_anew[:POINTS]).tolist()
    logits = told.logits[strips_read]
    singles = single_rows(told.logits[:POINTS])
    closer = [
        _closer_look(shown, lit, strip, said[:, :length], singles) if length else None
        for strip, said, length in zip(strips_read, logits, full_lengths(logits), strict=True)
    ]
    places = [point(strip + 1) for strip in strips_read]
    readings = point_readings(places, logits, closer)
    if is_calibrated:
        readings = with_doubted_seats(readings, seen.blocks, strips_read, reference)
    for strip, said, layers, seen_there in zip(strips_read, logits, closer, readings, strict=True):
        points[strip] = as_far_as_bare(told.read(seen_there, strip), seen, reference)
        if told.covered[strip]:
            covered.append(CoveredPoint(strip, said, layers))
        if seen_there.chances and not points[strip].chances:
            unsaid.append(replace(seen_there, hidden=False))
    if known and last is not None and _are_as_before(seen, last, slice(POINTS, STRIPS)) and _same_in_middle(seen, last):
        bars = known[POINTS:]
    else:
        said = bar_logits(told.logits, calibration.geometry)
        if is_calibrated:
            said = with_doubted_bar(said, seen.blocks, reference)
        on_bar = bar_readings(said, unseen_on(calibration.geometry), in_middle(seen, said))
        bars = tuple(told.read(reading, POINTS, POINTS + 1) for reading in on_bar)
    places_seen = (*told.doubted_beside(points), *bars)
    return PointsSeen(places_seen, told.any_over, seen, told.hands, tuple(unsaid), covered=tuple(covered))


def as_far_as_bare(reading: PlaceReading, seen: StripsSeen, reference: ReferenceStrips) -> PlaceReading:
    """Gets the reading of a point on which something has changed with doubt where its row seems to end, or it seems
    bare, and something lies in the next slot: a shadow, a die, or one more checker of the very colour of the board; and
    where it seems bare and is of the very colour of checkers."""
    strip, length = reading.place.number - 1, len(reading.best or ())
    if length < BARE_SLOTS and seen.changed[strip, length]:
        return reading.at_most(GOES_ON_UNSEEN)
    of_own_colour = length == 0 and away_from_board(reference)[strip] < ALIKE
    return reading.at_most(BARE_OF_ITS_COLOUR) if of_own_colour else reading


def _are_as_before(seen: StripsSeen, before: StripsSeen, strips: slice) -> bool:
    """Whether the network was asked of none of these strips, and each that looked bare still does."""
    return not seen.asked[strips].any() and bool((seen.looked_at[strips] == before.looked_at[strips]).all())


def _same_in_middle(seen: StripsSeen, before: StripsSeen) -> bool:
    """Whether the same is seen in the very middle of the board."""
    return bool((seen.middle == before.middle).all())


def sure_strips(seen: PointsSeen | None) -> NDArray[np.bool_]:
    """Gets of which strips (26) it was sure what they hold; the bar's two count together."""
    if seen is None:
        return np.zeros(STRIPS, dtype=np.bool_)
    sure = np.array([place.confidence >= SURE for place in seen.places])
    sure[POINTS:] = sure[POINTS:].all()
    return sure


def lying_and_clear(logits: Floats) -> tuple[Floats, Floats]:
    """Gets how likely each thing lies in each slot (... x 7 x slots) of strips (... x 8 x slots), and how likely each
    slot is free of hands (... x slots)."""
    lying = logits[..., :HAND, :]
    exponents = np.exp(lying - lying.max(axis=-2, keepdims=True))
    return exponents / exponents.sum(axis=-2, keepdims=True), 1 / (1 + np.exp(logits[..., HAND, :]))


def full_lengths(logits: Floats) -> list[int]:
    """Gets of strips (N x 8 x 7) how many slots from the edge on most likely hold something, where that is a full row;
    else 0."""
    exponents = np.exp(logits[:, :HAND] - logits[:, :HAND].max(axis=1, keepdims=True))
    held = exponents[:, 0] < VOUCHED * exponents.sum(axis=1)
    lengths = np.cumprod(held, axis=1).sum(axis=1)
    return [length if length >= FULL_ROW else 0 for length in lengths.tolist()]


def single_rows(logits: Floats) -> list[list[tuple[int, int]]]:
    """Gets of points (N x 8 x 7) those that plainly hold single checkers of each seat, rows of up to four, each with
    how many."""
    lying, clear = lying_and_clear(logits)
    rows: list[list[tuple[int, int]]] = [[], []]
    for whose, found in enumerate(rows):
        held = lying[:, 1 + whose * LAYERS : 1 + (whose + 1) * LAYERS].sum(axis=1) * clear
        lengths = np.cumprod(held > PLAINLY_HELD, axis=1).sum(axis=1)
        for strip in np.flatnonzero((lengths > 0) & (lengths < FULL_ROW)).tolist():
            length = int(lengths[strip])
            if lying[strip, 0, length] > VOUCHED:
                found.append((strip, length))
    return rows


def _closer_look(
    picture: Picture,
    calibration: Calibration,
    strip: int,
    logits: Floats,
    singles: Sequence[Sequence[tuple[int, int]]],
) -> Floats:
    """Gets what a closer look says of the layers in a full row; ``logits`` (8 x its length): what was seen of it,
    ``singles``: single checkers of each seat (:func:`single_rows`)."""
    whose = int(logits[1:HAND, 0].argmax()) // LAYERS
    of_seat = logits[1 + whose * LAYERS : 1 + (whose + 1) * LAYERS]
    seen = np.log(doubled_evidence(np.exp(of_seat), TRAINED_FULL)[1:]).max(axis=0)
    return layer_evidence(picture, calibration, strip, logits.shape[1], seen, singles[whose])


def point_reading(
    place: Place, logits: Floats, one_more: float = ONE_MORE, closer: Floats | None = None
) -> PlaceReading:
    """Gets the reading of a point from the network's numbers (8 x 7); see :func:`point_readings`."""
    (reading,) = point_readings([place], logits[None], [closer], one_more)
    return reading


def point_readings(
    places: Sequence[Place], logits: Floats, closer: Sequence[Floats | None], one_more: float = ONE_MORE
) -> list[PlaceReading]:
    """Gets the readings of points from the network's numbers (N x 8 x 7).

    ``closer``: for each what a closer look at the first slots of a full row says of the layers in each, as
    :func:`~boardctl.vision.points.stack_strips.layer_evidence` gives it, where there was one.

    A row lies without a gap from the edge on: once a slot is seen bare, a hand beyond it hides nothing. What a hand
    covers is not guessed, so that the chances add up to less than one by as much as may be hidden.
    """
    lying, clear = lying_and_seen_clear(logits, closer)
    seen_bare = lying[:, 0] * clear
    bare_or_covered = 1 - clear * (1 - lying[:, 0])
    bare = seen_bare[:, 0] * bare_or_covered[:, 1:OWN_SLOTS].prod(axis=1)
    layers = of_one_seat(lying[:, 1:].reshape(len(lying), len(SEATS), LAYERS, SLOTS)) * clear[:, None, None]
    strips, seats = np.nonzero(layers[..., 0].sum(axis=2) >= LEAST_LIKELY)  # a row lies from the edge on
    layers = layers[strips, seats]
    ended, beyond = seen_bare[strips], bare_or_covered[strips]
    ended[:, OWN_SLOTS:] = 1 - layers[:, :, OWN_SLOTS:].sum(axis=1) - GOES_ON * (1 - clear[strips, OWN_SLOTS:])
    beyond[:, OWN_SLOTS:] = 1.0
    counts = row_counts(layers, ended, beyond, one_more, [closer[strip] for strip in strips.tolist()])
    listed = listed_chances(bare, strips, seats, counts)
    return [
        PlaceReading(place, told, hidden=_is_hidden(told, free))
        for place, told, free in zip(places, listed, clear.tolist(), strict=True)
    ]


def lying_and_seen_clear(logits: Floats, closer: Sequence[Floats | None]) -> tuple[Floats, Floats]:
    """Gets what :func:`lying_and_clear` does, of points (N x 8 x 7), each with what a ``closer`` look says."""
    lying, clear = lying_and_clear(logits)
    for strip, evidence in enumerate(closer):
        if evidence is not None:
            lying[strip] = held_as_layers_show(lying[strip], evidence)
    return lying, clear


def listed_chances(
    bare: Floats, rows: NDArray[np.intp], seats: NDArray[np.intp], counts: Floats
) -> list[tuple[StackChance, ...]]:
    """Gets the stacks of points, the likeliest first: ``bare`` (N) is how likely each holds nothing, ``counts`` (M x
    22) how likely so many checkers in rows of points ``rows`` (M), of ``seats`` (M)."""
    chances = [[StackChance((), chance)] if chance >= LEAST_LIKELY else [] for chance in bare.tolist()]
    for row, seat, of_seat in zip(rows.tolist(), seats.tolist(), counts.tolist(), strict=True):
        chances[row] += [
            StackChance((SEATS[seat],) * count, chance)
            for count, chance in enumerate(of_seat)
            if count and chance >= LEAST_LIKELY
        ]
    return [tuple(sorted(each, key=lambda chance: -chance.likelihood)) for each in chances]


def _is_hidden(listed: Sequence[StackChance], free: list[float]) -> bool:
    """Whether a hand keeps a point from being read: over what most likely lies there, or so that nothing is likely.

    ``free``: how likely each slot is free of hands.
    """
    if not listed or listed[0].likelihood < VOUCHED:
        return 1 - min(free[: BARE_SLOTS + 1]) > HIDDEN_FROM
    length = len(listed[0].stack)
    if not length:
        return 1 - min(free[:BARE_SLOTS]) > BARE_HIDDEN_FROM
    return 1 - min(free[: min(length, BARE_SLOTS)]) > HELD_HIDDEN_FROM


def bar_readings(logits: Floats, unseen: float = 0.0, middle: Floats = BARE_LOGITS[:, 0]) -> list[PlaceReading]:
    """Gets the readings of both seats' bars from the network's numbers of the bar's two strips (2 x 8 x 7).

    Checkers on the bar lie anywhere on it, so that each slot counts by itself. ``unseen``: how likely one more of a
    seat lies where the strips do not reach; ``middle`` (8): what is seen between them.
    """
    found = [lying_and_clear(strip[:, :BAR_SLOTS]) for strip in (*logits, middle[:, None])]
    lying = np.concatenate([each[0] for each in found], axis=1)
    clear = np.concatenate([each[1] for each in found])
    free = float(clear.prod())
    readings = []
    for which, seat in enumerate(SEATS):
        own = with_doubled_odds(lying[1 + which * LAYERS : 1 + (which + 1) * LAYERS], DOUBLED_SHORT_ROW)
        counts = np.array([1 - unseen, unseen])
        for slot in np.concatenate([1 - own.sum(axis=0, keepdims=True), own]).T:
            counts = np.convolve(counts, slot)
        chances = [StackChance((seat,) * count, float(chance) * free) for count, chance in enumerate(counts)]
        listed = sorted(
            (each for each in chances if each.likelihood >= LEAST_LIKELY), key=lambda each: -each.likelihood
        )
        readings.append(PlaceReading(bar(seat), tuple(listed), hidden=1 - free > HIDDEN_FROM))
    return readings
