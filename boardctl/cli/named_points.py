"""Numbers of points as they are told in a line: of those that follow each other the first and the last."""

from collections.abc import Iterable, Iterator

FOLLOWING = 3
"""So many and more that follow each other are told by the first and the last."""


def named_points(numbers: Iterable[int]) -> str:
    """Gets some points by their numbers, in order: "2, 8 to 12, 17"."""
    return ", ".join(part for run in _runs(sorted(set(numbers))) for part in _named(run))


def points_in_words(numbers: Iterable[int]) -> list[str]:
    """Gets the same as a part of a list of places: "point 8", "points 2, 8 to 12"; nothing where there are none."""
    told = set(numbers)
    return [f"point{'s' if len(told) > 1 else ''} {named_points(told)}"] if told else []


def _runs(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Gets numbers, in order, those together that follow each other."""
    run: list[int] = []
    for number in numbers:
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def _named(run: list[int]) -> list[str]:
    return [f"{run[0]} to {run[-1]}"] if len(run) >= FOLLOWING else [str(number) for number in run]
