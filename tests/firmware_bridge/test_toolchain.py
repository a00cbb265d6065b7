"""What a person is told who wants to build firmware or emulator without the packages for it."""

from pathlib import Path

import pytest

from firmware_bridge import toolchain
from firmware_bridge.errors import EmulatorError


def test_missing_packages_are_named_with_the_command_that_installs_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(toolchain.shutil, "which", lambda name: None)
    assert {"make", "gcc", "gcc-avr"} <= set(toolchain.missing_packages())
    with pytest.raises(EmulatorError, match=r"apt-get install --no-install-recommends make.*gcc-avr"):
        toolchain.build_firmware(tmp_path)
    with pytest.raises(EmulatorError, match="cannot build without"):
        toolchain.build_emulator()


def test_builds_go_to_the_users_cache_where_the_source_may_not_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(toolchain.os, "access", lambda path, mode: False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert toolchain._own_folder(Path("/usr/share/x/firmware")) == tmp_path / "boardctl" / "firmware"
