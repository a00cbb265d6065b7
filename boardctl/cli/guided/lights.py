"""``boardctl calibrate lights``: walks the chain of LEDs and asks whether each is where it should be."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated

import typer

from boardctl.cli.board_choice import BoardOption, PortOption, TableFile, connected_board, table_board
from boardctl.cli.guided.questions import agreed, ask_person
from boardctl.cli.reporting import STOPPED, WORK_FAILED, complain
from firmware_bridge import LED_COUNT, ChainLayout, LedFrame, Light, SensorBoard
from firmware_bridge.rig import BoardRig

LEVEL = 60  # of 255: bright enough by daylight, and all 60 in one colour stay far below the current budget
_COLOURS = {"red": Light(LEVEL, 0, 0), "green": Light(0, LEVEL, 0), "blue": Light(0, 0, LEVEL)}
_WALKER = Light(LEVEL, LEVEL, LEVEL)
_LIT_WITHIN_S = 2.0


def lights(
    port: PortOption = None,
    board: BoardOption = None,
    config: TableFile = None,
    step_s: Annotated[
        float | None, typer.Option(min=0.05, max=60, help="Walk on by itself after so many seconds; ask nothing.")
    ] = None,
) -> None:
    """Light the whole chain in each colour, then one LED after the other, and ask whether it is where it should be.

    Enter means yes, n means no. A board without hardware is looked at by the program. Exit code 0: all are right; 1:
    some are not, or the walk was not finished.

    Example: boardctl calibrate lights --port /dev/serial/by-id/usb-1a86_USB_Serial-if00-port0
    """
    try:
        with table_board(config, port, board) as (settings, path, rig), connected_board(path) as connected:
            seen_by = _asked if rig is None else _looking(rig)
            wrong = walk_lights(connected, settings.lights, seen_by if step_s is None else _walking(step_s))
            connected.show(LedFrame())
    except KeyboardInterrupt:
        complain("stopped before the end of the chain")
        raise typer.Exit(STOPPED) from None
    if step_s is not None:
        typer.echo(f"{LED_COUNT} LEDs were lit one after the other")
        return
    for line in wrong:
        typer.echo(line)
    if wrong:
        typer.echo(
            "a colour that is another means a chain for other data (boardctl firmware build --leds); an LED that stays "
            "dark ends or splits the chain; one elsewhere is wired in another order than docs/hardware.md says: put it "
            "right, or name the order under lights: in the table's file and give that with --config"
        )
        raise typer.Exit(WORK_FAILED)
    typer.echo(f"{LED_COUNT} LEDs are where they should be, in red, green and blue")


@dataclass(frozen=True, slots=True)
class Look:
    """What is lit, and what must then be seen."""

    frame: LedFrame
    seen: str


def walk_lights(board: SensorBoard, layout: ChainLayout, right: Callable[[Look], bool]) -> list[str]:
    """Lights the chain in each colour and then each LED alone; gets what was not seen as it should be.

    :raises LinkError: when the board goes away.
    """
    wrong = []
    for look in _looks(layout):
        if board.error is not None:
            raise board.error
        board.show(look.frame)
        if not right(look):
            wrong.append(f"not so: {look.seen}")
    return wrong


def _looks(layout: ChainLayout) -> Iterator[Look]:
    for name, light in _COLOURS.items():
        yield Look(LedFrame((light,) * LED_COUNT), f"all {LED_COUNT} LEDs are {name}")
    for led, place in _places(layout):
        yield Look(LedFrame.of({led: _WALKER}), f"LED {led} is at {place}")


def _places(layout: ChainLayout) -> Iterator[tuple[int, str]]:
    """Gets every LED of the chain in its order, with its place."""
    named = {}
    for point in range(1, 25):
        named[layout.base(point)] = f"point {point}, base"
        named[layout.tip(point)] = f"point {point}, tip"
    for name, seats in (("bar", layout.bar), ("tray", layout.trays), ("dice zone", layout.dice)):
        for seat, leds in seats.items():
            for number, led in enumerate(leds, 1):
                named[led] = f"{name} {seat}, {number}"
    yield from sorted(named.items())


def _asked(look: Look) -> bool:
    return agreed(ask_person, f"{look.seen}?")


def _walking(step_s: float) -> Callable[[Look], bool]:
    def shown(look: Look) -> bool:
        typer.echo(look.seen)
        time.sleep(step_s)
        return True

    return shown


def _looking(rig: BoardRig) -> Callable[[Look], bool]:
    """Gets the answers of a table without hardware: what is lit there is compared with what should be."""

    def looked(look: Look) -> bool:
        until_s = time.monotonic() + _LIT_WITHIN_S
        while rig.colours != look.frame.lit_at(0):
            if time.monotonic() >= until_s:
                return False
            time.sleep(0.002)
        return True

    return looked
