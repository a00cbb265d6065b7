"""The referee, pure: facts in, rulings out. ``feed(fact) -> list[Effect]``; same facts, same effects, always."""

from boardctl.referee.announcing import for_players
from boardctl.referee.presets import read_catalogue, read_ruleset, ruleset_names
from boardctl.referee.referee import Referee
from boardctl.referee.response import Match
from boardctl.referee.ruleset import Ruleset
from boardctl.referee.state import Progress, Stage, State, Turn
from boardctl.referee.texts import Catalogue, render

__all__ = [
    "Catalogue",
    "Match",
    "Progress",
    "Referee",
    "Ruleset",
    "Stage",
    "State",
    "Turn",
    "for_players",
    "read_catalogue",
    "read_ruleset",
    "render",
    "ruleset_names",
]
