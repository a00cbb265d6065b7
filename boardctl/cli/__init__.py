"""The commands: one thin module each; parses, calls, prints. Exit codes: 0 ok, 1 the work failed, 2 wrong usage."""

import sys
from importlib import import_module

import typer

from boardctl.cli.output import output_watched
from boardctl.cli.reporting import STOPPED, complain, reported

_COMMANDS = {
    "demo": "boardctl.cli.demo:demo",
    "play": "boardctl.cli.play:play",
    "watch": "boardctl.cli.watch:watch",
    "read": "boardctl.cli.read:read",
    "calibrate": "boardctl.cli.calibrate:app",
    "replay": "boardctl.cli.replay:replay",
    "export": "boardctl.cli.export:export",
    "evidence": "boardctl.cli.evidence:evidence",
    "journal": "boardctl.cli.journal:app",
    "rules": "boardctl.cli.rules:app",
    "ruleset": "boardctl.cli.ruleset:app",
    "page": "boardctl.cli.page:app",
    "board": "boardctl.cli.board:app",
    "hall": "boardctl.cli.hall:hall",
    "firmware": "boardctl.cli.firmware:app",
    "bench": "boardctl.cli.bench:app",
    "doctor": "boardctl.cli.doctor:doctor",
}


def build(names: list[str]) -> typer.Typer:
    """Gets the command line with the given commands; only their modules are imported."""
    app = typer.Typer(
        name="boardctl",
        help="An electronic referee, teacher and witness for real backgammon boards.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
        rich_markup_mode="rich",
    )
    app.callback(invoke_without_command=True)(_options)
    for name in names:
        module_name, attribute = _COMMANDS[name].split(":")
        target = getattr(import_module(module_name), attribute)
        if isinstance(target, typer.Typer):
            for command in target.registered_commands:
                if command.callback is not None:
                    command.callback = reported(command.callback)
            app.add_typer(target, name=name)
        else:
            app.command(name)(reported(target))
    return app


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
    asked = next((word for word in sys.argv[1:] if not word.startswith("-")), None)
    everything = [] if "--version" in sys.argv[1:] else list(_COMMANDS)
    names = [asked] if asked in _COMMANDS else everything
    with output_watched():
        try:
            build(names)(prog_name="boardctl")
        except KeyboardInterrupt:  # before the command began: its modules were still being imported
            complain("stopped")
            sys.exit(STOPPED)
