"""``boardctl bench vision``: how right the eyes are, on pictures with truth."""

import json
import resource
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import cv2
import typer

from boardctl.cli.bench.places import wanted_installations
from boardctl.cli.bench.reading import Read, measured, photographed
from boardctl.cli.bench.shown import changes_between, shown_by
from boardctl.cli.reporting import UsageError, writing
from boardctl.cli.whole_sets_option import BACKGAMMON_CHECKERS, CheckersOption
from boardctl.devices.faces import Picture
from boardctl.devices.pictures import write_picture
from boardctl.vision.measuring.later_changes import (
    at_another_hour,
    blackened,
    in_shadow,
    in_sunlight,
    otherwise_saturated,
    out_of_focus,
    veiled,
    with_other_tones,
)
from boardctl.vision.measuring.poor_cameras import PoorCamera
from boardctl.vision.measuring.readings import Fault, Measures

RED = (60, 60, 255)

INVENTED = "dice seen where none lies"
COLUMNS = (
    ("points right", "points"),
    ("frames right", "frames"),
    ("points whose likeliest is right", "likeliest_points"),
    ("frames with all of these right", "likeliest_frames"),
    ("points confidently wrong", "points_confidently_wrong"),
    ("hidden points said so", "hidden_said"),
    ("visible points said hidden", "visible_said_hidden"),
    ("hands told with their side", "hands_told"),
    ("  of frames, wrongly", "hands_wrong"),
    ("bar right", "bars"),
    ("trays right", "trays"),
    ("bar and trays confidently wrong", "beside_confidently_wrong"),
    ("cube seen where it is", "cubes"),
    ("  its value read", "cube_values"),
    ("  wrongly", "cube_values_wrong"),
    ("flat dice of 20 px or more right", "large_dice"),
    ("  20 px, the likeliest right", "likeliest_large_dice"),
    ("  confidently wrong", "large_dice_confidently_wrong"),
    ("flat dice of 14 to 20 px right", "small_dice"),
    ("  14 to 20 px, the likeliest right", "likeliest_small_dice"),
    ("  confidently wrong", "small_dice_confidently_wrong"),
    ("dice to roll again seen", "reroll_seen"),
    ("  false alarms", "reroll_false_alarm"),
    ("  dice of 14 px and more", "reroll_seen_from_14_px"),
    ("  14 px, false alarms", "reroll_false_alarm_from_14_px"),
    ("dice in cups told as such", "dice_in_cups"),
    ("calibrations found", "calibrated"),
    ("  found wrongly", "calibrated_wrongly"),
    ("  trays or none, told rightly", "trays_told"),
)


