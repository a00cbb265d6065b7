"""``boardctl calibrate panel``: has each button pressed once, and lights each lamp."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from boardctl.cli.board_choice import BOARD_HELP, PORT_HELP, BoardKind, chosen_rig, connected_board
from boardctl.cli.guided.questions import Ask, agreed, ask_person
from boardctl.cli.reporting import STOPPED, WORK_FAILED, UsageError, complain
from boardctl.devices.panel import GpioPanel, PanelError, PanelSettings
from boardctl.devices.settings import read_device_settings
from boardctl.referee.facts import Role
from boardctl.rules import Seat
from firmware_bridge import ButtonEvent, SensorBoard
from firmware_bridge.rig import BoardRig

_LOOK_EVERY_S = 0.05
_BUZZ_MS = 200
_HOLD_S = 0.1  # longer than three scans of the buttons
_WHO = {Role.A: "seat A", Role.B: "seat B", Role.DIRECTOR: "the director"}
_BUTTONS = {0: "seat A", 1: "seat B"}
"""The two buttons on the sensor board, by number."""


@dataclass(frozen=True, slots=True)
class Button:
    """One button: whose it is as people say it, and how the device names it."""

    called: str
    name: object


def panel(
    config: Annotated[Path | None, typer.Option(help="The table's devices, with the panel's pins (YAML).")] = None,
    port: Annotated[str | None, typer.Option(help=f"{PORT_HELP} Its two buttons are tried too.")] = None,
    board: Annotated[BoardKind | None, typer.Option(help=BOARD_HELP)] = None,
    wait_s: Annotated[float, typer.Option(min=0.1, help="How long to wait for each press.")] = 20.0,
) -> None:
    """Ask for each button in turn and say which one came; light each lamp and sound the buzzer, and ask.

    A board without hardware has its buttons pressed by the program. Exit code 0: all are right; 1: some are not.

    Example: boardctl calibrate panel --config mytable.yaml
    """
    if config is None and port is None and board is None:
        raise UsageError("name what to try: --config FILE with the panel's pins, --port PORT for the sensor board's")
    pins = None if config is None else read_device_settings(config).panel
    if config is not None and pins is None:
        raise UsageError(f"{config}: names no panel; give its pins under panel: (config/table.yaml shows how)")
    wrong: list[str] = []
    try:
        if pins is not None:
            with GpioPanel(pins, lambda: round(time.monotonic() * 1000)) as opened:
                wrong += try_buttons(panel_buttons(pins), _pressed_on(opened), wait_s, typer.echo)
                wrong += _try_outputs(opened, pins, ask_person)
        if port is not None or board is not None:
            with ExitStack() as stack:
                path, rig = stack.enter_context(chosen_rig(port, board))
                connected = stack.enter_context(connected_board(path))
                buttons = [Button(f"{called} on the sensor board", number) for number, called in _BUTTONS.items()]
                wrong += try_buttons(buttons, _pressed_at(connected), wait_s, _hands(rig))
    except PanelError as error:
        complain(str(error))
        raise typer.Exit(WORK_FAILED) from None
    except KeyboardInterrupt:
        complain("stopped before the last button")
        raise typer.Exit(STOPPED) from None
    for line in wrong:
        typer.echo(line)
    if wrong:
        raise typer.Exit(WORK_FAILED)
    typer.echo("every button, lamp and buzzer that was tried is right")


def panel_buttons(pins: PanelSettings) -> list[Button]:
    """Gets the buttons of a panel in the order in which they are tried."""
    buttons = [Button(_WHO[Role(seat.value)], Role(seat.value)) for seat in sorted(pins.buttons)]
    if pins.lever is not None:
        buttons = [Button(f"{_WHO[role]} (the lever)", role) for role in (Role.A, Role.B)]
    if pins.director is not None:
        buttons.append(Button(_WHO[Role.DIRECTOR], Role.DIRECTOR))
    return buttons


def try_buttons(
    buttons: Sequence[Button],
    pressed: Callable[[], Sequence[object]],
    wait_s: float,
    say: Callable[[str], None],
) -> list[str]:
    """Asks for each button and waits for its press; gets what was wrong.

    ``pressed`` gets the names of the buttons pressed since it was last called.
    """
    called = {button.name: button.called for button in buttons}
    wrong = []
    for button in buttons:
        pressed()  # what was pressed before it was asked for
        say(f"Press the button of {button.called}.")
        until_s = time.monotonic() + wait_s
        found: Sequence[object] = ()
        while not found and time.monotonic() < until_s:
            time.sleep(_LOOK_EVERY_S)
            found = pressed()
        if not found:
            wrong.append(f"{button.called}: no press came within {wait_s:g} s; check wiring and pin")
        elif set(found) != {button.name}:
            others = ", ".join(called.get(name, str(name)) for name in found if name != button.name)
            wrong.append(f"{button.called}: the press came as that of {others}; exchange the wires or the pins")
    return wrong


def _pressed_on(panel: GpioPanel) -> Callable[[], list[object]]:
    return lambda: [press.by for press in panel.presses()]


def _pressed_at(board: SensorBoard) -> Callable[[], list[object]]:
    return lambda: [event.button for event in board.events() if isinstance(event, ButtonEvent) and event.down]


def _try_outputs(panel: GpioPanel, pins: PanelSettings, ask: Ask) -> Iterator[str]:
    for seat in sorted(pins.lamps):
        for one in Seat.A, Seat.B:
            panel.light(one, one is seat)
        if not agreed(ask, f"The lamp of seat {seat} is lit, and no other?"):
            yield f"lamp of seat {seat}: not as it should be; check pin {pins.lamps[seat]} and the lamp's direction"
        panel.light(seat, False)
    if pins.buzzer is not None:
        panel.buzz(_BUZZ_MS)
        if not agreed(ask, "Did the buzzer sound?"):
            yield f"buzzer: not heard; check pin {pins.buzzer}"


def _hands(rig: BoardRig | None) -> Callable[[str], None]:
    """Gets how the buttons are asked for; where there is no hardware, they are pressed as well."""

    def asked(text: str) -> None:
        typer.echo(text)
        if rig is not None:
            number = next(number for number, called in _BUTTONS.items() if called in text)
            rig.press_button(number)
            time.sleep(_HOLD_S)
            rig.release_button(number)

    return asked
