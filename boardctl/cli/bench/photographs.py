"""``boardctl bench photographs``: how right reading without a calibration is, on photographs labelled by eye."""

import json
from collections import Counter
from dataclasses import dataclass, field
from math import hypot
from pathlib import Path
from typing import Annotated, Any

import cv2
import typer

from boardctl.cli.found_field import is_placed, turned_like
from boardctl.cli.reporting import UsageError
from boardctl.cli.whole_sets_option import BACKGAMMON_CHECKERS, CheckersOption
from boardctl.devices.pictures import read_picture
from boardctl.referee.readings import BoardReading, DiceReading, DieReading
from boardctl.rules import Seat, point
from boardctl.vision.dice.alone import dice_alone
from boardctl.vision.measuring.readings import SURE, Share
from boardctl.vision.photograph.reading import read_photograph
from calibration import CalibrationError
from calibration.corners import Corners, as_corners
from calibration.field.find import as_option, find_field

VOUCHED = 0.5
"""Least confidence of a point that counts as read."""

BESIDE_PX = 15.0
"""A die is that of a label if it is no further from it: labels are by eye, and the nearest two are 18
pixels apart."""


@dataclass
class PhotographMeasures:
    """What was counted over the photographs of one kind of board. Of dice: values told rightly and wrongly, those said
    to lean, which no label tells, and what is told to be a die and is none."""

    points: Share = field(default_factory=Share)
    held: Share = field(default_factory=Share)
    surely_wrong: Share = field(default_factory=Share)
    dice: Share = field(default_factory=Share)
    dice_wrong: Share = field(default_factory=Share)
    dice_leaning: Share = field(default_factory=Share)
    no_dice: int = 0
    refused: int = 0
    misplaced: int = 0
    pictures: int = 0


@dataclass
class DiceMeasures:
    """What was counted over the photographs of one kind of dice: values told that are in the labels, and that are not,
    dice whose value was left open, and photographs of which every value was told and no other."""

    values: Share = field(default_factory=Share)
    wrong: Share = field(default_factory=Share)
    open: int = 0
    whole: Share = field(default_factory=Share)
    pictures: int = 0


def photographs(
    folder: Annotated[Path, typer.Argument(help="Folder with manifest.json, and the photographs that it names.")],
    checkers: CheckersOption = BACKGAMMON_CHECKERS,
    find: Annotated[
        bool, typer.Option("--find", help="Boards alone; find their corners instead of taking the labels'.")
    ] = False,
    each_dice: Annotated[bool, typer.Option("--each", help="Print what was read of each photograph of dice.")] = False,
) -> None:
    """Measure reading without calibration: photographs of boards, with the corners of their labels, and of dice alone.

    Example: boardctl bench photographs photographs
    """
    cv2.setNumThreads(1)
    kinds: dict[str, PhotographMeasures] = {}
    for entry in labelled(folder, "board"):
        if not entry.get("field"):
            continue
        measures = kinds.setdefault(Path(entry["file"]).parent.name, PhotographMeasures())
        measures.pictures += 1
        try:
            picture, corners = read_picture(folder / entry["file"]), corners_of_label(entry["field"])
            if find:
                true, corners = corners, turned_like(corners, find_field(picture))
                misplaced = not is_placed(corners, true)
                measures.misplaced += misplaced
                if misplaced:
                    typer.echo(f"  {entry['file']}: field found wrongly, {as_option(corners)}", err=True)
            reading = read_photograph(picture, corners, checkers=checkers)
        except CalibrationError as error:
            measures.refused += 1
            typer.echo(f"  {entry['file']}: {error}", err=True)
            continue
        count_points(measures, entry["labels"]["points"], reading.board)
        if "dice" in entry:
            count_dice(measures, entry["dice"], reading.dice)
    for name, each in sorted(kinds.items()):
        typer.echo(
            f"{name}  pictures {each.pictures}, refused {each.refused}"
            f"{f', field found wrongly {each.misplaced}' if find else ''}  points {each.points}  "
            f"points that hold checkers {each.held}  surely wrong {each.surely_wrong}  "
            f"dice {each.dice}  wrong {each.dice_wrong}  said to lean {each.dice_leaning}  no dice {each.no_dice}"
        )
    if find:
        return
    for name, dice in sorted(dice_without_board(folder, each_dice).items()):
        typer.echo(
            f"{name}  pictures {dice.pictures}  values {dice.values}  wrong {dice.wrong}  "
            f"not told {dice.open}  pictures all right {dice.whole}"
        )


