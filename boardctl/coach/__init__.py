"""Help for who is learning: what can be played and why not, what is forced, pip counts, the best play by an engine."""

from boardctl.coach.advice import (
    Advice,
    advice_afterwards,
    advice_on_best,
    advice_on_lost_engine,
    advice_on_roll,
    advice_without_engine,
)
from boardctl.coach.engine import FOR_ITSELF, Engine, EngineError, RatedPlay, Review, Stake, review
from boardctl.coach.explaining import dead_ends, forced, leaves_nothing, pip_text, unplayable
from boardctl.coach.gnubg import GnuBackgammon, find_gnubg
from boardctl.coach.rollouts import RolloutPlayer
from boardctl.coach.way import pip_counts

__all__ = [
    "FOR_ITSELF",
    "Advice",
    "Engine",
    "EngineError",
    "GnuBackgammon",
    "RatedPlay",
    "Review",
    "RolloutPlayer",
    "Stake",
    "advice_afterwards",
    "advice_on_best",
    "advice_on_lost_engine",
    "advice_on_roll",
    "advice_without_engine",
    "dead_ends",
    "find_gnubg",
    "forced",
    "leaves_nothing",
    "pip_counts",
    "pip_text",
    "review",
    "unplayable",
]
