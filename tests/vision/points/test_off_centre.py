"""Checkers that do not lie where a row should: aside, away from the edge, apart from each other, between two points."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from boardctl.referee.readings import PlaceReading
from boardctl.rules import Backgammon, Placement, Seat, point
from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS, DiceLook
from boardctl.virtual.unseen.looks import drawn_installation
from boardctl.virtual.world import Checker, World, empty_world, set_up
from boardctl.vision.points.off_centre import beside
from boardctl.vision.points.reading import PointsSeen, read_points_and_bar
from calibration import BoardGeometry, Calibration, calibrate

GEOMETRY = BoardGeometry()
PITCH, ACROSS = GEOMETRY.point_width_mm, GEOMETRY.checker_diameter_mm
Table = tuple[Renderer, World, Calibration]


@pytest.fixture(scope="module", params=["green-felt", "walnut"])
def table(request: pytest.FixtureRequest) -> Table:
    random = Random(3)
    renderer = Renderer(LOOKS[request.param], GEOMETRY, 3)
    empty = empty_world(GEOMETRY, random)
    start = set_up(empty, Backgammon().start().placement(), random)
    return renderer, start, calibrate(renderer.frame(empty), renderer.frame(start))


def read(table: Table, number: int, moved: Callable[[Checker], Checker], *others: int) -> list[PlaceReading]:
    """Reads a point, and others, of the starting position in which checkers of the point lie elsewhere."""
    seen = looked_at(table, number, moved)
    return [next(place for place in seen.places if place.place == point(one)) for one in (number, *others)]


def looked_at(table: Table, number: int, moved: Callable[[Checker], Checker]) -> PointsSeen:
    renderer, start, calibration = table
    checkers = tuple(moved(one) if one.place == point(number) else one for one in start.checkers)
    return read_points_and_bar(renderer.frame(replace(start, checkers=checkers)), calibration)


def aside(share: float, index: int) -> Callable[[Checker], Checker]:
    """Moves one checker of a point towards point 1 or 24 by a share of a point's width."""
    return lambda one: replace(one, x_mm=one.x_mm + share * PITCH) if one.index == index else one


def inwards(share: float, first: int, near: bool) -> Callable[[Checker], Checker]:
    """Moves a point's checkers from one on away from the edge, by a share of a checker."""
    way = ACROSS * share * (1 if near else -1)
    return lambda one: replace(one, y_mm=one.y_mm + way) if one.index >= first else one


@pytest.mark.parametrize("share", [-0.3, 0.3])
def test_a_checker_that_lies_aside_counts_for_the_nearer_point(table: Table, share: float) -> None:
    eight, seven, nine = read(table, 8, aside(share, 2), 7, 9)
    assert (eight.best, seven.best, nine.best) == ((Seat.A,) * 3, (), ())


@pytest.mark.parametrize("share", [0.25, 0.5])
def test_a_row_need_not_begin_at_the_edge(table: Table, share: float) -> None:
    [eight] = read(table, 8, inwards(share, 0, near=True))
    assert (eight.best, eight.confidence > 0.9) == ((Seat.A,) * 3, True)
    [seventeen] = read(table, 17, inwards(share, 0, near=False))
    assert (seventeen.best, seventeen.confidence > 0.9) == ((Seat.B,) * 3, True)


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_checkers_need_not_touch(table: Table, share: float) -> None:
    [eight] = read(table, 8, inwards(share, 2, near=True))
    assert eight.best == (Seat.A,) * 3


def test_a_checker_between_two_points_may_belong_to_either(table: Table) -> None:
    for number, index, share, next_to in ((8, 2, 0.5, 7), (17, 2, -0.5, 16)):
        own, other = read(table, number, aside(share, index), next_to)
        assert own.confidence < 0.9
        assert other.confidence < 0.9
        stack = (Seat.A if number == 8 else Seat.B,) * 3
        assert own.likelihood(stack) > 0.2
        assert own.likelihood(stack[1:]) > 0.2


