"""The running table: devices -> facts -> referee -> effects. The only place with an event loop."""

from boardctl.table.desk import Desk, Judge, Output
from boardctl.table.running import Source, run_table
from boardctl.table.sources import CameraSource

__all__ = ["CameraSource", "Desk", "Judge", "Output", "Source", "run_table"]
