"""Whether a machine keeps up with a live camera: a short film, shown as a camera shows it, to a table of its own."""

import re
import time
from pathlib import Path

import cv2
import numpy as np
from command_line import run

from boardctl.cli.bench.stream_table import Film


def test_a_film_is_shown_and_its_game_refereed() -> None:
    ran = run("bench", "stream", "--size", "960x540", "--rate", "5", "--seconds", "8")
    assert ran.code == 0, ran.output
    shown = re.search(r"frames shown, read +(\d+), (\d+)", ran.output)
    assert shown is not None
    assert 20 <= int(shown[1]) <= 45
    assert 1 <= int(shown[2]) <= int(shown[1])
    assert re.search(r"memory at most +\d+ MB", ran.output)


def test_a_size_that_is_none_is_refused() -> None:
    ran = run("bench", "stream", "--size", "large")
    assert (ran.code, "such as 1920x1080" in ran.output) == (2, True)


def test_who_comes_too_late_gets_the_frame_that_is_due_then(tmp_path: Path) -> None:
    for number in range(4):
        cv2.imwrite(str(tmp_path / f"{number * 20:08d}.png"), np.full((4, 4, 3), number, np.uint8))
        (tmp_path / f"{number * 20:08d}.png").rename(tmp_path / f"{number * 20:08d}.jpg")
    over: list[bool] = []
    film = Film(tmp_path, lambda: over.append(True))
    first = film.read()[1]
    assert first is not None
    assert first[0, 0, 0] == 0
    time.sleep(0.05)  # 20 and 40 milliseconds have passed by
    late = film.read()[1]
    assert late is not None
    assert late[0, 0, 0] == 2
    while not over:
        film.read()
    assert film.frames == 4
