"""Rows whose colour is none of the seat's that is told, and may be the other's below a lamp, are left open."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import Shots
from numpy.typing import NDArray

from boardctl.referee.readings import PlaceReading, StackChance
from boardctl.rules import Seat, point
from boardctl.vision.points.column_input import block_roots
from boardctl.vision.points.columns import CHECKER_PX, POINTS, ReferenceStrips, reference_strips
from boardctl.vision.points.strip_reading import BARE_LOGITS, LAYERS
from boardctl.vision.points.whose_colour import of_one_seat, with_doubted_bar, with_doubted_seats
from calibration.light.linear import levels_of, light_of
from calibration.starting_position import STARTING_STACKS

ROW = {Seat.A: 6, Seat.B: 12}
"""Points that hold five of a seat at the start."""


def told(seat: Seat, number: int, likelihood: float = 0.97) -> PlaceReading:
    return PlaceReading(point(number), (StackChance((seat,) * 5, likelihood), StackChance((), 0.01)))


def read(shots: Shots, of: Seat, as_seat: Seat, *, light: float = 1.0, added: float = 0.0) -> PlaceReading:
    """Gets the reading of a starting row of a seat, told as ``as_seat``'s, in other light and with some added."""
    reference = reference_strips(shots.calibration)
    strips = reference.cutter.cut(shots.calibration.start)
    lit = levels_of(light_of(strips) * np.float32(light) + np.float32(added))
    number = ROW[of]
    reading = told(as_seat, number)
    (seen,) = with_doubted_seats([reading], block_roots(lit), [number - 1], reference)
    return seen


@pytest.mark.parametrize(("light", "added"), [(1.0, 0.0), (0.5, 0.0), (1.5, 0.0), (1.0, 0.05)])
@pytest.mark.parametrize("seat", [Seat.A, Seat.B])
def test_in_shade_and_sun_and_below_a_lamp_a_row_is_its_seats(
    brown: Shots, seat: Seat, light: float, added: float
) -> None:
    assert read(brown, seat, seat, light=light, added=added) == told(seat, ROW[seat])


def test_what_can_only_be_the_other_seats_is_left_open(brown: Shots) -> None:
    for added in (0.0, 0.04):
        seen = read(brown, Seat.B, Seat.A, added=added)
        assert seen.likelihood((Seat.A,) * 5) == pytest.approx(0.485)
        assert seen.likelihood((Seat.B,) * 5) == pytest.approx(0.485)
        assert seen.likelihood(()) == pytest.approx(0.01)


def test_what_may_nearly_as_well_be_the_other_seats_is_never_sure(brown: Shots) -> None:
    seen = read(brown, Seat.B, Seat.A, light=0.5, added=0.4)
    assert seen.likelihood((Seat.A,) * 5) == pytest.approx(0.85 * 0.97)
    assert seen.likelihood((Seat.B,) * 5) == pytest.approx(0.15 * 0.97)
    assert seen.chances[0].stack == (Seat.A,) * 5


BURNT_OUT = 2000.0
"""Times the light of the start: all is white."""


@pytest.mark.parametrize("as_seat", [Seat.A, Seat.B])
def test_what_is_burnt_out_below_a_lamp_says_not_whose_it_is(brown: Shots, as_seat: Seat) -> None:
    seen = read(brown, Seat.B, as_seat, light=BURNT_OUT)
    assert seen.likelihood((Seat.A,) * 5) == seen.likelihood((Seat.B,) * 5) == pytest.approx(0.485)


@pytest.mark.parametrize(("level", "is_open"), [(255, False), (200, False), (180, True)])
def test_white_checkers_that_are_burnt_out_are_their_seats(brown: Shots, level: int, is_open: bool) -> None:
    reference = reference_strips(brown.calibration)
    assert reference.start is not None
    white = replace(reference, start=np.full_like(reference.start, level))
    burnt_out = block_roots(np.full_like(reference.start, 255))
    (seen,) = with_doubted_seats([told(Seat.A, 6)], burnt_out, [5], white)
    assert (seen != told(Seat.A, 6)) is is_open


SHINING = (1.2, 1.2, 0.1, 0.1)
"""Light that a mirrored lamp adds to checkers at one side, behind the middle, towards the other side and there: in the
middle more than any camera writes."""


def below_a_lamp(shots: Shots) -> tuple[ReferenceStrips, NDArray[np.uint8]]:
    """Gets strips as at the start of a board on which seat A's checkers are white and burnt out, and strips of the same
    in which a lamp burns out all but one side of seat B's."""
    reference = reference_strips(shots.calibration)
    assert reference.start is not None
    start = reference.start.copy()
    for number, seat, count in STARTING_STACKS:
        if seat is Seat.A:
            start[number - 1, : count * CHECKER_PX] = 255
    across = np.interp(np.linspace(0, 1, start.shape[2]), (0, 0.6, 0.7, 1), SHINING).astype(np.float32)
    return replace(reference, start=start), levels_of(light_of(start) + across[None, None, :, None])


