"""The options with which a session is asked for: what the commands that referee a game have in common."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from boardctl.cli.reporting import UsageError
from boardctl.rules import Seat
from boardctl.table import GAMES

GameName = Annotated[str, typer.Option(help=f"Which game is played: {', '.join(GAMES)}.")]
RulesetName = Annotated[str, typer.Option(help="A preset's name, or a .yaml file.")]
MatchLength = Annotated[int | None, typer.Option(help="Play a match to so many points.", min=1, max=99)]
CubeUsed = Annotated[bool, typer.Option("--cube", help="With the doubling cube.")]
JacobyPlayed = Annotated[bool, typer.Option("--jacoby", help="Gammons count only once the cube was turned.")]
BeaversPlayed = Annotated[bool, typer.Option("--beavers", help="A double may be answered with a redouble.")]
AutomaticDoubles = Annotated[int, typer.Option(help="How often a game equal opening dice turn the cube.", min=0, max=9)]
LastRollPlayed = Annotated[
    bool, typer.Option("--last-roll", help="Who lost the opening roll is guaranteed the last one.")
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        help="An option of the game, the match or Last Roll, such as deadlock=pips or crawford=false; may be "
        "repeated. docs/games.md has them all.",
    ),
]
PlayerNames = Annotated[
    list[str] | None,
    typer.Option(
        "--player", help="A player's name by seat, such as A=Ann; may be repeated. It stands in the record alone."
    ),
]
JournalFile = Annotated[
    Path | None, typer.Option(help="Where the record goes; must not exist. Left out: a new file of its own.")
]
AssistLevels = Annotated[
    str | None,
    typer.Option(help="Help with the play, where the ruleset allows aids: 0 to 6, or A=6,B=0.", show_default=False),
]
AssistLifts = Annotated[
    int | None,
    typer.Option(help="Show targets for so many lifted checkers a turn only.", min=0, show_default=False),
]
ResyncAsked = Annotated[
    bool,
    typer.Option("--resync", help="Take a board that stands still and that no play explains as set up anew."),
]


def named_players(seats: Sequence[Seat], texts: list[str] | None) -> dict[Seat, str]:
    """Gets the names that were given, by seat.

    :raises UsageError: for a seat that the game does not have, or a text that is no seat with its name.
    """
    names = {}
    for text in texts or ():
        seat, _, name = text.partition("=")
        if not name.strip() or seat not in [each.value for each in seats]:
            there = ", ".join(each.value for each in seats)
            raise UsageError(f"--player {text}: write a seat and its name, such as A=Ann; seats here are {there}")
        names[Seat(seat)] = name.strip()
    return names


def named_options(texts: list[str] | None) -> dict[str, str]:
    """Gets options, each written as its name and its value, by their names.

    :raises UsageError: for one that is not written so, and for one that is named twice.
    """
    found: dict[str, str] = {}
    for text in texts or []:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise UsageError(f"--option {text}: write its name and its value, such as blocked_higher=licenses")
        if name in found:
            raise UsageError(f"--option {name}: is given twice; leave one of them out")
        found[name] = value
    return found
