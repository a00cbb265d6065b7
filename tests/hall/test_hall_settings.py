"""The hall as a table's settings name it."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from boardctl.devices.settings import read_device_settings
from config import CONFIG_DIRECTORY, BrokerAddress, HallSettings, SettingsError, parse_yaml_model


class Whole(BaseModel):
    hall: HallSettings


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.10", BrokerAddress("192.168.1.10")),
        ("table3@broker.club.example:8883", BrokerAddress("broker.club.example", 8883, "table3")),
        ("[::1]:1883", BrokerAddress("::1", 1883)),
        ("Table 3@[fe80::1]", BrokerAddress("fe80::1", None, "Table 3")),
    ],
)
def test_a_broker_s_address_is_understood(text: str, address: BrokerAddress) -> None:
    assert BrokerAddress.parse(text) == address
    assert HallSettings.model_validate({"broker": text}).broker == address


@pytest.mark.parametrize(
    "text", ["", "::1", "@host", "host:", "host:0", "host:65536", "host:٣", "a/b", "mqtt://host", "x;y@host", "-host"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"write \[USER@\]HOST\[:PORT\], such as"):
        BrokerAddress.parse(text)


def test_the_usual_ports_are_those_of_mqtt() -> None:
    assert BrokerAddress("x").port_or_usual(encrypted=False) == 1883
    assert BrokerAddress("x").port_or_usual(encrypted=True) == 8883
    assert BrokerAddress("x", 99).port_or_usual(encrypted=True) == 99


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("broker: 'host:port'", r"t:1: broker: write \[USER@\]HOST"),
        ("table: a/b", "t:1: table: a table's name has 1 to 40 signs"),
        ("password: secret", "t:1: password: unknown key"),
        ("broker: 5", "t:1: broker: "),
    ],
)
def test_faults_of_the_settings_are_said_with_line_and_key(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        parse_yaml_model(text, HallSettings, "t")


def test_a_table_tells_nobody_unless_it_is_told_to(tmp_path: Path) -> None:
    file = tmp_path / "table.yaml"
    file.write_text("camera: /dev/video0\n")
    assert read_device_settings(file).hall.broker is None
    assert read_device_settings(CONFIG_DIRECTORY / "table.yaml").hall == HallSettings()


def test_relative_files_start_at_the_folder_of_the_settings(tmp_path: Path) -> None:
    file = tmp_path / "table.yaml"
    file.write_text("hall:\n  broker: x\n  password_file: secret\n  ca_file: /etc/ca.pem\n")
    hall = read_device_settings(file).hall
    assert (hall.password_file, hall.ca_file) == (tmp_path / "secret", Path("/etc/ca.pem"))


def test_what_is_written_down_in_the_defaults_can_be_used() -> None:
    written = (CONFIG_DIRECTORY / "table.yaml").read_text(encoding="utf-8")
    section = written[written.index("# hall:") :].split("\n\n")[0]
    lines = [line.removeprefix("# ") for line in section.splitlines()]
    fields = {match[1] for line in lines if (match := re.match(r"  ([a-z_]+):", line))}
    assert fields == set(HallSettings.model_fields)
    hall = parse_yaml_model("\n".join(lines), Whole, "table.yaml").hall
    assert hall.broker == BrokerAddress("192.168.1.10", None, "table3")
