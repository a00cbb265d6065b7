"""Runs the commands as a user would, in this process."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from boardctl.cli import build


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    output: str


@dataclass(frozen=True)
class Recording:
    """Frames of a game in a folder: the empty board, the start, then each roll as it lies and each play as it stands.

    ``rolls``: seat and roll of each turn.
    """

    folder: Path
    rolls: Sequence[tuple[str, str]]


def run(*words: str | Path) -> Ran:
    """Runs boardctl with words; a defect of boardctl is raised."""
    result = CliRunner().invoke(build([str(words[0])]), [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ran(result.exit_code, result.output)


def counted(told: Ran) -> dict[str, list[int]]:
    """Gets the lines of a table that a benchmark has printed: what each kind is called, and its numbers."""
    lines = re.findall(r"^ *(\S.*?) {2,}(\d+(?: +\d+)+) *$", told.output, re.MULTILINE)
    return {name: [int(number) for number in numbers.split()] for name, numbers in lines}