def vision(
    folder: Annotated[Path, typer.Argument(help="Folder of installations, or one: f00 empty, f01 start, with truth.")],
    failures: Annotated[Path | None, typer.Option(help="Folder for marked pictures of what was read wrongly.")] = None,
    only: Annotated[str | None, typer.Option(help="Names of the installations to measure, comma-separated.")] = None,
    readings: Annotated[Path | None, typer.Option(help="File for the readings, one JSON object a frame.")] = None,
    uncalibrated: Annotated[
        bool,
        typer.Option("--uncalibrated", help="Measure reading from the corners of the field alone."),
    ] = False,
    find: Annotated[
        bool, typer.Option("--find", help="With --uncalibrated: find the corners; refused pictures are not read.")
    ] = False,
    corners_off: Annotated[
        float | None,
        typer.Option(min=0, help="With --uncalibrated: move each corner at random by about so many widths of points."),
    ] = None,
    checkers: CheckersOption = BACKGAMMON_CHECKERS,
    at_rest: Annotated[
        int, typer.Option(min=0, help="Time each frame also as of a table at rest: so often more, with fresh noise.")
    ] = 0,
    frames: Annotated[
        int,
        typer.Option(min=1, help="Let the table lie still for so many pictures, with fresh noise; the last counts."),
    ] = 1,
    other_camera: Annotated[
        int | None,
        typer.Option(min=0, help="Read the pictures as another camera would have taken them, drawn by this number."),
    ] = None,
    shadow: Annotated[
        int | None,
        typer.Option(min=0, help="Read the pictures with somebody's shadow over a part of each, drawn by this number."),
    ] = None,
    sunlight: Annotated[
        int | None,
        typer.Option(min=0, help="Read the pictures with sunlight on a part of each, drawn by this number."),
    ] = None,
    other_hour: Annotated[
        int | None,
        typer.Option(min=0, help="Read the pictures in a light of another hour, drawn by this number."),
    ] = None,
    focus: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Take the pictures that are read with a lens that is more or less out of focus, drawn by this number.",
        ),
    ] = None,
    saturation: Annotated[
        int | None,
        typer.Option(min=0, help="Read the pictures with fainter or stronger colours, drawn by this number."),
    ] = None,
    tones: Annotated[
        int | None,
        typer.Option(
            min=0, help="Read the pictures with another gamma, brightness or contrast each, drawn by this number."
        ),
    ] = None,
    black: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Read the pictures with so much contrast that what is dark is written as black, drawn by this number.",
        ),
    ] = None,
    veil: Annotated[
        int | None,
        typer.Option(min=0, help="Read the pictures with a veil of light on the lens, drawn by this number."),
    ] = None,
    poor_camera: Annotated[
        PoorCamera | None,
        typer.Option(help="Take all pictures, those of the calibration too, with a camera of which this is wrong."),
    ] = None,
    noise: Annotated[
        int | None,
        typer.Option(min=0, help="Take all pictures with much noise, as in little light, drawn by this number."),
    ] = None,
    beside: Annotated[
        int | None,
        typer.Option(min=0, help="Let boards of the other installations lie at the sides, drawn by this number."),
    ] = None,
    flicker: Annotated[
        int | None,
        typer.Option(min=0, help="Take all pictures below a lamp that flickers, drawn by this number."),
    ] = None,
    lights: Annotated[
        int | None,
        typer.Option(min=0, help="Let lights of the board burn in the pictures that are read, drawn by this number."),
    ] = None,
    nudge: Annotated[
        int | None,
        typer.Option(min=0, help="Calibrate by pictures taken before the camera was nudged, drawn by this number."),
    ] = None,
    nudge_between: Annotated[
        int | None,
        typer.Option(min=0, help="Nudge the camera between the two pictures of the calibration, drawn by this number."),
    ] = None,
    exposure_between: Annotated[
        int | None,
        typer.Option(
            min=0, help="Expose the first picture of the calibration otherwise than all others, drawn by this number."
        ),
    ] = None,
    shadow_between: Annotated[
        int | None,
        typer.Option(
            min=0, help="Lay somebody's shadow over one of the two pictures of the calibration, drawn by this number."
        ),
    ] = None,
    lens_height: Annotated[
        bool,
        typer.Option(
            "--lens-height",
            help="Let somebody tell how high the lens is above the board, by a ruler, three hundredths off or so.",
        ),
    ] = False,
    runs: Annotated[
        int, typer.Option(min=1, help="Read each frame so often and count the least time: for a machine that is busy.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object an installation.")] = False,
) -> None:
    """Measure the eyes on pictures with truth; each installation is calibrated by itself from its two first pictures.

    Example: boardctl bench vision renders --only inst03,inst06 --failures failed
    """
    asked = (
        (in_shadow, shadow),
        (in_sunlight, sunlight),
        (at_another_hour, other_hour),
        (otherwise_saturated, saturation),
        (with_other_tones, tones),
        (blackened, black),
        (veiled, veil),
        (out_of_focus, focus),
    )
    later = [(change, number) for change, number in asked if number is not None]
    others = (other_camera, beside, flicker, lights, nudge, nudge_between, exposure_between, shadow_between, noise)
    if uncalibrated and (later or poor_camera or lens_height or others != (None,) * len(others)):
        raise UsageError(
            "--other-camera, --shadow, --sunlight, --other-hour, --saturation, --tones, --black, --veil, --focus, "
            "--poor-camera, --noise, --beside, --flicker, --lights, --nudge, --nudge-between, --exposure-between, "
            "--shadow-between and --lens-height are of calibrated cameras; leave out --uncalibrated"
        )
    if uncalibrated and frames > 1:
        raise UsageError("--frames is of calibrated cameras; leave out --uncalibrated")
    if nudge is not None and nudge_between is not None:
        raise UsageError("--nudge and --nudge-between exclude each other; give one of them")
    if find and not uncalibrated:
        raise UsageError("--find is of pictures without a calibration; give --uncalibrated, too")
    if corners_off is not None and (find or not uncalibrated):
        raise UsageError("--corners-off is of corners that are given; give --uncalibrated, too, and leave out --find")
    cv2.setNumThreads(1)
    places = wanted_installations(folder, only)

    def read(place: Path, measures: Measures) -> Read:
        if uncalibrated:
            return photographed(place, measures, checkers, find, corners_off or 0.0)
        between = changes_between(place, exposure_between, shadow_between, noise)
        shown = shown_by(place, other_camera, flicker, lights, later, between, beside, noise, poor_camera)
        return measured(place, measures, checkers, at_rest, runs, shown, nudge, nudge_between, frames, lens_height)

    tell(places, read, failures, readings, as_json)


