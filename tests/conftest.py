"""What all tests have in common: one thread a process, pure work that is done once where many tests begin with it, and
memory that is given back.

Each process of ``make test`` has a core of its own. The threads that numpy and OpenCV would start beside it wait for
work by turning round: they took an eighth of the processor time of all tests, and a third of that of calibrating.
"""

import os

# Read when numpy is imported, here and in the processes that tests start.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"

import ctypes
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

import cv2
import numpy as np
import pytest

import calibration
from boardctl.virtual.drawing import render
from calibration import find
from calibration.field import find as find_field

cv2.setNumThreads(1)

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

KEPT = 12
"""So many results are kept, the ones last asked for: some 6 MB each."""

STAGES_KEPT = 6
"""The same of empty boards as they are drawn, which are some 13 MB each."""


def once(work: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Makes pure work on pictures be done once for the same pictures; everybody has a result of his own."""
    done: OrderedDict[bytes, Result] = OrderedDict()

    @wraps(work)
    def asked(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        key = hashlib.blake2b()
        named = sorted(kwargs.items(), key=lambda item: item[0])
        for value in (*args, *(part for item in named for part in item)):
            if isinstance(value, np.ndarray):
                key.update(f"{value.shape} {value.dtype} ".encode() + value.tobytes())
            else:
                key.update(repr(value).encode())
        asked_for = key.digest()
        if asked_for not in done:
            done[asked_for] = work(*args, **kwargs)
            if len(done) > KEPT:
                done.popitem(last=False)
        done.move_to_end(asked_for)
        return deepcopy(done[asked_for])

    return asked


# Here, before any other module has taken them by name.
calibration.calibrate = find.calibrate = once(find.calibrate)
find_field.rated_fields = once(find_field.rated_fields)
render.Stage = lru_cache(maxsize=STAGES_KEPT)(render.Stage)  # type: ignore[misc, assignment]


give_back = getattr(ctypes.CDLL(None), "malloc_trim", lambda _: 0)
"""Gives memory that is not in use back to the system, where the C library can: glibc keeps it otherwise, in parts."""


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Function, nextitem: pytest.Function | None) -> None:
    """Lets go of what the functions of a module of tests have kept, with the last of its tests: boards and pictures of
    all modules together are gigabytes in each process."""
    if nextitem is None or nextitem.module is not item.module:
        for kept in vars(item.module).values():
            if hasattr(kept, "cache_clear") and kept.__module__ == item.module.__name__:
                kept.cache_clear()
        give_back(0)
