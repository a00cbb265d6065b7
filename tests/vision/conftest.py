"""Rendered pictures with truth and their calibrations, made once for all tests."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration import Calibration, calibrate

PICTURES = Path(__file__).parents[1] / "data" / "vision"


class Shots:
    """The pictures of one installation, its calibration and the truth."""

    def __init__(self, name: str) -> None:
        self.folder = PICTURES / name
        self.calibration: Calibration = calibrate(self.picture("f00"), self.picture("f01"))

    def picture(self, frame: str) -> NDArray[np.uint8]:
        found = cv2.imread(str(self.folder / f"{frame}.jpg"))
        assert found is not None
        return np.asarray(found, dtype=np.uint8)

    def truth(self, frame: str) -> dict[str, Any]:
        return json.loads((self.folder / f"{frame}.json").read_text())  # type: ignore[no-any-return]


@pytest.fixture(scope="session")
def green() -> Shots:
    return Shots("green_felt")


@pytest.fixture(scope="session")
def brown() -> Shots:
    return Shots("dark_brown")
