"""Holds readings of dice against the truth of rendered pictures, and counts what the bars of dice reading ask for."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from boardctl.referee.readings import DieReading, Support
from boardctl.rules import Seat
from boardctl.vision.dice.patch import die_size_px
from boardctl.vision.measuring.truth import TruePicture

MATCH_DICE = 1.5
"""A reading belongs to a die when their middles are nearer than this many die widths."""
SURE = 0.5
"""A value that is read with this confidence or more counts as said surely."""
SIZES_PX = ((20.0, "20 px and more"), (14.0, "14 to 20 px"), (0.0, "under 14 px"))
LEAST_VISIBLE = 0.5

Tally = Counter[tuple[str, bool]]
"""How often each measure came out (name, right)."""


def is_regular(die: dict[str, Any]) -> bool:
    """Whether a die of the truth may stay as it lies."""
    return die.get("legal") is not False


def called_irregular(die: DieReading, roller: str | None) -> bool:
    """Whether a reading says that the die must be rolled again by the seat that rolled it."""
    if die.flat is False or die.on is not Support.SURFACE:
        return True
    return roller is not None and die.section is not None and die.section is not Seat(roller)


def score(true: TruePicture, dice: Iterable[DieReading]) -> tuple[Tally, list[str]]:
    """Gets the tally of one picture, and each fault in words."""
    tally: Tally = Counter()
    faults: list[str] = []
    counted = [die for die in true.truth["dice"] if die["in_image"] and die["in_play"] and _can_be_read(die)]
    passed_over = [die for die in true.truth["dice"] if die["in_image"] and die not in counted]
    pairs = _matched(true, counted + passed_over, list(dice))
    roller = true.truth.get("roller") or (true.truth.get("game") or {}).get("player")
    for die, reading in pairs[: len(counted)]:
        name = f"{true.path.stem} {die['kind']} {die['value']} at {die['center_px']}"
        tally["found", reading is not None] += 1
        if reading is None:
            faults.append(f"{name}: not found")
        if die["flat"] and die["on"] == "surface":
            size = die_size_px(true.camera, _spot(true, die), true.geometry.die_size_mm)
            group = next(text for least, text in SIZES_PX if size >= least)
            right = reading is not None and reading.value == die["value"]
            said = reading is not None and reading.value is not None and reading.confidence >= SURE
            tally[f"flat, value right, {group}", right] += 1
            tally[f"flat, surely wrong, {group}", said and not right] += 1
            if reading is not None and not right:
                faults.append(f"{name}: read {reading.value} ({reading.confidence})")
        if not die["flat"]:
            tally["tilted, surely called flat", reading is not None and reading.flat is True] += 1
        irregular = reading is not None and called_irregular(reading, roller)
        if is_regular(die):
            tally["regular, called irregular", irregular] += 1
        else:
            tally["irregular, seen as such", irregular] += 1
            tally[f"irregular, seen as such: {die['kind']}", irregular] += 1
        if irregular is is_regular(die) and reading is not None:
            faults.append(f"{name}: flat {reading.flat}, on {reading.on}, in {reading.section}")
    extra = len(list(dice)) - sum(reading is not None for _, reading in pairs)
    tally["pictures without false dice", extra == 0] += 1
    if extra:
        faults.append(f"{true.path.stem}: {extra} dice where there are none")
    return tally, faults


def _can_be_read(die: dict[str, Any]) -> bool:
    return bool(die.get("value_readable", True)) and die["visible_frac"] >= LEAST_VISIBLE


def _spot(true: TruePicture, die: dict[str, Any]) -> tuple[float, float, float]:
    height = true.geometry.die_size_mm / 2
    x, y = true.camera.to_plane([die["center_px"]], height)[0]
    return (float(x), float(y), height)


def _matched(
    true: TruePicture, dice: list[dict[str, Any]], readings: list[DieReading]
) -> list[tuple[dict[str, Any], DieReading | None]]:
    """Gets each die with its reading, the nearest pairs first."""
    distances = []
    for row, die in enumerate(dice):
        reach = MATCH_DICE * die_size_px(true.camera, _spot(true, die), true.geometry.die_size_mm)
        for column, reading in enumerate(readings):
            away = float(np.hypot(*(np.array(reading.center_px) - die["center_px"])))
            if away <= reach:
                distances.append((away, row, column))
    of_die: dict[int, int] = {}
    for _, row, column in sorted(distances):
        if row not in of_die and column not in of_die.values():
            of_die[row] = column
    return [(die, readings[of_die[row]] if row in of_die else None) for row, die in enumerate(dice)]
