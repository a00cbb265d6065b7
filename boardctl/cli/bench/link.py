"""``boardctl bench link``: how fast the sensor board's link is, and whether it loses anything."""

import json
import logging
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from random import Random
from typing import Annotated

import typer

from boardctl.cli.bench.table_reaction import table_reaction
from boardctl.cli.board_choice import BOARD_HELP, BoardKind, make_rig
from firmware_bridge.bench import LinkFigures, Spread, bench_link


def link(
    board: Annotated[BoardKind, typer.Option(help=BOARD_HELP)] = BoardKind.EMULATED,
    rounds: Annotated[int, typer.Option(min=1, help="How many changes and states are timed.")] = 100,
    noisy_events: Annotated[
        int, typer.Option(min=0, help="How many events go over a cable that loses and bends bytes.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Where the random moments and changes start.", min=0)] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Time the way from sensor to host to light, and count what a bad cable loses.

    Example: boardctl bench link --board emulated
    """
    # The noise that is made on purpose breaks the link now and then; the figures tell what came of it.
    logging.getLogger("firmware_bridge").addHandler(logging.NullHandler())
    figures = bench_link(
        lambda: make_rig(board),
        rounds=rounds,
        noisy_events=noisy_events,
        random=Random(seed),  # noqa: S311  moments to measure at, no secret
    )
    with closing(make_rig(board)) as rig:
        refereed = table_reaction(rig, rounds, Random(seed))  # noqa: S311  as above
    if as_json:
        named = {"board": board.value, "rounds": rounds, **asdict(figures), "lift_to_target": asdict(refereed)}
        typer.echo(json.dumps(named))
        return
    for name, figure in (*_lines(figures), ("checker lifted to lit targets, refereed", _said(refereed))):
        typer.echo(f"{board.value:<9} {name:<40} {figure}")


def _lines(figures: LinkFigures) -> Iterator[tuple[str, str]]:
    yield "start to identification and state", f"{figures.start_to_ident_ms:.1f} ms"
    yield "whole state, asked and answered", _said(figures.state_fetch)
    yield "sensor change to event at the host", _said(figures.change_to_event)
    yield "sensor change to lit target", _said(figures.change_to_light)
    yield "128 changes at once, all told", f"{figures.burst_ms:.1f} ms"
    yield "LED frames, all LEDs different", f"{figures.led_frames_per_s:.1f} a second"
    yield "LED frames, as in a game", f"{figures.plain_led_frames_per_s:.1f} a second"
    lost = f"{figures.noisy_lost} lost, {figures.noisy_doubled} doubled"
    yield f"{figures.noisy_events} events over a bad cable", lost


def _said(spread: Spread) -> str:
    return f"median {spread.median_ms:.1f} ms, p99 {spread.p99_ms:.1f} ms"
