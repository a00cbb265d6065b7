"""Frames -> readings, with likelihoods; what cannot be seen is said to be hidden."""

from boardctl.vision.board import read_board
from boardctl.vision.frame import FrameReader, FrameReading, read_frame
from boardctl.vision.tracking import Tracker, TrackingSettings

__all__ = ["FrameReader", "FrameReading", "Tracker", "TrackingSettings", "read_board", "read_frame"]