def test_where_one_seat_is_white_a_shining_row_is_told_by_the_side_away_from_the_lamp(brown: Shots) -> None:
    reference, shining = below_a_lamp(brown)
    blocks = block_roots(shining)
    of_a, of_b = (ROW[seat] - 1 for seat in (Seat.A, Seat.B))
    white, open_row = with_doubted_seats([told(Seat.A, 6), told(Seat.A, 12)], blocks, [of_a, of_b], reference)
    assert white == told(Seat.A, 6)
    assert open_row.likelihood((Seat.A,) * 5) == open_row.likelihood((Seat.B,) * 5) == pytest.approx(0.485)


@pytest.mark.parametrize(("of", "is_open"), [(Seat.A, False), (Seat.B, True)])
def test_on_the_bar_a_shining_checker_is_told_by_that_side_too(brown: Shots, of: Seat, is_open: bool) -> None:
    reference, shining = below_a_lamp(brown)
    shining[POINTS] = shining[ROW[of] - 1]
    logits = np.stack([BARE_LOGITS, BARE_LOGITS])
    logits[0, 1, 2] = 20.0
    seen = with_doubted_bar(logits, block_roots(shining), reference)
    assert bool(seen[0, 1, 2] == seen[0, 1 + LAYERS, 2]) is is_open


def test_a_white_checker_half_in_a_shadow_is_its_seats(brown: Shots) -> None:
    reference, _ = below_a_lamp(brown)
    assert reference.start is not None
    shaded = reference.start.copy()
    half = shaded.shape[2] // 2
    shaded[:, :, half:] = levels_of(light_of(shaded[:, :, half:]) * np.float32(0.5))
    assert with_doubted_seats([told(Seat.A, 6)], block_roots(shaded), [5], reference) == [told(Seat.A, 6)]


def test_on_the_bar_what_is_burnt_out_is_left_open(brown: Shots) -> None:
    reference = reference_strips(brown.calibration)
    logits = np.stack([BARE_LOGITS, BARE_LOGITS])
    logits[0, 1, 2] = 20.0
    blocks = block_roots(np.full_like(reference.cutter.cut(brown.calibration.start), 255))
    seen = with_doubted_bar(logits, blocks, reference)
    assert seen[0, 1, 2] == seen[0, 1 + LAYERS, 2] == pytest.approx(20.0 - np.log(2))


@pytest.mark.parametrize(("of", "light"), [(Seat.A, 1.0), (Seat.A, 0.6), (Seat.B, 1.0), (Seat.B, 0.6)])
def test_on_the_bar_only_what_is_the_other_seats_is_left_open(brown: Shots, of: Seat, light: float) -> None:
    reference = reference_strips(brown.calibration)
    strips = reference.cutter.cut(brown.calibration.start)
    strips[POINTS] = strips[ROW[of] - 1]
    blocks = block_roots(levels_of(light_of(strips) * np.float32(light)))
    for told_as, first in ((Seat.A, 1), (Seat.B, 1 + LAYERS)):
        logits = np.stack([BARE_LOGITS, BARE_LOGITS])
        logits[0, first, 2] = 20.0
        seen = with_doubted_bar(logits, blocks, reference)
        if told_as is of:
            assert (seen == logits).all()
            continue
        assert seen[0, 1, 2] == seen[0, 1 + LAYERS, 2] == pytest.approx(20.0 - np.log(2))
        seen[0, 1:, 2] = logits[0, 1:, 2]  # and of nothing else it says otherwise
        assert (seen == logits).all()


def test_of_a_checker_that_is_hardly_seen_it_is_asked_whose_it_is_too(brown: Shots) -> None:
    reference = reference_strips(brown.calibration)
    strips = reference.cutter.cut(brown.calibration.start)
    bare = PlaceReading(point(12), (StackChance((), 0.8), StackChance((Seat.A,), 0.16)))
    (seen,) = with_doubted_seats([bare], block_roots(strips), [11], reference)
    assert seen.likelihood((Seat.A,)) == seen.likelihood((Seat.B,)) == pytest.approx(0.08)
    assert seen.likelihood(()) == pytest.approx(0.8)


def row_of(*shares_of_a: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Gets what is seen of one row (1 x seats x 3 x slots), single checkers with such shares of A."""
    layers = np.zeros((1, 2, LAYERS, len(shares_of_a)))
    layers[0, 0, 0], layers[0, 1, 0] = shares_of_a, 1 - np.array(shares_of_a)
    return layers


def of_all(layers: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[float]:
    """Gets how likely all slots hold each seat's."""
    return np.asarray(of_one_seat(layers).sum(axis=2).prod(axis=-1)[0]).tolist()


def test_an_unclear_row_is_one_seats_or_the_others() -> None:
    assert of_all(row_of(0.5, 0.5, 0.5, 0.5)) == pytest.approx([0.5, 0.5])
    assert of_all(row_of(0.8, 0.8, 0.8)) == pytest.approx([0.8, 0.2])


def test_one_unclear_slot_says_what_it_did_and_clear_ones_of_both_seats_are_no_row() -> None:
    assert of_all(row_of(0.99, 0.3)) == pytest.approx([0.99 * 0.3, 0.01 * 0.7])
    assert of_all(row_of(0.999, 0.001)) == pytest.approx([0.999 * 0.001] * 2)
    assert max(of_all(row_of(0.5, 0.999, 0.001))) < 0.001
