"""Folders for the names of ports, which go with the program that made them, even one that was killed."""

import contextlib
import os
import re
import shutil
import tempfile
from pathlib import Path
from tempfile import TemporaryDirectory

_NAME = re.compile(r"^boardctl-[a-z]+-(\d+)-")


def scratch_folder(kind: str) -> "TemporaryDirectory[str]":
    """Gets a new folder that goes with this process at the latest; who gets it cleans it up.

    A process that is killed cannot take its folder away, so folders of processes that are gone are taken away here.

    :raises OSError: when no folder can be made.
    """
    _sweep(Path(tempfile.gettempdir()))
    return TemporaryDirectory(prefix=f"boardctl-{kind}-{os.getpid()}-")


def _sweep(parent: Path) -> None:
    with contextlib.suppress(OSError):  # a folder that another process takes away at the same time is away
        for folder in parent.glob("boardctl-*"):
            named = _NAME.match(folder.name)
            if named and not _runs(int(named[1])) and folder.lstat().st_uid == os.getuid():
                shutil.rmtree(folder, ignore_errors=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
