"""The games by the names that they have on the command line and in records."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypeVar

from boardctl.rules.backgammon import Backgammon
from boardctl.rules.backgammon_options import HOUSE_RULES, BackgammonOptions
from boardctl.rules.backgammon_position import BackgammonPosition
from boardctl.rules.blocking import Blocking
from boardctl.rules.blocking_express import BlockingExpress
from boardctl.rules.board import Seat
from boardctl.rules.game import Game, Position
from boardctl.rules.match_id import read_position_and_match_id
from boardctl.rules.match_rules import LastRollRules, MatchRules
from boardctl.rules.mini_gam import MiniGam
from boardctl.rules.multi_gam import MultiGam
from boardctl.rules.position_id import read_position_id
from boardctl.rules.situation import Situation
from boardctl.rules.stack_game import StackGame
from boardctl.rules.xgid import read_xgid

_Holder = TypeVar("_Holder", BackgammonOptions, StackGame, MatchRules, LastRollRules)

_ALL: tuple[Game, ...] = (
    Backgammon(),
    Backgammon(HOUSE_RULES),
    Blocking(),
    BlockingExpress(),
    MiniGam(),
    MultiGam(),
)

GAMES: Mapping[str, Game] = {game.name: game for game in _ALL}
"""Every game with its default options, by name."""


def game_named(name: str) -> Game:
    """Gets a game with its default options.

    :raises ValueError: when no game has that name; the message names those there are.
    """
    if name not in GAMES:
        raise ValueError(f"no game {name!r}; there are {', '.join(GAMES)}")
    return GAMES[name]


def game_with(name: str, options: Mapping[str, str]) -> Game:
    """Gets a game with some of its options set, each as its name and its value in words: ``true``, ``licenses``.

    :raises ValueError: for a game, an option or a value that there is not; the message names those there are.
    """
    game = game_named(name)
    if isinstance(game, Backgammon):
        return Backgammon(with_options(game.options, name, options))
    assert isinstance(game, StackGame)
    return with_options(game, name, options)


def option_names(game: Game) -> tuple[str, ...]:
    """Gets the names of a game's options."""
    holder = game.options if isinstance(game, Backgammon) else game
    assert is_dataclass(holder)
    return tuple(each.name for each in fields(holder))


def with_options(holder: _Holder, name: str, options: Mapping[str, str]) -> _Holder:
    """Gets the options of a game or match with some of them set, in words; ``name``: whose they are.

    :raises ValueError: for an option or a value that there is not; the message names those there are.
    """
    assert is_dataclass(holder)
    known: dict[str, Any] = {each.name: getattr(holder, each.name) for each in fields(holder)}
    for option, value in options.items():
        if option not in known:
            raise ValueError(f"{name} has no option {option!r}; there are {', '.join(known) or 'none'}")
        known[option] = _valued(known[option], value, f"{option} of {name}")
    return type(holder)(**known)


def _valued(before: object, value: str, called: str) -> object:
    """Gets the value that a word stands for, of the kind that the option has already."""
    if type(before) is int:
        if not value.isdecimal():
            raise ValueError(f"{called} cannot be {value!r}; it is a number of 0 or more")
        return int(value)
    values: dict[str, object] = {"true": True, "false": False}
    if isinstance(before, Enum):
        values = {each.value: each for each in type(before)}
    if value not in values:
        raise ValueError(f"{called} cannot be {value!r}; it can be {', '.join(values)}")
    return values[value]


def read_position(game: Game, text: str, seat: Seat) -> Position:
    """Gets a position from ``start``, a drawn board or, for backgammon, an identifier.

    An XGID, or a Position ID and a Match ID with a colon between them, says who is on roll; a Position ID by itself is
    read with ``seat`` on roll.

    :raises ValueError: when the text is none of these; the message quotes it.
    """
    if text.strip() == "start":
        return game.start()
    if "\n" in text.strip():
        if isinstance(game, StackGame):
            return game.position_class.parse(text)
        return BackgammonPosition.parse(text)
    if isinstance(game, StackGame):
        raise ValueError(f"{text!r} is no drawn board of {game.name}; draw one in a file and name the file")
    situation = read_situation(text)
    return read_position_id(text.strip(), seat) if situation is None else situation.position


def read_situation(text: str) -> Situation | None:
    """Gets what an XGID, or a Position ID and a Match ID with a colon between them, says; None for other texts.

    :raises ValueError: when a text with a colon is neither; the message quotes it.
    """
    if ":" not in text or "\n" in text.strip():
        return None
    return read_position_and_match_id(text) if text.count(":") == 1 and "=" not in text else read_xgid(text)
