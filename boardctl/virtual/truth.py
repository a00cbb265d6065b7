"""What truly happened at the virtual table: every throw and every turn, as only its maker can know."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from boardctl.referee.effects import PlayFault
from boardctl.referee.readings import BoardReading, Hand
from boardctl.rules import Game, Opening, Outcome, Place, Placement, Position, Roll, Seat
from boardctl.virtual.dice import Die, ThrowKind, ThrowRules
from calibration import BoardGeometry

ROW = 5
"""So many checkers lie side by side on a point; more lie on others."""


@dataclass(frozen=True, slots=True)
class RollTruth:
    """One throw: who threw, what the dice show, whether it counts, and the worst way in which a die came to rest.

    ``seat`` is None for the opening, in which each seat throws one die. ``equal``: an opening that must be thrown
    again because both dice show the same, which a roll of the game would not have to be.
    """

    at_ms: int
    seat: Seat | None
    roll: Roll
    valid: bool
    kind: ThrowKind
    equal: bool = False

    @property
    def name(self) -> str:
        """What kind of throw it is, for a report."""
        return "equal opening dice" if self.equal and self.kind is ThrowKind.FLAT else self.kind.value.replace("_", " ")


class Ending(StrEnum):
    """What a turn ended with."""

    PLAYED = "played"
    REPLAYED = "replayed"  # after a legal play was required


@dataclass(frozen=True, slots=True)
class TurnTruth:
    """One turn as it ended: where the checkers were and are, and what was wrong with the play, if anything."""

    at_ms: int
    seat: Seat
    roll: Roll
    before: Placement
    after: Placement
    legal: bool
    fault: PlayFault | None
    ending: Ending = Ending.PLAYED

    @property
    def name(self) -> str:
        """What kind of play it is, for a report."""
        return "legal" if self.fault is None else self.fault.value.replace("_", " ")


@dataclass(frozen=True, slots=True)
class CubeTruth:
    """What a seat did with the doubling cube: ``double``, ``take`` or ``drop``."""

    at_ms: int
    seat: Seat
    step: str

    @property
    def name(self) -> str:
        """What was done, for a report."""
        return self.step


@dataclass(frozen=True, slots=True)
class GameTruth:
    """One game as it ended, and what each seat scores for it."""

    at_ms: int
    winner: Seat | None
    points: tuple[tuple[Seat, int], ...]
    ended_by: str

    @property
    def name(self) -> str:
        """How it ended, for a report."""
        return self.ended_by.replace("_", " ")


@dataclass(frozen=True, slots=True)
class IncidentTruth:
    """Something that a referee must notice. ``signs``: the texts with which it says what has happened; none where it
    need not say anything. ``others``: texts that call it something else.

    ``changed``: the places whose checkers tell of it; ``cube_at``: where the cube then lies; ``hands``: whose are over
    the board. Each of them that is given must be shown by a witness; otherwise nobody can notice it (:attr:`needs`).
    ``answers_double``: what is done with the cube answers a double.
    """

    at_ms: int
    kind: str
    signs: tuple[str, ...]
    others: tuple[str, ...] = ()
    changed: tuple[Place, ...] = ()
    cube_at: str | None = None
    hands: tuple[Seat, ...] = ()
    answers_double: bool = False

    @property
    def name(self) -> str:
        """What it is, for a report."""
        return self.kind.replace("_", " ")

    def where_seen(self, before: Placement, after: Placement) -> "IncidentTruth":
        """Gets the same incident, or, where it changes nothing that can be seen, one of which nothing need be said.

        Counted apart. A stack of six or more covers its whole row whatever lies on top, so that no sensor feels what is
        taken from it, and no eye is sure how many lie there (``config/standin_eyes.yaml``).
        """
        stacks = before.differences(after).values()
        if any(min(len(here), len(there)) <= ROW for here, there in stacks):
            return self
        return self.out_of_sight()

    def out_of_sight(self) -> "IncidentTruth":
        """Gets the same incident as one of which nothing need be said, because nobody can see it. Counted apart."""
        return replace(self, kind=f"{self.kind}_out_of_sight", signs=())

    @property
    def needs(self) -> frozenset[str]:
        """What witnesses must show, all of it, before anybody can notice it; nothing where nothing need be said."""
        given = {"changed": self.changed, "cube_at": self.cube_at, "hands": self.hands}
        return frozenset(name for name, value in given.items() if value) if self.signs else frozenset()

    def shown_by(self, reading: BoardReading, before: BoardReading | None) -> frozenset[str]:
        """Gets what of it a reading shows: a place that is read otherwise than ``before``, the cube where it lies now.

        Whatever is read there, rightly or not; a place that cannot be read shows nothing.
        """
        changed = any(
            reading.at(place).best is not None and (before is None or reading.at(place).best != before.at(place).best)
            for place in self.changed
        )
        cube = self.cube_at is not None and reading.cube is not None and reading.cube.at == self.cube_at
        return frozenset(name for name, shown in (("changed", changed), ("cube_at", cube)) if shown)

    def shown_by_hands(self, seen: Sequence[Hand]) -> frozenset[str]:
        """Gets what of it the hands show that a witness tells of: that they are those, with whose they are."""
        over = [hand.entry for hand in seen if hand.places]
        shown = bool(self.hands) and all(over.count(seat) >= self.hands.count(seat) for seat in self.hands)
        return frozenset({"hands"}) if shown else frozenset()


TruthItem = RollTruth | TurnTruth | CubeTruth | GameTruth | IncidentTruth


def roll_truth(
    at_ms: int, seat: Seat, dice: tuple[Die, ...], geometry: BoardGeometry, rules: ThrowRules | None = None
) -> RollTruth:
    """Gets the truth of a throw of two dice by one seat."""
    first, second = dice
    bad = [die.kind for die in dice if not die.valid_for(seat, geometry, rules)]
    worst = bad[0] if bad else ThrowKind.FLAT
    valid = not bad
    return RollTruth(at_ms, seat, Roll.of(first.value, second.value), valid, worst)


def opening_truth(at_ms: int, dice: dict[Seat, Die], geometry: BoardGeometry, opening: Opening) -> RollTruth:
    """Gets the truth of the opening, one die of each seat in that seat's own section, whatever the rules of rolls.

    ``opening`` is what they decide.
    """
    worst = next((die.kind for seat, die in dice.items() if not die.valid_for(seat, geometry)), ThrowKind.FLAT)
    flat = all(die.valid_for(seat, geometry) for seat, die in dice.items())
    first, second, *_ = (die.value for die in dice.values())
    equal = opening.starter is None
    roll = opening.roll if opening.roll is not None else Roll.of(first, second)
    return RollTruth(at_ms, None, roll, flat and not equal, worst, equal=equal)


def is_legal(game: Game, position: Position, seat: Seat, roll: Roll, after: Placement) -> bool:
    """Whether a placement is the result of a legal play."""
    return any(play.position.placement() == after for play in game.plays(position, seat, roll))


def game_truth(at_ms: int, seats: tuple[Seat, ...], outcome: Outcome) -> GameTruth:
    """Gets the truth of a game that is over."""
    return GameTruth(at_ms, outcome.winner, outcome.gains(seats), outcome.ended_by.value)
