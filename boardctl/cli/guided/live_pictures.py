"""The two pictures of a calibration, taken from a running camera while a person clears and sets up the board."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from boardctl.cli.guided.questions import Ask
from boardctl.cli.reporting import UsageError, writing
from boardctl.devices.cameras import open_camera
from boardctl.devices.faces import Frame, Picture
from boardctl.devices.live_camera import LiveCamera
from boardctl.devices.pictures import write_picture
from calibration import Calibration, CalibrationError
from calibration.field.in_view import OVER_BOARD, fields_in_view, part_around
from calibration.light.flicker import steadied

EMPTY = "1. Take everything off the board, dice and cube too, and keep hands away. Then press Enter."
START = "2. Set up the starting position, touching neither board nor camera, and keep hands away. Then press Enter."
ONCE_MORE = "Enter: once more, with the starting position; e: begin with the empty board again; q: leave it."
MOVES = "something moves in the picture: keep hands, heads and their shadows out of it"
MOVES_BESIDE = f"{MOVES}; from now on only the board itself has to be still"

STILL_MS = 1_000
"""The picture is still when nothing has changed for so long: hands are gone, the camera has got used to the light."""
PATIENCE_MS = 10_000
"""After so long without a still picture people are told what is in the way."""
SMALLER = 4
"""Pictures are compared at so much smaller a size, at which their noise is below a grey level or two."""
CHANGED_LEVELS = 12
"""A pixel has changed by so many grey levels."""
CHANGED_SHARE = 0.002
"""A picture in which more than this share of pixels has changed is not still: a fingertip over a board is as large."""


@dataclass(frozen=True)
class Shots:
    """The two pictures: of the empty board, and of the starting position."""

    empty: Picture
    start: Picture

    def kept_beside(self, file: Path) -> tuple[Path, Path]:
        """Writes both beside ``file`` under names of their own, and gets these.

        :raises UsageError: when they cannot be written.
        """
        places = tuple(file.with_name(f"{file.stem}.shot-{name}.png") for name in ("empty", "start"))
        for place, picture in zip(places, (self.empty, self.start), strict=True):
            with writing(place):
                write_picture(place, picture)
        return places[0], places[1]


def found_live(
    source: str, found: Callable[[Shots], Calibration], ask: Ask, say: Callable[[str], None]
) -> tuple[Shots, Calibration | None]:
    """Guides through the two pictures until the board is found in them; no calibration when the person leaves it.

    ``found`` raises :class:`CalibrationError` where it finds none; the reason is said, and a picture taken anew.

    :raises CameraError: when the camera cannot be opened or goes away.
    :raises UsageError: when ``source`` is no running camera, or nobody is there to answer.
    """
    camera = open_camera(source, lambda: time.monotonic_ns() // 1_000_000)
    if not isinstance(camera, LiveCamera):
        raise UsageError(f"{source}: is no running camera; give its two pictures by --empty and --start")
    with closing(camera):
        frames = camera.frames()
        next(frames)  # a camera that does not work is told before anybody clears the board
        empty = _shot(frames, EMPTY, ask, say)
        while True:
            shots = Shots(empty, _shot(frames, START, ask, say))
            try:
                return shots, found(shots)
            except CalibrationError as error:
                say(f"not found: {error}")
            answer = ask(ONCE_MORE)
            if answer == "q":
                return shots, None
            if answer == "e":
                empty = _shot(frames, EMPTY, ask, say)


def _shot(frames: Iterator[Frame], asked: str, ask: Ask, say: Callable[[str], None]) -> Picture:
    ask(asked)
    return still_picture(frames, say)


def still_picture(frames: Iterator[Frame], say: Callable[[str], None]) -> Picture:
    """Gets the mean of the first pictures in which nothing has changed for :data:`STILL_MS`: all that is read later is
    held against it, and its noise is a quarter or less of that of one. Says what is in the way where that takes long.

    :raises UsageError: when the source ends before.
    """
    since: Frame | None = None
    together, count = np.empty(0, np.float32), 0
    told_ms: int | None = None
    board: Picture | None = None
    for frame in frames:
        if told_ms is None:
            told_ms = frame.at_ms
        if since is None or _has_changed(since.picture, frame.picture, board):
            since = frame
            together, count = frame.picture.astype(np.float32), 1
        else:
            cv2.accumulate(frame.picture, together)
            count += 1
            if frame.at_ms - since.at_ms >= STILL_MS:
                return np.asarray(np.rint(together / count), dtype=np.uint8)
        if frame.at_ms - told_ms >= PATIENCE_MS:
            told_ms = frame.at_ms
            board = _board(frame.picture) if board is None else board
            say(MOVES if board is None else MOVES_BESIDE)
    raise UsageError("the camera ended before its picture was still")


def _board(picture: Picture) -> Picture | None:
    """Gets the part of a picture (H x W, 0 or 1) in which the board lies, of several the one nearest to its middle;
    None where none is told from all else."""
    middle = np.array(picture.shape[1::-1]) / 2
    fields = sorted(fields_in_view(picture), key=lambda field: float(np.linalg.norm(np.mean(field, axis=0) - middle)))
    return part_around(fields[0], picture, OVER_BOARD) if fields else None


def _has_changed(before: Picture, now: Picture, part: Picture | None) -> bool:
    """Whether a picture has changed, in a part of it (H x W, 0 or 1) if one is given."""
    if before.shape != now.shape:
        return True
    now = steadied(now, before)
    size = (max(now.shape[1] // SMALLER, 1), max(now.shape[0] // SMALLER, 1))
    one, other = (
        cv2.cvtColor(cv2.resize(each, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY) for each in (before, now)
    )
    changed = cv2.absdiff(one, other) > CHANGED_LEVELS
    if part is not None:
        changed &= cv2.resize(part, size, interpolation=cv2.INTER_NEAREST) > 0
    return float(np.mean(changed)) > CHANGED_SHARE
