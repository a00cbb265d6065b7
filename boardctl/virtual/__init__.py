"""A table without hardware: bodies in millimetres, a camera, a sensor board and players, behind the devices' faces."""

from boardctl.virtual.acts import FAST, REAL_TIME, Act, ActKind, Pace
from boardctl.virtual.looks import LOOKS, Look
from boardctl.virtual.players import FAULTLESS, Rates
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
