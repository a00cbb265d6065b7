"""Reads points and bar from their strips: the network says what lies in each slot, here slots become stacks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import Hand, PlaceReading, StackChance
from boardctl.rules import Place, Seat, bar, point
from boardctl.vision.brightness import Brightness, brightness
from boardctl.vision.columns import POINTS, SLOTS, STRIPS, Picture, ReferenceStrips
from boardctl.vision.flat_bar import bar_logits, unseen_on
from boardctl.vision.hands import told_hands
from boardctl.vision.off_centre import put_in_rows
from boardctl.vision.stack_strips import layer_evidence
from boardctl.vision.strip_reading import HAND, LAYERS, StripsSeen, see_strips
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

VOUCHED = 0.5
"""Likelihood under which something else is as likely."""

SURE = 0.9
"""Confidence from which a place that has not changed is not read again in the next frame: no full row is told surer."""

HIDDEN_FROM = 0.5
"""Likelihood of a hand over what lies on a point, from which the point is hidden."""

BARE_HIDDEN_FROM = 0.27
"""The same of a point that seems bare: what is taken for bare and is not loses a checker, what is taken for hidden is
read when the hand is gone. On drawn boards two in three points between the two are covered."""

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

EVIDENCE_TRUSTED, BESIDE_CLOSER_TRUSTED, CLOSER_TRUSTED = 0.5, 0.3, 0.7
"""Share of a network's evidence (logarithm of a ratio of likelihoods) for or against a second layer that is believed:
of the network for strips, by itself and beside the one that looks closer, and of that. Both see the same pixels, and
may be wrong together. Chosen on looks drawn as those for the training are, none of them in it."""

MISLED = 0.15
"""How often all that is taken to be worth nothing: where a second layer is displaced by less than hands are. Of 34 full
rows of four looks that no network was trained on, told with over 0.9, one was wrong: none is told with over 0.95."""

FULL_ROW = 5

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
    bright = Brightness(calibration) if reference else brightness(calibration)
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
    closer = [
        _closer_look(shown, lit, strip, said[:, :length]) if length else None
        for strip, said, length in zip(strips_read, logits, full_lengths(logits), strict=True)
    ]
    places = [point(strip + 1) for strip in strips_read]
    readings = point_readings(places, logits, closer)
    for strip, said, layers, seen_there in zip(strips_read, logits, closer, readings, strict=True):
        points[strip] = told.read(seen_there, strip)
        if told.covered[strip]:
            covered.append(CoveredPoint(strip, said, layers))
        if seen_there.chances and not points[strip].chances:
            unsaid.append(replace(seen_there, hidden=False))
    if known and last is not None and _are_as_before(seen, last, slice(POINTS, STRIPS)):
        bars = known[POINTS:]
    else:
        on_bar = bar_readings(bar_logits(told.logits, calibration.geometry), unseen_on(calibration.geometry))
        bars = tuple(told.read(reading, POINTS, POINTS + 1) for reading in on_bar)
    places_seen = (*told.doubted_beside(points), *bars)
    return PointsSeen(places_seen, told.any_over, seen, told.hands, tuple(unsaid), covered=tuple(covered))


def _are_as_before(seen: StripsSeen, before: StripsSeen, strips: slice) -> bool:
    """Whether the network was asked of none of these strips, and each that looked bare still does."""
    return not seen.asked[strips].any() and bool((seen.looked_at[strips] == before.looked_at[strips]).all())


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


def _closer_look(picture: Picture, calibration: Calibration, strip: int, logits: Floats) -> Floats:
    """Gets what a closer look says of the layers in a full row; ``logits`` (8 x its length): what was seen of it."""
    whose = 1 + int(logits[1:HAND, 0].argmax()) // LAYERS * LAYERS
    seen = np.log(doubled_evidence(np.exp(logits[whose : whose + LAYERS]), TRAINED_FULL)[1:]).max(axis=0)
    return layer_evidence(picture, calibration, strip, logits.shape[1], seen)


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
    :func:`~boardctl.vision.stack_strips.layer_evidence` gives it, where there was one.

    A row lies without a gap from the edge on: once a slot is seen bare, a hand beyond it hides nothing. What a hand
    covers is not guessed, so that the chances add up to less than one by as much as may be hidden.
    """
    lying, clear = lying_and_seen_clear(logits, closer)
    seen_bare = lying[:, 0] * clear
    bare_or_covered = 1 - clear * (1 - lying[:, 0])
    bare = seen_bare[:, 0] * bare_or_covered[:, 1:OWN_SLOTS].prod(axis=1)
    layers = lying[:, 1:].reshape(len(lying), len(SEATS), LAYERS, SLOTS) * clear[:, None, None]
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


def held_as_layers_show(lying: Floats, closer: Floats) -> Floats:
    """Gets how likely each thing lies in each slot (7 x slots) of a full row that was looked at closer (``closer``: 3 x
    its length): where a second layer is seen, a checker lies below.

    A bare slot shows no second layer, as little as a single checker does. So what is seen is likelier of a slot that
    holds any, of as many as lie in one slot in disorder, than of a bare one by as much as than of a single checker.
    """
    weighted = lying.copy()
    weighted[1:, : closer.shape[1]] *= LAYERS_IN_DISORDER @ np.exp(CLOSER_TRUSTED * closer)
    return np.asarray(weighted / weighted.sum(axis=0), dtype=np.float64)


def _is_hidden(listed: Sequence[StackChance], free: list[float]) -> bool:
    """Whether a hand keeps a point from being read: over what most likely lies there, or so that nothing is likely.

    ``free``: how likely each slot is free of hands.
    """
    if not listed or listed[0].likelihood < VOUCHED:
        return 1 - min(free[: BARE_SLOTS + 1]) > HIDDEN_FROM
    length = len(listed[0].stack)
    if not length:
        return 1 - min(free[:BARE_SLOTS]) > BARE_HIDDEN_FROM
    return 1 - min(free[: min(length, BARE_SLOTS)]) > HIDDEN_FROM


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
    often a full row with checkers on top holds one more; ``closer``: of each row as in :func:`point_readings`.
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


def bar_readings(logits: Floats, unseen: float = 0.0) -> list[PlaceReading]:
    """Gets the readings of both seats' bars from the network's numbers of the bar's two strips (2 x 8 x 7).

    Checkers on the bar lie anywhere on it, so that each slot counts by itself. ``unseen``: how likely one more of a
    seat lies where the strips do not reach.
    """
    found = [lying_and_clear(strip) for strip in logits]
    lying = np.concatenate([each[0][:, :BAR_SLOTS] for each in found], axis=1)
    clear = np.concatenate([each[1][:BAR_SLOTS] for each in found])
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
