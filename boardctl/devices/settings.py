"""Which devices a table has, as its YAML file names them. A device that is not named is not used.

The same file says where the table's page listens, and which hall the table tells of itself.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from boardctl.devices.panel import PanelSettings
from boardctl.rules import Seat
from config import HallSettings, PageSettings, read_yaml_model
from firmware_bridge import ChainLayout, ChannelClass, SlotMap

Model = TypeVar("Model", bound=BaseModel)


def _slot_map(value: Any) -> Any:
    return SlotMap.from_mapping(value) if isinstance(value, Mapping) else value


def _chain_layout(value: Any) -> Any:
    return ChainLayout.from_mapping(value) if isinstance(value, Mapping) else value


def _camera(value: Any) -> Any:
    """Gets the camera's number as the word that it is on the command line: YAML reads it as a number."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class DeviceSettings(BaseModel):
    """The devices of one table. Relative files start at the folder of the file that names them.

    ``slots`` and ``lights``: which channel and which LED of the sensor board lies where; left out, as on the reference
    board. ``light_seat``: who plays the light checkers.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    camera: Annotated[str | None, BeforeValidator(_camera)] = None
    calibration: Path | None = None
    sensor_board: str | None = None
    slots: Annotated[SlotMap, BeforeValidator(_slot_map)] = Field(default_factory=SlotMap.reference)
    lights: Annotated[ChainLayout, BeforeValidator(_chain_layout)] = Field(default_factory=ChainLayout)
    light_seat: Seat = Seat.A
    panel: PanelSettings | None = None
    page: PageSettings | None = None
    hall: HallSettings = HallSettings()

    @property
    def seats(self) -> Mapping[ChannelClass, Seat]:
        """Whose checkers are light and whose are dark."""
        return {ChannelClass.LIGHT: self.light_seat, ChannelClass.DARK: self.light_seat.other}


def read_device_settings(path: Path) -> DeviceSettings:
    """Gets the devices that a file names.

    :raises SettingsError: when the file cannot be read or does not fit; the message names line and key.
    """
    settings = read_yaml_model(path, DeviceSettings)
    page = None if settings.page is None else _from_folder(path.parent, settings.page)
    named = {"hall": _from_folder(path.parent, settings.hall), "page": page}
    return _from_folder(path.parent, settings.model_copy(update=named))


def _from_folder(folder: Path, settings: Model) -> Model:
    """Gets settings whose relative files start at a folder."""
    files = {name: folder / value for name, value in settings if isinstance(value, Path)}
    return settings.model_copy(update=files)
