"""A part of a picture with truth: its dice, camera and corners are where they are in it."""

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from boardctl.vision.measuring.cut_out import HEIGHT_PX, WIDTH_PX, cut_out
from boardctl.vision.measuring.truth import corners_of, read_truth

PICTURES = Path(__file__).parents[2] / "data" / "vision" / "green_felt"


@pytest.mark.parametrize("seed", range(4))
def test_dice_corners_and_camera_are_where_the_part_shows_them(seed: int) -> None:
    true = read_truth(PICTURES / "f06.json")
    picture = true.picture()
    cut = cut_out(true, picture, Random(seed))
    assert cut is not None
    part_truth, part = cut
    assert part.shape == (HEIGHT_PX, WIDTH_PX, 3)
    left, top = np.subtract(corners_of(true.truth)[0], corners_of(part_truth.truth)[0]).round().astype(int).tolist()
    assert (part == picture[top : top + HEIGHT_PX, left : left + WIDTH_PX]).all()
    spots = [(50.0, -30.0, 0.0), (-80.0, 60.0, 12.0)]
    moved = true.camera.project(spots) - part_truth.camera.project(spots)
    assert moved == pytest.approx(np.array([(left, top)] * 2))
    whole = [die for die in part_truth.truth["dice"] if die["in_image"] and die["visible_frac"] >= 0.5]
    assert whole
    for die in whole:
        assert np.min(die["corners_px"]) >= 0
        assert (np.max(die["corners_px"], axis=0) < (WIDTH_PX, HEIGHT_PX)).all()


def test_each_number_draws_another_part_and_the_same_one_again() -> None:
    true = read_truth(PICTURES / "f06.json")
    picture = true.picture()
    parts = [cut_out(true, picture, Random(seed)) for seed in (1, 1, 2)]
    first, again, other = [corners_of(part[0].truth) for part in parts if part is not None]
    assert first == again != other


def test_a_die_that_is_cut_through_is_not_judged_and_one_outside_not_in_the_picture() -> None:
    true = read_truth(PICTURES / "f06.json")
    picture = true.picture()
    x, y = true.truth["dice"][0]["center_px"]
    at_the_edge = {**true.truth["dice"][0], "in_play": False}
    far = {**at_the_edge, "center_px": [x + 2 * WIDTH_PX, y], "corners_px": [[x + 2 * WIDTH_PX, y]] * 8}
    for shift, judged in ((0, True), (WIDTH_PX // 2, False)):
        edge = {
            **at_the_edge,
            "center_px": [x + shift, y],
            "corners_px": [[u + shift, v] for u, v in at_the_edge["corners_px"]],
        }
        moved = {**true.truth, "dice": [{**true.truth["dice"][0]}, edge, far]}
        cut = cut_out(replace(true, truth=moved), picture, _Middle())
        assert cut is not None
        _, seen, outside = cut[0].truth["dice"]
        assert (seen["visible_frac"] >= 0.5) is judged
        assert not outside["in_image"]


def test_a_picture_without_dice_has_no_part() -> None:
    true = read_truth(PICTURES / "f00.json")
    assert cut_out(true, true.picture(), Random(1)) is None


class _Middle(Random):
    """Draws the part whose middle the dice are."""

    def uniform(self, a: float, b: float) -> float:
        return (a + b) / 2
