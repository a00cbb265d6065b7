"""What a frame leaves to the next: where nothing has changed nothing is read anew, and what has changed always is."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import BoardReading
from boardctl.vision import FrameReader, read_frame
from boardctl.vision.dice.look import Sight, outputs
from boardctl.vision.dice.memory import LOOKS_AT_FIRST, Looks, scan_all, scan_changes
from boardctl.vision.dice.scan import Scan
from boardctl.vision.points.reading import SURE
from boardctl.vision.points.strip_reading import RENEWED

Picture = NDArray[np.uint8]

HARDLY = 0.03
"""A likelihood that differs by less is the same to the networks, seen from a pixel beside."""


def noisy(picture: Picture, seed: int, levels: float = 2.0) -> Picture:
    noise = np.random.default_rng(seed).normal(0, levels, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def read_as(board: BoardReading) -> dict[Any, Any]:
    return {place.place: place.best for place in board.places if place.confidence >= SURE}


def test_frames_one_after_the_other_are_read_as_each_by_itself(green: Any) -> None:
    reader = FrameReader(green.calibration)
    for frame in ("f03", "f06", "f09", "f12", "f06", "f03"):
        picture = green.picture(frame)
        told, alone = reader.read(picture), read_frame(picture, green.calibration)
        assert read_as(told.board) == read_as(alone.board)
        assert told.hand == alone.hand
        # In which order dice are told means nothing: they are held against each other by their places.
        dice, those = (sorted(read.dice.dice, key=lambda die: die.center_px) for read in (told, alone))
        told_as, alone_as = ([(die.likeliest, die.flat, die.on) for die in each] for each in (dice, those))
        assert told_as == alone_as
        assert np.allclose([die.center_px for die in dice], [die.center_px for die in those], atol=1.5)
        for die, other in zip(dice, those, strict=True):
            # A die is looked at from where it was found before: only what is hardly vouched for may be left open then.
            assert die.value == other.value or abs(die.confidence - other.confidence) < HARDLY, (frame, die, other)
        assert told.board.cube is not None
        assert alone.board.cube is not None
        assert told.board.cube.at == alone.board.cube.at


def test_of_a_table_at_rest_only_a_few_strips_are_read_in_turn(green: Any) -> None:
    picture = green.picture("f06")
    memory = read_frame(picture, green.calibration).memory
    asked = np.zeros(26, dtype=np.intp)
    for frame in range(RENEWED):
        memory = read_frame(noisy(picture, frame), green.calibration, memory).memory
        assert memory.board is not None
        asked += memory.board.points.strips.asked
    assert memory.board is not None
    held = memory.board.points.strips.looked_at
    sure = np.array([place.confidence >= SURE for place in memory.board.points.places])
    assert (asked[held] >= 1).all()
    assert (asked[held & sure] <= 1).all()


def test_dice_at_rest_are_looked_at_in_three_frames_and_then_left(green: Any) -> None:
    picture = green.picture("f09")
    reader = FrameReader(green.calibration)
    for frame in range(5):
        memory = reader.read(noisy(picture, frame)).memory.dice
        assert memory is not None
        assert memory.looks
        ages = [look.age for look in memory.looks.values()]
        if frame < 3:
            assert max(ages) == 1  # all were made in this frame, and are kept for the next
    assert min(ages) > 1, "none was made in the last frame"
    assert {look.count for look in memory.looks.values()} == {3}


def test_what_is_said_of_a_die_in_much_noise_comes_near_to_what_is_said_without(green: Any) -> None:
    picture, camera, geometry = green.picture("f09"), green.calibration.camera, green.calibration.geometry
    spots = [die.center_mm for die in read_frame(picture, green.calibration).dice.dice]
    plain = outputs(Sight(picture, camera), geometry, spots, mirrored=False)
    off = np.zeros((8, LOOKS_AT_FIRST))
    for table in range(len(off)):
        looks = Looks()
        for frame in range(LOOKS_AT_FIRST):
            sight = Sight(noisy(picture, table * LOOKS_AT_FIRST + frame, 16.0), camera, looks)
            off[table, frame] = np.abs(outputs(sight, geometry, spots, mirrored=False) - plain).mean()
            looks = Looks(looks.kept())
    first, *_, last = off.mean(axis=0)
    assert last < 0.6 * first


def test_checkers_that_are_taken_away_are_missed_at_once(green: Any) -> None:
    start, empty = green.calibration.start, green.calibration.empty
    memory = read_frame(start, green.calibration).memory
    left_half_bare = start.copy()
    left_half_bare[:, : start.shape[1] // 2] = empty[:, : start.shape[1] // 2]
    told = read_as(read_frame(left_half_bare, green.calibration, memory).board)
    assert told == read_as(read_frame(left_half_bare, green.calibration).board)
    assert told != read_as(read_frame(start, green.calibration).board)


def test_a_part_scanned_anew_is_scanned_as_the_whole_would_be(green: Any) -> None:
    calibration = green.calibration
    scans = [Scan(green.picture(name), calibration.camera, calibration.geometry) for name in ("f03", "f06")]
    before = scan_all(scans[0])
    now, changed = scan_changes(scans[1], before, 0)
    whole = scan_all(scans[1])
    assert 0 < changed.mean() < 0.5
    heat = [1 / (1 + np.exp(-seen.cells[0])) for seen in (now, whole)]
    assert np.abs(heat[0] - heat[1])[changed].max() < 0.05
    assert np.abs(heat[0] - heat[1]).mean() < 0.005
