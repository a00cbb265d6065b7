"""Marks what needs compilers and emulator: skipped with a reason without them, but failing under CI."""

import os

import pytest

from firmware_bridge.toolchain import missing_packages

needs_toolchain = pytest.mark.skipif(
    bool(missing_packages()) and "CI" not in os.environ,
    reason=f"needs the packages {', '.join(missing_packages())}",
)
