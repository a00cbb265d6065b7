"""``boardctl bench hands``: what is told of dice over which a hand reaches."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
import typer
from rich.console import Console
from rich.progress import track

from boardctl.cli.bench.places import wanted_installations
from boardctl.cli.bench.shown import EMPTY, START
from boardctl.cli.bench.tables import print_counts
from boardctl.devices.pictures import read_picture
from boardctl.referee.readings import DieReading
from boardctl.referee.seen.dice import READABLE
from boardctl.vision.frame import FIRST, prepare_eyes, read_following
from boardctl.vision.measuring.painted_hands import Die, with_hand_over
from boardctl.vision.measuring.truth import corners_of
from calibration import Calibration, CalibrationError, calibrate

FURTHEST = 0.8
EDGES = ((-0.5, -0.2, "most of it"), (-0.2, 0.2, "half of it"), (0.2, 0.5, "a part"), (0.5, FURTHEST, "hardly any"))
"""How far the edge of a hand is from a die's middle, in its widths (from, to), and how that is called."""
NO_HAND = "nothing: no hand"
KINDS = (*(name for _, _, name in EDGES), NO_HAND)
COUNTED = ("dice", "found", "used", "used, wrong", "told with doubt", "with doubt, wrong", "said to lean")
ITS_OWN = 0.8
"""A reading is of a die from whose middle it is no further away, in its widths."""


def hands(
    folder: Annotated[Path, typer.Argument(help="Installations with truth, as for bench vision.")],
    only: Annotated[str | None, typer.Option(help="Names of the installations to read, with commas.")] = None,
    seed: Annotated[int, typer.Option(help="The seed decides what the hands are like, and where they lie.", min=0)] = 1,
) -> None:
    """Paints an arm or a finger over each flat die of pictures without a hand, and counts what is told of it.

    Each installation is calibrated by itself, from its two first pictures. Used is a value with the confidence from
    which the referee takes a roll. A board that is not found is named, and not counted.

    Example: boardctl bench hands renders --only inst00,inst01
    """
    places = wanted_installations(folder, only)
    cv2.setNumThreads(1)
    counts: Counter[tuple[str, str]] = Counter()
    refused: list[str] = []
    for number, place in enumerate(track(places, "boards", console=Console(stderr=True), transient=True)):
        try:
            calibration = calibrate(read_picture(place / f"{EMPTY}.jpg"), read_picture(place / f"{START}.jpg"))
        except CalibrationError as error:
            refused.append(f"{place.name}: not calibrated, and not counted: {error}")
            continue
        for kind, value, reading in _read(place, calibration, np.random.default_rng([seed, number])):
            _count(counts, kind, value, reading)
    print_counts("a hand hides", KINDS, COUNTED, counts)
    for line in refused:
        typer.echo(line)


def _read(
    place: Path, calibration: Calibration, rng: np.random.Generator
) -> Iterator[tuple[str, int, DieReading | None]]:
    """Gets of each flat die what is hidden of it, what it shows, and what is read: first as it is, then below a hand
    that has come while the table lay still."""
    prepare_eyes(calibration)
    memory = FIRST
    for path in sorted(place.glob("f*.json"))[2:]:
        truth = json.loads(path.read_text(encoding="utf-8"))
        picture = read_picture(path.with_suffix(".jpg"))
        before = read_following(picture, calibration, memory)
        memory = before.memory
        if truth.get("hand"):
            continue
        for die in truth["dice"]:
            if not die["flat"] or die["on"] != "surface" or not die["in_image"]:
                continue
            seen = _seen(die, calibration)
            yield NO_HAND, die["value"], _of_die(before.dice.dice, seen)
            edge = rng.uniform(EDGES[0][0], FURTHEST)
            shown = with_hand_over(picture, seen, _across(truth), edge, rng)
            after = read_following(shown, calibration, memory)
            kind = next(name for _, end, name in EDGES if edge <= end)
            yield kind, die["value"], _of_die(after.dice.dice, seen)


def _seen(die: dict[str, Any], calibration: Calibration) -> Die:
    """Gets where a die of the truth is seen."""
    # Turned anyhow, a square spans 4 / pi times its width on average.
    width_px = float(np.ptp(np.array(die["corners_px"]), axis=0).mean()) * np.pi / 4
    x, y = die.get("top_center_px") or die["center_px"]
    return Die((x, y), width_px, calibration.camera.seen_px(calibration.geometry.checker_diameter_mm))


def _across(truth: dict[str, Any]) -> tuple[float, float]:
    """Gets the way from A's long side of the field to B's (x, y of unit length in the picture)."""
    corners = np.array(corners_of(truth))
    way = corners[2:].mean(axis=0) - corners[:2].mean(axis=0)
    x, y = (way / np.linalg.norm(way)).tolist()
    return x, y


def _of_die(dice: tuple[DieReading, ...], die: Die) -> DieReading | None:
    """Gets what is read of a die: the nearest that is near enough."""
    away = [(float(np.hypot(*np.subtract(reading.center_px, die.middle_px))), reading) for reading in dice]
    near = [entry for entry in away if entry[0] <= ITS_OWN * die.width_px]
    return min(near, key=lambda entry: entry[0])[1] if near else None


def _count(counts: Counter[tuple[str, str]], kind: str, value: int, reading: DieReading | None) -> None:
    counts[kind, "dice"] += 1
    if reading is None:
        return
    told, is_used = reading.value is not None, reading.confidence >= READABLE
    wrong = told and reading.value != value
    counts[kind, "found"] += 1
    counts[kind, "used"] += told and is_used
    counts[kind, "used, wrong"] += wrong and is_used
    counts[kind, "told with doubt"] += told and not is_used
    counts[kind, "with doubt, wrong"] += wrong and not is_used
    counts[kind, "said to lean"] += reading.flat is False
