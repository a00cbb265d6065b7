"""Runs the small networks that read, by OpenCV: each one's file, and the engine that is fastest for it.

OpenCV 5 has two engines. The new one keeps channels in packs of eight and more, which helps convolutions of one channel
each (the networks of the dice); the classic one is faster where all channels are mixed and there are few. What they
give differs by rounding only (a millionth).
"""

import threading
from functools import lru_cache
from importlib.resources import as_file, files

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

CLASSIC = ("columns.onnx", "columns_beside.onnx", "cube_value.onnx", "dice_tilt.onnx")
"""The networks for which the classic engine is faster: by an eighth and more (both of strips), by two thirds, and by a
quarter."""

FIRST_INPUT = "strips"
"""Name of the first input of the network that has more than one."""


@lru_cache(maxsize=128)
def _network(file: str, size: int, thread: int) -> cv2.dnn.Net:
    """Gets one thread's own network for inputs of one size: a network keeps its last input, so that two threads cannot
    share it, and prepares itself anew for each other size."""
    # By its name: of a network that is given as bytes OpenCV 5.0 chooses the engine itself.
    with as_file(files("boardctl.vision").joinpath("weights").joinpath(file)) as path:
        if file in CLASSIC:
            return cv2.dnn.readNetFromONNX(str(path), engine=cv2.dnn.ENGINE_CLASSIC)
        return cv2.dnn.readNetFromONNX(str(path))


def said_by(file: str, values: Floats, size: int = 0, **others: Floats) -> Floats:
    """Gets what the network of a file of weights says of its input, a blob of the shape that it was trained on.

    ``size``: tells inputs of different sizes apart, where each has a network of its own. ``others``: the inputs after
    the first, by their names, where there are any.
    """
    network = _network(file, size, threading.get_ident())
    if others:
        network.setInput(values, FIRST_INPUT)
    else:
        network.setInput(values)
    for name, other in others.items():
        network.setInput(other, name)
    return np.asarray(network.forward(), dtype=np.float32)
