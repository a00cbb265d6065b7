"""``boardctl ruleset``: the families of rules there are, what each says, and where two of them differ."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from boardctl.referee import Ruleset, read_ruleset, ruleset_names
from config import read_yaml_model

app = typer.Typer(help="Shows, checks and compares rulesets.", no_args_is_help=True)

_NAME = typer.Argument(help="A preset's name, or the path of a .yaml file.", show_default=False)
_JSON = typer.Option("--json", help="One JSON object instead of words.")
_ABOUT = ("id", "title", "version", "sources", "verified")
"""What says where a ruleset comes from; everything else is an option that rules."""
_SECTIONS = ("clock", "aids")


@app.command("list", epilog="Example: boardctl ruleset list")
def list_presets(as_json: Annotated[bool, _JSON] = False) -> None:
    """List the presets, one a line, with what they are after and whether anybody has checked them."""
    presets = [read_ruleset(name) for name in ruleset_names()]
    if as_json:
        lines = [{**preset.model_dump(mode="json", include=set(_ABOUT)), "digest": preset.digest} for preset in presets]
        typer.echo(json.dumps(lines, ensure_ascii=False))
        return
    width = max(len(preset.id) for preset in presets)
    for preset in presets:
        typer.echo(f"{preset.id:<{width}}  {preset.title} (version {preset.version}, {_checked(preset)})")


@app.command(epilog="Example: boardctl ruleset show usbgf-like")
def show(ruleset: Annotated[str, _NAME], as_json: Annotated[bool, _JSON] = False) -> None:
    """Show every option in force, its sources, and the hash that stands in the record of a game played by it."""
    shown = read_ruleset(ruleset)
    if as_json:
        typer.echo(json.dumps({**shown.model_dump(mode="json"), "digest": shown.digest}, ensure_ascii=False))
        return
    typer.echo(f"{shown.id}: {shown.title} (version {shown.version}, {_checked(shown)})")
    for source in shown.sources:
        typer.echo(f"  after {source}")
    options = dict(_options(shown))
    width = max(map(len, options))
    for key, value in options.items():
        typer.echo(f"{key:<{width}}  {value}")
    typer.echo(f"{'hash':<{width}}  {shown.digest}")


@app.command(epilog="Example: boardctl ruleset check club.yaml")
def check(files: Annotated[list[Path], typer.Argument(help="Rulesets to be checked.", show_default=False)]) -> None:
    """Check rulesets of your own. Exit code 2 with file, line and key for the first that cannot be used."""
    for file in files:
        checked = read_yaml_model(file, Ruleset)
        typer.echo(f"{file}: in order: {checked.id}, version {checked.version}, hash {checked.digest}")


@app.command(epilog="Example: boardctl ruleset diff house-seed usbgf-like")
def diff(
    one: Annotated[str, _NAME],
    other: Annotated[str, _NAME],
    as_json: Annotated[bool, _JSON] = False,
) -> None:
    """Show the options in which two rulesets differ, one a line; nothing where they rule alike."""
    first, second = read_ruleset(one), read_ruleset(other)
    here, there = dict(_options(first)), dict(_options(second))
    keys = [key for key in (*here, *(key for key in there if key not in here)) if here.get(key) != there.get(key)]
    if as_json:
        typer.echo(json.dumps({key: [here.get(key), there.get(key)] for key in keys}, ensure_ascii=False))
        return
    if not keys:
        typer.echo(f"{first.id} and {second.id} rule alike")
        return
    width = max(map(len, keys))
    middle = max(len(first.id), *(len(here.get(key, "-")) for key in keys))
    typer.echo(f"{'':<{width}}  {first.id:<{middle}}  {second.id}")
    for key in keys:
        typer.echo(f"{key:<{width}}  {here.get(key, '-'):<{middle}}  {there.get(key, '-')}")


def _checked(ruleset: Ruleset) -> str:
    return "checked against its sources" if ruleset.verified else "checked by nobody"


def _options(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Gets every option that rules with its value in words; options of a section as ``section.key``."""
    for key, value in ruleset.model_dump(mode="json").items():
        if key in _SECTIONS:
            yield from ((f"{key}.{inner}", _in_words(part)) for inner, part in value.items())
        elif key not in _ABOUT:
            yield key, _in_words(value)


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_words(part)}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(map(_in_words, value)) or "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
