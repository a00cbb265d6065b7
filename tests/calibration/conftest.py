"""Pictures with truth, and what was found in them, once for all tests."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from boardctl.virtual.unseen import looks as unseen_looks
from boardctl.virtual.unseen.looks import drawn_installation, polished, printed
from boardctl.virtual.unseen.tables import write_pictures
from calibration import Calibration, calibrate

PICTURES = Path(__file__).parents[1] / "data" / "vision"
CORNER_NAMES = ("A_left", "A_right", "B_right_of_A_view", "B_left_of_A_view")

Picture = NDArray[np.uint8]


def picture(name: str | Path) -> Picture:
    found = cv2.imread(str(PICTURES / name))
    assert found is not None
    return np.asarray(found, dtype=np.uint8)


class Installation:
    """One installation, by its name of the renders or by the folder it was drawn in."""

    def __init__(self, name: str | Path) -> None:
        self.folder = folder = PICTURES / name
        self.empty = picture(folder / "f00.jpg")
        self.start = picture(folder / "f01.jpg")
        self.truth: dict[str, Any] = json.loads((folder / "f01.json").read_text())
        self.corners = np.array([self.truth["field_corners_px"][corner] for corner in CORNER_NAMES])


@pytest.fixture
def drawn(tmp_path: Path) -> Installation:
    """One of which the right outline is not among the two likeliest."""
    write_pictures(polished(drawn_installation(9995, 10)), tmp_path, 0, 10)
    return Installation(tmp_path)


@pytest.fixture
def draw(tmp_path: Path) -> Callable[[unseen_looks.Installation, int], Installation]:
    """Draws the empty board and the starting position of an installation, the latter by a seed."""

    def drawn(installation: unseen_looks.Installation, seed: int) -> Installation:
        write_pictures(installation, tmp_path / installation.name, 0, seed)
        return Installation(tmp_path / installation.name)

    return drawn


@pytest.fixture(scope="session")
def without_bar(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """A board that is printed on something flat, its two halves next to each other."""
    folder = tmp_path_factory.mktemp("without_bar")
    write_pictures(printed(drawn_installation(9881, 0)), folder, 0, 0)
    return Installation(folder)


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
def brown() -> Installation:
    return Installation("dark_brown")


@pytest.fixture(scope="session")
def green_found(green: Installation) -> Calibration:
    return calibrate(green.empty, green.start)
