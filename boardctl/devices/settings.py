"""Which devices a table has, as its YAML file names them. A device that is not named is not used."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from boardctl.devices.panel import PanelSettings
from config import read_yaml_model


class DeviceSettings(BaseModel):
    """The devices of one table. A relative ``calibration`` starts at the folder of the file that names it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    camera: str | None = None
    calibration: Path | None = None
    sensor_board: str | None = None
    panel: PanelSettings | None = None


def read_device_settings(path: Path) -> DeviceSettings:
    """Gets the devices that a file names.

    :raises SettingsError: when the file cannot be read or does not fit; the message names line and key.
    """
    settings = read_yaml_model(path, DeviceSettings)
    if settings.calibration is None:
        return settings
    return settings.model_copy(update={"calibration": path.parent / settings.calibration})
