"""Reads an installation's pictures with truth and measures that: with its own calibration, or as photographs."""

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import typer

from boardctl.cli.bench.shown import EMPTY, START, Shown, nudge_of
from boardctl.cli.found_field import is_placed, turned_like
from boardctl.devices.faces import Picture
from boardctl.devices.pictures import read_picture
from boardctl.referee.readings import BoardReading, DiceReading, Witness
from boardctl.vision.frame import FIRST, FrameReading, Memory, prepare_eyes, read_following
from boardctl.vision.measuring.later_changes import Nudge
from boardctl.vision.measuring.readings import Fault, Measures, Times, measure, measure_hands
from boardctl.vision.measuring.truth import corners_of, moved_corners, read_truth
from boardctl.vision.photograph.reading import read_photograph
from boardctl.vision.report import as_record
from boardctl.vision.whole_sets import with_whole_sets
from calibration import Calibration, CalibrationError, calibrate
from calibration.corners import Corners
from calibration.field.find import find_field
from calibration.start.pose_fit import LENS_HEIGHT_SPREAD, lens_height

Read = Iterator[tuple[dict[str, Any], list[Fault], Picture]]
"""Frames as they were read: the record of each, what is wrong in it, and the picture."""


def _as_it_is(path: Path, _frame: int) -> Picture:
    return read_picture(path)


def measured(
    place: Path,
    measures: Measures,
    checkers: int,
    at_rest: int = 0,
    runs: int = 1,
    shown: Shown = _as_it_is,
    nudge_number: int | None = None,
    between_number: int | None = None,
    frames: int = 1,
    by_ruler: bool = False,
) -> Read:
    """Calibrates an installation and measures its other frames; a calibration that fails is one fault.

    ``checkers``: how many each seat has in all; 0 where that shall not be used. ``at_rest``: so often each frame is
    read once more with fresh noise, only to see how long that takes. ``runs``: of so many times the least counts.
    ``shown`` gets the picture in a file. Where there is a ``nudge_number``, the camera was nudged after it was
    calibrated, as that draws it; ``between_number``: it was between the two pictures of the calibration.
    ``frames``: the table lies still for so many pictures each time, and what is read from the last is measured.
    ``by_ruler``: somebody has measured how high the lens is above the board.
    """
    calibration: Calibration | None = None
    empty, start = (shown(place / f"{stem}.jpg", 0) for stem in (EMPTY, START))
    between = nudge_of(between_number, place, empty)
    empty = between.picture(empty) if between else empty
    nudge = nudge_of(nudge_number, place, empty)
    try:
        pictures = (nudge.picture(empty), nudge.picture(start)) if nudge else (empty, start)
        calibration = calibrate(*pictures, lens_height=_lens_height_by_ruler(place) if by_ruler else None)
    except CalibrationError as error:
        typer.echo(f"  {place}: {error}", err=True)
    placed = calibration is not None and _placed(calibration, place, nudge)
    measures.calibrated.add(placed)
    measures.calibrated_wrongly.add(calibration is not None and not placed)
    if calibration is None:
        return
    measures.trays_told.add(calibration.geometry.has_trays == _has_trays(place))
    prepare_eyes(calibration)
    memory = FIRST
    for path in sorted(place.glob("f*.json"))[2:]:
        truth = json.loads(path.read_text(encoding="utf-8"))
        file = path.with_suffix(".jpg")
        for frame in range(frames):
            picture = shown(file, frame)
            read = partial(_read, picture, calibration, memory, checkers)
            reading, took_ms = _timed(read, measures.rest_times if frame else measures.times, runs)
            memory = reading.memory
        record = as_record(str(file), reading, took_ms)
        measure_hands(measures, truth, reading.board.hands)
        yield record, measure(measures, truth, record), picture
        for frame in range(frames, frames + at_rest):
            read = partial(_read, shown(file, frame), calibration, memory, 0)
            memory = _timed(read, measures.rest_times, runs)[0].memory


def _read(picture: Picture, calibration: Calibration, before: Memory, checkers: int) -> FrameReading:
    return with_whole_sets(read_following(picture, calibration, before), checkers)


def _timed(read: Callable[[], FrameReading], times: Times, runs: int = 1) -> tuple[FrameReading, float]:
    """Reads a frame so often and adds the least times to ``times``; gets the reading, and how long it took by the clock
    in milliseconds."""
    clock_ms, processor_ms = [], []
    for _ in range(runs):
        began, used = time.perf_counter(), time.process_time()
        reading = read()
        processor_ms.append((time.process_time() - used) * 1000)
        clock_ms.append((time.perf_counter() - began) * 1000)
    times.add(min(clock_ms), min(processor_ms))
    return reading, min(clock_ms)


def photographed(place: Path, measures: Measures, checkers: int, find: bool, corners_off: float = 0.0) -> Read:
    """Measures an installation's frames as photographs of an unknown camera, with the field's true corners, each moved
    by about so many widths of points, or with those that are found, of which is counted how often they are, and how
    often wrongly."""
    for path in sorted(place.glob("f*.json"))[2:]:
        truth = json.loads(path.read_text(encoding="utf-8"))
        picture = read_picture(path.with_suffix(".jpg"))
        corners: Corners | None = moved_corners(corners_of(truth), corners_off, path)
        if find:
            corners = measured_field(str(path), picture, corners_of(truth), measures)
        if corners is None:
            continue
        read = partial(read_photograph, picture, corners, truth["home_side_is_A_right"], checkers)
        try:
            reading, took_ms = _timed(read, measures.times)
        except CalibrationError as error:
            typer.echo(f"  {path}: {error}", err=True)
            reading, took_ms = FrameReading(BoardReading(Witness.CAMERA, ()), DiceReading(()), hand=False), 0.0
        record = as_record(str(path.with_suffix(".jpg")), reading, took_ms)
        yield record, measure(measures, truth, record), picture


def measured_field(name: str, picture: Picture, true: Corners, measures: Measures) -> Corners | None:
    """Gets the corners of the field that is found in a picture, with the seats as they sit, and counts whether it is,
    and wrongly; None where it is refused."""
    try:
        found = turned_like(true, find_field(picture))
    except CalibrationError as error:
        typer.echo(f"  {name}: {error}", err=True)
        found = None
    placed = found is not None and is_placed(found, true)
    measures.calibrated.add(placed)
    measures.calibrated_wrongly.add(found is not None and not placed)
    return found


def _lens_height_by_ruler(place: Path) -> float:
    """Gets how high an installation's lens is above the board in widths of the field, as somebody with a ruler might
    tell it: off at random, by the installation's name always alike."""
    true = read_truth(place / "f01.json")
    off = np.random.default_rng([*place.name.encode()]).normal(0, LENS_HEIGHT_SPREAD)
    return lens_height(true.camera, true.geometry) * (1 + float(off))


def _has_trays(place: Path) -> bool:
    """Whether a board truly has trays, as have all whose truth does not tell how wide they are."""
    truth = json.loads((place / "f01.json").read_text(encoding="utf-8"))
    return bool(truth["geometry_cm"].get("tray_width", 1.0) > 0)


def _placed(calibration: Calibration, place: Path, nudge: Nudge | None) -> bool:
    """Whether a calibration has the field's corners within half a checker of the truth, and the seats as they sit."""
    true = corners_of(json.loads((place / "f01.json").read_text(encoding="utf-8")))
    seen_at = nudge.pixels(true) if nudge else true
    geometry = calibration.geometry
    found = calibration.camera.project([(x, y, 0.0) for x, y in geometry.corners])
    return is_placed(found, seen_at, geometry.checker_diameter_mm / geometry.field_width_mm)
