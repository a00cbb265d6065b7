"""Every board implementation that the one contract is held against."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from firmware_bridge.board import SensorBoard
from firmware_bridge.emulated import EmulatedBoard
from firmware_bridge.rig import BoardRig
from firmware_bridge.standin import StandInBoard
from firmware_bridge.toolchain import missing_packages

RIGS: dict[str, Callable[[], BoardRig]] = {"stand-in": StandInBoard, "emulated": EmulatedBoard}


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Iterator[BoardRig]:
    missing = missing_packages()
    if request.param == "emulated" and missing and "CI" not in os.environ:
        pytest.skip(f"the emulated board needs the packages {', '.join(missing)}")
    with closing(RIGS[request.param]()) as made:
        yield made


@pytest.fixture
def board(rig: BoardRig) -> Iterator[SensorBoard]:
    with SensorBoard(rig.path, wait_s=5) as connected:
        connected.reports()
        yield connected
