"""Geometry and colours of one installation: from pictures or by hand, checked on load, in millimetres."""

from calibration.camera import CameraModel
from calibration.geometry import BoardGeometry

__all__ = ["BoardGeometry", "CameraModel"]
