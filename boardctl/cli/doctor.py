"""``boardctl doctor``: whether everything a table needs is in order, and what to do next where it is not."""

import json
import logging
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from boardctl.cli.doctor_checks import Asked, Check, Verdict, examine
from boardctl.cli.reporting import WORK_FAILED

_LOOKS = {Verdict.OK: ("✓", "bold green"), Verdict.PROBLEM: ("✗", "bold magenta"), Verdict.UNUSED: ("-", "dim")}
_MARK_WIDTH, _NAME_WIDTH = 11, 15


def doctor(
    camera: Annotated[str | None, typer.Option(help="Camera, stream, video, picture or folder to look at.")] = None,
    port: Annotated[str | None, typer.Option(help="Serial port of the sensor board.")] = None,
    calibration: Annotated[Path | None, typer.Option(help="The calibration to load.")] = None,
    journal: Annotated[Path | None, typer.Option(help="The journal to go on with, or where one shall begin.")] = None,
    config: Annotated[Path | None, typer.Option(help="The table's devices (YAML, as config/table.yaml).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check camera, sensor board, panel, page, hall, configuration, calibration and disk; say what to do next.

    What is not named is not needed. Exit code 0: all that is needed is in order; 1: something is wrong.

    Example: boardctl doctor --camera /dev/video0 --calibration calibration.yaml --port /dev/ttyUSB0
    """
    # The link tells its log what the check of the sensor board tells the user.
    logging.getLogger("firmware_bridge").addHandler(logging.NullHandler())
    checks: list[Check] = []
    console = Console(highlight=False)
    with Console(stderr=True).status("looking ..."):
        for check in examine(Asked(camera, port, calibration, journal, config)):
            checks.append(check)
            if not as_json:
                _show(console, check)
    problems = [check.name for check in checks if check.verdict is Verdict.PROBLEM]
    if as_json:
        typer.echo(json.dumps({"well": not problems, "checks": [asdict(check) for check in checks]}))
    else:
        _sum_up(console, problems)
    if problems:
        raise typer.Exit(WORK_FAILED)


def _show(console: Console, check: Check) -> None:
    mark, style = _LOOKS[check.verdict]
    if console.encoding.lower().replace("-", "") != "utf8":
        mark = {"✓": "+", "✗": "!"}.get(mark, mark)
    head = Text(f"{mark} {check.verdict:<{_MARK_WIDTH - 2}}", style)
    margin = " " * (_MARK_WIDTH + _NAME_WIDTH)
    says = check.says.replace("\n", f"\n{margin}")
    if check.verdict is Verdict.UNUSED:
        says = f"{says}; {check.next}"
    console.print(Text.assemble(head, f"{check.name:<{_NAME_WIDTH}}", says), soft_wrap=True)
    if check.next and check.verdict is not Verdict.UNUSED:
        console.print(Text(f"{margin}-> {check.next}"), soft_wrap=True)


def _sum_up(console: Console, problems: list[str]) -> None:
    if not problems:
        console.print("all that is needed is in order", style="bold")
        return
    noun = "problem" if len(problems) == 1 else "problems"
    console.print(f"{len(problems)} {noun}: {', '.join(problems)}", style="bold")
