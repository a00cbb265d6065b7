"""``boardctl board``: looks at the sensor board itself."""

import json
import math
import queue
import time
from collections import deque
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from boardctl.cli.board_choice import BoardOption, PortOption, TableFile, connected_board, table_board
from boardctl.cli.board_drawing import channel_lines, class_cells, frame_line, frame_values, raw_cells, report_line
from boardctl.cli.board_settings import settings
from boardctl.cli.reporting import STOPPED, complain
from firmware_bridge import BoardReport, ChannelClass, SensorBoard, SlotMap
from firmware_bridge.errors import BridgeError
from firmware_bridge.ports import open_port
from firmware_bridge.protocol import Raw, RawRequest
from firmware_bridge.rig import BoardRig
from firmware_bridge.wiretap import Heard, Wiretap

app = typer.Typer(no_args_is_help=True, help="Look at the sensor board itself.")
app.command()(settings)

_LOOKS_PER_S = 8
_RAW_EVERY_S = 0.5
"""128 values take 25 ms of the line, which leaves events their room."""

_FRAMES_SHOWN = 12
_STIR_EVERY_S = 1.0


class Values(StrEnum):
    """What the table of channels shows."""

    CLASSES = "classes"
    RAW = "raw"


@app.callback()
def board() -> None:
    """Look at the sensor board itself."""


@app.command()
def monitor(
    port: PortOption = None,
    board: BoardOption = None,
    config: TableFile = None,
    show: Annotated[
        Values, typer.Option(help="What the channels see: classes, or raw, the analogue counts (light on minus off).")
    ] = Values.CLASSES,
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after so long; left out: until Ctrl-C.")] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Only a line a frame, no table; so it is anyway when nobody looks.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a frame.")] = False,
) -> None:
    """Show every frame on the wire by its name, and what the 128 channels see.

    Ctrl-C ends it.

    Example: boardctl board monitor --port /dev/serial/by-id/usb-1a86_USB_Serial-if00-port0
    """
    console = Console(highlight=False)
    heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
    try:
        with (
            table_board(config, port, board) as (settings, path, rig),
            connected_board(path, lambda name: Wiretap(open_port(name), heard.put)) as connected,
        ):
            watched = _Watched(connected, settings.slots, rig, heard, seconds)
            if as_json or lines or not console.is_terminal:
                _print_frames(watched, as_json)
            else:
                _draw(console, watched, show)
    except KeyboardInterrupt:
        complain("stopped")
        raise typer.Exit(STOPPED) from None


class _Watched:
    """A board that is looked at: what it says, and checkers that come and go where there is no hardware."""

    def __init__(
        self,
        board: SensorBoard,
        slots: SlotMap,
        rig: BoardRig | None,
        heard: queue.SimpleQueue[Heard],
        seconds: float | None,
    ) -> None:
        self.board = board
        self.slots = slots
        self._rig = rig
        self._heard = heard
        self._until_s = math.inf if seconds is None else time.monotonic() + seconds
        self._stir_s = time.monotonic() + _STIR_EVERY_S
        self._stirred = 0

    def happened(self, wait_s: float) -> Iterator[Heard | BoardReport]:
        """Gets what has come since the last call; waits up to ``wait_s`` for the first frame."""
        self._stir()
        try:
            yield self._heard.get(timeout=wait_s)
            while True:
                yield self._heard.get_nowait()
        except queue.Empty:
            yield from self.board.reports()

    @property
    def over(self) -> bool:
        """Gets whether the time that was asked for has passed."""
        return time.monotonic() >= self._until_s

    def _stir(self) -> None:
        """Puts and lifts a checker now and then on a board without hardware, where nothing else would happen."""
        firsts = [points[0] for number in range(1, 25) if (points := self.slots.point(number))]
        if self._rig is None or not firsts or time.monotonic() < self._stir_s:
            return
        self._stir_s = time.monotonic() + _STIR_EVERY_S
        channel = firsts[self._stirred // 2 % len(firsts)]
        colour = ChannelClass.LIGHT if self._stirred // 2 % 2 else ChannelClass.DARK
        self._rig.set_channels({channel: ChannelClass.EMPTY if self._stirred % 2 else colour})
        self._stirred += 1


def _print_frames(watched: _Watched, as_json: bool) -> None:
    while not watched.over:
        for entry in watched.happened(1 / _LOOKS_PER_S):
            if not as_json:
                typer.echo(_line(entry, watched.slots))
            else:
                values = frame_values(entry) if isinstance(entry, Heard) else {"link": report_line(entry)[3:]}
                typer.echo(json.dumps(values))


def _draw(console: Console, watched: _Watched, show: Values) -> None:
    last: deque[str] = deque(maxlen=_FRAMES_SHOWN)
    with Live(console=console, auto_refresh=False, screen=False) as live:
        raw: tuple[int, ...] | None = None
        raw_due_s = 0.0
        while not watched.over:
            for entry in watched.happened(1 / _LOOKS_PER_S):
                if raw is None or not _asks_raw(entry):
                    last.append(_line(entry, watched.slots))
            if show is Values.RAW and time.monotonic() >= raw_due_s and watched.board.connected:
                raw_due_s = time.monotonic() + _RAW_EVERY_S
                raw = _raw(watched.board)
            live.update(_picture(console, watched, raw, last), refresh=True)


def _asks_raw(entry: Heard | BoardReport) -> bool:
    """Gets whether this is a frame of the monitor's own asking, which would push all others off the screen."""
    return isinstance(entry, Heard) and isinstance(entry.what, Raw | RawRequest)


def _raw(board: SensorBoard) -> tuple[int, ...] | None:
    try:
        return board.raw()
    except BridgeError:
        return None  # the link has just gone down, which its report says


def _picture(console: Console, watched: _Watched, raw: tuple[int, ...] | None, last: Iterable[str]) -> Group:
    board = watched.board
    classes = board.snapshot()
    if raw is None:
        rows = channel_lines(class_cells(classes, console.encoding), watched.slots, 4)
    else:
        rows = channel_lines(raw_cells(raw, classes), watched.slots, 6)
    head = Text(f"{board.path}: {'connected' if board.connected else board.error or 'not connected'}", "bold")
    frames = [Text(line, overflow="ellipsis", no_wrap=True) for line in last]
    return Group(head, Text(), *rows, Text(), *frames)


def _line(entry: Heard | BoardReport, slots: SlotMap) -> str:
    return frame_line(entry, slots) if isinstance(entry, Heard) else report_line(entry)
