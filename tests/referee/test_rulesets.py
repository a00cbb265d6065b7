"""Rulesets and texts as data: what is written is whole, and what is wrong is refused with its place."""

import ast
from pathlib import Path

import pytest

import boardctl.cli
import boardctl.coach
import boardctl.lights
import boardctl.referee
import boardctl.table
from boardctl.referee import Ruleset, read_catalogue, read_ruleset, render, ruleset_names
from boardctl.referee.effects import Text
from boardctl.referee.texts import ARGUMENTS
from config import CONFIG_DIRECTORY, SettingsError

ROOMS = [
    Path(room.__file__).parent
    for room in (boardctl.referee, boardctl.coach, boardctl.lights, boardctl.table, boardctl.cli)
]
HOUSE = (CONFIG_DIRECTORY / "rulesets" / "house-seed.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ruleset_names())
def test_every_preset_is_whole_and_named_as_its_file(name: str) -> None:
    ruleset = read_ruleset(name)
    assert ruleset.id == name
    assert ruleset.sources


def test_the_presets_of_the_first_games_are_there() -> None:
    assert {"house-seed", "casual", "teaching"} <= set(ruleset_names())


def test_the_digest_tells_every_option_apart() -> None:
    house = read_ruleset("house-seed")
    assert house.digest == read_ruleset("house-seed").digest
    assert house.digest != house.model_copy(update={"die_on_checker": "valid"}).digest


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    with pytest.raises(SettingsError, match=r"no ruleset 'tournament'; choose one of .*house-seed"):
        read_ruleset("tournament")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("turn_end: dice_lift_both", "turn_end: sunset"), r"house.yaml:\d+: turn_end: .*sunset"),
        (("premature_roll: void", "prematur_roll: void"), r"house.yaml:\d+: prematur_roll: unknown key"),
        (("announce: monitor", "announce: director_only"), None),
        (("turn_end: dice_lift_both", "turn_end: clock"), "there is no clock"),
        (("illegal_play: accept_or_require", "illegal_play: must_correct"), "window_waived_if"),
        (("pip_count: false", "pip_count: 7"), r"house.yaml:\d+: aids.pip_count"),
        (("non_condonable: []", "non_condonable: [rudeness]"), r"house.yaml:\d+: non_condonable"),
    ],
)
def test_options_that_cannot_be_are_refused_with_file_line_and_key(
    tmp_path: Path, change: tuple[str, str], message: str | None
) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(HOUSE.replace(*change), encoding="utf-8")
    if message is None:
        assert isinstance(read_ruleset(str(path)), Ruleset)
        return
    with pytest.raises(SettingsError, match=message):
        read_ruleset(str(path))


def test_aids_are_refused_where_only_the_director_may_be_told(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    told = HOUSE.replace("announce: monitor", "announce: director_only").replace("hints: false", "hints: true")
    path.write_text(told, encoding="utf-8")
    with pytest.raises(SettingsError, match="set all aids to false"):
        read_ruleset(str(path))


def spoken() -> list[tuple[str, frozenset[str]]]:
    """Gets every text that the rooms' sources say, with the names of its arguments."""
    said = []
    for path in sorted(path for room in ROOMS for path in room.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "of"
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "Text"
            ):
                assert isinstance(node.args[0], ast.Constant), f"{path.name}:{node.lineno}: write the key out"
                names = frozenset(keyword.arg for keyword in node.keywords if keyword.arg is not None)
                said.append((node.args[0].value, names))
    return said


def test_every_text_that_is_said_is_in_the_catalogue_with_its_arguments() -> None:
    for key, names in spoken():
        assert key in ARGUMENTS, key
        assert names == set(ARGUMENTS[key]), key


def test_every_text_of_the_catalogue_is_said() -> None:
    assert {key for key, _ in spoken()} == set(ARGUMENTS)


def test_texts_are_filled_in() -> None:
    text = Text.of("roll.no_play", seat="A", roll="6-5")
    assert render(text, read_catalogue()) == "A cannot play 6-5."


def test_a_text_that_lacks_an_argument_is_refused() -> None:
    with pytest.raises(ValueError, match="needs the argument 'roll'"):
        render(Text.of("roll.no_play", seat="A"), read_catalogue())


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(SettingsError, match="choose one of en"):
        read_catalogue("xx")
