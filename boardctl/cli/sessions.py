"""From what was asked for on the command line to a session."""

from boardctl.cli.reporting import UsageError
from boardctl.referee import read_ruleset
from boardctl.table import GAMES, Session


def session_of(game: str, ruleset: str, match_length: int | None, source: str, *, recorded: bool = False) -> Session:
    """Gets the session that was asked for. ``recorded``: followed from pictures that were taken now and then.

    :raises UsageError: for a game that is not known.
    :raises SettingsError: for a ruleset that is not known, or whose file cannot be used.
    """
    if game not in GAMES:
        raise UsageError(f"no game is called {game!r}; choose one of {', '.join(GAMES)}")
    return Session(
        game=game, ruleset=read_ruleset(ruleset), match_length=match_length, recorded=recorded, source=source
    )
