"""What goes wrong with dice and with the end of a turn."""

from dataclasses import replace

from boardctl.virtual.dice import Die, ThrowKind
from boardctl.virtual.playing.motions import Acts
from boardctl.virtual.playing.occasion import Occasion
from boardctl.virtual.truth import IncidentTruth, roll_truth


def three_dice(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """Three dice are thrown."""
    yield from occasion.hands.throw(occasion.seat, occasion.thrown(occasion.seat, 3), truth)
    yield from occasion.hands.lift_dice(occasion.seat)


def opponents_dice(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat reaches for the opponent's dice, or for one of them: the next throw is made with them."""
    yield from occasion.hands.rest(occasion.seat, truth)


def one_die_again(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """One die lands off the board, and it alone is thrown again."""
    hands, seat = occasion.hands, occasion.seat
    (lost,) = occasion.thrown(seat, 1, ThrowKind.OFF_BOARD)
    (stays,) = occasion.thrown(seat, 1)
    thrown = (lost, stays)
    geometry, rules = hands.world.geometry, occasion.house.throws
    yield from hands.throw(seat, thrown, roll_truth(hands.now_ms, seat, thrown, geometry, rules))
    hands.world = replace(hands.world, dice=(stays,))
    (again,) = occasion.thrown(seat, 1)
    yield from hands.lay(seat, (again, stays), truth)
    yield from hands.lift_dice(seat)


def premature_roll(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The next seat throws before the turn has ended, and takes its dice back."""
    yield from _more_dice(occasion, occasion.thrown(occasion.other, 2), truth)


def _more_dice(occasion: Occasion, more: tuple[Die, ...], truth: IncidentTruth) -> Acts:
    hands, lying = occasion.hands, occasion.hands.world.dice
    yield from hands.lay(occasion.seat, (*lying, *more), truth)
    yield from hands.lay(occasion.seat, lying, None)


def rolled_again(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """A throw that counts is picked up and thrown again; then the dice are laid back as they lay."""
    hands, lying = occasion.hands, occasion.hands.world.dice
    yield from hands.lay(occasion.seat, occasion.thrown(occasion.seat, len(lying)), truth)
    yield from hands.lay(occasion.seat, lying, None)


def die_tipped(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """A die is knocked over and rolls on; it is put back as it lay."""
    hands, lying = occasion.hands, occasion.hands.world.dice
    first, *others = lying
    hands.world = replace(hands.world, dice=tuple(others))
    (tipped,) = occasion.thrown(occasion.seat, 1)
    yield from hands.lay(occasion.seat, (replace(tipped, value=first.value % 6 + 1), *others), truth)
    yield from hands.lay(occasion.seat, lying, None)


def clock_forgotten(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The dice were lifted and the clock was not hit: the next seat is about to throw while it runs."""
    yield from occasion.hands.rest(occasion.seat, truth)
