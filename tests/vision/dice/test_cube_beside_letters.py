"""Letters of an emblem, of which one alone looks like the cube on the empty board, are none in any picture."""

from functools import reduce
from pathlib import Path

from boardctl.devices.pictures import read_picture
from boardctl.virtual.unseen.looks import (
    cluttered,
    drawn_installation,
    inlaid,
    ornate,
    polished,
    railed,
    uncommon_dice,
    wide,
)
from boardctl.virtual.unseen.tables import write_pictures
from boardctl.vision import read_frame
from calibration import calibrate


def test_a_letter_beside_one_that_looks_like_the_cube_is_not_taken_for_it(tmp_path: Path) -> None:
    """The B of a BG was an 8 on a cube that is offered, with 0.98, while the cube lay on the bar."""
    changes = (wide, ornate, railed, inlaid, polished, uncommon_dice, cluttered)
    installation = reduce(lambda drawn, change: change(drawn), changes, drawn_installation(13103, 8))
    write_pictures(installation, tmp_path, 6, 8)
    empty, start, _, _, shown, *_ = (read_picture(path) for path in sorted(tmp_path.glob("*.jpg")))
    cube = read_frame(shown, calibrate(empty, start)).board.cube
    assert cube is not None
    assert (cube.value, cube.at) == (64, "bar")
