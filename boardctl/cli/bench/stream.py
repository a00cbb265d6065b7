"""``boardctl bench stream``: whether this machine keeps up with a live camera while it referees a game."""

import json
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import cv2
import typer
from rich.console import Console
from rich.progress import track

from boardctl.cli.reporting import UsageError
from boardctl.referee import read_ruleset
from boardctl.rules import Backgammon
from boardctl.virtual.film import film, filmed_table, sized
from boardctl.virtual.looks import LOOKS
from calibration import calibrate

RULESET = "casual"
"""Turns end by lifting the dice and every turn is judged; nobody has to press anything."""

JPEG_QUALITY = 92
"""As a camera on USB sends its pictures; they are unpacked while the table runs, as they would be."""

_SIZE = re.compile(r"^(\d{3,4})x(\d{3,4})$")
_SECOND_MS = 1000


def stream(
    size: Annotated[str, typer.Option(help="Width and height of the camera's picture.")] = "1920x1080",
    rate: Annotated[float, typer.Option(help="Frames a second.", min=1, max=60)] = 15.0,
    seconds: Annotated[int, typer.Option(help="How long the film is.", min=5, max=600)] = 40,
    seed: Annotated[int, typer.Option(help="The seed decides the game.", min=0)] = 5,
    look: Annotated[str, typer.Option(help="Board, light and camera of the virtual table.")] = "green-felt",
) -> None:
    """Films a game at the virtual table, then shows it as a live camera would, and referees it in a process of its own:
    packed pictures, eyes, referee, journal and evidence on the disk. Without sensor board, lights and page.

    Frames that come while another is being read are passed over: only the newest counts.

    Example: boardctl bench stream --size 1280x720 --rate 30
    """
    match = _SIZE.match(size)
    if match is None:
        raise UsageError(f"--size {size}: give width and height, such as 1920x1080")
    if look not in LOOKS:
        raise UsageError(f"no look is called {look!r}; choose one of {', '.join(LOOKS)}")
    size_px = (int(match[1]), int(match[2]))
    with TemporaryDirectory(prefix="boardctl-stream-") as folder:
        _film(Path(folder), look, size_px, rate, seconds, seed)
        shown = subprocess.run(  # noqa: S603  our own module with a folder of our own
            [sys.executable, "-m", "boardctl.cli.bench.stream_table", folder, RULESET],
            check=False,
            stdout=subprocess.PIPE,
            text=True,
        )
        if shown.returncode != 0:
            raise UsageError("the table that was shown the film has failed; what it said stands above")
        told = json.loads(shown.stdout)
    for name, value in told.items():
        typer.echo(f"{name:<44}{value}")


def _film(folder: Path, look: str, size_px: tuple[int, int], rate: float, seconds: int, seed: int) -> None:
    """Puts a calibration and the frames of a game into a folder, each named by its instant in milliseconds."""
    rules = read_ruleset(RULESET)
    with filmed_table(Backgammon(), sized(LOOKS[look], size_px), rules, seed, rate) as table:
        calibrate(table.empty_frame(), table.starting_frame()).save(folder / "calibration.yaml")
        frames = film(table, rules, seconds * _SECOND_MS)
        filming = track(frames, "filming", total=seconds * rate, console=Console(stderr=True), transient=True)
        for frame in filming:
            quality = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
            if not cv2.imwrite(str(folder / f"{frame.at_ms:08d}.jpg"), frame.picture, quality):
                raise UsageError(f"{folder}: the film cannot be written; make room on the disk")
