"""What the commands print, where it cannot be printed: a full disk behind ``> file``, a pipe whose reader has gone."""

import errno
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from boardctl.cli.reporting import WORK_FAILED, complain


class OutputLostError(Exception):
    """What was printed did not arrive. No OSError, so that nobody on the way takes it for a trouble of his own file."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.reader_gone = error.errno == errno.EPIPE


class _Printed(io.FileIO):
    """The way of what is printed out of the program."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self.given_up = False

    def write(self, data: Any, /) -> int:
        if self.given_up:
            return len(data)
        try:
            return super().write(data)
        except OSError as error:
            self.given_up = True  # or what is still buffered would be tried again when the interpreter ends
            self._lost(error)
            return len(data)

    def _lost(self, error: OSError) -> None:
        raise OutputLostError(error) from error


class _Complained(_Printed):
    """The error stream: of its own loss nobody could be told, and a game is not stopped for it."""

    def _lost(self, error: OSError) -> None:
        pass


@contextmanager
def output_watched() -> Iterator[None]:
    """Ends the program with one line on the error stream, and exit code 1, where what it prints cannot be printed: at
    once, and also if only what was left at the end is lost. Where the reader of a pipe has gone (``| head -1``) it ends
    without a line: that reader has what was wanted.

    :raises SystemExit: then.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _through(sys.stdout, _Printed), _through(sys.stderr, _Complained)
    try:
        try:
            yield
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except OutputLostError as lost:
        if not lost.reader_gone:
            complain(f"what is printed cannot be written ({lost}); what was recorded is kept")
        sys.exit(WORK_FAILED)
    finally:
        sys.stdout, sys.stderr = before


def _through(stream: TextIO, way: type[_Printed]) -> TextIO:
    """Gets the stream as it was, but out through our way; one that is closed (``>&-``) or leads nowhere out of the
    program as it is."""
    if stream is None or not isinstance(stream, io.TextIOWrapper):
        return stream
    try:
        raw = way(stream.fileno())
    except io.UnsupportedOperation:
        return stream
    buffer = io.BufferedWriter(raw, io.DEFAULT_BUFFER_SIZE)
    return io.TextIOWrapper(
        buffer, stream.encoding, stream.errors, line_buffering=stream.line_buffering, write_through=stream.write_through
    )
