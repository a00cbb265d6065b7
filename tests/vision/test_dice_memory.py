"""What looks at dice leave to the next frame."""

from typing import Any

import numpy as np

from boardctl.vision.dice_memory import LOOK_LASTS, RENEWED_LOOKS, SAME_SPOT_MM, Looks, scan_all, scan_changes
from boardctl.vision.dice_scan import Scan

SEEN = np.zeros(15, dtype=np.float32)
DIE_MM = 13.5


def test_a_place_is_found_again_a_little_beside_it() -> None:
    looks = Looks({(10.0, 20.0, DIE_MM, False): (SEEN, 1), (11.5, 20.0, DIE_MM, False): (SEEN, 1)})
    assert looks.near((10.0 + 0.5 * SAME_SPOT_MM, 20.0), DIE_MM) == (10.0, 20.0)
    elsewhere = (10.0, 20.0 + 1.1 * SAME_SPOT_MM)
    assert looks.near(elsewhere, DIE_MM) == elsewhere
    assert looks.near((10.2, 20.0), DIE_MM + 1) == (10.2, 20.0)  # dice of another size were not looked for there
    assert Looks().near(elsewhere, DIE_MM) == elsewhere


def test_a_place_that_was_only_seen_mirrored_was_not_found_by_the_scan() -> None:
    looks = Looks({(10.0, 20.0, DIE_MM, True): (SEEN, 1)})
    assert looks.near((10.2, 20.0), DIE_MM) == (10.2, 20.0)


def test_looks_are_made_anew_a_few_at_a_time() -> None:
    keys = [(float(x), 0.0, DIE_MM, False) for x in range(7)]
    memory: dict[Any, Any] = {}
    made = dict.fromkeys(keys, 0)
    for _ in range(3 * LOOK_LASTS):
        looks = Looks(memory)
        anew = [key for key in keys if looks.get(key) is None]
        assert not memory or len(anew) <= RENEWED_LOOKS
        for key in anew:
            looks.put(key, SEEN)
            made[key] += 1
        memory = looks.kept()
    assert all(2 <= count <= 3 for count in made.values())


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
