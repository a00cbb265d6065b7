"""The look for a tilt: only at dice that something lies beside, once or from their middle again, and not anew."""

from dataclasses import replace
from math import hypot
from pathlib import Path

import numpy as np
import pytest

from boardctl.vision.dice.look import DieView, Sight
from boardctl.vision.dice.memory import LOOKS_AT_FIRST, Looks
from boardctl.vision.dice.tilt import look_for_tilt
from boardctl.vision.measuring.truth import TruePicture, read_truth
from boardctl.vision.training.sites import die_center

PICTURES = Path(__file__).parents[2] / "data" / "vision" / "dice"


def view(true: TruePicture, number: int) -> DieView:
    """Gets what is seen of a true die by one that knows nothing of its tilt."""
    x, y, _ = die_center(true, true.truth["dice"][number])
    return DieView((x, y), 1.0, 0.0, (1.0, 0.0, 0.0, 0.0, 0.0, 0.0), 0.5, 0.0, 0.0, 1.0, true.geometry.die_size_mm)


def all_views(true: TruePicture) -> tuple[Sight, list[DieView]]:
    return Sight(true.picture(), true.camera, Looks()), [view(true, n) for n in range(len(true.truth["dice"]))]


@pytest.mark.parametrize("name", ["d004", "d014", "d049", "d078"])
def test_a_die_that_leans_looks_so_and_a_flat_one_does_not(name: str) -> None:
    true = read_truth(PICTURES / f"{name}.json")
    sight, views = all_views(true)
    seen = look_for_tilt(sight, true.geometry.die_size_mm, views, [False] * len(views))
    for die, told in zip(true.truth["dice"], seen, strict=True):
        if die["tilt_deg"] >= 8:
            assert told.tilted > 0.5
            assert told.tilt_deg > 5.0
        elif die["flat"] and die["on"] == "surface":
            assert told.tilted < 0.5


def test_a_die_that_stands_free_is_not_looked_at() -> None:
    true = read_truth(PICTURES / "d078.json")
    sight, views = all_views(true)
    assert look_for_tilt(sight, true.geometry.die_size_mm, views, [True] * len(views)) == views
    assert not sight.looks.used


@pytest.mark.parametrize("name", ["d004", "d014", "d049", "d078"])
def test_what_one_look_shows_to_be_flat_is_looked_at_once_and_all_else_twice(name: str) -> None:
    true = read_truth(PICTURES / f"{name}.json")
    for each in all_views(true)[1]:
        sight = Sight(true.picture(), true.camera, Looks())
        (told,) = look_for_tilt(sight, true.geometry.die_size_mm, [each], [False])
        assert len(sight.looks.used) == (1 if told.tilted < 0.05 else 2)


@pytest.mark.parametrize("beside", [(0.2, 0.0), (-0.1, 0.17), (-0.1, -0.17)])
def test_the_second_look_at_a_die_is_from_nearer_to_its_middle(beside: tuple[float, float]) -> None:
    first, second = [], []
    for name in ("d004", "d014", "d049", "d078"):
        true = read_truth(PICTURES / f"{name}.json")
        size = true.geometry.die_size_mm
        for each in all_views(true)[1]:
            x, y = each.spot_mm
            sight = Sight(true.picture(), true.camera, Looks())
            look_for_tilt(sight, size, [replace(each, spot_mm=(x + beside[0] * size, y + beside[1] * size))], [False])
            away = [hypot(key[0] - x, key[1] - y) / size for key in sight.looks.used]
            if len(away) > 1:
                first.append(away[0])
                second.append(away[1])
    assert len(second) >= 4
    assert np.mean(second) < 0.6 * np.mean(first)


def test_what_was_seen_in_its_first_frames_is_remembered() -> None:
    true = read_truth(PICTURES / "d078.json")
    sight, views = all_views(true)
    free = [False] * len(views)
    for _ in range(LOOKS_AT_FIRST):
        seen = look_for_tilt(sight, true.geometry.die_size_mm, views, free)
        assert sight.looks.used
        sight = Sight(sight.picture, sight.camera, Looks(sight.looks.kept()))
    unseen = Sight(sight.picture * 0, sight.camera, sight.looks)
    assert look_for_tilt(unseen, true.geometry.die_size_mm, views, free) == seen


def test_a_die_that_looks_a_little_wider_in_the_next_frame_is_the_same_die() -> None:
    true = read_truth(PICTURES / "d078.json")
    sight, views = all_views(true)
    free, looks = [False] * len(views), Looks()
    for wider in (1.0, 1.01, 0.99):
        as_wide = [replace(view, size_mm=view.size_mm * wider) for view in views]
        looks = Looks(looks.kept())
        look_for_tilt(Sight(sight.picture, sight.camera, looks), None, as_wide, free)
    assert {look.count for look in looks.used.values()} == {3}


@pytest.mark.parametrize("name", ["d004", "d014", "d049", "d078"])
def test_where_the_size_is_open_each_die_is_looked_at_as_wide_as_it_looks(name: str) -> None:
    true = read_truth(PICTURES / f"{name}.json")
    for each, size in zip(all_views(true)[1], (11.0, 13.0, 17.0, 15.0, 12.0, 16.0), strict=False):
        seen = []
        for die_mm, looks in ((size, each), (None, replace(each, size_mm=size))):
            sight = Sight(true.picture(), true.camera, Looks())
            (told,) = look_for_tilt(sight, die_mm, [looks], [False])
            seen.append((told.tilted, told.tilt_deg, sorted(sight.looks.used)))
        assert seen[0] == seen[1]
