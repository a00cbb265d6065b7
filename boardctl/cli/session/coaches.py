"""The coach of a table, with the engines that are there."""

from collections.abc import Iterator
from contextlib import contextmanager

from boardctl.coach import Engine, GnuBackgammon, RolloutPlayer, find_gnubg
from boardctl.referee import Referee
from boardctl.rules import Backgammon
from boardctl.table import Coach

_WAIT_S = 10.0
"""How long a table in virtual time waits for an engine: its next frame must not be taken before."""


@contextmanager
def table_coach(referee: Referee, wait_s: float = _WAIT_S) -> Iterator[Coach]:
    """Gets a coach with his engines: GNU Backgammon where it is installed, our own player for other games.

    ``wait_s``: how long the table waits for what they say; 0 where it is said when it comes.
    """
    engines: list[Engine] = [] if find_gnubg() is None else [GnuBackgammon()]
    if not isinstance(referee.game, Backgammon):
        engines.append(RolloutPlayer())
    coach = Coach(referee, engines, wait_s=wait_s)
    try:
        yield coach
    finally:
        coach.close()
