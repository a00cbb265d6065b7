"""Drawn boards of which something was told wrongly, and surely, or left open that anybody sees."""

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from boardctl.rules import Seat, point
from boardctl.virtual.unseen import looks
from boardctl.virtual.unseen.tables import write_pictures
from boardctl.vision.frame import read_following
from boardctl.vision.whole_sets import with_whole_sets
from calibration import calibrate

Change = Callable[[looks.Installation], looks.Installation]

SURE = 0.95
CHECKERS = 15


@pytest.mark.parametrize(
    ("seed", "number", "changes", "picture", "open_points"),
    [
        # Two ringed checkers, of which the first does not quite seem to begin at the edge: the second was lost.
        (16005, 1, (looks.resized, looks.wide, looks.inlaid, looks.uncommon_dice), 2, ()),
        # A black checker with a light letter on black, taken for the other seat's, all of whose lie elsewhere.
        (16035, 2, (looks.printed, looks.trayless, looks.ornate, looks.inlaid), 4, (18, 23)),
        # A dark checker on a dark point, and two on the middle line of a board without a bar.
        (18001, 8, (looks.printed,), 4, ()),
        # The last of a light row on a light point, where two on the middle line begin.
        (16029, 1, (looks.printed, looks.railed, looks.polished, looks.uncommon_dice, looks.cluttered), 3, ()),
        # Shining rows that look like neither seat's, each checker by itself.
        (17005, 3, (looks.wide, looks.polished), 3, ()),
    ],
)
def test_no_point_is_told_wrongly_for_sure(
    tmp_path: Path, seed: int, number: int, changes: tuple[Change, ...], picture: int, open_points: tuple[int, ...]
) -> None:
    drawn = looks.drawn_installation(seed, number)
    for change in changes:
        drawn = change(drawn)
    write_pictures(drawn, tmp_path, picture - 1, number)
    empty, start, *_, shown = (cv2.imread(str(path)) for path in sorted(tmp_path.glob("*.jpg")))
    assert empty is not None
    assert start is not None
    assert shown is not None
    truth = json.loads((tmp_path / f"f{picture:02}.json").read_text())["points"]
    reading = with_whole_sets(read_following(shown, calibrate(empty, start)), CHECKERS)
    told = {place.place: place for place in reading.board.places}
    for named, true in truth.items():
        seen = told[point(int(named))]
        stack = (Seat(true["color"]),) * true["count"] if true["count"] else ()
        if int(named) in open_points:
            assert seen.best == stack or seen.confidence < SURE
        else:
            assert seen.best == stack
