"""``boardctl bench referee``: how the referee by itself does under several rulesets, and all of them taken together."""

import asyncio
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.console import Console

from boardctl.cli.board_choice import BoardKind
from boardctl.cli.demo_sight import SAID, EyeKind, sight_of
from boardctl.cli.session.sessions import CubeCustoms, session_of
from boardctl.cli.session.virtual_sessions import (
    LONGEST_MATCH,
    RATES,
    Faults,
    FromStart,
    insist_on_no_wrong_ruling,
    let_table_hear,
    pressed,
    tell_report,
)
from boardctl.devices.sensor_witness import SensorWitness
from boardctl.records import Journal
from boardctl.referee import ruleset_names
from boardctl.table import CameraSource, Desk, NewGame, look_again, run_table
from boardctl.virtual import Report, VirtualTable
from boardctl.vision.frame import FrameReading
from boardctl.vision.tracking import Tracker
from calibration import BoardGeometry
from firmware_bridge import SlotMap

_IN_MEMORY = Path("/dev/shm")  # noqa: S108  where there is one, a record costs no disk


def referee(
    rulesets: Annotated[
        list[str] | None, typer.Argument(help="Presets or .yaml files; by default every preset.")
    ] = None,
    games: Annotated[int, typer.Option(help="So many under each.", min=1)] = 25,
    seed: Annotated[int, typer.Option(help="The same seed, the same games.", min=0)] = 7,
    match: Annotated[int | None, typer.Option(help="One match to so many points under each.", min=1, max=99)] = None,
) -> None:
    """Referee games with everything that can go wrong, seen by stand-in eyes, and add up how that went.

    Example: boardctl bench referee house-seed teaching --games 100 --seed 2701
    """
    console, whole = Console(), Report()
    console.print(SAID[EyeKind.STANDIN], highlight=False, soft_wrap=True)
    for name in rulesets or ruleset_names():
        with TemporaryDirectory(dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None) as folder:
            outcome = _refereed(name, games, seed, match, Path(folder) / "bench.journal")
        console.print(f"\n{name}, {outcome.games} games, seed {seed}", highlight=False)
        tell_report(console, outcome)
        whole += outcome
    console.print(f"\nall taken together, {whole.games} games, seed {seed}", highlight=False)
    tell_report(console, whole, remarks=False)
    insist_on_no_wrong_ruling(whole)


def _refereed(ruleset: str, games: int, seed: int, match: int | None, path: Path) -> Report:
    """Plays games, or one match, under a ruleset, and gets how that went."""
    session = session_of("backgammon", ruleset, match, f"bench, seed {seed}", customs=CubeCustoms(cube=True))
    judge = session.referee()
    witness = SensorWitness(SlotMap.reference(), BoardGeometry())
    make_table = partial(
        VirtualTable,
        judge.game,
        seed=seed,
        rates=RATES[Faults.ALL],
        ruleset=session.ruleset,
        games=games if match is None else LONGEST_MATCH,
        match=judge.match,
    )
    with ExitStack() as stack:
        sight = sight_of(stack, EyeKind.STANDIN, make_table, judge.game, witness, BoardKind.STANDIN, seed)
        table, tracker, camera = sight.table, Tracker(), FromStart(sight.table)
        desk = Desk(stack.enter_context(Journal.create(path, session.header())), judge, (), [NewGame.of(judge)])
        for output in (witness.hear, look_again(tracker)):
            desk.add_output(output)
        let_table_hear(desk, table)
        source = CameraSource[FrameReading](
            camera,
            sight.see,
            tracker,
            waits=True,
            threads=False,
            beside=lambda: chain(sight.sensors.facts(camera.at_ms), pressed(table)),
        )
        asyncio.run(run_table(desk, [source], until=lambda: False))
        return table.report()
