"""``boardctl bench dice``: how well dice are read in pictures with exact truth."""

import statistics
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Annotated

import cv2
import typer

from boardctl.cli.reporting import UsageError, complain
from boardctl.devices.faces import Picture
from boardctl.referee.readings import DieReading
from boardctl.vision.dice.reading import find_dice
from boardctl.vision.measuring.cut_out import cut_out
from boardctl.vision.measuring.dice_score import Tally, score
from boardctl.vision.measuring.truth import (
    HELD_OUT_EVERY,
    HELD_OUT_SESSIONS,
    TruePicture,
    corners_of,
    is_held_out,
    read_truth,
)
from boardctl.vision.photograph.reading import read_photograph
from calibration import CalibrationError


def dice(
    folder: Annotated[Path, typer.Argument(help="Pictures with their truth beside them, one JSON each.")],
    faults: Annotated[bool, typer.Option("--faults", help="Print each fault.")] = False,
    corners: Annotated[
        bool, typer.Option("--corners", help="Tell the field's corners only, as to `boardctl read --corners`.")
    ] = False,
    part: Annotated[
        int | None,
        typer.Option("--part", min=0, help="Read only a part of each picture, 640x480, drawn by this number."),
    ] = None,
) -> None:
    """Measure how well dice are read, with the true camera; what training saw and what it never saw apart.

    Example: boardctl bench dice renders --faults
    """
    find = _from_corners if corners else _with_camera
    paths = [path for path in sorted(folder.glob("**/*.json")) if path.with_suffix(".jpg").exists()]
    if not paths:
        raise UsageError(f"{folder}: no picture with a truth file (NAME.jpg and NAME.json) in it")
    cv2.setNumThreads(1)
    tallies: dict[str, Tally] = {"trained on": Counter(), "held out": Counter()}
    times_ms: dict[str, list[float]] = {}
    for path in paths:
        true = read_truth(path)
        picture = true.picture()
        if part is not None:
            drawn = Random(f"{part} {true.installation} {path.stem}")  # noqa: S311  which part, not a secret
            shown = cut_out(true, picture, drawn)
            if shown is None:
                continue
            true, picture = shown
        began = time.perf_counter()
        found = find(true, picture)
        times_ms.setdefault(_size(true), []).append((time.perf_counter() - began) * 1000)
        tally, wrong = score(true, found)
        tallies["held out" if is_held_out(true, HELD_OUT_SESSIONS, HELD_OUT_EVERY) else "trained on"] += tally
        if faults:
            for fault in wrong:
                typer.echo(f"{path.parent.name}/{fault}")
    if not times_ms:
        raise UsageError(f"{folder}: no dice in any picture; --part reads what lies around dice")
    for group, tally in tallies.items():
        typer.echo(f"{group}:")
        for name in sorted({name for name, _ in tally}):
            right, count = tally[name, True], tally[name, True] + tally[name, False]
            typer.echo(f"  {name:44s} {right:5d} of {count:5d}  {100 * right / count:6.2f} %")
    for size, taken in sorted(times_ms.items()):
        taken.sort()
        slow = taken[int(0.99 * (len(taken) - 1))]
        typer.echo(f"{size}: median {statistics.median(taken):.1f} ms, 99th percentile {slow:.1f} ms a picture")


def _with_camera(true: TruePicture, picture: Picture) -> tuple[DieReading, ...]:
    return find_dice(picture, true.camera, true.geometry).dice


def _from_corners(true: TruePicture, picture: Picture) -> tuple[DieReading, ...]:
    """Gets what a photograph of an unknown camera tells; nothing where it is refused."""
    try:
        return read_photograph(picture, corners_of(true.truth), true.geometry.home_on_right).dice.dice
    except CalibrationError as error:
        complain(f"{true.path}: {error}")
        return ()


def _size(true: TruePicture) -> str:
    return f"{true.camera.width_px}x{true.camera.height_px}"
