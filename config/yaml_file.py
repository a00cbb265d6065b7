"""Reads a YAML file into a typed model; errors name the file, the line, the key and the value."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)
KeyPath = tuple[str | int, ...]


class SettingsError(ValueError):
    """A settings file that cannot be used; the message says where and what to do next."""


def read_yaml_model(path: Path, model: type[Model]) -> Model:
    """Gets the settings that a YAML file holds.

    :raises SettingsError: when the file cannot be read, is no YAML, or does not fit the model. Every fault is listed,
        each with its line, key and value.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SettingsError(f"{path}: no such file; check the path") from None
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: cannot be read: it is no text") from error
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from error
    return parse_yaml_model(text, model, str(path))


def parse_yaml_model(text: str, model: type[Model], name: str) -> Model:
    """Gets the settings that a YAML text holds; ``name`` stands for the file in errors.

    :raises SettingsError: as :func:`read_yaml_model` does.
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        values = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise SettingsError(f"{name}:{line}: not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise SettingsError(f"{name}: not YAML: {' '.join(str(error).split())}") from error
    if twice := next(_double_keys(root), None):
        key, line = twice
        raise SettingsError(f"{name}:{line}: {key} stands twice; keep one of them")
    if not isinstance(values, dict | None):
        raise SettingsError(f"{name}:1: holds no settings; each line is a key, a colon and what it is set to")
    try:
        return model.model_validate({} if values is None else values)
    except ValidationError as error:
        raise SettingsError("\n".join(_describe(fault, root, name) for fault in error.errors())) from error


def _double_keys(node: yaml.Node | None) -> Iterator[tuple[str, int]]:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                yield key.value, key.start_mark.line + 1
            seen.add(key.value)
            yield from _double_keys(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _double_keys(item)


def _describe(fault: object, root: yaml.Node | None, name: str) -> str:
    assert isinstance(fault, dict)
    path: KeyPath = tuple(fault["loc"])
    key = ".".join(str(part) for part in path) or "the file"
    line = _line_of(root, path)
    if fault["type"] == "extra_forbidden":
        return f"{name}:{line}: {key}: unknown key; remove it or correct its name"
    if fault["type"] == "missing":
        return f"{name}:{line}: {key}: missing; add it"
    message = str(fault["msg"]).removeprefix("Value error, ")
    # A check of a whole section says itself what is wrong; quoting the section would bury it.
    whole = fault["type"] == "value_error" and isinstance(fault["input"], dict | list)
    quoted = "" if whole else f", not {fault['input']!r}"
    return f"{name}:{line}: {key}: {message}{quoted}"


def _line_of(node: yaml.Node | None, path: KeyPath) -> int:
    """Gets the line where the deepest part of ``path`` that exists in the file stands, from 1."""
    if node is None:
        return 1
    line = int(node.start_mark.line) + 1
    for part in path:
        if isinstance(node, yaml.MappingNode):
            entry = next(((key, value) for key, value in node.value if key.value == str(part)), None)
            if entry is None:
                break
            line, node = int(entry[0].start_mark.line) + 1, entry[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = int(node.start_mark.line) + 1
        else:
            break
    return line
