"""``boardctl calibrate sensors``: teaches the sensor board what nothing, a dark and a light checker look like."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import typer

from boardctl.cli.board_choice import BoardOption, PortOption, TableFile, connected_board, table_board
from boardctl.cli.guided.questions import Ask, ask_person
from boardctl.cli.named_points import points_in_words
from boardctl.cli.reporting import STOPPED, WORK_FAILED, UsageError, complain
from firmware_bridge import CHANNEL_COUNT, ChannelClass, SensorBoard, Slot, SlotMap
from firmware_bridge.errors import RequestRefusedError
from firmware_bridge.protocol import CalibrationStep, SensorKind
from firmware_bridge.rig import BoardRig
from firmware_bridge.slots import SlotKind

CHECKERS_OF_A_COLOUR = 15
_WRITING_S = 2.0
"""The board is busy while it writes what it has recorded: 128 bytes of EEPROM take 0.44 s."""

_RETRY_S = 0.05
_SETTLE_S = 0.3  # a board without hardware sees its new world after three scans
_AGAIN = "again"


@dataclass(frozen=True, slots=True)
class Round:
    """What lies where while one recording is made. Channels of neither have nothing over them that counts."""

    dark: tuple[int, ...] = ()
    light: tuple[int, ...] = ()


@dataclass(slots=True)
class Learnt:
    """Each channel's analogue counts over nothing, a dark and a light checker, and at which they differ too little."""

    counts: dict[int, dict[CalibrationStep, int]]
    weak_at: dict[CalibrationStep, set[int]]

    @property
    def weak(self) -> set[int]:
        """Gets the channels that cannot tell all three apart."""
        return set().union(*self.weak_at.values())


def sensors(
    port: PortOption = None,
    board: BoardOption = None,
    config: TableFile = None,
) -> None:
    """Guide through an empty board, dark and light checkers; say which slots cannot tell them apart.

    The board keeps what it has learnt. With a board without hardware the checkers are laid by the program. Exit code 0:
    every slot can be relied on; 1: some cannot.

    Example: boardctl calibrate sensors --port /dev/serial/by-id/usb-1a86_USB_Serial-if00-port0
    """
    try:
        with table_board(config, port, board) as (settings, path, rig), connected_board(path) as connected:
            slots = settings.slots
            if not slots.slots:
                raise UsageError(f"{config}: names no channel under slots: (config/table.yaml shows how)")
            if connected.configure().sensor_kind is SensorKind.HALL:
                raise UsageError(f"{path}: has Hall sensors, which tell no colours; there is nothing to calibrate")
            learnt = calibrate_sensors(connected, slots, ask_person if rig is None else _said, rig)
    except KeyboardInterrupt:
        complain("stopped; the board goes by its standard bounds until this is done from the start")
        raise typer.Exit(STOPPED) from None
    for line in report_lines(learnt, slots):
        typer.echo(line)
    if learnt.weak:
        raise typer.Exit(WORK_FAILED)


def calibrate_sensors(board: SensorBoard, slots: SlotMap, ask: Ask, rig: BoardRig | None = None) -> Learnt:
    """Records every slot of ``slots`` over nothing, a dark and a light checker, and has the board keep it.

    Fifteen checkers of each colour are enough: they move on from place to place. ``rig``: whose world is set to each
    round, where there is no hardware.

    :raises LinkError: when the board goes away.
    :raises RequestRefusedError: when it cannot record or keep what it sees.
    """
    learnt = Learnt({channel: {} for channel in slots.slots}, {step: set() for step in _GROUNDS})
    _record(board, CalibrationStep.FORGET, ())
    _lay(rig, Round())
    ask("Take every checker and both dice off the board. Press Enter.")
    _learn(board, learnt, CalibrationStep.EMPTY, range(CHANNEL_COUNT))
    groups = list(_groups(slots))
    for number in range(len(groups) + 1):
        laid = Round(groups[number] if number < len(groups) else (), groups[number - 1] if number else ())
        _lay(rig, laid)
        head = f"[{number + 1} of {len(groups) + 1}]"
        answer = _AGAIN
        while answer:
            ask(f"{head} {_instruction(laid, slots)} Press Enter.")
            _learn(board, learnt, CalibrationStep.DARK, laid.dark)
            _learn(board, learnt, CalibrationStep.LIGHT, laid.light)
            unclear = sorted(learnt.weak & {*laid.dark, *laid.light})
            answer = ""
            if unclear:
                named = "; ".join(str(slots[channel]) for channel in unclear)
                answer = ask(f"{head} Too little contrast: {named}. Type r to record again, Enter to go on.")
    _record(board, CalibrationStep.STORE, ())
    return learnt


