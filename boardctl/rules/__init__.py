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
from boardctl.rules.blocking import Blocking, BlockingPosition, Deadlock, Enter, Own, Trapped
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
from boardctl.rules.games import GAMES, game_named, game_with, read_position, read_situation
from boardctl.rules.match import EndedBy, Match, Outcome, Resignation
from boardctl.rules.match_id import read_match_id, read_position_and_match_id, write_match_id
from boardctl.rules.match_rules import GammonsJudged, LastRollRules, Ledger, MatchRules, TiedCrawford
from boardctl.rules.mini_gam import Bar, Entry, MiniGam, MiniGamPosition
from boardctl.rules.multi_gam import MultiGam, MultiGamPosition, Oblige
from boardctl.rules.notation import IllegalPlayError, NotationError, read_play, write_play
from boardctl.rules.position_id import read_position_id, write_position_id
from boardctl.rules.situation import IdentifierError, Situation, Stage
from boardctl.rules.stack_position import StackPosition
from boardctl.rules.turn import begin, moves_in, plays_in, proceed
from boardctl.rules.xgid import read_xgid, write_xgid

__all__ = [
    "GAMES",
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
    "Enter",
    "Entry",
    "Faults",
    "Game",
    "GammonsJudged",
    "IdentifierError",
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
    "Situation",
    "Stack",
    "StackPosition",
    "Stage",
    "Step",
    "TiedCrawford",
    "Trapped",
    "Turn",
    "WinKind",
    "bar",
    "begin",
    "game_named",
    "game_with",
    "moves_in",
    "plays_in",
    "point",
    "proceed",
    "read_match_id",
    "read_play",
    "read_position",
    "read_position_and_match_id",
    "read_position_id",
    "read_situation",
    "read_xgid",
    "tray",
    "waiting",
    "write_match_id",
    "write_play",
    "write_position_id",
    "write_xgid",
]
