"""How long it takes from a lifted checker to its lit targets, through journal, referee and lights."""

import asyncio
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from boardctl.devices.sensor_witness import SensorSettings, SensorWitness
from boardctl.lights import Grammar, standard_grammar
from boardctl.records import Journal
from boardctl.referee import Referee, read_ruleset
from boardctl.referee.effects import Sign
from boardctl.referee.facts import DiceRested, PositionDeclared
from boardctl.referee.readings import DiceReading, DieReading, Support, sure_reading
from boardctl.rules import Backgammon, Seat
from boardctl.table import Desk, Lighting, SensorSource, run_table
from calibration import BoardGeometry
from firmware_bridge import ChainLayout, ChannelClass, SensorBoard, SlotMap
from firmware_bridge.bench import Spread
from firmware_bridge.errors import NoAnswerError
from firmware_bridge.rig import BoardRig

_FROM, _TO = 8, 5
"""With 3-1 from the start, a checker lifted off point 8 may go to point 5."""

_GIVE_UP_S = 30.0
_CALM_S = 0.02

_NEVER_AT_REST = SensorSettings(settle_ms=3_600_000)
"""Only one slot of the board holds anything here. On a busy machine it would come to rest between two lifts, and the
referee, told that the rest is bare, would light that and no target."""


def table_reaction(rig: BoardRig, rounds: int, random: Random) -> Spread:
    """Lifts a checker ``rounds`` times in the middle of a refereed turn and gets how long its target took to be lit.

    :raises LinkError: when the board cannot be reached.
    :raises NoAnswerError: when the light does not come within half a minute.
    """
    game, layout, slots = Backgammon(), ChainLayout(), SlotMap.reference()
    source = SensorSource(SensorWitness(slots, BoardGeometry(), settings=_NEVER_AT_REST), _clock())
    channel = slots.point(_FROM)[2]
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.create(
            Path(folder) / "reaction.journal",
            {},
        ) as journal,
        SensorBoard(rig.path, wait_s=_GIVE_UP_S, listen=source.hear) as board,
    ):
        rig.set_channels({channel: ChannelClass.LIGHT})
        desk = Desk(journal, Referee(game, read_ruleset("teaching")), [Lighting(board, _steady_targets())])
        desk.handle(PositionDeclared(0, "resync", sure_reading(game.start().placement(), game.places), Seat.A))
        desk.handle(DiceRested(0, DiceReading((_die(3), _die(1)))))
        _until(lambda: board.snapshot()[channel] is ChannelClass.LIGHT)
        with ThreadPoolExecutor(max_workers=1) as player:
            lifts = player.submit(_lifts, rig, source, channel, layout.tip(_TO), rounds, random)
            asyncio.run(run_table(desk, [source]))
        return Spread.of(lifts.result())


def _lifts(
    rig: BoardRig, source: SensorSource, channel: int, target: int, rounds: int, random: Random
) -> Sequence[float]:
    """Lifts and puts back a checker again and again, then ends the facts; gets the time to each light, in ms."""
    times_ms = []
    try:
        for _ in range(rounds):
            time.sleep(_CALM_S + random.random() * _CALM_S)
            begun_s = time.monotonic()
            rig.set_channels({channel: ChannelClass.EMPTY})
            _until(lambda: any(rig.colours[target]))
            times_ms.append((time.monotonic() - begun_s) * 1000)
            rig.set_channels({channel: ChannelClass.LIGHT})
            _until(lambda: not any(rig.colours[target]))
    finally:
        source.close()
    return times_ms


def _clock() -> Callable[[], int]:
    began_s = time.monotonic()
    return lambda: round((time.monotonic() - began_s) * 1000)


def _die(value: int) -> DieReading:
    return DieReading(value, 0.999, True, Support.SURFACE, Seat.A, 0.0, (0.0, 0.0), (200.0 + 30 * value, 0.0))


def _steady_targets() -> Grammar:
    """Gets the grammar with targets that do not blink: when one is lit must not hang on where its blinking stands."""
    grammar = standard_grammar()
    target = grammar.signs[Sign.TARGET].model_copy(update={"tip": "o" * 8})
    return grammar.model_copy(update={"signs": {**grammar.signs, Sign.TARGET: target}})


def _until(happened: Callable[[], bool]) -> None:
    give_up_s = time.monotonic() + _GIVE_UP_S
    while not happened():
        if time.monotonic() > give_up_s:
            raise NoAnswerError(f"no light came within {_GIVE_UP_S:g} s; is the board's link up?")
        time.sleep(0.0005)
