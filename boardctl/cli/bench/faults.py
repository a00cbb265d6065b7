"""``boardctl bench faults``: whether the sensor board's link loses or doubles anything, whatever happens to it."""

import json
import logging
from dataclasses import asdict
from random import Random
from typing import Annotated

import typer

from boardctl.cli.board_choice import BOARD_HELP, BoardKind, make_rig
from boardctl.cli.reporting import WORK_FAILED, complain
from firmware_bridge.bench_faults import FaultCount, bench_faults
from firmware_bridge.fuzzing import fuzz_decoder


def faults(
    board: Annotated[BoardKind, typer.Option(help=BOARD_HELP)] = BoardKind.EMULATED,
    events: Annotated[
        int, typer.Option(min=0, help="How many changes are made, shared out among the faults.")
    ] = 10_000,
    buffers: Annotated[int, typer.Option(min=0, help="How many buffers of nonsense the decoder is fed.")] = 1_000_000,
    seed: Annotated[int, typer.Option(help="Where the random changes and moments start.", min=0)] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Count what is lost or doubled, fault by fault, and feed the decoder of frames with nonsense.

    Exit code 1 when anything was.

    Example: boardctl bench faults --board emulated
    """
    # The faults that are made on purpose break the link; the counts tell what came of it.
    logging.getLogger("firmware_bridge").addHandler(logging.NullHandler())
    random = Random(seed)  # noqa: S311  changes to make, no secret
    counts: list[FaultCount] = []
    if events:
        for count in bench_faults(lambda: make_rig(board), events, random):
            counts.append(count)
            typer.echo(json.dumps({"board": board.value, **asdict(count)}) if as_json else _line(board, count))
    made, lost, doubled = (sum(getattr(count, name) for count in counts) for name in ("events", "lost", "doubled"))
    if counts and not as_json:
        typer.echo(f"{board.value:<9} {'all faults':<30} {made} events, {lost} lost, {doubled} doubled")
    fuzzed = fuzz_decoder(buffers, random)
    if as_json:
        typer.echo(json.dumps(asdict(fuzzed)))
    else:
        typer.echo(f"decoder   {fuzzed.buffers} buffers, raised {fuzzed.raised}, out of step {fuzzed.out_of_step}")
    if lost or doubled or fuzzed.raised or fuzzed.out_of_step or not all(count.same for count in counts):
        complain("the link does not keep its promise")
        raise typer.Exit(WORK_FAILED)


def _line(board: BoardKind, count: FaultCount) -> str:
    lost = f"{count.lost} lost" if count.kept else "starts again"
    same = "same state" if count.same else "ANOTHER STATE"
    figures = f"{count.events} events, {lost}, {count.doubled} doubled, {same}, {count.took_s:.1f} s"
    return f"{board.value:<9} {count.fault:<30} {figures}"
