"""The referee, pure: facts in, rulings out. ``feed(fact) -> list[Effect]``; same facts, same effects, always.

``facts`` come in (``readings`` among them), ``effects`` go out, ``state`` is where the game stands, ``response`` what
one fact makes of it. ``phases`` says who answers which fact when; what is answered is made of parts: ``seen`` weighs
what witnesses saw, ``roll`` is before a play, ``turn`` a turn itself, ``turn_end`` what becomes of it. What may come at
any time has a module each: ``interruptions``, ``doubling``, ``clocking``.
"""

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
