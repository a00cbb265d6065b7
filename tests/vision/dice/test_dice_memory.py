"""What looks at dice leave to the next frame."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from boardctl.vision.dice.memory import (
    LOOK_LASTS,
    LOOKS_AT_FIRST,
    SAME_SPOT_MM,
    Look,
    Looks,
    scan_all,
    scan_changes,
)
from boardctl.vision.dice.scan import Scan

SEEN = Look(np.zeros((2, 2, 3), np.uint8), np.zeros(15, np.float32))
DIE_MM = 13.5


def test_a_place_is_found_again_a_little_beside_it() -> None:
    looks = Looks({(10.0, 20.0, DIE_MM, False): SEEN, (11.5, 20.0, DIE_MM, False): SEEN})
    assert looks.near((10.0 + 0.5 * SAME_SPOT_MM, 20.0), DIE_MM) == (10.0, 20.0)
    elsewhere = (10.0, 20.0 + 1.1 * SAME_SPOT_MM)
    assert looks.near(elsewhere, DIE_MM) == elsewhere
    assert looks.near((10.2, 20.0), DIE_MM + 1) == (10.2, 20.0)  # dice of another size were not looked for there
    assert Looks().near(elsewhere, DIE_MM) == elsewhere


def test_a_place_that_was_only_seen_mirrored_was_not_found_by_the_scan() -> None:
    looks = Looks({(10.0, 20.0, DIE_MM, True): SEEN})
    assert looks.near((10.2, 20.0), DIE_MM) == (10.2, 20.0)


def test_a_place_is_seen_in_the_mean_of_its_last_patches() -> None:
    place = (10.0, 20.0, DIE_MM, False)
    looks, said = Looks(), []
    for level in (90, 120, 60, 30):
        shown = np.full((2, 2, 3), level, np.uint8)
        said.append(float(looks.see(place, lambda shown=shown: shown, lambda patch: patch[0, 0])[0]))
        again = looks.see(place, lambda: pytest.fail("it was looked at in this frame"), lambda patch: patch[0, 0])
        assert again[0] == said[-1]
        looks = Looks(looks.kept())
    assert said == pytest.approx([90, 105, 90, 90]), "what was looked at in three frames is left to last"


def test_what_has_lasted_its_time_is_looked_at_once_more_and_a_few_at_a_time() -> None:
    places = [(10.0 * number, 20.0, DIE_MM, False) for number in range(5)]
    looks, cut = Looks(), []
    for frame in range(LOOKS_AT_FIRST + LOOK_LASTS + 3):
        for place in places:

            def shown(place: Any = place, frame: int = frame) -> Any:
                cut.append((frame, place))
                return np.zeros((2, 2, 3), np.uint8)

            looks.see(place, shown, lambda patch: patch[0, 0])
        looks = Looks(looks.kept())
    in_frames = Counter(frame for frame, _ in cut)
    first, later = range(LOOKS_AT_FIRST), range(LOOKS_AT_FIRST + LOOK_LASTS - 1, LOOKS_AT_FIRST + LOOK_LASTS + 2)
    assert in_frames == {**dict.fromkeys(first, 5), **dict(zip(later, (2, 2, 1), strict=True))}
    assert Counter(place for _, place in cut) == dict.fromkeys(places, LOOKS_AT_FIRST + 1)


def test_where_the_board_is_bare_again_it_counts_as_it_did_when_empty(green: Any) -> None:
    calibration = green.calibration
    empty, start = (
        scan_all(Scan(picture, calibration.camera, calibration.geometry))
        for picture in (calibration.empty, calibration.start)
    )
    bare = Scan(calibration.empty, calibration.camera, calibration.geometry)
    again, changed = scan_changes(bare, start, 0, empty)
    assert changed.mean() > 0.05
    assert np.array_equal(again.cells[:, changed], empty.cells[:, changed])
