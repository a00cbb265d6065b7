"""``boardctl bench watch`` needs pictures of a game, with the truth of it."""

import json
import shutil
from pathlib import Path

from command_line import run

SHOTS = Path(__file__).parents[2] / "data" / "vision" / "green_felt"


def test_pictures_of_no_game_are_refused_by_name(tmp_path: Path) -> None:
    for frame in ("f00", "f01", "f03"):
        shutil.copy(SHOTS / f"{frame}.jpg", tmp_path)
        truth = json.loads((SHOTS / f"{frame}.json").read_text(encoding="utf-8"))
        if frame == "f03":
            del truth["kind"]
        (tmp_path / f"{frame}.json").write_text(json.dumps(truth), encoding="utf-8")
    told = run("bench", "watch", str(tmp_path))
    assert told.code == 2
    assert "f03.json: tells of no game (kind missing)" in " ".join(told.output.split())
