"""Opening serial ports: devices by path (``/dev/serial/by-id/...``, a pty) and pyserial's URLs (``socket://host:port``)."""

import errno
import os
import stat
from pathlib import Path
from typing import Protocol

import serial

from firmware_bridge.errors import (
    LinkError,
    NotAPortError,
    PortBusyError,
    PortDeniedError,
    PortMissingError,
    PortUnusableError,
)

BAUD = 115200
READ_WAIT_S = 0.02
WRITE_WAIT_S = 0.5


class ByteStream(Protocol):
    """Bytes to and from a board."""

    def read(self) -> bytes:
        """Gets what has come; waits at most a fiftieth of a second for something.

        :raises PortUnusableError: when the other end is gone.
        """

    def write(self, data: bytes) -> None:
        """Sends ``data``.

        :raises PortUnusableError: when the other end is gone or takes nothing.
        """

    def close(self) -> None:
        """Closes the stream; closing twice is allowed."""


class SerialStream:
    """A byte stream over an open pyserial port."""

    def __init__(self, port: serial.Serial, path: str) -> None:
        self._port = port
        self._path = path

    def read(self) -> bytes:
        try:
            first = self._port.read(1)
            waiting = self._port.in_waiting if first else 0
            return bytes(first + self._port.read(waiting)) if waiting else bytes(first)
        except (serial.SerialException, OSError, TypeError) as error:  # TypeError: pyserial's answer to a closed port
            raise PortUnusableError(f"{self._path}: the port is gone ({error}). Is the cable plugged in?") from error

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except (serial.SerialException, OSError) as error:
            raise PortUnusableError(
                f"{self._path}: the port takes nothing ({error}). Is the cable plugged in?"
            ) from error

    def close(self) -> None:
        self._port.close()


def open_port(path: str, baud: int = BAUD) -> ByteStream:
    """Opens the port for this program alone.

    :raises PortMissingError: when there is no such port.
    :raises PortDeniedError: when the user may not open it.
    :raises PortBusyError: when another program has it open.
    :raises NotAPortError: when the path or URL names no serial port.
    :raises PortUnusableError: when opening fails in another way.
    """
    if "://" not in path:
        _check_device(path)
    try:
        port = serial.serial_for_url(
            path, baudrate=baud, timeout=READ_WAIT_S, write_timeout=WRITE_WAIT_S, exclusive=True
        )
    except serial.SerialException as error:
        raise _named(path, error) from error
    except OSError as error:
        raise _named(path, error) from error
    except ValueError as error:
        raise NotAPortError(f"{path}: {error}. Give a device path or a URL such as socket://host:port") from error
    return SerialStream(port, path)


def _check_device(path: str) -> None:
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError as error:
        raise _missing(path) from error
    except PermissionError as error:
        raise _denied(path) from error
    if not stat.S_ISCHR(mode):
        raise NotAPortError(f"{path} is no serial port but a {_kind(mode)}. Give a port: ls /dev/serial/by-id")


def _kind(mode: int) -> str:
    return "folder" if stat.S_ISDIR(mode) else "file"


def _named(path: str, error: OSError) -> LinkError:
    number = error.errno
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return _missing(path)
    if number in (errno.EACCES, errno.EPERM):
        return _denied(path)
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "exclusively lock" in str(error):
        return PortBusyError(f"{path}: another program has the port open. See which: fuser -v {path}")
    if number == errno.ENOTTY or "Inappropriate ioctl" in str(error):
        return NotAPortError(f"{path} is no serial port ({error}). Give a port: ls /dev/serial/by-id")
    return PortUnusableError(f"{path}: cannot be opened ({error}). Is the board plugged in and powered?")


def _missing(path: str) -> PortMissingError:
    return PortMissingError(f"{path}: no such port. Plug the board in, then see what is there: ls /dev/serial/by-id")


def _denied(path: str) -> PortDeniedError:
    user = os.environ.get("USER", "$USER")
    return PortDeniedError(
        f"{path}: permission denied. Run: sudo usermod -aG dialout {user}   then log out and in again"
    )
