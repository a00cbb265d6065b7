"""What a coach says to a seat about its roll, level by level: the same for the same position, roll and engine."""

from collections.abc import Sequence
from dataclasses import dataclass

from boardctl.coach.engine import RatedPlay, review
from boardctl.coach.explaining import dead_ends, forced, pip_text, unplayable
from boardctl.referee.assistance import Level
from boardctl.referee.effects import Text
from boardctl.rules import Game, Place, Position, Roll, Seat, write_play

WORTH_SAYING = 0.02
"""Equity, in points, below which a difference between two plays is not spoken of: engines differ by as much."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What is said, and from where to where the best play goes, for the lights."""

    texts: tuple[Text, ...] = ()
    sources: tuple[Place, ...] = ()
    targets: tuple[Place, ...] = ()


def advice_on_roll(game: Game, position: Position, seat: Seat, roll: Roll, given: frozenset[Level]) -> Advice:
    """Gets what the rules alone say about a roll that is to be played, of the kinds of help that are given."""
    texts: list[Text] = []
    if Level.REASONS in given:
        texts += unplayable(game, position, seat, roll)
        texts += dead_ends(game, position, seat, roll)
    if Level.FORCED in given:
        texts += forced(game, position, seat, roll)
    if Level.PIPS in given:
        texts.append(pip_text(game, position, seat))
    return Advice(tuple(texts))


def advice_without_engine() -> Advice:
    """Gets what is said once to a seat that wants the best play where nobody knows it."""
    return Advice((Text.of("coach.no_engine"),))


def advice_on_lost_engine(reason: object) -> Advice:
    """Gets what is said when an engine did not answer."""
    return Advice((Text.of("coach.engine_lost", reason=reason),))


def advice_on_best(game: Game, seat: Seat, rated: Sequence[RatedPlay], engine: str) -> Advice:
    """Gets the best play in words and in lights; nothing where there is no choice."""
    if not rated:
        return Advice()
    best = rated[0].play
    text = Text.of("coach.best", engine=engine, play=write_play(game, seat, best))
    balance: dict[Place, int] = {}
    for move in best.moves:
        balance[move.source] = balance.get(move.source, 0) - 1
        balance[move.target] = balance.get(move.target, 0) + 1
    # A stop on the way is neither where a checker comes from nor where it goes.
    sources = tuple(place for place, count in balance.items() if count < 0)
    targets = tuple(place for place, count in balance.items() if count > 0)
    return Advice((text,), sources, targets)


def advice_afterwards(game: Game, seat: Seat, rated: Sequence[RatedPlay], made: Position, engine: str) -> Advice:
    """Gets what a play that was made has cost, and the better one; nothing where there was no choice."""
    seen = review(rated, made)
    if seen is None:
        return Advice()
    if seen.loss < WORTH_SAYING:
        return Advice((Text.of("coach.best_made", engine=engine),))
    play = write_play(game, seat, seen.best.play)
    return Advice((Text.of("coach.better", engine=engine, play=play, loss=f"{seen.loss:.2f}"),))
