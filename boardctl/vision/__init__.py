"""Frames -> readings, with likelihoods; what cannot be seen is said to be hidden.

``frame`` reads one picture: ``light`` takes out of it what differs from the calibration's, ``points`` and ``trays``
count checkers, ``dice`` reads dice and cube. ``whole_sets`` adds what the other places tell of one, ``tracking`` makes
facts of frames that follow each other, ``photograph`` does without a calibration. ``measuring`` holds all of it
against truth, and ``training`` makes the networks whose ``weights`` ``networks`` runs.
"""

from boardctl.vision.board import read_board
from boardctl.vision.frame import FrameReader, FrameReading, read_frame
from boardctl.vision.tracking import Tracker, TrackingSettings

__all__ = ["FrameReader", "FrameReading", "Tracker", "TrackingSettings", "read_board", "read_frame"]
