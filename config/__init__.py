"""Typed settings and their defaults, each written down in YAML with a comment."""

from pathlib import Path

from config.hall_settings import BrokerAddress, HallSettings, TableName, fit_for_topic
from config.page_settings import Listening, PageSettings
from config.yaml_file import SettingsError, parse_yaml_model, read_yaml_model

CONFIG_DIRECTORY = Path(__file__).parent
"""Where the defaults lie: ``table.yaml``, ``lights.yaml``, ``rulesets/`` and the texts."""

__all__ = [
    "CONFIG_DIRECTORY",
    "BrokerAddress",
    "HallSettings",
    "Listening",
    "PageSettings",
    "SettingsError",
    "TableName",
    "fit_for_topic",
    "parse_yaml_model",
    "read_yaml_model",
]
