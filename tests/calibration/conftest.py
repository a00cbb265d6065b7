"""Pictures with truth, and what was found in them, once for all tests."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import Calibration, calibrate

PICTURES = Path(__file__).parents[1] / "data" / "vision"
CORNER_NAMES = ("A_left", "A_right", "B_right_of_A_view", "B_left_of_A_view")

Picture = NDArray[np.uint8]


def picture(name: str) -> Picture:
    found = cv2.imread(str(PICTURES / name))
    assert found is not None
    return np.asarray(found, dtype=np.uint8)


class Installation:
    """One installation of the renders."""

    def __init__(self, name: str) -> None:
        self.empty = picture(f"{name}/f00.jpg")
        self.start = picture(f"{name}/f01.jpg")
        self.truth: dict[str, Any] = json.loads((PICTURES / name / "f01.json").read_text())
        self.corners = np.array([self.truth["field_corners_px"][corner] for corner in CORNER_NAMES])


@pytest.fixture(scope="session", params=["green_felt", "dark_brown"])
def installation(request: pytest.FixtureRequest) -> Installation:
    return Installation(request.param)


@pytest.fixture(scope="session")
def found(installation: Installation) -> Calibration:
    return calibrate(installation.empty, installation.start)


@pytest.fixture(scope="session")
def green() -> Installation:
    return Installation("green_felt")


@pytest.fixture(scope="session")
def green_found(green: Installation) -> Calibration:
    return calibrate(green.empty, green.start)
