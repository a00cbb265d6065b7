"""The two small networks that read dice, run by OpenCV. How they were made: ``training/MODEL_CARD.md``."""

import threading
from functools import lru_cache
from importlib.resources import files

import cv2
import numpy as np
from numpy.typing import NDArray

SCAN_FILE = "dice_scan.onnx"
READER_FILE = "dice_reader.onnx"


@lru_cache(maxsize=16)
def _network(file: str, thread: int) -> cv2.dnn.Net:
    """Gets a network of one thread's own: a network keeps its last input, so that two threads cannot share it."""
    data = np.frombuffer(files("boardctl.vision").joinpath("weights").joinpath(file).read_bytes(), dtype=np.uint8)
    return cv2.dnn.readNetFromONNX(data)


def _run(file: str, values: NDArray[np.float32]) -> NDArray[np.float32]:
    network = _network(file, threading.get_ident())
    network.setInput(values)
    return np.asarray(network.forward(), dtype=np.float32)


def scan_cells(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Gets 4 x h/4 x w/4 numbers of a scan (1 x 3 x h x w).

    0 a die's middle is here (logit); 1, 2 how far right and down of the cell's middle, in cells; 3 the doubling cube's
    middle is here (logit).
    """
    return np.asarray(_run(SCAN_FILE, values)[0], dtype=np.float32)


def read_patches(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Gets N x 15 numbers of patches (N x 4 x 64 x 64).

    0 die, 1 cube (logits); 2-7 the values one to six (logits); 8 tilted, 9 on a checker, 10 on a die (logits);
    11, 12 how far right and down of the patch's middle the die is, in die widths; 13 its tilt in units of 30 degrees;
    14 how much larger the die is than assumed (natural logarithm).
    """
    # One by one: several at once take as long, and the network would prepare itself anew for each number of patches.
    return np.concatenate([_run(READER_FILE, values[index : index + 1]) for index in range(len(values))])
