"""A folder or list of pictures as a camera: each picture stands for itself."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from boardctl.devices.faces import CameraError, Frame, Picture

PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")

_JPEG_START, _JPEG_END, _JPEG_SCAN = b"\xff\xd8", b"\xff\xd9", 0xDA
_PNG_START, _PNG_END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"


class PictureFiles:
    """Picture files in the order given, as a :class:`~boardctl.devices.faces.Camera`. Every frame is still."""

    def __init__(self, paths: Sequence[Path], clock: Callable[[], int]) -> None:
        self._paths = tuple(paths)
        self._clock = clock

    def frames(self) -> Iterator[Frame]:
        """Gets one frame a file, named by its path as it was given.

        :raises CameraError: at the first file that is missing, unreadable, cut off or no picture.
        """
        for path in self._paths:
            yield Frame(read_picture(path), self._clock(), str(path), still=True)

    def close(self) -> None:
        """Does nothing: files are open only while they are read."""


def write_picture(path: Path, picture: Picture) -> None:
    """Writes a picture as PNG, whatever its name ends in.

    :raises OSError: when it cannot be written.
    """
    path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())


def picture_folder(folder: Path, clock: Callable[[], int]) -> PictureFiles:
    """Gets the pictures of a folder in natural order (frame2 before frame10). Hidden and other files are left out.

    :raises CameraError: when the folder is missing, may not be read, or holds no picture.
    """
    try:
        entries = list(folder.iterdir())
    except OSError as error:
        raise CameraError(f"{folder}: the folder cannot be read: {error.strerror}; check path and rights") from error
    paths = [path for path in entries if path.suffix.lower() in PICTURE_ENDINGS and not path.name.startswith(".")]
    if not paths:
        endings = " ".join(PICTURE_ENDINGS)
        held = f"holds {len(entries)} other files and no picture" if entries else "is empty"
        raise CameraError(f"{folder}: the folder {held}; name a folder with pictures ({endings})")
    return PictureFiles(sorted(paths, key=lambda path: _natural(path.name)), clock)


def read_picture(path: Path) -> Picture:
    """Gets the picture in a file.

    :raises CameraError: when the file is missing, unreadable, cut off or no picture. A file that ends early is never
        half a picture: what is missing would come out as a plain grey area, and be read as an empty part of the board.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise CameraError(f"{path}: no such file; check the path") from None
    except PermissionError:
        raise CameraError(f"{path}: you may not read this file; change its rights: chmod u+r {path}") from None
    except OSError as error:
        raise CameraError(f"{path}: cannot be read: {error.strerror}; check disk and path") from error
    if not data:
        raise CameraError(f"{path}: the file is empty; take the picture again")
    if ends_early(data):
        raise CameraError(f"{path}: the picture ends early, after {len(data)} bytes; copy or take it again")
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise CameraError(f"{path}: this is no picture that can be read; use a .jpg or .png file")
    return np.asarray(picture, np.uint8)


def ends_early(data: bytes) -> bool:
    """Whether the data of a JPEG, PNG, WebP or BMP stop before its end; other formats cannot be told."""
    if data.startswith(_JPEG_START):
        return _JPEG_END not in data[_scan_start(data) :]
    if data.startswith(_PNG_START):
        return _PNG_END not in data
    if data.startswith(b"RIFF"):
        return len(data) < int.from_bytes(data[4:8], "little") + 8
    if data.startswith(b"BM"):
        return len(data) < int.from_bytes(data[2:6], "little")
    return False


def _scan_start(data: bytes) -> int:
    """Gets where the picture itself starts in a JPEG: an end mark before it belongs to a preview in the head."""
    at = len(_JPEG_START)
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != _JPEG_SCAN:
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return at


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Gets a sorting key in which runs of digits count as numbers."""
    parts = re.findall(r"\d+|\D+", name.casefold())
    return [(0, int(part), part) if part.isdecimal() else (1, 0, part) for part in parts]
