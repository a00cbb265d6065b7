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
        ("- 1\n", "table.yaml:1: holds no settings; each line is a key"),
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


@pytest.mark.parametrize("text", ["a sentence\n", "7\n"])
def test_a_file_without_keys_is_refused_in_words(text: str) -> None:
    with pytest.raises(SettingsError, match=r"^table.yaml:1: holds no settings; each line is a key, a colon"):
        parse_yaml_model(text, Outer, "table.yaml")


def test_a_file_that_is_no_text_and_a_folder_are_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "picture.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(SettingsError, match=r"picture.jpg: cannot be read: it is no text$"):
        read_yaml_model(tmp_path / "picture.jpg", Outer)
    with pytest.raises(SettingsError, match=r"cannot be read: Is a directory$"):
        read_yaml_model(tmp_path, Outer)


def test_signs_that_no_text_has_are_told_in_one_line() -> None:
    with pytest.raises(SettingsError, match=r"^table.yaml: not YAML: .*special characters are not allowed") as refused:
        parse_yaml_model("title: \x00\n", Outer, "table.yaml")
    assert "\n" not in str(refused.value)
