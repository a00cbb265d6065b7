"""Points are told by their numbers, many of them shortly."""

import pytest

from boardctl.cli.named_points import named_points, points_in_words


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ([], ""),
        ([7], "7"),
        ([13, 2], "2, 13"),
        ([5, 6], "5, 6"),
        ([6, 4, 5, 6], "4 to 6"),
        ([1, 3, 8, 9, 10, 11, 24], "1, 3, 8 to 11, 24"),
        (range(1, 25), "1 to 24"),
    ],
)
def test_points_that_follow_each_other_are_told_by_the_first_and_the_last(numbers: list[int], told: str) -> None:
    assert named_points(numbers) == told


@pytest.mark.parametrize(
    ("numbers", "told"), [([], []), ([7, 7], ["point 7"]), ([7, 8], ["points 7, 8"]), ([4, 5, 6], ["points 4 to 6"])]
)
def test_among_other_places_they_are_said_to_be_points(numbers: list[int], told: list[str]) -> None:
    assert points_in_words(numbers) == told
