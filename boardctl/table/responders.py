"""Those who answer at once what the referee leaves open, as facts of their own."""

from collections.abc import Callable, Sequence

from boardctl.referee.effects import Effect
from boardctl.referee.facts import BoardSeen, Fact, PositionDeclared
from boardctl.referee.readings import Witness

Responder = Callable[[Fact, Sequence[Effect]], Sequence[Fact]]
"""Someone at the table who may answer a fact and its effects with further facts."""


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
