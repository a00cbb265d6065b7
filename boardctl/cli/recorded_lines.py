"""Files of recorded rule cases, line by line, gzipped or plain."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from boardctl.rules.recorded import RecordedCaseError


def recorded_lines(file: Path) -> Iterator[str]:
    """Gets the lines of a file.

    :raises RecordedCaseError: at the line where the file is damaged.
    :raises OSError: when it cannot be opened.
    """
    with file.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
    read = 0
    with gzip.open(file, "rt", encoding="utf-8") if packed else file.open(encoding="utf-8") as lines:
        try:
            for line in lines:
                read += 1
                yield line
        except (EOFError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError) as error:
            raise RecordedCaseError(read + 1, f"the file is damaged here: {error}") from error