def dice_without_board(folder: Path, each: bool) -> dict[str, DiceMeasures]:
    """Gets the measures of reading dice alone, by kinds of photographs of dice. A value counts as right as often as the
    label has it: most labels do not tell where the dice lie. ``each``: what was read of each is printed."""
    kinds: dict[str, DiceMeasures] = {}
    for entry in labelled(folder, "dice"):
        measures = kinds.setdefault(Path(entry["file"]).parent.name, DiceMeasures())
        dice = dice_alone(read_picture(folder / entry["file"]))
        told, true = Counter(die.value for die in dice if die.value is not None), Counter(entry["labels"])
        right = (told & true).total()
        measures.pictures += 1
        measures.values.right += right
        measures.wrong.right += told.total() - right
        for share in (measures.values, measures.wrong):
            share.of += true.total()
        left_open = sum(die.value is None for die in dice)
        measures.open += left_open
        if each:
            values = " ".join(str(value) for value in sorted(told.elements()))
            typer.echo(
                f"  {entry['file']}: {' '.join(map(str, entry['labels']))}, read {values or 'none'} and {left_open} ?"
            )
        measures.whole.add(told == true)
    return kinds


def labelled(folder: Path, kind: str) -> list[dict[str, Any]]:
    """Gets the labels of the photographs of a kind: "board" or "dice".

    :raises UsageError: when the folder has no manifest.
    """
    manifest = folder / "manifest.json"
    try:
        content = json.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{manifest}: cannot be read ({error}); name a folder of labelled photographs") from error
    entries = content["records"] if isinstance(content, dict) else content
    return [entry for entry in entries if entry["kind"] == kind]


def corners_of_label(label: dict[str, Any]) -> Corners:
    """Gets the field's corners of a label, whose parts go from the upper left clockwise."""
    left, right = (label[half] if half in label else label["whole"] for half in ("left_half", "right_half"))
    return as_corners((left[3], right[2], right[1], left[0]))


def count_points(measures: PhotographMeasures, labels: list[dict[str, Any] | None], board: BoardReading) -> None:
    """Counts the points of one photograph that are labelled. Which label's colour is seat A's is not said: the way in
    which more points are right is taken."""
    colours = sorted({label["c"] for label in labels if label and label["n"]})
    seats = [dict(zip(colours, order, strict=False)) for order in ((Seat.A, Seat.B), (Seat.B, Seat.A))]
    chosen = max(seats, key=lambda owner: sum(_rights(labels, board, owner).values()))
    rights = _rights(labels, board, chosen)
    for number, right in rights.items():
        reading, label = board.at(point(number)), labels[number - 1]
        measures.points.add(right)
        if label and label["n"]:
            measures.held.add(right)
        measures.surely_wrong.add(reading.confidence > SURE and not right)


def count_dice(measures: PhotographMeasures, labels: list[dict[str, Any]], dice: DiceReading) -> None:
    """Counts the dice of one photograph, each held against the label that it lies at."""
    left = list(dice.dice)
    for label in labels:
        there = min(left, key=lambda die: _apart_px(die, label), default=None)
        if there is not None and _apart_px(there, label) > BESIDE_PX:
            there = None
        if there is not None:
            left.remove(there)
        value = there.value if there is not None else None
        measures.dice.add(value == label["value"])
        measures.dice_wrong.add(value not in (None, label["value"]))
        measures.dice_leaning.add(there is not None and there.flat is False)
    measures.no_dice += len(left)


def _apart_px(die: DieReading, label: dict[str, Any]) -> float:
    return hypot(die.center_px[0] - label["x"], die.center_px[1] - label["y"])


def _rights(labels: list[dict[str, Any] | None], board: BoardReading, owner: dict[str, Seat]) -> dict[int, bool]:
    """Gets for each labelled point whether it was read right."""
    rights: dict[int, bool] = {}
    for number, label in enumerate(labels, start=1):
        if label is None:
            continue
        reading = board.at(point(number))
        true = (owner.get(label["c"]),) * label["n"] if label["n"] else ()
        rights[number] = reading.best == true and reading.confidence >= VOUCHED
    return rights
