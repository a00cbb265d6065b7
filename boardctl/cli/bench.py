"""``boardctl bench``: measures this machine. Each benchmark is a module of its own."""

import typer

from boardctl.cli.bench_dice import dice
from boardctl.cli.bench_dice_colours import dice_colours
from boardctl.cli.bench_displaced import displaced
from boardctl.cli.bench_faults import faults
from boardctl.cli.bench_hands import hands
from boardctl.cli.bench_link import link
from boardctl.cli.bench_looks import looks
from boardctl.cli.bench_photographs import photographs
from boardctl.cli.bench_referee import referee
from boardctl.cli.bench_rules import rules
from boardctl.cli.bench_stacks import stacks
from boardctl.cli.bench_standin import standin
from boardctl.cli.bench_start import start
from boardctl.cli.bench_stream import stream
from boardctl.cli.bench_trays import trays
from boardctl.cli.bench_vision import vision
from boardctl.cli.bench_watch import watch

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
