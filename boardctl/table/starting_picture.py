"""The picture of its starting position that a record keeps of a game for more than two seats.

From it the eyes learn the colours of the third and the fourth seat; a table that was switched off in the middle of a
game no longer shows it.
"""

import cv2
import numpy as np

from boardctl.devices.faces import Frame, Picture
from boardctl.records import Journal, JournalError
from boardctl.records.frame_store import FrameStore
from boardctl.referee.facts import EvidenceKept
from boardctl.table.desk import Desk
from boardctl.table.witnessing import as_jpeg

_HEADER = 1  # the entry with which a journal begins: a picture kept for it shows how the board was set up


def keep_starting_picture(desk: Desk, frame: Frame) -> None:
    """Stores the picture beside the record and has its hash recorded."""
    try:
        kept = FrameStore(desk.journal.path).put(frame.name, frame.at_ms, as_jpeg(frame.picture))
    except OSError as error:
        lost = f"the picture of the starting position could not be stored: {error.strerror or error}"
        desk.handle(EvidenceKept(frame.at_ms, _HEADER, (), lost))
        return
    desk.handle(EvidenceKept(frame.at_ms, _HEADER, (kept,)))


def kept_starting_picture(journal: Journal) -> Picture:
    """Gets the picture that was kept (H x W x 3).

    :raises JournalError: when there is none, or it is not the one that was stored.
    """
    for _, fact in journal.facts():
        if isinstance(fact, EvidenceKept) and fact.entry == _HEADER and fact.frames:
            data = np.frombuffer(FrameStore(journal.path).read(fact.frames[0]), np.uint8)
            return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
    raise JournalError(
        f"{journal.path}: holds no picture of the starting position, from which the colours of four seats are learned; "
        "begin a new game"
    )
