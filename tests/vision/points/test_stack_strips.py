"""A closer look at full rows tells second layers from single checkers, on looks that it was not trained on."""

from functools import cache
from random import Random

import numpy as np
import pytest

from boardctl.cli.bench.stacks import laid_in_hollows
from boardctl.rules import Backgammon, Placement, Seat, point
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS
from boardctl.virtual.world import World, empty_world, set_up
from boardctl.vision.board import read_board
from boardctl.vision.frame import read_frame
from boardctl.vision.points.columns import POINTS
from boardctl.vision.points.reading import read_points_and_bar, single_rows
from boardctl.vision.points.stack_strips import (
    CHANNELS,
    PATCH_PX,
    layer_evidence,
    single_beside,
    stack_cutter,
    stack_input,
)
from boardctl.vision.whole_sets import with_whole_sets
from calibration import BoardGeometry, Calibration

A, B = Seat.A, Seat.B
GEOMETRY = BoardGeometry()


@cache
def table(look: str) -> tuple[Renderer, Calibration]:
    renderer, random = Renderer(LOOKS[look], GEOMETRY), Random(4)
    empty = empty_world(GEOMETRY, random)
    start = set_up(empty, Backgammon().start().placement(), random)
    return renderer, Calibration.of(LOOKS[look].camera, GEOMETRY, renderer.frame(empty), renderer.frame(start))


def laid(stacks: dict[int, int], seed: int) -> World:
    placement = Placement({point(number): ((A if number < 13 else B),) * count for number, count in stacks.items()})
    random = Random(seed)
    return set_up(empty_world(GEOMETRY, random), placement, random)


def shown(look: str, stacks: dict[int, int], seed: int) -> np.ndarray:
    return table(look)[0].frame(laid(stacks, seed))


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_second_layers_have_more_said_for_them_than_single_checkers(look: str) -> None:
    _, calibration = table(look)
    tall, single = [], []
    for seed in range(3):
        picture = shown(look, {6: 8, 8: 5, 19: 8, 17: 5}, seed)
        tall += [layer_evidence(picture, calibration, strip, 5)[1, :3] for strip in (5, 18)]
        single += [layer_evidence(picture, calibration, strip, 5)[1] for strip in (7, 16)]
    assert np.mean(tall) > np.mean(single) + 2
    assert (np.concatenate(single) < 0).mean() > 0.8


def test_the_evidence_is_against_one_checker() -> None:
    _, calibration = table("walnut")
    evidence = layer_evidence(calibration.start, calibration, 5, 5)
    assert evidence.shape == (3, 5)
    assert (evidence[0] == 0).all()


def test_most_rows_of_five_are_read_as_five_and_none_as_more_for_sure() -> None:
    right = 0
    for look in LOOKS:
        _, calibration = table(look)
        board = read_board(calibration.start, calibration)
        for number, stack in ((6, (A,) * 5), (13, (A,) * 5), (12, (B,) * 5), (19, (B,) * 5)):
            right += board.at(point(number)).best == stack
            assert board.at(point(number)).best == stack or board.at(point(number)).confidence < 0.95
    assert right >= 14


def test_second_layers_that_lie_in_the_hollows_are_counted() -> None:
    right = 0
    stacks = {6: 7, 8: 6, 19: 7, 17: 8}
    for look in LOOKS:
        renderer, calibration = table(look)
        board = read_board(renderer.frame(laid_in_hollows(laid(stacks, 2))), calibration)
        for number, count in stacks.items():
            seen = board.at(point(number))
            counted = seen.best is not None and len(seen.best) == count
            right += counted
            assert counted or seen.confidence < 0.95
    assert right >= 14


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_where_the_hollows_are_filled_nobody_is_sure_that_none_lies_on_top(look: str) -> None:
    renderer, calibration = table(look)
    stacks = {6: 10, 8: 5, 19: 10, 17: 5}
    picture = renderer.frame(laid_in_hollows(laid(stacks, 2)))
    one_by_one = read_frame(picture, calibration)
    whole = with_whole_sets(one_by_one, 15).board
    for number, count in stacks.items():
        stack = ((A if number < 13 else B),) * count
        assert one_by_one.board.at(point(number)).likelihood(stack) > 0.1
        seen = whole.at(point(number))
        assert seen.best == stack or seen.confidence < 0.95


