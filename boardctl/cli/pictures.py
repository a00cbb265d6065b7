"""Pictures from files, with a message a user can act on when one cannot be read."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.devices.faces import CameraError

Picture = NDArray[np.uint8]


def picture_from(path: Path) -> Picture:
    """Gets the picture (H x W x 3) in a file.

    :raises CameraError: when the file is missing, cannot be read or is no whole picture.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CameraError(
            f"{path}: cannot be read ({error.strerror or error}); name a picture that is there"
        ) from error
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if picture is None:
        raise CameraError(f"{path}: is no picture, or is cut off; take it anew as JPEG or PNG")
    return np.asarray(picture, dtype=np.uint8)
