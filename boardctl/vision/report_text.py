"""Readings as a person reads them: one short block a frame."""

from typing import Any

from boardctl.vision.report import VOUCHED
from calibration.field.find import as_option

DOUBTFUL = 0.9
"""Below this confidence a point, a bar or a tray is marked with a question mark, as a point under a hand is: the
referee would not act on it alone."""

ON_A_THING = "in a cup, or on something else that is no part of the board"


def as_text(record: dict[str, Any]) -> str:
    """Gets a frame's record in words."""
    held = []
    for number, (entry, confidence) in enumerate(zip(record["points"], record["confidence"], strict=True), start=1):
        if entry is not None and entry[1] and confidence >= VOUCHED:
            doubtful = confidence < DOUBTFUL or number in record["hidden"]
            held.append(f"{number}:{entry[0]}{entry[1]}" + ("?" if doubtful else ""))
    lines = [record["frame"]]
    if "corners" in record:
        lines.append("  field  found at " + as_option(record["corners"]))
    if "camera" in record:
        lines.append("  camera " + record["camera"])
    if "followed_px" in record:
        lines.append(f"  camera has moved and is followed: the board is seen {record['followed_px']:.0f} pixels off")
    nothing = "empty" if len(record["hidden"]) < len(record["points"]) else "not seen"
    lines.append("  points " + (" ".join(held) or nothing))
    for name in ("bar", "off"):
        sure = record[f"{name}_confidence"]
        counts = (record[name] or {}).items()
        told = " ".join(f"{seat}:{count}" + ("?" if sure[seat] < DOUBTFUL else "") for seat, count in counts)
        lines.append(f"  {name}    {told or 'not seen'}")
    if record["hidden"]:
        lines.append("  hidden " + " ".join(str(number) for number in record["hidden"]))
    if left_open := _left_open(record):
        lines.append("  unsure " + " ".join(str(number) for number in left_open))
    if "too_bright" in record:
        bright = " ".join(str(number) for number in record["too_bright"])
        lines.append(f"  light  too bright at {bright}: shade the board, or dim the light")
    if "too_dark" in record:
        dark = " ".join(str(number) for number in record["too_dark"])
        lines.append(f"  dark   all black at {dark}: raise the camera's brightness, or lower its contrast")
    for die in record["dice"]:
        flat = {True: "flat", False: "not flat", None: "flat or not: unsure"}[die["flat"]]
        section = f"in {die['half']}'s right half" if die["half"] else "in no half"
        value = die["value"] if die["confidence"] >= VOUCHED else None
        on = ON_A_THING if die["on"] == "thing" else f"on {die['on']}"
        lines.append(f"  die    {value or '?'} {flat}, {on}, {section} ({die['confidence']:.0%})")
    if record["cube"] is not None:
        lines.append(f"  cube   {record['cube']['value'] or '?'} at {record['cube']['at']}")
    if record["hand"]:
        lines.append("  a hand is in the picture")
    return "\n".join(lines)


def _left_open(record: dict[str, Any]) -> list[int]:
    """Gets the points that can be seen and of which nothing is vouched for: else a reader would take them for bare."""
    unsure = (number for number, confidence in enumerate(record["confidence"], start=1) if confidence < VOUCHED)
    return [number for number in unsure if number not in record["hidden"]]


def dice_text(record: dict[str, Any]) -> str:
    """Gets the record of a picture of dice without a board in words."""
    lines = [record["frame"]]
    for die in record["dice"]:
        x, y = die["center_px"]
        lines.append(f"  die    {die['value'] or '?'} at {x:.0f},{y:.0f} px ({die['confidence']:.0%})")
    return "\n".join(lines if record["dice"] else [*lines, "  no dice seen"])
