"""Stand-in eyes: they see the world as it is, but for the errors that they are told to make."""

from dataclasses import replace
from math import dist
from random import Random

import pytest
from perfect_eyes import read_world

from boardctl.referee.readings import Support
from boardctl.rules import Backgammon, Place, PlaceKind, Seat, point
from boardctl.virtual.dice import ThrowKind, throw_die
from boardctl.virtual.drawing.things import mug
from boardctl.virtual.eye_errors import Attitudes, Band, EyeErrors, Readings, measured_errors
from boardctl.virtual.standin_eyes import StandInEyes
from boardctl.virtual.world import Hand, World, empty_world, put, set_up
from calibration import BoardGeometry

GAME = Backgammon()
GEOMETRY = BoardGeometry()


def start(seed: int = 1) -> World:
    random = Random(seed)
    return set_up(empty_world(GEOMETRY, random), GAME.start().placement(), random)


def eyes(errors: EyeErrors | None = None, seed: int = 1) -> StandInEyes:
    return StandInEyes(GAME, GEOMETRY, errors or EyeErrors.none(), seed)


def test_without_errors_they_see_what_is_there() -> None:
    world, random = start(), Random(3)
    for kind in (ThrowKind.FLAT, ThrowKind.LEANING_ON_CHECKER, ThrowKind.OFF_BOARD):
        die = throw_die(GEOMETRY, Seat.A, 4, kind, world.checkers, world.dice, random)
        world = replace(world, dice=(*world.dice, die))
    read, true = eyes().read(world), read_world(world, GAME)
    assert {one.place: one.best for one in read.board.places} == {one.place: one.best for one in true.board.places}
    assert [(die.value, die.flat, die.on) for die in read.dice.dice] == [
        (die.value, die.flat, die.on) for die in true.dice.dice
    ]


def test_of_four_seats_with_dice_of_their_own_each_throw_is_of_one_set() -> None:
    world, random = start(), Random(3)
    bodies = {}
    for seat in Seat:
        thrown = replace(throw_die(GEOMETRY, Seat.A, 4, ThrowKind.FLAT, world.checkers, (), random), owner=seat)
        (die,) = eyes().read(replace(world, dice=(thrown,))).dice.dice
        assert die.body is not None
        bodies[seat] = die.body
    assert min(dist(bodies[Seat.B], bodies[seat]) for seat in (Seat.A, Seat.C, Seat.D)) > 40
    assert max(dist(bodies[Seat.A], bodies[seat]) for seat in (Seat.C, Seat.D)) < 20


def test_what_is_hidden_is_said_to_be_and_what_is_dark_is_not_read() -> None:
    world = start()
    six = Place(PlaceKind.POINT, 6)
    covered = replace(world, things=(mug(*GEOMETRY.middle_of(six)),))
    assert eyes().read(covered).board.at(six).hidden
    assert not eyes().read(world).board.at(six).hidden
    reached = eyes().read(replace(world, hands=(Hand(Seat.A, *GEOMETRY.middle_of(six)),)))
    assert reached.hand
    assert reached.board.at(six).hidden
    dark = eyes().read(replace(world, dark=True))
    assert dark.board.places == ()
    assert dark.view is not None
    assert not dark.view.holds


def test_hands_are_told_one_by_one_with_what_they_are_over() -> None:
    world = start()
    spots = {seat: GEOMETRY.middle_of(point(number)) for seat, number in ((Seat.A, 6), (Seat.B, 15))}
    reading = eyes().read(replace(world, hands=tuple(Hand(seat, *spot) for seat, spot in spots.items())))
    told = {hand.entry: hand.places for hand in reading.board.hands}
    assert point(6) in told[Seat.A]
    assert point(15) in told[Seat.B]
    assert not {point(15)} & set(told[Seat.A])


def test_a_checker_between_two_points_counts_for_either() -> None:
    world = put(empty_world(GEOMETRY, Random(1)), Seat.A, Place(PlaceKind.POINT, 3), Random(1))
    (checker,) = world.checkers
    astray = replace(checker, x_mm=(GEOMETRY.point_x_mm(3) + GEOMETRY.point_x_mm(4)) / 2)
    read = eyes().read(replace(world, checkers=(astray,))).board
    for number in (3, 4):
        assert read.at(Place(PlaceKind.POINT, number)).likelihood((Seat.A,)) == pytest.approx(0.5)


def test_the_same_table_looks_the_same_every_time_and_otherwise_to_other_eyes() -> None:
    world, errors = start(), measured_errors()
    readings = [eyes(errors, seed).read(world) for seed in (1, 1, 2)]
    assert readings[0] == readings[1]
    assert readings[0] != readings[2]


def test_errors_come_as_often_as_they_were_counted() -> None:
    errors = EyeErrors.none().model_copy(
        update={
            "low": Readings(untold=1, bands=(Band(least=0.6, most=0.7, right=2, wrong=1),)),
            "leaning_dice": Attitudes(told=1, mistaken=1, left_open=0),
        }
    )
    world = start()
    places = [
        reading
        for seed in range(200)
        for reading in eyes(errors, seed).read(world).board.places
        if reading.place in world.placement()
    ]
    true = [place.best == world.placement().at(place.place) for place in places]
    assert sum(place.hidden for place in places) / len(places) == pytest.approx(0.25, abs=0.04)
    assert sum(true) / len(places) == pytest.approx(0.5, abs=0.05)
    assert all(0.6 <= place.confidence <= 0.7 for place in places if not place.hidden)
    lean = throw_die(GEOMETRY, Seat.A, 4, ThrowKind.LEANING_ON_RAIL, world.checkers, (), Random(3))
    seen = [eyes(errors, seed).read(replace(world, dice=(lean,))).dice.dice[0] for seed in range(200)]
    assert sum(die.on is Support.RAIL for die in seen) == pytest.approx(100, abs=25)


def test_the_measured_errors_say_where_they_come_from() -> None:
    assert any("bench vision" in source for source in measured_errors().sources)
    assert measured_errors().bare.bands[-1].right > 800
