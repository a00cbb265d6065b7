"""Folders that go with their process, whichever way it ends."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from firmware_bridge.scratch import scratch_folder

MAKES_ONE = (
    "import os, signal; from firmware_bridge.scratch import scratch_folder; "
    "folder = scratch_folder('test'); print(folder.name, flush=True); "
)


def run(ending: str, where: Path) -> Path:
    done = subprocess.run(
        [sys.executable, "-c", MAKES_ONE + ending],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(where)},
    )
    return Path(done.stdout.strip())


def test_a_folder_goes_with_a_process_that_ends_in_order(tmp_path: Path) -> None:
    assert not run("", tmp_path).exists()


def test_the_folder_of_a_killed_process_goes_when_the_next_one_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = run("os.kill(os.getpid(), signal.SIGKILL)", tmp_path)
    assert left.is_dir()
    assert left.parent == tmp_path
    other = tmp_path / "boardctl-of-somebody-else"
    other.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with scratch_folder("test") as first, scratch_folder("test") as second:
        assert not left.exists()
        assert other.is_dir()
        assert Path(first).is_dir()
        assert Path(second).is_dir()
