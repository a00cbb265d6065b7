"""Every board implementation that the one contract is held against."""

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from firmware_bridge.board import SensorBoard
from firmware_bridge.rig import BoardRig
from firmware_bridge.standin import StandInBoard

RIGS: dict[str, Callable[[], BoardRig]] = {"stand-in": StandInBoard}


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Iterator[BoardRig]:
    with closing(RIGS[request.param]()) as made:
        yield made


@pytest.fixture
def board(rig: BoardRig) -> Iterator[SensorBoard]:
    with SensorBoard(rig.path, wait_s=5) as connected:
        connected.reports()
        yield connected
