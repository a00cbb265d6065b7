"""``boardctl read``: what is on the board in these pictures."""

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from boardctl.devices.pictures import read_picture
from boardctl.vision.frame import read_frame
from boardctl.vision.report import as_record
from boardctl.vision.report_text import as_text
from calibration import load


def read(
    images: Annotated[list[Path], typer.Argument(help="Pictures of the board, JPEG or PNG.")],
    calibration: Annotated[Path, typer.Option(help="The calibration of the camera that took them.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a picture.")] = False,
) -> None:
    """Read what is on the board in pictures.

    Example: boardctl read shots/f003.jpg --calibration calibration.yaml --json
    """
    installation = load(calibration)
    for image in images:
        picture = read_picture(image)
        started = time.perf_counter()
        reading = read_frame(picture, installation)
        record = as_record(str(image), reading, (time.perf_counter() - started) * 1000)
        typer.echo(json.dumps(record) if as_json else as_text(record))
