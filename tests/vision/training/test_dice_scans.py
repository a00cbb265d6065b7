"""Scans to learn from: what is told of where dice and cubes are is where they are."""

import numpy as np
import pytest

from boardctl.virtual.training.scans import draw
from boardctl.vision.training.dice_scans import STORED_DIE_PX, Scan


@pytest.fixture(scope="module")
def scans() -> list[Scan]:
    return draw(seed=9, looks=3, pictures=3)


def test_dice_are_told_where_something_die_sized_stands_out(scans: list[Scan]) -> None:
    """Around a die's middle, as far as a die reaches, the picture changes more than in most places."""
    here, anywhere = [], []
    reach = round(STORED_DIE_PX)
    for scan in scans:
        grey = scan.picture.astype(float).mean(axis=2)
        slopes = np.abs(np.gradient(grey)).sum(axis=0)
        height, width = grey.shape
        for x, y in np.round(scan.dice).astype(int):
            if reach < x < width - reach and reach < y < height - reach:
                here.append(slopes[y - reach // 2 : y + reach // 2 + 1, x - reach // 2 : x + reach // 2 + 1].mean())
        anywhere.append(np.median(slopes))
    assert len(here) > 30
    assert np.mean(np.array(here) > 2 * np.mean(anywhere)) > 0.9


def test_no_two_dice_are_told_in_one_place_and_none_on_the_cube(scans: list[Scan]) -> None:
    for scan in scans:
        things = np.concatenate([scan.dice, scan.cubes])
        apart = np.hypot(*(things[:, None] - things[None]).transpose(2, 0, 1)) + 100 * np.eye(len(things))
        assert apart.min(initial=100) > 0.8 * STORED_DIE_PX
    assert any(len(scan.cubes) for scan in scans)
