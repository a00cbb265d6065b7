"""Marks what needs a broker of MQTT: skipped with a reason without one, but failing under CI."""

import os
import shutil

import pytest

_SYSTEM = "/usr/sbin:/usr/local/sbin"  # where Debian keeps it, which is not in everybody's path
MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path=_SYSTEM)
OPENSSL = shutil.which("openssl")

needs_broker = pytest.mark.skipif(MOSQUITTO is None and "CI" not in os.environ, reason="needs the package mosquitto")
needs_openssl = pytest.mark.skipif(OPENSSL is None and "CI" not in os.environ, reason="needs the package openssl")
