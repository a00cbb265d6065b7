"""The pictures around a finding: held in a ring, stored beside the record, their hashes in it."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from boardctl.devices.faces import Frame
from boardctl.records import Journal
from boardctl.records.findings import NO_PICTURES, finding_of, findings, pictures, rolls
from boardctl.records.frame_store import FrameStore
from boardctl.referee.effects import Certainty, Effect, RollRead, Text
from boardctl.referee.facts import DiceRested, EvidenceKept, Fact, HandSeen
from boardctl.referee.readings import DiceReading, DieReading, Support
from boardctl.rules import Roll, Seat
from boardctl.table import Desk, EvidenceKeeper, FrameRing
from boardctl.table.witnessing import AFTER_MS, BEFORE_MS, MOST_FRAMES

AGAIN = RollRead(Seat.A, None, False, Certainty.CERTAIN, (Text.of("dice.on_checker", die=5),))


class Camera:
    """A camera that takes a picture every so many milliseconds."""

    def __init__(self, every_ms: int) -> None:
        self._every_ms = every_ms

    def frames(self) -> Iterator[Frame]:
        at_ms = 0
        while True:
            yield Frame(np.full((24, 32, 3), at_ms // self._every_ms % 256, np.uint8), at_ms, f"f{at_ms}")
            at_ms += self._every_ms

    def close(self) -> None:
        """Has nothing to let go."""


class FindsAt:
    """A referee who finds something at given instants."""

    def __init__(self, *at_ms: int) -> None:
        self._at_ms = at_ms

    def feed(self, fact: Fact, /) -> list[Effect]:
        return [AGAIN] if fact.at_ms in self._at_ms and not isinstance(fact, EvidenceKept) else []


def kept_around(
    folder: Path, found_ms: int, until_ms: int, every_ms: int = 250, store: FrameStore | None = None
) -> tuple[list[int], list[str]]:
    """Gets when the pictures were taken that were kept of a finding, and why others were not."""
    with Journal.create(folder / "evening.journal", {}) as journal:
        ring = FrameRing(Camera(every_ms))
        keeper = EvidenceKeeper(ring, journal, store)
        desk = Desk(journal, FindsAt(found_ms), responders=[keeper])
        for frame in ring.frames():
            # A camera gives the packing thread time; this one does not, so it is waited for.
            assert all(held.jpeg for held in ring.between(frame.at_ms, frame.at_ms))
            if frame.at_ms > until_ms:
                break
            desk.handle(HandSeen(frame.at_ms, False))
        keeper.finish(desk.handle)
        (finding,) = findings(journal)
        kept = pictures(journal).get(finding.number, NO_PICTURES)
        files = FrameStore(journal.path)
        for frame_kept in kept.frames:
            assert files.read(frame_kept).startswith(b"\xff\xd8")
        return [frame.at_ms for frame in kept.frames], list(kept.lost)


def test_what_came_before_and_after_a_finding_is_kept(tmp_path: Path) -> None:
    times, lost = kept_around(tmp_path, found_ms=10_000, until_ms=14_000)
    assert times == list(range(10_000 - BEFORE_MS, 10_000 + AFTER_MS + 1, 250))
    assert not lost


def test_what_is_still_to_come_when_the_table_is_left_is_kept_as_far_as_it_came(tmp_path: Path) -> None:
    times, _ = kept_around(tmp_path, found_ms=10_000, until_ms=10_500)
    assert times[-1] == 10_750  # the picture that was being taken when the table was left


def test_of_many_pictures_so_many_are_kept_evenly(tmp_path: Path) -> None:
    times, _ = kept_around(tmp_path, found_ms=4000, until_ms=4000, every_ms=20)
    before = [at_ms for at_ms in times if at_ms <= 4000]
    assert len(before) == MOST_FRAMES
    assert before[-1] == 4000


class FullDisk(FrameStore):
    """A store on a disk that is full."""

    def put(self, name: str, at_ms: int, picture: bytes) -> object:  # type: ignore[override]
        raise OSError(28, "No space left on device")


def test_a_disk_that_is_full_is_said_in_the_record_and_the_game_goes_on(tmp_path: Path) -> None:
    times, lost = kept_around(tmp_path, 1000, 3000, store=FullDisk(tmp_path / "evening.journal"))
    assert times == []
    assert lost[0] == "pictures could not be stored: No space left on device"


def test_nothing_is_kept_of_a_game_without_findings(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "evening.journal", {}) as journal:
        keeper = EvidenceKeeper(FrameRing(Camera(100)), journal)
        assert keeper(HandSeen(0, True), []) == []
    assert not FrameStore(tmp_path / "evening.journal").folder.exists()


ROLLED = RollRead(Seat.A, Roll(6, 4), True, Certainty.CERTAIN)


class Rolls:
    """A referee who reads a roll when the board is seen after dice came to rest."""

    def feed(self, fact: Fact, /) -> list[Effect]:
        return [ROLLED] if isinstance(fact, HandSeen) else []


def die_at(x_px: float, y_px: float) -> DieReading:
    return DieReading(6, 1.0, True, Support.SURFACE, Seat.A, 0.0, (x_px, y_px), (0.0, 0.0))


def test_the_dice_of_a_roll_that_counts_are_kept_and_little_around_them(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "evening.journal", {}) as journal:
        ring = FrameRing(Camera(100))
        keeper = EvidenceKeeper(ring, journal)
        desk = Desk(journal, Rolls(), responders=[keeper])
        for frame in ring.frames():
            assert all(held.jpeg for held in ring.between(frame.at_ms, frame.at_ms))
            if frame.at_ms == 500:
                break
        dice = DiceReading((die_at(10, 20), die_at(14, 20)))
        desk.handle(DiceRested(420, dice, "f300"))
        assert list(rolls(journal)) == []
        desk.handle(HandSeen(500, False))
        (roll,) = rolls(journal)
        assert roll.is_roll
        assert finding_of(journal, roll.number) == roll
        (kept,) = pictures(journal)[roll.number].frames
        assert kept.at_ms == 300  # that in which they came to rest
        picture = cv2.imdecode(np.frombuffer(FrameStore(journal.path).read(kept), np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        assert picture.shape == (4, 8, 3)  # 0.06 of 32 px to each side, cut off at the lower edge of 24
        assert abs(int(picture.mean()) - 3) <= 1


def test_of_a_roll_that_no_picture_held_shows_none_is_kept(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "evening.journal", {}) as journal:
        keeper = EvidenceKeeper(FrameRing(Camera(100)), journal)
        assert keeper(DiceRested(0, DiceReading((die_at(1, 1),))), [ROLLED]) == []


def test_frames_pass_through_as_they_are() -> None:
    frame = next(FrameRing(Camera(100)).frames())
    assert (frame.name, frame.picture.shape) == ("f0", (24, 32, 3))
    with pytest.raises(StopIteration):
        next(iter(FrameRing(Camera(100)).between(0, 100)))
