"""``boardctl board settings``: shows what the sensor board goes by, and changes it; the board keeps it."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

import typer

from boardctl.cli.board_choice import BoardOption, PortOption, TableFile, connected_board, table_board
from boardctl.cli.reporting import UsageError
from firmware_bridge.protocol import Config, SensorKind

_MOST_BRIGHTNESS, _MOST_COUNTS = 255, 1023
"""What a light and the converter give at most."""

_MEANS = {
    "sensor_kind": "what lies under the points",
    "debounce_scans": "equal scans that make a change",
    "empty_below": "counts above the bare point, below which there is no checker",
    "light_from": "counts above the bare point, from which on a checker is a light one",
    "hysteresis": "counts by which a bound must be passed to leave a class",
    "brightness": "of the lights, 255 the most",
    "current_budget_ma": "mA that the lights may draw together",
    "state_period_ms": "ms between two whole states that the board tells unasked",
    "host_lost_ms": "ms without a word from the host until the lights say so",
    "scan_period_ms": "ms for one look at all channels",
}


def settings(
    port: PortOption = None,
    board: BoardOption = None,
    config: TableFile = None,
    change: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="What to change, such as sensor_kind=hall; may be repeated."),
    ] = None,
    standard: Annotated[bool, typer.Option("--standard", help="Begin with the standard settings.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what the sensor board goes by: kind of sensors, bounds, brightness, current, times. --set changes it.

    The board keeps it without power. Bounds count only until the board is calibrated (calibrate sensors).

    Example: boardctl board settings --port /dev/ttyUSB0 --set current_budget_ma=1500
    """
    wanted = _wanted(change or [])
    with table_board(config, port, board) as (_, path, _), connected_board(path) as connected:
        in_use = connected.configure()
        if standard or wanted:
            in_use = connected.configure(_changed(Config() if standard else in_use, wanted))
    plain = {name: value for name, value in asdict(in_use).items() if name in _MEANS}
    plain["sensor_kind"] = in_use.sensor_kind.name.lower()
    if as_json:
        typer.echo(json.dumps(plain))
        return
    for name, value in plain.items():
        typer.echo(f"{name:<18} {value!s:>11}  {_MEANS[name]}")


def _changed(base: Config, wanted: Mapping[str, int | SensorKind]) -> Config:
    """Gets settings with some exchanged.

    :raises UsageError: when no checker could be told by the bounds.
    """
    values: dict[str, Any] = {name: getattr(base, name) for name in _MEANS}
    changed = Config(**values | dict(wanted))
    if changed.sensor_kind is SensorKind.REFLECTANCE and changed.light_from <= changed.empty_below:
        raise UsageError(
            f"light_from ({changed.light_from}) must be over empty_below ({changed.empty_below}): "
            "between them lie dark checkers"
        )
    return changed


def _wanted(changes: list[str]) -> dict[str, int | SensorKind]:
    """Gets the settings to change by name.

    :raises UsageError: for a name that there is not, and for a value that the board does not take.
    """
    wanted: dict[str, int | SensorKind] = {}
    for change in changes:
        name, given, value = change.partition("=")
        if name not in _MEANS or not given:
            raise UsageError(f"--set {change}: give NAME=VALUE; the names are {', '.join(_MEANS)}")
        wanted[name] = _kind(change, value) if name == "sensor_kind" else _number(change, name, value)
    return wanted


def _kind(change: str, value: str) -> SensorKind:
    kinds = {kind.name.lower(): kind for kind in SensorKind}
    if value not in kinds:
        raise UsageError(f"--set {change}: the kinds of sensors are {' and '.join(kinds)}")
    return kinds[value]


def _number(change: str, name: str, value: str) -> int:
    least, most = Config.LIMITS.get(name, (0, _MOST_BRIGHTNESS if name == "brightness" else _MOST_COUNTS))
    if not value.isdecimal() or not least <= int(value) <= most:
        raise UsageError(f"--set {change}: {name} is a whole number from {least} to {most}")
    return int(value)