def report_lines(learnt: Learnt, slots: SlotMap) -> Iterator[str]:
    """Gets what was learnt, in words: each slot that cannot be relied on with its three counts."""
    whole = len(learnt.counts)
    if not learnt.weak:
        yield f"{whole} slots tell empty, dark and light apart; the board keeps it"
        return
    for channel in sorted(learnt.weak):
        counts = learnt.counts[channel]
        told = ", ".join(f"{step.name.lower()} {counts[step]}" for step in _GROUNDS if step in counts)
        yield f"{slots[channel]} (channel {channel}): {told}"
    yield (
        f"{len(learnt.weak)} of {whole} slots have too little contrast and are not to be relied on; "
        "look at sensor, distance and wiring (docs/hardware.md), then calibrate again"
    )


_GROUNDS = (CalibrationStep.EMPTY, CalibrationStep.DARK, CalibrationStep.LIGHT)


def _groups(slots: SlotMap) -> Iterator[tuple[int, ...]]:
    """Gets the channels in groups that the checkers of one colour are enough for: some points, then bars and trays."""
    group: list[int] = []
    for number in range(1, 25):
        if len(group) + len(slots.point(number)) > CHECKERS_OF_A_COLOUR:
            yield tuple(group)
            group = []
        group += slots.point(number)
    if group:
        yield tuple(group)
    beside = tuple(channel for channel, slot in sorted(slots.slots.items()) if slot.kind is not SlotKind.POINT)
    if beside:
        yield beside


def _instruction(laid: Round, slots: SlotMap) -> str:
    parts = []
    for colour, channels in (("dark", laid.dark), ("light", laid.light)):
        if channels:
            parts.append(f"{len(channels)} {colour} checkers on {_places(slots[channel] for channel in channels)}")
    return f"Lay {' and '.join(parts)}, one on every slot from the edge on."


def _places(there: Iterable[Slot]) -> str:
    slots = list(there)
    named = points_in_words(slot.number for slot in slots if slot.kind is SlotKind.POINT)
    named += sorted({f"{slot.kind} {slot.seat}" for slot in slots if slot.kind is not SlotKind.POINT})
    return ", ".join(named)


def _learn(board: SensorBoard, learnt: Learnt, step: CalibrationStep, channels: Sequence[int]) -> None:
    if not channels:
        return
    weak = _record(board, step, channels)
    values = board.raw()
    for channel in channels:
        if channel in learnt.counts:
            learnt.counts[channel][step] = values[channel]
    learnt.weak_at[step] -= set(channels)
    learnt.weak_at[step] |= weak & set(learnt.counts)


def _record(board: SensorBoard, step: CalibrationStep, channels: Sequence[int]) -> frozenset[int]:
    """Has the board record ``step`` for the channels, run by run, and gets those with too little contrast."""
    weak: set[int] = set()
    runs = list(_runs(channels)) or [(0, 0)]
    for first, count in runs:
        until_s = time.monotonic() + _WRITING_S
        while True:
            try:
                weak |= board.calibrate(step, first, count)
                break
            except RequestRefusedError:
                if time.monotonic() >= until_s:
                    raise
                time.sleep(_RETRY_S)
    return frozenset(weak)


def _runs(channels: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Gets channels as runs of neighbours: first and count."""
    for _, run in groupby(enumerate(sorted(channels)), lambda entry: entry[1] - entry[0]):
        members = [channel for _, channel in run]
        yield members[0], len(members)


def _lay(rig: BoardRig | None, laid: Round) -> None:
    if rig is None:
        return
    classes = dict.fromkeys(range(CHANNEL_COUNT), ChannelClass.EMPTY)
    classes |= dict.fromkeys(laid.dark, ChannelClass.DARK) | dict.fromkeys(laid.light, ChannelClass.LIGHT)
    rig.set_channels(classes)
    time.sleep(_SETTLE_S)


def _said(text: str) -> str:
    """Answers at a table without hardware, where the checkers lie already."""
    typer.echo(text.removesuffix(" Press Enter."))
    return ""