def tell(
    places: Iterable[Path],
    frames: Callable[[Path, Measures], Read],
    failures: Path | None,
    readings: Path | None,
    as_json: bool,
) -> None:
    """Measures installations one after the other: writes a line of each, the whole in a table, and what is asked for
    besides: marked pictures of ``failures``, and all ``readings``, each as soon as it is there."""
    if failures is not None:
        with writing(failures):
            failures.mkdir(parents=True, exist_ok=True)
    if readings is not None:
        with writing(readings):
            readings.write_text("", encoding="utf-8")
    total = Measures()
    for place in places:
        measures = Measures()
        for record, faults, picture in frames(place, measures):
            if readings is not None:
                with writing(readings), readings.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(record) + "\n")
            if failures is not None and faults:
                name = f"{place.name}-{Path(record['frame']).stem}.png"
                with writing(failures):
                    write_picture(failures / name, marked(picture, faults))
            if not as_json:
                for fault in faults:
                    typer.echo(f"  {fault.frame}: {fault.what}", err=True)
        typer.echo(as_line(place.name, measures, as_json))
        total.join(measures)
    typer.echo(as_line("total", total, as_json) if as_json else as_table(total))


def as_line(name: str, measures: Measures, as_json: bool) -> str:
    """Gets one installation's measures in a line."""
    shares = {label.strip(): getattr(measures, attribute) for label, attribute in COLUMNS}
    if as_json:
        counts: dict[str, object] = {label: [share.right, share.of] for label, share in shares.items()}
        counts[INVENTED] = measures.invented_dice
        at_rest = {f"at_rest_{what}": ms for what, ms in measures.rest_times.told().items()}
        return json.dumps({"installation": name, **counts, **measures.times.told(), **at_rest})
    dice_right = measures.large_dice.right + measures.small_dice.right
    dice_of = measures.large_dice.of + measures.small_dice.of
    return (
        f"{name}  points {measures.points}  frames {measures.frames}  wrong and sure "
        f"{measures.points_confidently_wrong.right}  hidden {measures.hidden_said}  flat dice {dice_right}/{dice_of}  "
        f"{measures.times.told().get('median_ms', 0.0)} ms{_not_placed(measures)}"
    )


def _not_placed(measures: Measures) -> str:
    """Says so where an installation could not be calibrated, or was calibrated wrongly."""
    if measures.calibrated.right == measures.calibrated.of:
        return ""
    return "  CALIBRATED WRONGLY" if measures.calibrated_wrongly.right else "  not calibrated"


def as_table(total: Measures) -> str:
    """Gets the whole in a table."""
    rows = [f"{label:36}{getattr(total, attribute)}" for label, attribute in COLUMNS]
    rows.append(f"{INVENTED:36}{total.invented_dice}")
    for label, times in (("time a frame", total.times), ("  of a table at rest", total.rest_times)):
        if told := times.told():
            rows.append(f"{label:36}median {told['median_ms']} ms, p99 {told['p99_ms']} ms")
            processor = f"median {told['processor_median_ms']} ms, p99 {told['processor_p99_ms']} ms"
            rows.append(f"{'    of the processor':36}{processor}")
    rows.append(f"{'memory at most':36}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return "\n".join(rows)


def marked(picture: Picture, faults: list[Fault]) -> Picture:
    """Gets a copy of a picture with the faults written where they are."""
    drawn = picture.copy()
    loose = 0
    for fault in faults:
        if fault.center_px is None:
            loose += 1
            x, y = 10, 20 * loose
        else:
            x, y = round(fault.center_px[0]), round(fault.center_px[1])
            cv2.circle(drawn, (x, y), 24, RED, 2, cv2.LINE_AA)
        cv2.putText(drawn, fault.what, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (0, 0, 0), 3, cv2.LINE_AA)
        cv2.putText(drawn, fault.what, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.45, RED, 1, cv2.LINE_AA)
    return drawn
