"""``boardctl rules playouts``: whole random games of every kind, each of which must end and keep its checkers."""

import json
import random
import statistics
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from boardctl.cli.reporting import WORK_FAILED, UsageError, complain
from boardctl.rules import GAMES, Faults, Game, Position, begin
from boardctl.rules.playouts import EndlessGameError, playout


@dataclass(frozen=True, slots=True)
class _Played:
    """What the random games of one kind came to."""

    game: str
    games: int
    decided: int  # won, or ranked to the end
    locked: int  # no roll could move anything again
    endless: int
    damaged: int  # games in which a position was none of the game: a checker lost, or one too many
    turns_median: float
    turns_longest: int
    positions: int

    def __str__(self) -> str:
        return (
            f"{self.game:<12} {self.games:>6} games: {self.decided} decided, {self.locked} locked, "
            f"{self.endless} without end, {self.damaged} with a wrong number of checkers; "
            f"turns: median {self.turns_median:.0f}, longest {self.turns_longest}; {self.positions} positions"
        )


def playouts(
    game: Annotated[
        list[str] | None, typer.Option(help="Which game; may be repeated. All when left out.", show_default=False)
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games of each.")] = 2000,
    seed: Annotated[int, typer.Option(help="Where chance starts.", min=0)] = 7,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Play whole games of legal plays by chance. Exit code 1 when one does not end or a checker is lost or gained.

    Example: boardctl rules playouts --game blocking --games 200
    """
    for name in game or ():
        if name not in GAMES:
            raise UsageError(f"no game {name!r}; there are {', '.join(GAMES)}")
    failed = False
    for name in game or GAMES:
        played = _played(GAMES[name], games, random.Random(seed))  # noqa: S311  games for a check, no secret
        typer.echo(json.dumps(asdict(played)) if as_json else str(played))
        failed = failed or bool(played.endless or played.damaged)
    if failed:
        complain("games did not end, or did not keep their checkers")
        raise typer.Exit(WORK_FAILED)


def _played(game: Game, games: int, dice: random.Random) -> _Played:
    ended: Counter[str] = Counter()
    turns: list[int] = []
    positions = 0
    for _ in range(games):
        last: Position = game.start()
        rolls = 0
        whole = True
        try:
            for state in playout(game, dice):
                last = state.play.position
                positions += 1
                rolls += state.turn == begin(game, state.position, state.turn.roller, state.turn.roll)
                whole = whole and game.faults(last.placement()) is Faults.NONE
        except EndlessGameError:
            ended["endless"] += 1
        else:
            ended["decided" if _is_decided(game, last) else "locked"] += 1
        ended["damaged"] += not whole
        turns.append(rolls)
    return _Played(
        game.name, games, ended["decided"], ended["locked"], ended["endless"], ended["damaged"],
        statistics.median(turns), max(turns), positions,
    )  # fmt: skip


def _is_decided(game: Game, position: Position) -> bool:
    result = game.result(position)
    return result is not None and result.winner is not None
