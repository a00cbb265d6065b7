"""Dice at rest: which of them are the roll, whether they count, and if not, which die is wrong and why.

The first rest is the fact. Dice that lie where they lay are never read again, and what a die shows after it was
touched changes nothing. A die that cannot be read is waited for, never guessed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

from boardctl.referee.effects import Certainty, Text
from boardctl.referee.readings import DieReading, Support
from boardctl.referee.ruleset import Ruleset
from boardctl.rules import Roll, Seat

SAME_SPOT_MM = 5.0
"""A die whose middle is within this of where a die lay has not been thrown: a third of a common die's width, and
several times what a reading of its middle is off by."""

READABLE = 0.9
"""Below this confidence a die's value is not used: one in ten would be wrong."""

FACES = range(1, 7)
"""What a die may show."""

CERTAIN_DIE = 0.99
"""From this confidence on for both dice, a roll is CERTAIN: one in a hundred would be wrong at the worst."""

_ON_THE_FIELD = (Support.SURFACE, Support.CHECKER, Support.DIE)
_BADLY = (Support.CHECKER, Support.DIE, Support.RAIL, Support.THING)
_ASIDE = (Support.TRAY, Support.OFF_BOARD, Support.THING)


@dataclass(frozen=True, slots=True)
class NothingNew:
    """No throw to speak of: fewer than two new dice, or dice that have lain there before."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A throw with a die that cannot be read or told flat from tilted."""

    dice: tuple[DieReading, ...]
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Rejected:
    """A throw that must be thrown again, for the reasons given."""

    dice: tuple[DieReading, ...]
    seat: Seat | None
    reasons: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Thrown:
    """A valid throw of two dice. ``seat``: in whose section they lie; None when the ruleset allows any half."""

    dice: tuple[DieReading, DieReading]
    seat: Seat | None
    roll: Roll
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class Misplaced:
    """Two dice that lie well, but in the section of a seat that is not to roll: ``expected`` is."""

    dice: tuple[DieReading, DieReading]
    seat: Seat
    expected: Seat


Throw = NothingNew | Unclear | Rejected | Misplaced | Thrown


def same_spot(one: DieReading, other: DieReading) -> bool:
    """Whether a die lies where the other lay."""
    return dist(one.center_mm, other.center_mm) <= SAME_SPOT_MM


def lying(dice: Sequence[DieReading], before: Sequence[DieReading]) -> tuple[DieReading, ...]:
    """Gets those dice of ``before`` that still lie where they lay."""
    return tuple(old for old in before if any(same_spot(old, die) for die in dice))


def moved_in(dice: Sequence[DieReading], before: Sequence[DieReading]) -> tuple[DieReading, ...]:
    """Gets the dice that lie where no die lay before."""
    return tuple(die for die in dice if not any(same_spot(old, die) for old in before))


def turned(dice: Sequence[DieReading], before: Sequence[DieReading]) -> tuple[tuple[DieReading, DieReading], ...]:
    """Gets the dice that lie where they lay and show something else, each as it was and as it is; both readings must be
    vouched for."""
    pairs = ((old, die) for old in before for die in dice if same_spot(old, die))
    return tuple((old, die) for old, die in pairs if _shows_other(old, die))


def _shows_other(one: DieReading, other: DieReading) -> bool:
    sure = one.confidence >= CERTAIN_DIE and other.confidence >= CERTAIN_DIE
    return sure and None not in (one.value, other.value) and one.value != other.value


