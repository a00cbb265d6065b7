import pytest

from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness, sure_reading
from boardctl.rules import Backgammon, point
from boardctl.vision.dice.leaning import stands_free
from calibration import BoardGeometry

GEOMETRY = BoardGeometry()
GAME = Backgammon()
START = sure_reading(GAME.start().placement(), GAME.places)
MIDDLE_MM = (GEOMETRY.point_x_mm(4), 0.0)


def test_a_die_in_the_open_has_nothing_to_lean_on() -> None:
    assert stands_free(MIDDLE_MM, START, GEOMETRY, [])


@pytest.mark.parametrize(
    "spot_mm",
    [
        (GEOMETRY.field_width_mm / 2 - 10, 0.0),  # at the side rail
        (GEOMETRY.point_x_mm(4), -GEOMETRY.field_height_mm / 2 + 10),  # at the end rail
        (GEOMETRY.bar_width_mm / 2 + 10, 0.0),  # at the bar
        (GEOMETRY.point_x_mm(6) - 30, -150.0),  # beside the five checkers on point 6
        (GEOMETRY.point_x_mm(6), -GEOMETRY.field_height_mm / 2 + 5 * GEOMETRY.checker_diameter_mm + 10),  # before them
    ],
)
def test_a_die_beside_something_may_lean_on_it(spot_mm: tuple[float, float]) -> None:
    assert not stands_free(spot_mm, START, GEOMETRY, [])


def test_a_die_beside_another_may_lean_on_it_and_one_apart_may_not() -> None:
    x, y = MIDDLE_MM
    assert not stands_free(MIDDLE_MM, START, GEOMETRY, [(x + GEOMETRY.die_size_mm, y)])
    assert stands_free(MIDDLE_MM, START, GEOMETRY, [(x + 4 * GEOMETRY.die_size_mm, y)])


def test_a_point_that_is_not_read_may_hold_something_to_lean_on() -> None:
    spot_mm = (GEOMETRY.point_x_mm(4), -GEOMETRY.field_height_mm / 2 + 100)
    assert stands_free(spot_mm, START, GEOMETRY, [])
    hidden = BoardReading(
        Witness.CAMERA,
        tuple(PlaceReading(each.place, (), hidden=True) if each.place == point(4) else each for each in START.places),
    )
    assert not stands_free(spot_mm, hidden, GEOMETRY, [])
    unsure = BoardReading(
        Witness.CAMERA,
        tuple(
            PlaceReading(each.place, (StackChance((), 0.6),)) if each.place == point(4) else each
            for each in START.places
        ),
    )
    assert not stands_free(spot_mm, unsure, GEOMETRY, [])


def test_without_a_reading_of_the_board_nothing_is_known_to_be_free() -> None:
    assert not stands_free(MIDDLE_MM, None, GEOMETRY, [])
