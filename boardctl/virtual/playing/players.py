"""How the players of the virtual table choose and carry out their plays, and how often they go wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from boardctl.referee.effects import PlayFault
from boardctl.rules import Game, Place, PlaceKind, Play, Position, Seat, bar
from boardctl.virtual.dice import ThrowKind

MADE_POINT, BLOT, OPPONENT_ON_BAR, BORNE_OFF = 2.0, 1.5, 6.0, 8.0
"""What a player likes and dislikes, against each other; a plain taste that gets games to their end, not strength."""

TASTE_NOISE = 1.5
"""How much a player's mood weighs (standard deviation): two games with different seeds go different ways."""

COMMON_MISPLAYS: Mapping[PlayFault, float] = {
    PlayFault.WRONG_PIPS: 4.0,
    PlayFault.NUMBER_NOT_USED: 2.0,
    PlayFault.LOWER_NUMBER_USED: 1.5,
    PlayFault.BLOCKED_POINT: 1.5,
    PlayFault.BAR_IGNORED: 1.5,
    PlayFault.ENTRY_MISSED: 1.0,
    PlayFault.MOVED_BACKWARDS: 1.0,
    PlayFault.OPPONENT_CHECKER_MOVED: 0.7,
    PlayFault.HIT_CHECKER_LEFT: 1.5,
    PlayFault.HIT_CHECKER_IN_TRAY: 0.5,
    PlayFault.OWN_CHECKER_ON_BAR: 0.5,
    PlayFault.EARLY_BEAR_OFF: 1.0,
    PlayFault.EXCESS_BEAR_OFF: 1.0,
    PlayFault.CHECKER_VANISHED: 0.5,
    PlayFault.CHECKER_EXTRA: 0.5,
}
"""How often each fault is tried, against the others; one that the position does not allow gives way to another."""

COMMON_THROWS: Mapping[ThrowKind, float] = {
    ThrowKind.LEANING_ON_CHECKER: 2.0,
    ThrowKind.LEANING_ON_RAIL: 1.0,
    ThrowKind.ON_CHECKER: 2.0,
    ThrowKind.WRONG_HALF: 2.0,
    ThrowKind.ON_BAR: 0.5,
    ThrowKind.OFF_BOARD: 1.0,
}
"""How often each irregular throw happens, against the others."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How often things happen, each 0 to 1: ``misplay`` and ``shuffle`` a turn, ``irregular_throw`` a throw,
    ``accept`` an illegal play that could stand, ``double`` a turn on which the seat may, ``take`` a double,
    ``incident`` at each roll and at each play.
    ``misplays`` and ``throws``: which kinds, against each other. ``incidents``: which can happen; None: all.
    """

    misplay: float = 0.06
    irregular_throw: float = 0.08
    shuffle: float = 0.10
    accept: float = 0.5
    double: float = 0.04
    take: float = 0.75
    incident: float = 0.0
    incidents: frozenset[str] | None = None
    misplays: Mapping[PlayFault, float] = field(default_factory=lambda: dict(COMMON_MISPLAYS))
    throws: Mapping[ThrowKind, float] = field(default_factory=lambda: dict(COMMON_THROWS))

    def __post_init__(self) -> None:
        for name in ("misplay", "irregular_throw", "shuffle", "accept", "double", "take", "incident"):
            rate = getattr(self, name)
            if not 0 <= rate <= 1:
                raise ValueError(f"rate {name} {rate}: a rate is a share, 0 to 1")


FAULTLESS = Rates(misplay=0.0, irregular_throw=0.0, shuffle=0.0)
"""Players who never err."""


@dataclass(frozen=True, slots=True)
class HandMove:
    """One checker carried by a hand. ``source`` None: from the pocket; ``target`` None: into the pocket."""

    seat: Seat
    source: Place | None
    target: Place | None


def choose_play(game: Game, plays: Sequence[Play], seat: Seat, random: Random) -> Play:
    """Gets the play that a player makes: the one he likes best in his present mood."""
    return max(plays, key=lambda play: liking(game, play.position, seat) + random.gauss(0, TASTE_NOISE))


def liking(game: Game, position: Position, seat: Seat) -> float:
    """Gets how much a player likes a position: made points, few blots, hits, checkers off."""
    total = 0.0
    for place in game.places:
        stack = position.at(place)
        if not stack:
            continue
        if place.kind is PlaceKind.POINT and stack[0] is seat:
            total += MADE_POINT if 2 <= len(stack) <= 3 else -BLOT if len(stack) == 1 else 0.5
        elif place.kind is PlaceKind.BAR and place.seat is not seat:
            total += OPPONENT_ON_BAR * len(stack)
        elif place.kind is PlaceKind.TRAY and place.seat is seat:
            total += BORNE_OFF * len(stack)
    return total


def hand_moves(play: Play, seat: Seat, random: Random) -> list[HandMove]:
    """Gets how a hand carries out a play, checker by checker; a hit checker goes to the bar before or after."""
    carried: list[HandMove] = []
    for move in play.moves:
        own = [HandMove(seat, move.source, move.target)]
        if move.hit is not None:
            away = HandMove(move.hit, move.target, bar(move.hit))
            # Taking the blot away first is the tidy way; many put their checker down and then take the blot.
            own = [away, *own] if random.random() < 0.7 else [*own, away]
        carried += own
    return carried


def weighted(random: Random, weights: Mapping[PlayFault, float]) -> list[PlayFault]:
    """Gets all faults with a weight in a random order, the weightier ones more likely first."""
    # Sorting by u^(1/weight) draws without replacement (Efraimidis and Spirakis 2006).
    drawn = {fault: random.random() ** (1 / weight) for fault, weight in weights.items() if weight > 0}
    return sorted(drawn, key=lambda fault: -drawn[fault])
