"""The commands of ``boardctl bench``, each a module of its own."""

import typer

from boardctl.cli.bench.dice import dice
from boardctl.cli.bench.dice_colours import dice_colours
from boardctl.cli.bench.displaced import displaced
from boardctl.cli.bench.faults import faults
from boardctl.cli.bench.hands import hands
from boardctl.cli.bench.link import link
from boardctl.cli.bench.looks import looks
from boardctl.cli.bench.photographs import photographs
from boardctl.cli.bench.referee import referee
from boardctl.cli.bench.rules import rules
from boardctl.cli.bench.stacks import stacks
from boardctl.cli.bench.standin import standin
from boardctl.cli.bench.start import start
from boardctl.cli.bench.stream import stream
from boardctl.cli.bench.trays import trays
from boardctl.cli.bench.vision import vision
from boardctl.cli.bench.watch import watch

app = typer.Typer(help="Measures this machine.", no_args_is_help=True)
app.command()(rules)
app.command()(dice)
app.command("dice-colours")(dice_colours)
app.command()(displaced)
app.command()(hands)
app.command()(link)
app.command()(looks)
app.command()(photographs)
app.command()(referee)
app.command()(faults)
app.command()(stacks)
app.command("stand-in")(standin)
app.command()(start)
app.command()(stream)
app.command()(trays)
app.command()(vision)
app.command()(watch)


@app.callback()
def bench() -> None:
    """Measures this machine: how fast, and how right on recorded pictures."""