def test_what_lies_where_it_should_is_read_as_it_was(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr("boardctl.vision.points.moved_cuts.slot_logits", lambda *strips: asked.append(strips))
    seen = looked_at(table, 8, lambda one: one)
    assert asked == []
    board = Backgammon().start().placement()
    assert all(place.best == board.at(place.place) for place in seen.places)


@pytest.mark.parametrize("owner", [Seat.A, Seat.B])
def test_dice_on_a_bare_point_are_no_checker(owner: Seat) -> None:
    look, geometry = LOOKS["green-felt"], replace(GEOMETRY, die_size_mm=19.0)
    dice_look = DiceLook(look.checker(owner).colour, (20, 20, 20) if owner is Seat.A else (235, 235, 235))
    renderer, random = Renderer(replace(look, dice=dice_look), geometry, 3), Random(3)
    empty = empty_world(geometry, random)
    start = set_up(empty, Backgammon().start().placement(), random)
    calibration = Calibration.of(look.camera, geometry, renderer.frame(empty), renderer.frame(start))
    for number in (3, 9, 16, 22):
        x, way = geometry.point_x_mm(number), 1.0 if geometry.is_near_row(number) else -1.0
        ys = [way * (away - geometry.field_height_mm / 2) for away in (95.0, 117.0)]
        dice = tuple(Die(5, x + random.uniform(-8, 8), y, 9.5, random.uniform(0, 360)) for y in ys)
        seen = read_points_and_bar(renderer.frame(replace(start, dice=dice)), calibration)
        assert next(place.best for place in seen.places if place.place == point(number)) == ()


def test_a_die_on_the_point_of_a_blot_is_no_second_checker() -> None:
    look, geometry = LOOKS["green-felt"], replace(GEOMETRY, die_size_mm=19.0)
    dice_look = DiceLook(look.checker(Seat.A).colour, (20, 20, 20))
    renderer, random = Renderer(replace(look, dice=dice_look), geometry, 3), Random(3)
    empty = empty_world(geometry, random)
    start = set_up(empty, Backgammon().start().placement(), random)
    calibration = Calibration.of(look.camera, geometry, renderer.frame(empty), renderer.frame(start))
    laid = {point(number): (Seat.A,) for number in (2, 4, 9, 11, 15, 16, 21, 22)}
    world = set_up(empty, Placement(laid), random)
    for far in (84.0, 97.0, 110.0):
        for place in laid:
            x, way = geometry.point_x_mm(place.number), 1.0 if geometry.is_near_row(place.number) else -1.0
            y = way * (far - geometry.field_height_mm / 2)
            dice = tuple(Die(5, x + across, y, 9.5, random.uniform(0, 90)) for across in (-11.0, 11.0))
            seen = read_points_and_bar(renderer.frame(replace(world, dice=dice)), calibration)
            reading = next(one for one in seen.places if one.place == place)
            assert reading.best == (Seat.A,) or reading.confidence < 0.9


def test_a_row_of_the_colour_of_its_point_is_not_cut_short_where_little_of_it_is_seen() -> None:
    """A dark row of four on a dark point, of which only two checkers do not look as on the empty board."""
    drawn = drawn_installation(7001, 1)
    renderer, random = Renderer(drawn.look, drawn.geometry, 1), Random(1)
    empty = empty_world(drawn.geometry, random)
    start = set_up(empty, Backgammon().start().placement(), random)
    calibration = Calibration.of(drawn.look.camera, drawn.geometry, renderer.frame(empty), renderer.frame(start))
    laid = {point(number): (Seat.B,) * 4 for number in (1, 3, 5, 8, 10, 12, 14, 17, 19, 22)}
    seen = read_points_and_bar(renderer.frame(set_up(empty, Placement(laid), random)), calibration)
    wrong = [one for one in seen.places if one.place in laid and one.best != laid[one.place] and one.confidence > 0.9]
    assert wrong == []


def test_a_point_has_neighbours_on_its_own_side_only() -> None:
    near = {beside(GEOMETRY, 5, 1.0), beside(GEOMETRY, 5, -1.0)}  # point 6 lies beside the bar
    assert near == {4, None}
    assert {beside(GEOMETRY, 11, 1.0), beside(GEOMETRY, 11, -1.0)} == {10, None}  # point 12 and the edge
    assert {beside(GEOMETRY, 15, 1.0), beside(GEOMETRY, 15, -1.0)} == {14, 16}
