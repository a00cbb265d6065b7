"""The firmware through the real avrdude into a boot loader's memory."""

import os
import shutil
from pathlib import Path

import pytest
from boot_loader import BootLoader
from needs_toolchain import needs_toolchain

from firmware_bridge.flashing import FlashError, flash
from firmware_bridge.toolchain import built_firmware

needs_avrdude = pytest.mark.skipif(
    shutil.which("avrdude") is None and "CI" not in os.environ, reason="needs the package avrdude"
)


def image_of(hex_path: Path) -> bytes:
    """The bytes that an Intel HEX file without gaps holds from address 0 on."""
    records = [bytes.fromhex(line[1:]) for line in hex_path.read_text().split()]
    return b"".join(record[4 : 4 + record[0]] for record in records if record[3] == 0)


@needs_toolchain
@needs_avrdude
def test_the_firmware_arrives_byte_by_byte() -> None:
    image = built_firmware().hex
    with BootLoader() as loader:
        flash(loader.path, image)
        wanted = image_of(image)
        assert len(wanted) > 4000
        assert bytes(loader.flash[: len(wanted)]) == wanted


@needs_toolchain
@needs_avrdude
def test_a_byte_that_was_written_wrong_is_noticed() -> None:
    with BootLoader(bent_byte=1000) as loader, pytest.raises(FlashError, match="verification"):
        flash(loader.path, built_firmware().hex)
