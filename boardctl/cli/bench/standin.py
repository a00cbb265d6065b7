"""``boardctl bench stand-in``: counts how often the eyes were right, as stand-in eyes are to err."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer

from boardctl.cli.reporting import UsageError
from boardctl.virtual.eye_errors import TALL_FROM
from boardctl.vision.measuring.readings import TILTED_DEG, matched_dice
from boardctl.vision.report import VOUCHED

EDGES = (0.0, 0.5, 0.8, 0.95, 0.99, 0.999, 1.0)
"""Between which confidences readings are counted together."""

LEAST_SEEN = 0.5
"""Of a die so much must be in view to count."""

Counts = Counter[tuple[str, ...]]


def standin(
    readings: Annotated[list[Path], typer.Argument(help="Files that `bench vision --readings` wrote.")],
) -> None:
    """Count how often readings with truth beside their pictures were right, by kind and confidence.

    Example: boardctl bench stand-in readings.jsonl
    """
    counts: Counts = Counter()
    for record, truth in _frames(readings):
        _count_points(counts, record, truth)
        _count_beside(counts, record, truth)
        _count_dice(counts, record, truth)
    for kind in ("bare", "low", "tall", "die_values"):
        typer.echo(_bands(kind, counts))
    for kind in ("bars", "trays"):
        right, wrong, untold = (counts[kind, what] for what in ("right", "wrong", "untold"))
        typer.echo(f"{kind}: right {right}, wrong {wrong}, untold {untold}")
    for kind in ("flat_dice", "leaning_dice", "dice_on_checkers"):
        told, taken, open_ = (counts[kind, what] for what in ("told", "mistaken", "left_open"))
        typer.echo(f"{kind}: {{told: {told}, mistaken: {taken}, left_open: {open_}}}")
    typer.echo(f"invented_dice: {{times: {counts['invented',]}, of: {counts['frames',]}}}")
    typer.echo(f"cubes_missed: {{times: {counts['cube', 'missed']}, of: {counts['cube', 'there']}}}")


def _frames(readings: list[Path]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for path in readings:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
            for line in lines:
                record = json.loads(line)
                truth = Path(record["frame"]).with_suffix(".json")
                yield record, json.loads(truth.read_text(encoding="utf-8"))
        except (OSError, KeyError, json.JSONDecodeError) as error:
            raise UsageError(f"{path}: no readings of `boardctl bench vision --readings`: {error}") from error


def _count_points(counts: Counts, record: dict[str, Any], truth: dict[str, Any]) -> None:
    for index in range(24):
        true = truth["points"][str(index + 1)]
        if true["occluded"]:
            continue
        wanted = [true["color"], true["count"]] if true["count"] else [None, 0]
        kind = "bare" if not true["count"] else "low" if true["count"] < TALL_FROM else "tall"
        read = record["points"][index]
        if index + 1 in record["hidden"] or record["confidence"][index] < VOUCHED:
            counts[kind, "untold"] += 1
        else:
            counts[kind, _band(record["confidence"][index]), "right" if read == wanted else "wrong"] += 1


def _count_beside(counts: Counts, record: dict[str, Any], truth: dict[str, Any]) -> None:
    """Bar and trays, one of a seat at a time. Their confidence is not in the record."""
    for kind, name, covered in (
        ("bars", "bar", truth["bar_occluded"]),
        ("trays", "off", any(truth["tray_occluded"].values())),
    ):
        for seat, true in truth[name].items() if not covered else ():
            read = None if record[name] is None else record[name][seat]
            counts[kind, "untold" if read is None else "right" if read == true else "wrong"] += 1
    counts["frames",] += 1
    cube = truth.get("cube")
    if cube and cube.get("center_px"):
        counts["cube", "there"] += 1
        counts["cube", "missed"] += record["cube"] is None


def _count_dice(counts: Counts, record: dict[str, Any], truth: dict[str, Any]) -> None:
    true_dice = [die for die in truth["dice"] if die["in_image"] and die["visible_frac"] >= LEAST_SEEN]
    pairs = matched_dice(true_dice, record["dice"])
    counts["invented",] += len(record["dice"]) - len(pairs)
    for index, true in enumerate(true_dice):
        read = record["dice"][pairs[index]] if index in pairs else None
        leaning = true["tilt_deg"] >= TILTED_DEG
        if leaning:
            counts["leaning_dice", _attitude(read, told=read is not None and read["flat"] is False)] += 1
        elif true["on"] == "checker":
            counts["dice_on_checkers", _attitude(read, told=read is not None and read["on"] == "checker")] += 1
        elif true["flat"]:
            counts["flat_dice", _attitude(read, told=read is not None and read["flat"] is True)] += 1
            if read is None or read["value"] is None:
                counts["die_values", "untold"] += 1
            else:
                right = read["value"] == true["value"]
                counts["die_values", _band(read["confidence"]), "right" if right else "wrong"] += 1


def _attitude(read: dict[str, Any] | None, *, told: bool) -> str:
    if told:
        return "told"
    return "left_open" if read is None or read["flat"] is None else "mistaken"


def _band(confidence: float) -> str:
    return str(max(edge for edge in EDGES[:-1] if edge <= confidence))


def _bands(kind: str, counts: Counts) -> str:
    lines = [f"{kind}:", f"  untold: {counts[kind, 'untold']}", "  bands:"]
    for least, most in pairwise(EDGES):
        right, wrong = (counts[kind, str(least), what] for what in ("right", "wrong"))
        if right + wrong:
            lines.append(f"    - {{least: {least}, most: {most}, right: {right}, wrong: {wrong}}}")
    return "\n".join(lines)
