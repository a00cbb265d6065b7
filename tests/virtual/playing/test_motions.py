"""The hand moves from one placement of checkers to another: every stack comes to lie in its order."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from boardctl.rules import Placement, Seat, point
from boardctl.virtual.playing.motions import moves_between
from boardctl.virtual.world import World, lifted, put, set_up
from calibration import BoardGeometry

A, B = Seat.A, Seat.B
STACKS = st.lists(st.sampled_from((A, B)), max_size=4).map(tuple)
PLACEMENTS = st.fixed_dictionaries({point(number): STACKS for number in (1, 2, 3)}).map(Placement)


def carried_out(here: Placement, there: Placement) -> Placement:
    random = Random(1)
    world = set_up(World(BoardGeometry()), here, random)
    for move in moves_between(here, there):
        if move.source is not None:
            world, _ = lifted(world, move.source, move.seat)
        if move.target is not None:
            world = put(world, move.seat, move.target, random)
    return world.placement()


@given(PLACEMENTS, PLACEMENTS)
def test_what_was_done_is_what_was_to_be_done(here: Placement, there: Placement) -> None:
    assert carried_out(here, there) == there


def test_a_checker_that_was_pulled_from_under_another_goes_back_under_it() -> None:
    before = Placement({point(3): (B, B, A)})
    pulled = Placement({point(3): (B, A), point(5): (B,)})
    assert carried_out(pulled, before) == before


def test_a_checker_that_can_go_straight_home_is_not_kept_in_the_hand() -> None:
    before, after = Placement({point(1): (A, A)}), Placement({point(1): (A,), point(2): (A,)})
    (move,) = moves_between(after, before)
    assert (move.seat, move.source, move.target) == (A, point(2), point(1))
