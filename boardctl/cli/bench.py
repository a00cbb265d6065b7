"""``boardctl bench``: measures this machine. Each benchmark is a module of its own."""

import typer

from boardctl.cli.bench_rules import rules
from boardctl.cli.bench_start import start
from boardctl.cli.bench_vision import vision

app = typer.Typer(help="Measures this machine.", no_args_is_help=True)
app.command()(rules)
app.command()(start)
app.command()(vision)


@app.callback()
def bench() -> None:
    """Measures this machine: how fast, and how right on recorded pictures."""
