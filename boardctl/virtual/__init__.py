"""A table without hardware: bodies in millimetres, a camera, a sensor board and players, behind the devices' faces.

``table`` joins them: the ``world`` of bodies, as ``looks`` say, ``playing`` that moves them, ``drawing`` that shows
them, ``sensing``, ``panel`` and ``camera``; ``truth`` and ``score`` hold a referee against what happened. ``unseen``
draws installations by which the eyes are measured, ``traced`` traces their light, ``training`` draws what is learned.
"""

from boardctl.virtual.looks import LOOKS, Look
from boardctl.virtual.playing.acts import FAST, REAL_TIME, Act, ActKind, Pace
from boardctl.virtual.playing.players import FAULTLESS, Rates
from boardctl.virtual.report import HEADINGS, Item, Outcome, Report, Row
from boardctl.virtual.score import Score
from boardctl.virtual.table import Step, VirtualTable

__all__ = [
    "FAST",
    "FAULTLESS",
    "HEADINGS",
    "LOOKS",
    "REAL_TIME",
    "Act",
    "ActKind",
    "Item",
    "Look",
    "Outcome",
    "Pace",
    "Rates",
    "Report",
    "Row",
    "Score",
    "Step",
    "VirtualTable",
]
