"""Whether both dice of a throw were thrown together, as every family of rules asks.

A die that comes to rest while the other still spins was thrown with it; pictures of a spinning die are blurred, so that
the first may seem to lie there alone. Hence the time, and hence nothing is vouched for that rests on it.
"""

from dataclasses import replace

from boardctl.referee.effects import Text
from boardctl.referee.facts import DiceRested
from boardctl.referee.readings import DieReading, Support
from boardctl.referee.response import Response
from boardctl.referee.seen.dice import Rejected, Throw, Thrown, same_spot
from boardctl.referee.state import LoneDie

SPUN_OUT_MS = 4000
"""After so long no die of a throw spins any more: on cork, felt or leather they lie still within two seconds (general
knowledge, not measured), and as long again is left for readings that come late."""


def watch_lone_die(response: Response, fact: DiceRested, new: tuple[DieReading, ...]) -> None:
    """Remembers a single die that has come to rest, and since when; forgets it when it lies there no longer."""
    lone = response.state.lone_die
    if lone is not None and not any(same_spot(lone.die, die) for die in fact.reading.dice):
        lone = None
    if lone is None and len(new) == 1 and new[0].on is Support.SURFACE:
        lone = LoneDie(new[0], fact.at_ms)
    response.change(lone_die=lone)


def hand_comes(response: Response) -> None:
    """Remembers that a hand came in while a single die lay there: it may have thrown the other."""
    lone = response.state.lone_die
    if lone is not None:
        response.change(lone_die=replace(lone, hand=True))


def thrown_together(response: Response, fact: DiceRested, throw: Throw) -> Throw:
    """Gets a throw as it is, or rejected where one of its dice came out of the cup long after the other.

    Without a hand in between the second die was there all the while and not seen.
    """
    lone = response.state.lone_die
    if not isinstance(throw, Thrown) or lone is None:
        return throw
    response.change(lone_die=None)
    earlier = any(same_spot(lone.die, die) for die in throw.dice)
    if not earlier or not lone.hand or fact.at_ms - lone.at_ms < SPUN_OUT_MS:
        return throw
    return Rejected(throw.dice, throw.seat, (Text.of("dice.not_together"),))
