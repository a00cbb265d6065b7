"""The small networks that read dice, run by OpenCV. How they were made: ``vision/training/MODEL_CARD.md``.

Each is shown the even columns of a picture and the odd ones as channels beside each other. Its first step is taken from
every second column, so that it says the same of them to the last bit; and OpenCV, which packs channels by eight, has no
packs that are nearly empty.
"""

import numpy as np
from numpy.typing import NDArray

from boardctl.vision.networks import said_by

SCAN_FILE = "dice_scan.onnx"
ALONE_SCAN_FILE = "dice_scan_alone.onnx"
"""The scan of pictures without a board: there dice are looked for that may be of any size, and the pips of a larger one
must not look like dice. It has learned of fewer boards, and is less taken in by pips."""
READER_FILE = "dice_reader.onnx"
TILT_FILE = "dice_tilt.onnx"


def scan_cells(values: NDArray[np.float32], file: str = SCAN_FILE) -> NDArray[np.float32]:
    """Gets 4 x h/4 x w/4 numbers of a scan of h x w pixels (1 x 6 x h x w/2).

    0 a die's middle is here (logit); 1, 2 how far right and down of the cell's middle, in cells; 3 the doubling cube's
    middle is here (logit).
    """
    return np.asarray(said_by(file, values)[0], dtype=np.float32)


def read_patches(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Gets N x 15 numbers of patches of 64 x 64 pixels (N x 8 x 64 x 32).

    0 die, 1 cube (logits); 2-7 the values one to six (logits); 8 tilted, 9 on a checker, 10 on a die (logits);
    11, 12 how far right and down of the patch's middle the die is, in die widths; 13 its tilt in units of 30 degrees;
    14 how much larger the die is than assumed (natural logarithm).
    """
    # One by one: several at once take as long, and the network would prepare itself anew for each number of patches.
    return np.concatenate([said_by(READER_FILE, values[index : index + 1]) for index in range(len(values))])


def tilt_of_patch(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Gets six numbers of a patch of 64 x 64 pixels (1 x 8 x 64 x 32) in which a die is 26 px wide.

    0 tilted by 8 degrees or more (logit); 1, 2 how far the normal of its upward side points right and up in the patch;
    3, 4 how far right and up of the patch's middle the die is, in die widths; 5 how much larger the die is than assumed
    (natural logarithm).
    """
    return np.asarray(said_by(TILT_FILE, values)[0], dtype=np.float32)
