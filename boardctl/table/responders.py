"""Those who answer at once what the referee leaves open, as facts of their own."""

from collections.abc import Callable, Sequence

from boardctl.referee import Referee
from boardctl.referee.effects import Effect, Phase
from boardctl.referee.facts import BoardSeen, Fact, PositionDeclared
from boardctl.referee.readings import PlaceReading, Witness
from boardctl.rules import PlaceKind, Placement

Responder = Callable[[Fact, Sequence[Effect]], Sequence[Fact]]
"""Someone at the table who may answer a fact and its effects with further facts."""

_BESIDE_THE_POINTS = (PlaceKind.BAR, PlaceKind.TRAY)
_IN_A_GAME = (Phase.CUBE, Phase.ROLL, Phase.MOVE, Phase.CONFIRM, Phase.HOLD)


class Resync:
    """Takes a board that stands still and that no play explains as set up anew.

    For records with gaps: whole stretches of a game were not seen. ``unexplained`` tells whether the referee stands
    before such a board. Who rolls next is left to the dice.
    """

    def __init__(self, unexplained: Callable[[], bool]) -> None:
        self._unexplained = unexplained

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> Sequence[Fact]:
        """Declares the position that was just seen, if nothing explains it.

        Whether enough of it was seen is for the referee to say.
        """
        if not isinstance(fact, BoardSeen) or fact.reading.witness is not Witness.CAMERA or not self._unexplained():
            return ()
        return (PositionDeclared(fact.at_ms, "resync", fact.reading),)


class NewGame:
    """Takes a starting position that stands on the board in the middle of a game as the beginning of the next one.

    Its players have ended a game whose end the referee did not see. ``start`` is where the checkers begin; ``expected``
    tells where the referee believes them to have been before the turn in progress, None while no game is in progress.
    Before its first play a game stands at its start, and that is no new one.
    """

    def __init__(self, expected: Callable[[], Placement | None], start: Placement) -> None:
        self._expected = expected
        self._start = start

    @classmethod
    def of(cls, referee: Referee) -> "NewGame":
        """Gets the one that belongs to a referee and its game."""
        start = referee.game.start().placement()
        return cls(lambda: referee.state.expected if referee.state.phase in _IN_A_GAME else None, start)

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> Sequence[Fact]:
        """Declares the starting position, if that is what was just seen, whole and without a hand over it.

        How many checkers wait beside the board no camera tells: those that lie nowhere else.
        """
        if not isinstance(fact, BoardSeen) or fact.reading.hand or self._expected() in (None, self._start):
            return ()
        told = {reading.place: reading.best for reading in fact.reading.places if not _waits_unseen(reading)}
        start = {place: stack for place, stack in self._start.items() if place in told}
        if any(stack is None for place, stack in told.items() if place.kind not in _BESIDE_THE_POINTS):
            return ()
        if {place: stack for place, stack in told.items() if stack} != start:
            return ()  # with all checkers on the points, nothing is left for a bar or tray that cannot be seen
        return (PositionDeclared(fact.at_ms, "resync", fact.reading),)


def _waits_unseen(reading: PlaceReading) -> bool:
    return reading.place.kind is PlaceKind.WAITING and reading.best is None
