"""``boardctl bench start``: how long the program takes to start."""

import statistics
import subprocess
import sys
import time
from typing import Annotated

import typer

_COMMANDS = {
    "--version": ["--version"],
    "--help": ["--help"],
    "watch --help": ["watch", "--help"],
}


def start(runs: Annotated[int, typer.Option(help="How many times each; the median is reported.", min=1)] = 7) -> None:
    """Time from calling the program to its end, for commands that only say something.

    Example: boardctl bench start --runs 7
    """
    for name, words in _COMMANDS.items():
        times_ms = [_took_ms(words) for _ in range(runs)]
        typer.echo(f"boardctl {name:<14} median {statistics.median(times_ms):6.0f} ms, worst {max(times_ms):6.0f} ms")


def _took_ms(words: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(  # noqa: S603  our own program with words from the table above
        [sys.executable, "-c", "from boardctl.cli import main; main()", *words],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return (time.perf_counter() - began) * 1000