def test_a_patch_shows_its_slot_in_the_middle_and_how_layers_lean() -> None:
    _, calibration = table("cork")
    tool = stack_cutter(calibration)
    patches = stack_input(tool.cut(calibration.start, 5), tool.leaning[5], 5)
    assert patches.shape == (5, CHANNELS, PATCH_PX, PATCH_PX)
    checker, felt = patches[2, :3, 30:42, 30:42].mean(), patches[2, :3, 30:42, :2].mean()
    assert abs(checker - felt) > 0.3
    assert np.ptp(patches[:, 6:], axis=(2, 3)).max() == 0


def test_a_patch_shows_how_its_slot_differs_from_single_checkers_where_there_are_any() -> None:
    _, calibration = table("cork")
    tool = stack_cutter(calibration)
    row, leaning = tool.cut(calibration.start, 5), tool.leaning[5]
    single = single_beside(calibration.start, tool, GEOMETRY, 5, [(7, 3)])
    alone, beside = stack_input(row, leaning, 5), stack_input(row, leaning, 5, single)
    assert (beside[:, :8] == alone[:, :8]).all()
    assert not alone[:, 8:].any()
    assert (beside[:, 11] == 1).all()
    middle = (slice(None), slice(8, 11), slice(30, 42), slice(30, 42))
    assert np.abs(beside[middle]).mean() < 0.3
    other = single_beside(calibration.start, tool, GEOMETRY, 5, [(0, 2)])  # the dark seat's
    assert np.abs(stack_input(row, leaning, 5, other)[middle]).mean() > 1


def test_how_a_single_checker_looks_is_told_by_the_nearest_and_turned_as_they_lie() -> None:
    _, calibration = table("cork")
    tool, start = stack_cutter(calibration), calibration.start
    assert single_beside(start, tool, GEOMETRY, 5, []) is None
    near = single_beside(start, tool, GEOMETRY, 5, [(7, 3)])
    assert near is not None
    strip = tool.cut(start, 7, 3).astype(float)
    mean = np.mean([strip[40 * slot : 40 * slot + PATCH_PX] for slot in range(3)], axis=0)
    assert np.abs(near - mean).max() <= 0.5
    far = single_beside(start, tool, GEOMETRY, 18, [(7, 3)])
    assert far is not None
    assert (far == near[::-1, ::-1]).all()
    crowd = single_beside(start, tool, GEOMETRY, 7, [(7, 3), (5, 3), (0, 2)])
    assert crowd is not None
    assert (crowd == single_beside(start, tool, GEOMETRY, 7, [(5, 3), (7, 3)])).all()


def test_single_checkers_are_those_of_short_rows_that_are_plainly_seen() -> None:
    _, calibration = table("cork")
    logits = read_points_and_bar(calibration.start, calibration).strips.logits[:POINTS]
    assert single_rows(logits) == [[(7, 3), (23, 2)], [(0, 2), (16, 3)]]
    doubted = logits.copy()
    doubted[7, 0] += 30.0  # might as well be bare
    assert single_rows(doubted)[0] == [(23, 2)]


def test_a_patch_shows_how_its_slot_differs_from_the_others_of_the_row() -> None:
    _, calibration = table("cork")
    tool = stack_cutter(calibration)
    patches = stack_input(tool.cut(calibration.start, 5), tool.leaning[5], 5)
    others = np.delete(patches[:, :3], 2, axis=0).mean(axis=0)
    assert np.abs(patches[2, 3:6] - 2 * (patches[2, :3] - others)).max() < 1e-4
