"""``boardctl firmware``: builds the sensor board's firmware and puts it on the board."""

import shutil
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from boardctl.cli.board_choice import BoardKind, connected_board
from boardctl.cli.reporting import UsageError, writing
from firmware_bridge.emulated import EmulatedBoard
from firmware_bridge.flashing import LOADER_BAUD, OLD_LOADER_BAUD, flash
from firmware_bridge.toolchain import BuiltFirmware, built_firmware

app = typer.Typer(no_args_is_help=True, help="Build the sensor board's firmware, and put it on the board.")


class Chain(StrEnum):
    """The LED chains that the firmware can be built for."""

    WS2812 = "ws2812"
    APA102 = "apa102"


_CHAIN_HELP = "The LED chain: ws2812 (one data line) or apa102 (data and clock; SK9822 too)."


@app.callback()
def firmware() -> None:
    """Build the sensor board's firmware, and put it on the board."""


@app.command("build")
def build_command(
    leds: Annotated[Chain, typer.Option(help=_CHAIN_HELP)] = Chain.WS2812,
    out: Annotated[Path | None, typer.Option(help="Where to write the .hex as well.")] = None,
) -> None:
    """Compile the firmware for an ATmega328P at 16 MHz; say what it takes of flash and RAM.

    Example: boardctl firmware build --out sensor_board.hex
    """
    built = _built(leds)
    target = built.hex
    if out is not None:
        with writing(out):
            target = Path(shutil.copyfile(built.hex, out))
    typer.echo(built.sizes)
    typer.echo(f"written: {target}")


@app.command("flash")
def flash_command(
    port: Annotated[str | None, typer.Option(help="Serial port of the sensor board (ls /dev/serial/by-id).")] = None,
    leds: Annotated[Chain, typer.Option(help=_CHAIN_HELP)] = Chain.WS2812,
    hex_file: Annotated[
        Path | None, typer.Option("--hex", help="A firmware that is built already; left out, it is built now.")
    ] = None,
    loader_baud: Annotated[
        int, typer.Option(help=f"Speed of the boot loader: {LOADER_BAUD}, or {OLD_LOADER_BAUD} before 2018.")
    ] = LOADER_BAUD,
    board: Annotated[
        BoardKind | None, typer.Option(help="emulated: run the firmware on an emulated ATmega328P instead.")
    ] = None,
) -> None:
    """Build the firmware, write it to the board through its boot loader, and ask the board who it is.

    Example: boardctl firmware flash --port /dev/serial/by-id/usb-1a86_USB_Serial-if00-port0
    """
    if board is BoardKind.STANDIN:
        raise UsageError("the stand-in runs no firmware; give --port PORT, or --board emulated")
    if (port is None) == (board is None):
        raise UsageError("give --port PORT (ls /dev/serial/by-id), or --board emulated to try the firmware without one")
    if hex_file is not None and not hex_file.is_file():
        raise UsageError(f"{hex_file}: no such file; leave --hex out to build the firmware")
    if port is None:
        if hex_file is not None:
            raise UsageError("the emulated board runs what is built here; leave --hex out")
        built = _built(leds)
        with EmulatedBoard(firmware=built.elf, leds=leds.value) as emulated:
            _greet(emulated.path)
        return
    image = hex_file or _built(leds).hex
    with Console(stderr=True).status(f"writing {image.name} to {port} ..."):
        flash(port, image, loader_baud)
    typer.echo(f"written to {port}")
    _greet(port)


def _built(leds: Chain) -> BuiltFirmware:
    with Console(stderr=True).status("compiling ..."):
        return built_firmware(leds.value)


def _greet(port: str) -> None:
    with connected_board(port) as board:
        ident = board.ident
    assert ident is not None
    version = ".".join(map(str, ident.firmware_version))
    spoken = f"protocol {ident.major}.{ident.minor}"
    typer.echo(
        f"board {ident.board_id} answers: firmware {version}, {spoken}, "
        f"{ident.channel_count} channels, {ident.led_count} lights"
    )
