"""Facts and effects as JSON. Facts come back equal; effects are written for people and programs to read."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from boardctl.referee.effects import Effect
from boardctl.referee.facts import Fact
from boardctl.rules import Place, Placement

_FACT: TypeAdapter[Fact] = TypeAdapter(Annotated[Fact, Field(discriminator="kind")])


class EncodingError(ValueError):
    """A stored fact that cannot be understood."""


def fact_to_json(fact: Fact) -> str:
    """Gets a fact as one line of JSON."""
    return _FACT.dump_json(fact).decode()


def fact_from_json(text: str) -> Fact:
    """Gets the fact that :func:`fact_to_json` wrote.

    :raises EncodingError: for anything else.
    """
    try:
        return _FACT.validate_json(text)
    except ValidationError as error:
        fault = error.errors()[0]
        if fault["type"] == "union_tag_invalid":
            kind = fault["ctx"]["tag"]
            raise EncodingError(
                f"a fact of the kind {kind!r}, which this boardctl does not know: a newer one wrote it; "
                "update boardctl. The journal is left as it is"
            ) from error
        raise EncodingError(f"no fact: {fault['msg']}: {text[:200]}") from error


def effect_to_plain(effect: Effect) -> dict[str, Any]:
    """Gets an effect as values that JSON knows; places are written in words, stacks as letters bottom first."""
    plain = _plain(effect)
    assert isinstance(plain, dict)
    return plain


def _plain(value: object) -> Any:
    if isinstance(value, Place):
        return str(value)
    if isinstance(value, Placement):
        return {str(place): "".join(value.at(place)) for place in sorted(value, key=str)}
    if is_dataclass(value) and not isinstance(value, type):
        return {entry.name: _plain(getattr(value, entry.name)) for entry in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(_plain(key)): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(entry) for entry in value]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    raise TypeError(f"{type(value).__name__} cannot be written to the record")
