"""What goes wrong with the doubling cube."""

from dataclasses import replace

from boardctl.referee.facts import Role
from boardctl.virtual.playing.doubling import in_the_middle, on_field, owned_by, turned
from boardctl.virtual.playing.motions import Acts
from boardctl.virtual.playing.occasion import Occasion
from boardctl.virtual.truth import IncidentTruth

HALF = 0.5
"""How often an offered cube that is put aside is put in the middle; otherwise on the other's side."""


def doubled_too_early(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat that is not on turn doubles."""
    yield from occasion.hands.double(Role(occasion.other.value), occasion.other, truth)


def doubled_after_rolling(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat on turn doubles when it has rolled."""
    yield from occasion.hands.double(Role(occasion.seat.value), occasion.seat, truth)


def doubled_in_vain(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat that is to roll doubles, and may not."""
    yield from occasion.hands.double(Role(occasion.seat.value), occasion.seat, truth)


def rolled_before_answer(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat that has doubled rolls before it is answered, and takes its dice back."""
    doubler = occasion.seat.other
    yield from occasion.hands.throw(doubler, occasion.thrown(doubler, 2), truth)
    yield from occasion.hands.lift_dice(doubler)


def cube_waved(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat that may double lays the cube on the board, thinks better of it and takes it back."""
    hands = occasion.hands
    before = hands.world.cube
    assert before is not None
    hands.world = replace(hands.world, cube=turned(on_field(hands.world, before, occasion.seat), occasion.random))
    yield from hands.rest(occasion.seat, replace(truth, cube_at="field"))
    hands.world = replace(hands.world, cube=turned(before, occasion.random))
    yield from hands.rest(occasion.seat)


def cube_misplaced(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The cube is pushed to where it does not belong, and back."""
    hands = occasion.hands
    before = hands.world.cube
    assert before is not None
    middle = abs(before.y_mm) < hands.world.geometry.field_height_mm / 10
    moved = owned_by(hands.world, before, occasion.seat) if middle else replace(before, y_mm=0.0)
    hands.world = replace(hands.world, cube=turned(moved, occasion.random))
    yield from hands.rest(occasion.seat, replace(truth, cube_at=occasion.seat.value if middle else "bar"))
    hands.world = replace(hands.world, cube=turned(before, occasion.random))
    yield from hands.rest(occasion.seat)


def cube_put_aside(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat that is asked takes the cube off the board, puts it in the middle or back on the other's side, and says
    nothing."""
    hands = occasion.hands
    other = occasion.seat.other
    middle = occasion.random.random() < HALF
    zone = "bar" if middle else other.value
    yield from hands.reach_for_cube(occasion.seat, replace(truth, cube_at=zone, hands=(occasion.seat,)))
    world, cube = hands.world, hands.world.cube
    assert cube is not None
    put = in_the_middle(world, cube) if middle else owned_by(world, cube, other)
    hands.world = replace(world, cube=turned(put, occasion.random))
    yield from hands.rest(occasion.seat)


def cube_taken_unsaid(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat that is asked puts the cube on its own side, and says nothing."""
    hands = occasion.hands
    world, cube = hands.world, hands.world.cube
    assert cube is not None
    hands.world = replace(world, cube=turned(owned_by(world, cube, occasion.seat), occasion.random))
    yield from hands.rest(occasion.seat, replace(truth, cube_at=occasion.seat.value, answers_double=True))
