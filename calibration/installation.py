"""The calibration of one installation: made once, kept as readable YAML, checked whenever it is loaded."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from boardctl.rules import Seat
from calibration.camera import CameraModel
from calibration.colours import seat_colours
from calibration.errors import CalibrationError, CalibrationFileError
from calibration.geometry import BoardGeometry

Picture = NDArray[np.uint8]

VERSION = 1
"""The version of the file that this program writes and reads."""

INSTALLATIONS_KEPT = 2
"""For so many calibrations at once what is made of one on first use is kept: for the camera as it is, and for its
pictures in other light. A camera that is followed has a new one each time it was nudged."""

FARTHEST = 1.5
"""So far from its middle, in sizes of the picture, a corner of the field may lie: one may be cut off, not all be
elsewhere."""

HEADER = """\
# The calibration of one camera over one board, written by `boardctl calibrate camera`.
# Lengths in millimetres, if a point of this board is as wide as said; pixels of the unscaled picture.
"""


class ReferencePicture(BaseModel):
    """A picture kept beside the calibration: its name, and the SHA-256 of its bytes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: Annotated[str, Field(min_length=1)]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Calibration(BaseModel):
    """Camera, board and colours of one installation, with the two pictures that they were found in.

    ``colours`` are the checkers' colours as ``#rrggbb``, in the middle of what the starting picture shows.
    ``die_size_given``: somebody has measured the dice; otherwise their size is a common one, and play tells more.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = 1
    camera: CameraModel
    geometry: BoardGeometry
    colours: dict[Seat, Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]]
    die_size_given: bool = False
    empty_picture: ReferencePicture | None = None
    start_picture: ReferencePicture | None = None

    _empty: Picture = PrivateAttr()
    _start: Picture = PrivateAttr()

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    @classmethod
    def of(
        cls,
        camera: CameraModel,
        geometry: BoardGeometry,
        empty: Picture,
        start: Picture,
        die_size_given: bool = False,
    ) -> "Calibration":
        """Gets the calibration of a known camera and board with its two pictures (each H x W x 3).

        :raises CalibrationError: when the pictures are not of the camera's size.
        """
        colours = seat_colours(camera, geometry, start)
        calibration = cls(camera=camera, geometry=geometry, colours=colours, die_size_given=die_size_given)
        calibration._empty, calibration._start = empty, start
        calibration.check_size(empty, "the picture of the empty board")
        calibration.check_size(start, "the picture of the starting position")
        return calibration

    def in_light(self, lit: Callable[[Picture], Picture]) -> "Calibration":
        """Gets the same installation in other light: ``lit`` gets each of its pictures (H x W x 3) as it is there."""
        return Calibration.of(self.camera, self.geometry, lit(self._empty), lit(self._start), self.die_size_given)

    @property
    def empty(self) -> Picture:
        """The picture of the empty board (H x W x 3)."""
        return self._empty

    @property
    def start(self) -> Picture:
        """The picture of the starting position (H x W x 3)."""
        return self._start

    @property
    def digest(self) -> str:
        """The SHA-256 of all that is read by: camera, board, colours and the pixels of both pictures. It names the
        calibration in a record."""
        content = self.model_dump(mode="json", exclude={"empty_picture", "start_picture"})
        hashed = hashlib.sha256(json.dumps(content, sort_keys=True).encode())
        for picture in (self._empty, self._start):
            hashed.update(np.ascontiguousarray(picture).tobytes())
        return hashed.hexdigest()

    def check_size(self, picture: Picture, name: str = "the picture") -> None:
        """Checks that a picture has the size for which this was made.

        :raises CalibrationError: when it has another.
        """
        height, width = picture.shape[:2]
        if (width, height) != (self.camera.width_px, self.camera.height_px):
            raise CalibrationError(
                f"{name} is {width}x{height} pixels, the calibration is for "
                f"{self.camera.width_px}x{self.camera.height_px}: set the camera to that size, or calibrate anew "
                "with pictures of this size (boardctl calibrate camera)"
            )

    def save(self, path: Path) -> None:
        """Writes the calibration to ``path`` and its two pictures beside it.

        :raises OSError: when a file cannot be written.
        """
        references = {}
        for name, picture in (("empty", self._empty), ("start", self._start)):
            beside = path.with_name(f"{path.stem}.{name}.png")
            data = cv2.imencode(".png", picture)[1].tobytes()
            beside.write_bytes(data)
            references[f"{name}_picture"] = {"file": beside.name, "sha256": hashlib.sha256(data).hexdigest()}
        content = {**self.model_dump(mode="json"), **references}
        path.write_text(HEADER + yaml.safe_dump(content, sort_keys=False, default_flow_style=None), encoding="utf-8")


def load(path: Path) -> Calibration:
    """Gets the calibration that ``Calibration.save`` wrote to ``path``.

    :raises CalibrationFileError: when it is missing, damaged, of another version, or has unknown or missing keys.
    """
    try:
        return _loaded(path)
    except CalibrationError as error:
        raise CalibrationFileError(str(error)) from error


def _loaded(path: Path) -> Calibration:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise CalibrationError(f"{path}: no such file; make a calibration with `boardctl calibrate camera`") from error
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is no text" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise CalibrationError(
            f"{path}: cannot be read ({reason}); make a calibration with `boardctl calibrate camera`"
        ) from error
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise CalibrationError(f"{path}: is not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(content, dict) or "version" not in content:
        raise CalibrationError(f"{path}: holds no calibration; make one with `boardctl calibrate camera`")
    if content.get("version") != VERSION:
        raise CalibrationError(
            f"{path}: version {content.get('version')!r}, this program reads version {VERSION}; calibrate anew"
        )
    try:
        calibration = Calibration.model_validate(content)
    except ValidationError as error:
        raise CalibrationError(f"{path}: {_explained(error, text)}") from error
    _check_in_sight(path, calibration.camera, calibration.geometry)
    calibration._empty = _reference(path, calibration.empty_picture, "empty_picture")
    calibration._start = _reference(path, calibration.start_picture, "start_picture")
    calibration.check_size(calibration.empty, f"{path}: the picture of the empty board")
    calibration.check_size(calibration.start, f"{path}: the picture of the starting position")
    return calibration


def _check_in_sight(path: Path, camera: CameraModel, geometry: BoardGeometry) -> None:
    """Checks that the camera would see the board where pictures show it, or not far outside."""
    size = np.array([camera.width_px, camera.height_px])
    corners = camera.project([(x, y, 0.0) for x, y in geometry.corners])
    if not (abs(corners - size / 2) < FARTHEST * size).all():  # also where they are no numbers
        raise CalibrationError(f"{path}: a camera that stands so would not see a board of this size; calibrate anew")


def _explained(error: ValidationError, text: str) -> str:
    """Gets the first fault in words, with the line of its key where the file has it."""
    fault = error.errors()[0]
    keys = [str(part) for part in fault["loc"]]
    line = _line_of(keys, text)
    where = f"line {line}, " if line else ""
    reason = "unknown key; remove it" if "unexpected" in fault["type"] or "extra" in fault["type"] else fault["msg"]
    return f"{where}{'.'.join(keys)}: {reason}"


def _line_of(keys: list[str], text: str) -> int | None:
    """Gets the line (from 1) on which the innermost key that the file has stands."""
    node: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    line = None
    for key in keys:
        if not isinstance(node, yaml.MappingNode):
            break
        entry = next(((name, value) for name, value in node.value if name.value == key), None)
        if entry is None:
            break
        line = int(entry[0].start_mark.line) + 1
        node = entry[1]
    return line


def _reference(path: Path, reference: ReferencePicture | None, key: str) -> Picture:
    """Gets a picture kept beside the calibration."""
    if reference is None:
        raise CalibrationError(f"{path}: {key}: is missing; calibrate anew")
    beside = path.with_name(reference.file)
    try:
        data = beside.read_bytes()
    except OSError as error:
        raise CalibrationError(f"{path}: {key}: {beside} cannot be read ({error.strerror}); calibrate anew") from error
    if hashlib.sha256(data).hexdigest() != reference.sha256:
        raise CalibrationError(f"{path}: {key}: {beside} is not the picture calibrated with; calibrate anew")
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise CalibrationError(f"{path}: {key}: {beside} is no picture; calibrate anew")
    return np.asarray(picture, dtype=np.uint8)
