"""Pictures beside a journal, each in a file named after its content; the journal's entries hold their hashes."""

import hashlib
import re
from pathlib import Path

from boardctl.records.journal import JournalError
from boardctl.referee.facts import KeptFrame

_SHORT = 12  # hexadecimal digits of the hash in a file's name
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class FrameStore:
    """The folder of pictures that belongs to a journal: ``evening.journal`` has ``evening.journal.frames``."""

    def __init__(self, journal: Path) -> None:
        self.folder = journal.with_name(journal.name + ".frames")

    def put(self, name: str, at_ms: int, picture: bytes) -> KeptFrame:
        """Stores a JPEG picture. The same picture twice is stored once.

        :raises OSError: when it cannot be written.
        """
        digest = hashlib.sha256(picture).hexdigest()
        stem = _UNSAFE.sub("-", Path(name).name.removesuffix(".jpg")).strip("-.") or "frame"
        kept = KeptFrame(f"{stem}-{digest[:_SHORT]}.jpg", at_ms, digest)
        path = self.folder / kept.name
        if not path.exists():
            self.folder.mkdir(exist_ok=True)
            half_written = path.with_suffix(".part")
            half_written.write_bytes(picture)
            half_written.replace(path)
        return kept

    def read(self, kept: KeptFrame) -> bytes:
        """Gets a picture as it was stored.

        :raises JournalError: when it is gone, or is not the one that was stored.
        """
        path = self.folder / Path(kept.name).name
        try:
            picture = path.read_bytes()
        except OSError as error:
            raise JournalError(f"{path}: the picture cannot be read ({error.strerror})") from error
        if hashlib.sha256(picture).hexdigest() != kept.sha256:
            raise JournalError(f"{path}: is not the picture that was stored; it was altered or damaged")
        return picture
