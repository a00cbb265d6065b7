"""The games, pure: positions, legal plays, results. No clock, no file, no device; usable by others as it stands.

A game is one frozen class in a module of its own, with the face of :class:`boardctl.rules.game.Game`.

>>> from boardctl.rules import Backgammon, Roll, Seat, read_play, write_play
>>> game = Backgammon()
>>> play = read_play(game, game.start(), Seat.A, Roll.of(3, 1), "8/5 6/5")
>>> len(game.plays(play.position, Seat.B, Roll.of(6, 6))), game.result(play.position)
(11, None)
"""

from boardctl.rules.backgammon import Backgammon
from boardctl.rules.backgammon_options import HOUSE_RULES, BackgammonOptions, BlockedHigher
from boardctl.rules.backgammon_position import BackgammonPosition
from boardctl.rules.blocking import Blocking, BlockingPosition, Deadlock, Own, Trapped
from boardctl.rules.blocking_express import BlockingExpress
from boardctl.rules.board import Place, PlaceKind, Placement, Seat, Stack, bar, point, tray, waiting
from boardctl.rules.cube import Cube, CubeError, Drop, Offer, OfferKind
from boardctl.rules.game import (
    Faults,
    Game,
    Move,
    MoveGraph,
    Opening,
    Play,
    Position,
    Result,
    Roll,
    Step,
    Turn,
    WinKind,
)
from boardctl.rules.match import EndedBy, Match, Outcome, Resignation
from boardctl.rules.match_rules import LastRollRules, Ledger, MatchRules, TiedCrawford
from boardctl.rules.mini_gam import Bar, Entry, MiniGam, MiniGamPosition
from boardctl.rules.multi_gam import MultiGam, MultiGamPosition, Oblige
from boardctl.rules.notation import IllegalPlayError, NotationError, read_play, write_play

__all__ = [
    "HOUSE_RULES",
    "Backgammon",
    "BackgammonOptions",
    "BackgammonPosition",
    "Bar",
    "BlockedHigher",
    "Blocking",
    "BlockingExpress",
    "BlockingPosition",
    "Cube",
    "CubeError",
    "Deadlock",
    "Drop",
    "EndedBy",
    "Entry",
    "Faults",
    "Game",
    "IllegalPlayError",
    "LastRollRules",
    "Ledger",
    "Match",
    "MatchRules",
    "MiniGam",
    "MiniGamPosition",
    "Move",
    "MoveGraph",
    "MultiGam",
    "MultiGamPosition",
    "NotationError",
    "Oblige",
    "Offer",
    "OfferKind",
    "Opening",
    "Outcome",
    "Own",
    "Place",
    "PlaceKind",
    "Placement",
    "Play",
    "Position",
    "Resignation",
    "Result",
    "Roll",
    "Seat",
    "Stack",
    "Step",
    "TiedCrawford",
    "Trapped",
    "Turn",
    "WinKind",
    "bar",
    "point",
    "read_play",
    "tray",
    "waiting",
    "write_play",
]
