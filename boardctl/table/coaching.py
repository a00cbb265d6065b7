"""The coach at the table: hears what the referee says, and answers with advice as facts of its own.

What the rules tell is said at once. An engine is asked on a thread of its own, and answers when it does: nobody waits
for it. Everything goes through the referee, which passes on only what the ruleset's aids and the seat's level allow.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

from boardctl.coach import (
    Advice,
    Engine,
    EngineError,
    RatedPlay,
    Stake,
    advice_afterwards,
    advice_on_best,
    advice_on_lost_engine,
    advice_on_roll,
    advice_without_engine,
    leaves_nothing,
)
from boardctl.referee import Referee
from boardctl.referee.assistance import Level, assistance_of, given
from boardctl.referee.effects import Effect, RollRead, TurnJudged
from boardctl.referee.facts import Advised, BoardSeen, Fact
from boardctl.referee.state import Stage, Turn
from boardctl.rules import Faults, Position, Seat

_log = logging.getLogger(__name__)

LOOK_S = 0.05
"""How often it looks whether the engine has answered."""


class Coach:
    """A responder, and a source beside the others for what an engine says later. ``close`` lets the engines go.

    ``engines``: asked in this order for one that knows the game; none: the highest level says so and shows the rest.
    ``wait_s`` above 0: each answer of an engine is waited for so long, for tables that live in virtual time.
    """

    waits = False

    def __init__(self, referee: Referee, engines: Sequence[Engine] = (), wait_s: float = 0.0) -> None:
        self._referee = referee
        self._engines = engines
        self._engine = next((engine for engine in engines if engine.knows(referee.game)), None)
        self._wait_s = wait_s
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="coach")
        self._asked: Future[Sequence[RatedPlay]] | None = None
        self._asked_for: tuple[Turn, int] | None = None
        self._pending: list[Callable[[], Advised | None]] = []
        self._told_none: set[Seat] = set()
        self._told_dead_end: Position | None = None
        self._now_ms = 0

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> Sequence[Fact]:
        """Gets what is to be said at once about a roll that was read, a dead end, or a turn that was judged."""
        self._now_ms = fact.at_ms
        state = self._referee.state
        said: list[Fact] = []
        for effect in effects:
            if isinstance(effect, RollRead) and effect.valid and state.turn is not None:
                said += self._on_roll(state.turn)
            elif isinstance(effect, TurnJudged) and effect.legal:
                said += self._afterwards(effect)
        if isinstance(fact, BoardSeen) and state.turn is not None and state.progress.stage is Stage.UNEXPLAINED:
            said += self._dead_end(state.turn, fact)
        return said

    async def facts(self) -> AsyncIterator[Fact]:
        """Gets what an engine says, when it says it; goes on for ever."""
        while True:
            for advised in self._answered():
                yield advised
            await asyncio.sleep(LOOK_S)

    def close(self) -> None:
        """Lets the engines go. May be called again."""
        for engine in self._engines:
            engine.close()
        self._worker.shutdown(wait=True, cancel_futures=True)

    def _given(self, seat: Seat) -> frozenset[Level]:
        assist = self._referee.state.assist
        return frozenset() if assist is None else given(self._referee.ruleset.aids, assistance_of(assist, seat))

    def _on_roll(self, turn: Turn) -> list[Fact]:
        granted = self._given(turn.seat)
        self._told_dead_end = None
        said = [advice_on_roll(self._referee.game, turn.before, turn.seat, turn.roll, granted)]
        if Level.BEST in granted and self._engine is None and turn.seat not in self._told_none:
            self._told_none.add(turn.seat)
            said.append(advice_without_engine())
        facts: list[Fact] = [self._advised(turn.seat, one) for one in said if one != Advice()]
        if Level.BEST in granted and self._engine is not None:
            facts += self._ask(self._engine, turn)
        return facts

    def _ask(self, engine: Engine, turn: Turn) -> list[Fact]:
        game, state = self._referee.game, self._referee.state
        number, stake = state.turns_played, Stake(state.ledger, state.cube)
        asked = self._worker.submit(engine.rate, game, turn.before, turn.seat, turn.roll, stake)
        self._asked, self._asked_for = asked, (turn, number)

        def answered() -> Advised | None:
            try:
                best = advice_on_best(game, turn.seat, asked.result(), engine.name)
            except EngineError as error:
                _log.warning("no best play: %s", error)
                best = advice_on_lost_engine(error)
            return None if best == Advice() else self._advised(turn.seat, best, number)

        return self._later(asked, answered)

    def _later(self, asked: "Future[Sequence[RatedPlay]]", answered: Callable[[], Advised | None]) -> list[Fact]:
        """Gets the answer now if it is there, or is waited for; otherwise keeps it for when it comes."""
        if self._wait_s > 0:
            with suppress(TimeoutError):
                asked.exception(self._wait_s)
        if not asked.done():
            asked.add_done_callback(lambda _: self._pending.append(answered))
            return []
        fact = answered()
        return [] if fact is None else [fact]

    def _answered(self) -> list[Advised]:
        pending, self._pending = self._pending, []
        return [fact for answered in pending if (fact := answered()) is not None]

    def _afterwards(self, judged: TurnJudged) -> list[Fact]:
        """Says what a legal play has cost, once its end is certain enough to have been judged."""
        asked, engine = self._asked, self._engine
        if asked is None or engine is None or self._asked_for is None or judged.after is None:
            return []
        turn, number = self._asked_for
        game = self._referee.game
        mine = turn.seat is judged.seat and turn.before.placement() == judged.before and turn.roll == judged.roll
        if not mine or game.faults(judged.after) is not Faults.NONE:
            return []
        self._asked = self._asked_for = None
        made = game.position_of(judged.after)

        def answered() -> Advised | None:
            try:
                told = advice_afterwards(game, turn.seat, asked.result(), made, engine.name)
            except EngineError:
                return None  # it was said when the best play was asked for
            return None if told == Advice() else self._advised(turn.seat, told, number, afterwards=True)

        return self._later(asked, answered)

    def _dead_end(self, turn: Turn, fact: BoardSeen) -> list[Fact]:
        """Says why nothing is left for the other number, where one move was made that leaves nothing."""
        game = self._referee.game
        if Level.REASONS not in self._given(turn.seat) or any(place.best is None for place in fact.reading.places):
            return []
        board = turn.before.placement().replaced({place.place: place.best or () for place in fact.reading.places})
        if game.faults(board) is not Faults.NONE or (reached := game.position_of(board)) == self._told_dead_end:
            return []
        text = leaves_nothing(game, turn.before, turn.seat, turn.roll, reached)
        if text is None:
            return []
        self._told_dead_end = reached
        return [self._advised(turn.seat, Advice((text,)))]

    def _advised(self, seat: Seat, advice: Advice, turn: int | None = None, *, afterwards: bool = False) -> Advised:
        number = self._referee.state.turns_played if turn is None else turn
        return Advised(self._now_ms, seat, number, advice.texts, advice.sources, advice.targets, afterwards)
