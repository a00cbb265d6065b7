"""Marks what needs a browser: skipped with a reason without one, but failing under CI."""

import os
import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

needs_browser = pytest.mark.skipif(
    (CHROMIUM is None or DRIVER is None) and "CI" not in os.environ,
    reason="needs the packages chromium and chromium-driver",
)
