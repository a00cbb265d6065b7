"""The commands: one thin module each; parses, calls, prints. Exit codes: 0 ok, 1 the work failed, 2 wrong usage.

``session`` is what the commands share that referee a game, ``guided`` what leads a person through calibrating, and
``bench`` the benchmarks.
"""

import os
import sys
from copy import copy
from importlib import import_module

import typer

from boardctl.cli.output import output_watched
from boardctl.cli.reporting import STOPPED, complain, reported

_COMMANDS = {
    "demo": ("boardctl.cli.demo:demo", "Play refereed games at a virtual table, without hardware."),
    "play": ("boardctl.cli.play:play", "Referee a game at a real table."),
    "watch": ("boardctl.cli.watch:watch", "Referee a game from pictures, a video or a stream."),
    "read": ("boardctl.cli.read:read", "Read what is on the board in pictures."),
    "calibrate": ("boardctl.cli.calibrate:app", "Measure this installation once, and keep it in a file."),
    "replay": ("boardctl.cli.replay:replay", "Step through a record, and check its rulings."),
    "export": ("boardctl.cli.export:export", "Write a recorded match for other programs."),
    "evidence": ("boardctl.cli.evidence:evidence", "List what was found; pack what shows one finding."),
    "journal": ("boardctl.cli.journal:app", "Look at a record, and whether it was altered."),
    "rules": ("boardctl.cli.rules:app", "Ask the rules; hold them against recorded cases."),
    "ruleset": ("boardctl.cli.ruleset:app", "Show, check and compare rulesets."),
    "page": ("boardctl.cli.page:app", "Make what the table's page needs."),
    "board": ("boardctl.cli.board:app", "Look at the sensor board itself."),
    "hall": ("boardctl.cli.hall:hall", "Show all tables of a hall to its director."),
    "firmware": ("boardctl.cli.firmware:app", "Build the sensor board's firmware; put it on the board."),
    "bench": ("boardctl.cli.bench.commands:app", "Measure this machine."),
    "doctor": ("boardctl.cli.doctor:doctor", "Check everything a table needs; say what to do next."),
}
"""Each command: where it is, and what it does in a line of the overview, for which no command is imported."""


def command_names() -> list[str]:
    """Gets the names of all commands, in the order in which they are said."""
    return list(_COMMANDS)


def build(names: list[str]) -> typer.Typer:
    """Gets the command line with the given commands; only their modules are imported."""
    app = _bare()
    for name in names:
        module_name, attribute = _COMMANDS[name][0].split(":")
        target = getattr(import_module(module_name), attribute)
        if isinstance(target, typer.Typer):
            app.add_typer(_reporting(target), name=name)
        else:
            app.command(name)(reported(target))
    return app


def _reporting(group: typer.Typer) -> typer.Typer:
    """Gets a group of commands of which each tells its user's mistakes; the group itself stays as it is."""
    telling = copy(group)
    telling.registered_commands = [copy(command) for command in group.registered_commands]
    for command in telling.registered_commands:
        if command.callback is not None:
            command.callback = reported(command.callback)
    return telling


def overview() -> typer.Typer:
    """Gets a command line that only says which commands there are."""
    app = _bare()
    for name, (_, does) in _COMMANDS.items():
        app.command(name, help=does)(_never_run)
    return app


def _bare() -> typer.Typer:
    app = typer.Typer(
        name="boardctl",
        help="An electronic referee, teacher and witness for real backgammon boards.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
        rich_markup_mode="rich",
    )
    app.callback(invoke_without_command=True)(_options)
    return app


def _never_run() -> None:
    raise AssertionError("a command that was asked for is run from its module")


def _options(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Say which version this is."),
) -> None:
    if version:
        from boardctl import __version__

        typer.echo(f"boardctl {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Runs the command line. Starting is kept quick: only the module of the command that was asked for is imported."""
    # Our matrices are small: threads that wait for more of them by turning round only take time, and others' cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    asked = next((word for word in sys.argv[1:] if not word.startswith("-")), None)
    with output_watched():
        try:
            app = build([asked]) if asked in _COMMANDS else overview()
            app(prog_name="boardctl")
        except KeyboardInterrupt:  # before the command began: its modules were still being imported
            complain("stopped")
            sys.exit(STOPPED)
