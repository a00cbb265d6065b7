from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from config import SettingsError, parse_yaml_model, read_yaml_model


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")
    settle_ms: int = 300


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    title: str
    camera: Inner = Inner()
    ports: list[int] = []


def test_values_and_defaults_arrive() -> None:
    settings = parse_yaml_model("title: club\ncamera:\n  settle_ms: 250\n", Outer, "table.yaml")
    assert settings == Outer(title="club", camera=Inner(settle_ms=250))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "title: a\ncamera:\n  setle_ms: 1\n",
            "table.yaml:3: camera.setle_ms: unknown key; remove it or correct its name",
        ),
        ("title: a\nports: [1, x]\n", "table.yaml:2: ports.1: Input should be a valid integer"),
        ("camera: {}\n", "table.yaml:1: title: missing; add it"),
        ("title: a\ntitle: b\n", "table.yaml:2: title stands twice"),
        ("title: [a\n", "table.yaml:2: not YAML"),
        ("- 1\n", "table.yaml:1: the file: Input should be"),
    ],
)
def test_every_fault_names_file_line_and_key(text: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_yaml_model(text, Outer, "table.yaml")
    assert str(caught.value).startswith(message)


def test_all_faults_are_listed_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        parse_yaml_model("title: a\nx: 1\ny: 2\n", Outer, "t.yaml")
    assert str(caught.value).count("unknown key") == 2


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no such file"):
        read_yaml_model(tmp_path / "none.yaml", Outer)
