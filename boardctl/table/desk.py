"""The desk: where a fact is stored, judged and answered, one after the other, always in this order."""

from collections.abc import Callable, Sequence
from typing import Protocol

from boardctl.records import Journal
from boardctl.referee.effects import Effect
from boardctl.referee.facts import Fact
from boardctl.table.responders import Responder


class Judge(Protocol):
    """What the desk needs of a referee."""

    def feed(self, fact: Fact, /) -> list[Effect]:
        """Takes a fact and gets what follows from it."""
        ...


Output = Callable[[Fact, Sequence[Effect]], None]
"""Something that carries effects out or shows them: lights, sounds, a terminal, players at a virtual table."""


class Desk:
    """Joins journal, referee and outputs.

    The fact is on the disk before the referee sees it, and the effects are on the disk before anything shows them: what
    was shown can be proved, and so can what was not.
    """

    def __init__(
        self,
        journal: Journal,
        referee: Judge,
        outputs: Sequence[Output] = (),
        responders: Sequence[Responder] = (),
    ) -> None:
        self.journal = journal
        self.referee = referee
        self._outputs = list(outputs)
        self._responders = list(responders)

    def add_output(self, output: Output) -> None:
        """Lets one more output carry out what follows from now on."""
        self._outputs.append(output)

    def handle(self, fact: Fact) -> list[Effect]:
        """Stores a fact, lets the referee judge it, stores and carries out what follows; then its answers likewise.

        :raises JournalError: when the fact could not be stored; then nobody has acted on it.
        """
        number = self.journal.append_fact(fact)
        effects = self.referee.feed(fact)
        self.journal.append_effects(number, fact.at_ms, effects)
        self._carry_out(fact, effects)
        for responder in self._responders:
            for answer in responder(fact, effects):
                effects = [*effects, *self.handle(answer)]
        return effects

    def resume(self) -> int:
        """Brings a fresh referee to where the journal stands and gets the time of the last fact in milliseconds.

        Facts that were stored but not answered, because the power went in between, are answered now. What the lights
        said last is said again; nothing else is repeated.
        """
        unanswered = self.journal.unanswered()
        last_ms = 0
        for number, fact in list(self.journal.facts()):
            effects = self.referee.feed(fact)
            last_ms = max(last_ms, fact.at_ms)
            if number in unanswered:
                self.journal.append_effects(number, fact.at_ms, effects)
                self._carry_out(fact, effects)
            else:
                self._carry_out(fact, [effect for effect in effects if effect.kind == "scene"])
        return last_ms

    def _carry_out(self, fact: Fact, effects: Sequence[Effect]) -> None:
        for output in self._outputs:
            output(fact, effects)