def aside(dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
    """Gets the dice that lie in a tray, in a cup or off the board."""
    return tuple(die for die in dice if die.on in _ASIDE)


def told(dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
    """Gets the dice of which anything is told: what shows no value and may lie anyhow may as well be a glint."""
    return tuple(die for die in dice if die.value is not None or die.flat is not None)


def without_glints(dice: Sequence[DieReading], count: int = 2) -> tuple[DieReading, ...]:
    """Gets the dice without those of which nothing is told, where the others are as many as are thrown."""
    clear = told(dice)
    return clear if len(clear) == count else tuple(dice)


def in_play(dice: Sequence[DieReading], expected: Seat | None) -> tuple[DieReading, ...]:
    """Gets the dice of a throw out of all new dice in view.

    More than two lie about where each seat has a pair of its own. Two on the field are then the throw, and what lies
    beside the board is not; of two pairs on the field it is the one in the section of the seat that is to roll.
    """
    if len(dice) <= 2:
        return tuple(dice)
    field = tuple(die for die in dice if die.on in _ON_THE_FIELD)
    if len(field) <= 2:
        # What is not on the field may be part of the throw only if the field holds too few.
        return field if len(field) == 2 else tuple(dice)
    own = tuple(die for die in field if die.section is expected) if expected is not None else ()
    return own if len(own) == 2 else field


def whose(dice: Sequence[DieReading]) -> Seat | None:
    """Gets the seat in whose section the dice lie; None when they lie in none or in different ones."""
    sections = {die.section for die in dice if die.section is not None}
    return sections.pop() if len(sections) == 1 else None


def read_throw(dice: Sequence[DieReading], expected: Seat | None, ruleset: Ruleset) -> Throw:
    """Gets what a throw of new dice is worth. ``expected`` is the seat that is to roll; None: the dice tell."""
    lying = in_play(dice, expected)
    thrown = without_glints(lying)
    glints = len(thrown) < len(lying)
    if all(die.on in _ASIDE for die in thrown) or (len(thrown) < 2 and not aside(thrown)):
        # A throw that missed the board altogether looks like dice laid aside; the players know which it is.
        return NothingNew()
    section = whose(thrown)
    seat = expected if expected is not None else section
    reasons = [reason for die in thrown for reason in die_reasons(die, seat, ruleset)]
    if len(thrown) != 2 and not aside(thrown):
        reasons.append(Text.of("dice.wrong_number", count=len(thrown)))
    elif ruleset.roller_half == "right" and seat is None and not reasons:
        reasons.append(Text.of("dice.two_halves"))
    if reasons and expected is not None and section not in (None, expected) and len(thrown) == 2:
        assert section is not None
        always = [reason for die in thrown for reason in die_reasons(die, section, ruleset)]
        if not always:
            return Misplaced((thrown[0], thrown[1]), section, expected)
        # Whoever of the two threw them, these reasons hold.
        return Rejected(thrown, None, tuple(dict.fromkeys(always)))
    if reasons:
        return Rejected(thrown, seat, tuple(dict.fromkeys(reasons)))
    if any(not readable(die) for die in thrown):
        return Unclear(thrown, seat)
    first, second = thrown
    assert first.value is not None
    assert second.value is not None
    # Where dice count in any half, those in the other seat's may be the other seat's.
    elsewhere = expected is not None and section is not None and section is not expected
    certainty = Certainty.PROBABLE if elsewhere or glints else roll_certainty(thrown)
    return Thrown((first, second), section, Roll.of(first.value, second.value), certainty)


def vouched(die: DieReading) -> int | None:
    """Gets the value of a die where it is vouched for: one that is told with doubt, as below a hand, is not used."""
    return die.value if die.confidence >= READABLE else None


def may_show(die: DieReading) -> Sequence[int]:
    """Gets the values that a die may show: the one that is vouched for, or any."""
    value = vouched(die)
    return FACES if value is None else (value,)


def readable(die: DieReading) -> bool:
    """Whether value and attitude of a die are vouched for."""
    return vouched(die) is not None and die.flat is not None


def roll_certainty(dice: Sequence[DieReading]) -> Certainty:
    """Gets how far the values of readable dice are vouched for."""
    sure = all(die.confidence >= CERTAIN_DIE for die in dice)
    return Certainty.CERTAIN if sure else Certainty.PROBABLE


_BY_ATTITUDE = ("dice.not_flat", "dice.on_checker", "dice.on_die", "dice.on_rail", "dice.on_thing")
"""Reasons that rest on how a die is seen to lie; the others rest on where dice are, and how many."""

_BY_NUMBER = "dice.wrong_number"
_BY_TIME = "dice.not_together"
"""A reason that rests on when dice came to rest: the other may have been spinning, and not been seen."""


def refusal_certainty(dice: Sequence[DieReading], reasons: Sequence[Text]) -> Certainty:
    """Gets how far it is vouched for that dice do not count.

    Where they lie is sure only of dice whose values are, and how many there are only of dice that can be read, of which
    it is told, too, whether they lie flat: a glint, or what else is on the board, may look like one more.
    """
    if any(reason.key == _BY_TIME for reason in reasons):
        return Certainty.PROBABLE
    if any(reason.key == _BY_NUMBER for reason in reasons) and not all(readable(die) for die in dice):
        return Certainty.PROBABLE
    if any(reason.key not in _BY_ATTITUDE for reason in reasons):
        return Certainty.CERTAIN if all(die.confidence >= READABLE for die in dice) else Certainty.PROBABLE
    badly = [die for die in dice if die.flat is False or die.on in _BADLY]
    return Certainty.CERTAIN if any(die.confidence >= CERTAIN_DIE for die in badly) else Certainty.PROBABLE


def die_reasons(die: DieReading, seat: Seat | None, ruleset: Ruleset) -> list[Text]:
    """Gets why a die does not count; empty when nothing speaks against it."""
    shown = str(vouched(die) or "?")
    match die.on:
        case Support.OFF_BOARD:
            return [Text.of("dice.off_board", die=shown)]
        case Support.THING:
            return [Text.of("dice.on_thing", die=shown)]
        case Support.TRAY:
            return [Text.of("dice.in_tray", die=shown)]
        case Support.RAIL:
            return [Text.of("dice.on_rail", die=shown)]
        case Support.DIE:
            return [Text.of("dice.on_die", die=shown)]
        case Support.CHECKER if ruleset.die_on_checker == "reroll" or die.flat is False:
            return [Text.of("dice.on_checker", die=shown)]
    if die.flat is False:
        return [Text.of("dice.not_flat", die=shown, tilt_deg=round(die.tilt_deg))]
    if ruleset.roller_half == "right":
        if die.section is None:
            return [Text.of("dice.on_bar", die=shown)]
        if seat is not None and die.section is not seat:
            return [Text.of("dice.wrong_half", die=shown, seat=seat)]
    return []
