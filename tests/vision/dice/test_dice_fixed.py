"""What the empty board already showed is no die."""

import numpy as np

from boardctl.vision.dice.fixed import Background
from calibration import BoardGeometry, CameraModel

ABOVE = CameraModel(1280, 720, 1200, 1200, 640, 360, (0, 0, 0, 0, 0), (np.pi, 0.0, 0.0), (0.0, 0.0, 1000.0))
BOARD = BoardGeometry()
HINGE_MM = (0.0, 0.0)


def textured(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 255, (720, 1280, 3)).astype(np.uint8)


def with_a_die(empty: np.ndarray, spot_mm: tuple[float, float]) -> np.ndarray:
    """Gets a picture of a board on which something of a die's size has come to lie."""
    (x, y), half_px = ABOVE.project([(*spot_mm, BOARD.die_size_mm / 2)])[0], 8
    picture = empty.copy()
    place = (slice(int(y) - half_px, int(y) + half_px), slice(int(x) - half_px, int(x) + half_px))
    picture[place] = textured(2)[place]
    return picture


def test_a_hinge_is_as_before_in_any_light() -> None:
    empty = textured(1)
    darker = (empty * 0.6).astype(np.uint8)
    assert Background(empty, (HINGE_MM,), ABOVE, BOARD).is_as_before(HINGE_MM, darker)


def test_a_die_that_came_to_lie_on_the_hinge_is_a_die() -> None:
    board = Background(textured(1), (HINGE_MM,), ABOVE, BOARD)
    assert not board.is_as_before(HINGE_MM, textured(2))
    assert not board.is_as_before(HINGE_MM, with_a_die(textured(1), HINGE_MM))


def test_a_die_elsewhere_is_a_die_and_marble_on_which_nothing_lies_is_none() -> None:
    board = Background(textured(1), (HINGE_MM,), ABOVE, BOARD)
    for spot_mm in ((40.0, 0.0), (-90.0, 60.0)):
        assert not board.is_as_before(spot_mm, with_a_die(textured(1), spot_mm))
        dimmer = (textured(1) * 0.7).astype(np.uint8)
        assert board.is_as_before(spot_mm, dimmer), "nothing has come to lie there"


def test_more_is_asked_of_a_place_where_the_empty_board_showed_no_die() -> None:
    empty, noise = textured(1), np.random.default_rng(3).normal(0, 45, (720, 1280, 3))
    noisy = np.clip(empty + noise, 0, 255).astype(np.uint8)
    assert Background(empty, (HINGE_MM,), ABOVE, BOARD).is_as_before(HINGE_MM, noisy)
    assert not Background(empty, (), ABOVE, BOARD).is_as_before(HINGE_MM, noisy)


def test_a_mark_is_none_where_something_has_come_to_lie_beside_it() -> None:
    """Numbers on a rail that look like dice are seen beside a checker, too."""
    empty, board = textured(1), Background(textured(1), (), ABOVE, BOARD)
    x, y = np.rint(ABOVE.project([(0.0, 0.0, BOARD.die_size_mm / 2)])[0]).astype(int)
    beside = empty.copy()
    beside[y - 20 : y + 20, x + 8 : x + 40] = 200
    assert board.is_as_before((0.0, 0.0), beside)
    assert not board.is_as_before((0.0, 0.0), with_a_die(beside, (0.0, 0.0)))


def test_a_mark_on_a_narrow_border_is_none_where_a_checker_covers_half_of_its_place() -> None:
    empty, spot_mm = textured(1), (0.0, 0.0)
    x, y = np.rint(ABOVE.project([(*spot_mm, BOARD.die_size_mm / 2)])[0]).astype(int)
    beside = empty.copy()
    beside[y - 20 : y + 20, x + 1 : x + 40] = 200
    assert Background(empty, (), ABOVE, BOARD).is_as_before(spot_mm, beside)
    even = np.full_like(empty, 90)  # of what shows nothing nothing is told
    half = even.copy()
    half[y - 20 : y + 20, x + 1 : x + 40] = 200
    assert not Background(even, (), ABOVE, BOARD).is_as_before(spot_mm, half)
