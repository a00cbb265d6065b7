"""Rulesets and texts as they lie in ``config/``. The referee itself is handed them; it opens no file."""

from functools import cache
from pathlib import Path

from boardctl.referee.ruleset import Ruleset
from boardctl.referee.texts import Catalogue
from config import CONFIG_DIRECTORY, SettingsError, read_yaml_model

RULESETS = CONFIG_DIRECTORY / "rulesets"
TEXTS = CONFIG_DIRECTORY / "texts"


def ruleset_names() -> tuple[str, ...]:
    """Gets the names of the presets."""
    return tuple(sorted(path.stem for path in RULESETS.glob("*.yaml")))


def read_ruleset(name: str) -> Ruleset:
    """Gets a preset by its name, or the ruleset of a file by its path (it ends in ``.yaml``).

    :raises SettingsError: when there is no such preset, or the file cannot be read or breaks the schema; the message
        names file, line and key.
    """
    if name.endswith((".yaml", ".yml")):
        return read_yaml_model(Path(name), Ruleset)
    if name not in ruleset_names():
        raise SettingsError(f"no ruleset {name!r}; choose one of {', '.join(ruleset_names())}, or give a .yaml file")
    return read_yaml_model(RULESETS / f"{name}.yaml", Ruleset)


@cache
def read_catalogue(language: str = "en") -> Catalogue:
    """Gets the texts of a language.

    :raises SettingsError: when there is no such language, or a text is missing or has other arguments than it is given.
    """
    path = TEXTS / f"{language}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(found.stem for found in TEXTS.glob("*.yaml")))
        raise SettingsError(f"no texts in language {language!r}; choose one of {known}")
    return read_yaml_model(path, Catalogue)
