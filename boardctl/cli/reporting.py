"""What a user is told when a command cannot do its work: one message on the error stream, and the exit code."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

import typer

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")

WORK_FAILED = 1
USAGE = 2
STOPPED = 130  # 128 + SIGINT, as shells report it


class UsageError(ValueError):
    """The command was given something that it cannot work with."""


@functools.cache
def _exit_codes() -> dict[type[Exception], int]:
    """Gets the exit code of each known failure. Their rooms are imported only once something has failed."""
    from boardctl.devices.faces import CameraError
    from boardctl.devices.panel import PanelError
    from boardctl.records import EncodingError, JournalError
    from calibration.errors import CalibrationError, CalibrationFileError
    from config import SettingsError
    from firmware_bridge.errors import BridgeError

    return {
        UsageError: USAGE,
        SettingsError: USAGE,
        JournalError: WORK_FAILED,
        EncodingError: WORK_FAILED,
        CameraError: WORK_FAILED,
        PanelError: WORK_FAILED,
        CalibrationFileError: USAGE,  # before the wider kind, which it is, too
        CalibrationError: WORK_FAILED,
        BridgeError: WORK_FAILED,
    }


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Tells that a file or folder cannot be written, where writing it fails.

    :raises UsageError: then.
    """
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror}); name another place") from error


def in_a_folder(file: Path) -> None:
    """Checks, before the work is done, that a file has a folder to be written to, and is none itself.

    :raises UsageError: when it is not so.
    """
    if file.is_dir():
        raise UsageError(f"{file}: is a folder; name a file")
    if not file.parent.is_dir():
        raise UsageError(f"{file}: no such folder; name another place, or make the folder first")


def complain(message: str) -> None:
    """Says what went wrong on the error stream."""
    typer.secho(f"boardctl: {message}", fg=typer.colors.RED, err=True)


def reported(command: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """Makes a command tell its user's mistakes and failures in one message instead of a traceback.

    Anything that is not a known failure is a defect of boardctl and keeps its traceback.
    """

    @functools.wraps(command)
    def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
        try:
            return command(*args, **kwargs)
        except KeyboardInterrupt:
            complain("stopped; what was recorded is kept")
            raise typer.Exit(STOPPED) from None
        except tuple(_exit_codes()) as error:
            complain(str(error))
            code = next(code for kind, code in _exit_codes().items() if isinstance(error, kind))
            raise typer.Exit(code) from None

    return run
