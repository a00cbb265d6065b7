"""How much help a seat gets with its play, within what the ruleset's aids allow. Where they allow none, none is given,
whatever anybody asks for or sends.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from boardctl.referee.ruleset import Aids
from boardctl.rules import Seat


class Level(IntEnum):
    """What a seat is shown; each level shows what those below it show, too."""

    OFF = 0
    MOVABLE = 1  # the checkers that can be moved
    TARGETS = 2  # where a lifted checker can go
    REASONS = 3  # why a number cannot be played
    FORCED = 4  # the numbers and moves that are forced
    PIPS = 5  # both pip counts
    BEST = 6  # the best play, and afterwards what the play made has cost


@dataclass(frozen=True, slots=True)
class Assistance:
    """The level of a seat. ``lifts``: for how many lifted checkers a turn targets are lit; None: for all.

    :raises ValueError: for a level or a number of lifts that there is not.
    """

    level: Level = Level.OFF
    lifts: int | None = None

    def __post_init__(self) -> None:
        if self.level not in tuple(Level):
            raise ValueError(f"assistance level {self.level!r}: levels are 0 to {max(Level)}")
        if self.lifts is not None and self.lifts < 0:
            raise ValueError(f"{self.lifts} lifts: targets are shown for 0 lifted checkers a turn or more")


Assist = tuple[tuple[Seat, Assistance], ...]
"""The assistance of each seat that has any."""


def allowed(aids: Aids) -> frozenset[Level]:
    """Gets the levels whose help the aids of a ruleset allow."""
    granted = {
        Level.MOVABLE: aids.targets,
        Level.TARGETS: aids.targets,
        Level.REASONS: aids.hints,
        Level.FORCED: aids.hints,
        Level.PIPS: aids.pip_count,
        Level.BEST: aids.hints,
    }
    return frozenset(level for level, is_granted in granted.items() if is_granted)


def given(aids: Aids, assistance: Assistance) -> frozenset[Level]:
    """Gets the kinds of help that a seat gets: those up to its level that the aids allow."""
    return frozenset(level for level in allowed(aids) if level <= assistance.level)


def assistance_of(assist: Assist | None, seat: Seat) -> Assistance:
    """Gets the assistance of a seat. Where nobody has chosen any, targets are shown wherever the aids allow it."""
    if assist is None:
        return Assistance(Level.TARGETS)
    return dict(assist).get(seat, Assistance())


KIND_OF_ADVICE: Mapping[str, Level] = {
    "coach.no_move": Level.REASONS,
    "coach.held": Level.REASONS,
    "coach.bar_first": Level.REASONS,
    "coach.not_home": Level.REASONS,
    "coach.behind": Level.REASONS,
    "coach.covered": Level.REASONS,
    "coach.leaves_nothing": Level.REASONS,
    "coach.must_play": Level.FORCED,
    "coach.forced_move": Level.FORCED,
    "coach.only_play": Level.FORCED,
    "coach.pips": Level.PIPS,
    "coach.best": Level.BEST,
    "coach.best_made": Level.BEST,
    "coach.better": Level.BEST,
    "coach.no_engine": Level.BEST,
    "coach.engine_lost": Level.BEST,
}
"""The kind of help that each text of a coach is."""


def admitted(kinds: Iterable[str], help_given: frozenset[Level]) -> bool:
    """Whether texts with these keys are all help that is given."""
    return all(KIND_OF_ADVICE.get(key) in help_given for key in kinds)
