"""The running table: devices -> facts -> referee -> effects. The only place with an event loop."""

from boardctl.table.clock_timer import ClockTimer
from boardctl.table.coaching import Coach
from boardctl.table.desk import Desk, Judge, Output
from boardctl.table.lighting import Lighting, LitBoard
from boardctl.table.reported import Buzzer, CameraNews, PanelSource, TurnLamps
from boardctl.table.responders import NewGame, Responder, Resync
from boardctl.table.running import Source, run_table
from boardctl.table.sensor_sources import SensorsInStep, SensorSource
from boardctl.table.session import GAMES, Session
from boardctl.table.sources import CameraSource, look_again
from boardctl.table.starting_picture import keep_starting_picture, kept_starting_picture
from boardctl.table.witness_tally import WitnessTally
from boardctl.table.witnessing import EvidenceKeeper, FrameRing

__all__ = [
    "GAMES",
    "Buzzer",
    "CameraNews",
    "CameraSource",
    "ClockTimer",
    "Coach",
    "Desk",
    "EvidenceKeeper",
    "FrameRing",
    "Judge",
    "Lighting",
    "LitBoard",
    "NewGame",
    "Output",
    "PanelSource",
    "Responder",
    "Resync",
    "SensorSource",
    "SensorsInStep",
    "Session",
    "Source",
    "TurnLamps",
    "WitnessTally",
    "keep_starting_picture",
    "kept_starting_picture",
    "look_again",
    "run_table",
]
