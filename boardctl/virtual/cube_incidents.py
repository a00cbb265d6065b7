"""What goes wrong with the doubling cube."""

from dataclasses import replace

from boardctl.referee.facts import Role
from boardctl.virtual.doubling import on_field, owned_by, turned
from boardctl.virtual.motions import Acts
from boardctl.virtual.occasion import Occasion
from boardctl.virtual.truth import IncidentTruth


def doubled_too_early(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat that is not on turn doubles."""
    yield from occasion.hands.double(Role(occasion.other.value), occasion.other, truth)


def doubled_after_rolling(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat on turn doubles when it has rolled."""
    yield from occasion.hands.double(Role(occasion.seat.value), occasion.seat, truth)


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
