"""Where a die stands, from where its middle is seen."""

import pytest

from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Support, Witness
from boardctl.rules import Seat, point
from boardctl.vision.dice.leaning import known_from, stands_free
from boardctl.vision.dice.look import DieView
from boardctl.vision.dice.place import expects_checker_below, least_height, support_in_field, support_of
from calibration import BoardGeometry, CameraModel

# A camera one metre above the middle of the board, looking straight down.
ABOVE = CameraModel(1280, 720, 1200, 1200, 640, 360, (0, 0, 0, 0, 0), (3.141592653589793, 0, 0), (0, 0, 1000))
BOARD = BoardGeometry()


@pytest.mark.parametrize(
    ("spot_mm", "support"),
    [
        ((100, 0), Support.SURFACE),
        ((0, 0), Support.RAIL),
        ((27.5, 50), Support.SURFACE),
        ((BOARD.field_width_mm / 2 - 7, 0), Support.SURFACE),
        ((BOARD.field_width_mm / 2 + 10, 0), Support.RAIL),
        ((BOARD.field_width_mm / 2 + 40, 0), Support.TRAY),
        ((BOARD.field_width_mm / 2 + 110, 0), Support.OFF_BOARD),
        ((0, BOARD.field_height_mm / 2 + 40), Support.OFF_BOARD),
    ],
)
def test_what_a_die_stands_on(spot_mm: tuple[float, float], support: Support) -> None:
    assert support_of(spot_mm, ABOVE, BOARD) is support


@pytest.mark.parametrize(
    ("x_mm", "support"),
    [(0, Support.RAIL), (-3, Support.RAIL), (4, Support.SURFACE), (-6, Support.SURFACE), (12, Support.SURFACE)],
)
def test_on_a_board_without_a_bar_a_die_across_its_middle_line_lies_on_neither_half(
    x_mm: float, support: Support
) -> None:
    printed = BoardGeometry(bar_width_mm=0.5, bar_height_mm=0.0, die_size_mm=13.5)
    assert support_of((x_mm, 40), ABOVE, printed) is support
    wide = BoardGeometry(bar_width_mm=16.0, bar_height_mm=0.0, die_size_mm=13.5)
    assert support_of((7.5, 40), ABOVE, wide) is Support.RAIL
    assert support_of((8.5, 40), ABOVE, wide) is Support.SURFACE


@pytest.mark.parametrize(("sure", "expected"), [(0.99, True), (0.5, False)])
def test_a_checker_is_expected_below_only_where_the_board_surely_has_one(sure: float, expected: bool) -> None:
    board = BoardReading(Witness.CAMERA, (PlaceReading(point(6), (StackChance((Seat.A, Seat.A), sure),)),))
    x, y, _ = BOARD.on_point(6, 1)
    assert expects_checker_below(board, (x + 5, y - 5), ABOVE, BOARD) is expected
    beyond = y + BOARD.checker_diameter_mm
    assert not expects_checker_below(board, (x, beyond), ABOVE, BOARD)


def test_a_checker_is_expected_below_a_die_that_may_be_another_checker() -> None:
    five_or_more = [StackChance((Seat.A,) * height, chance) for height, chance in ((5, 0.55), (6, 0.3), (7, 0.1))]
    board = BoardReading(Witness.CAMERA, (PlaceReading(point(6), tuple(five_or_more)),))
    for index in range(5):
        x, y, _ = BOARD.on_point(6, index)
        assert expects_checker_below(board, (x, y), ABOVE, BOARD), index


def test_whosever_checkers_lie_there_and_however_many_the_least_is_known() -> None:
    def height(*chances: tuple[tuple[Seat, ...], float], hidden: bool = False) -> int:
        return least_height(PlaceReading(point(6), tuple(StackChance(*chance) for chance in chances), hidden))

    a, b = Seat.A, Seat.B
    assert height(((a, a), 0.5), ((b, b), 0.45)) == 2
    assert height(((a, a), 0.5), ((a,), 0.45)) == 1
    assert height(((), 0.2), ((a, a), 0.75)) == 0
    assert height(((a, a), 0.8)) == 0
    assert height(((a, a), 0.99), hidden=True) == 0


@pytest.mark.parametrize(
    ("stack", "on_checker", "on_die", "told"),
    [
        # A checker lies below: the picture need not show it, but then it is not what tells.
        ((Seat.A, Seat.A), 0.1, 0.0, (Support.CHECKER, False)),
        ((Seat.A, Seat.A), 0.6, 0.0, (Support.CHECKER, True)),
        # One lies beside, and none below: the picture must plainly show that the die stands on it.
        ((Seat.A,), 0.6, 0.0, (Support.SURFACE, True)),
        ((Seat.A,), 0.9, 0.0, (Support.CHECKER, True)),
        # None is near: whatever the picture looks like.
        ((), 0.99, 0.0, (Support.SURFACE, True)),
        # Another die.
        ((Seat.A,), 0.6, 0.7, (Support.DIE, True)),
        ((Seat.A, Seat.A), 0.1, 0.7, (Support.DIE, True)),
    ],
)
def test_picture_and_board_tell_together_what_a_die_stands_on(
    stack: tuple[Seat, ...], on_checker: float, on_die: float, told: tuple[Support, bool]
) -> None:
    places = (PlaceReading(point(n), (StackChance(stack if n == 6 else (), 0.99),)) for n in range(1, 25))
    x, y, _ = BOARD.on_point(6, 1)
    view = DieView((x, y), 1.0, 0.0, (1.0, 0, 0, 0, 0, 0), 0.0, on_checker, on_die, 0.0, BOARD.die_size_mm)
    assert support_in_field(view, BoardReading(Witness.CAMERA, tuple(places)), ABOVE, BOARD) == told


@pytest.mark.parametrize(("bare", "told"), [(0.91, Support.CHECKER), (0.995, Support.SURFACE)])
def test_a_die_on_a_lone_checker_hides_it_and_only_a_surely_bare_point_speaks_against_its_picture(
    bare: float, told: Support
) -> None:
    likely = {6: StackChance((), bare)}
    places = (PlaceReading(point(n), (likely.get(n, StackChance((), 0.9999)),)) for n in range(1, 25))
    x, y, _ = BOARD.on_point(6, 0)
    view = DieView((x, y), 1.0, 0.0, (1.0, 0, 0, 0, 0, 0), 0.0, 0.94, 0.0, 0.0, BOARD.die_size_mm)
    board = BoardReading(Witness.CAMERA, tuple(places))
    assert support_in_field(view, board, ABOVE, BOARD)[0] is told
    inwards = (x, y + (BOARD.checker_diameter_mm if y < 0 else -BOARD.checker_diameter_mm))
    assert stands_free(inwards, board, BOARD, [], known_from(0.94)) is (told is Support.SURFACE)
    assert stands_free(inwards, board, BOARD, [], known_from(0.1))


def test_without_a_board_the_picture_alone_tells_what_a_die_stands_on() -> None:
    def told(on_checker: float) -> tuple[Support, bool]:
        view = DieView((80.0, 0.0), 1.0, 0.0, (1.0, 0, 0, 0, 0, 0), 0.0, on_checker, 0.0, 0.0, BOARD.die_size_mm)
        return support_in_field(view, None, ABOVE, BOARD)

    assert told(0.9) == (Support.CHECKER, True)
    assert told(0.6) == (Support.SURFACE, True)
