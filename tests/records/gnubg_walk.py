"""Lets GNU Backgammon read a match file and tells, game by game, which positions it saw."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from boardctl.records.formats import MatchRecord, Resigned
from boardctl.rules import BackgammonPosition, Position
from boardctl.rules.match_id import read_match_id
from boardctl.rules.position_id import read_position_id
from boardctl.rules.situation import Stage

GNUBG = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")  # Debian keeps it among the games
_IDS = re.compile(r"Position ID: (\S+)\s+Match ID +: (\S+)")
_GAME, _FILE = 1001, 1002  # seeds, set to have something printed that marks where a game starts and a file ends

Walk = list[tuple[tuple[int, int], list[Position]]]
"""For each game the score before it and its positions in order, none twice in a row."""


def walk_in_gnubg(command: str, files: Sequence[Path], records: Sequence[MatchRecord]) -> list[Walk]:
    """Gets what GNU Backgammon saw of each file that it was told to read with ``command``."""
    assert GNUBG is not None
    lines = ["set confirm new off", "set confirm save off"]
    for file, record in zip(files, records, strict=True):
        lines.append(f'{command} "{file}"')
        for number, game in enumerate(record.games):
            lines += ["first game" if number == 0 else "next game", f"set seed {_GAME}"]
            lines += ["next", "show board"] * sum(not isinstance(each, Resigned) for each in game.actions)
        lines.append(f"set seed {_FILE}")
    ran = subprocess.run(
        [GNUBG, "-t", "-q", "-r"], input="\n".join(lines).encode(), capture_output=True, timeout=300, check=True
    )
    # Names are cut in the middle of a character when they are long.
    printed = ran.stdout.decode("utf-8", errors="replace")
    games = iter([_game(after.partition(_mark(_FILE))[0]) for after in printed.split(_mark(_GAME))[1:]])
    return [[next(games) for _ in record.games] for record in records]


def walk_of(record: MatchRecord) -> Walk:
    """Gets the same of a record."""
    walks = zip(record.matches(), record.games, strict=True)
    return [(match.score, _each_once([roll.play.position for roll in game.rolls()])) for match, game in walks]


def _mark(seed: int) -> str:
    return f"Seed set to {seed}."


def _game(part: str) -> tuple[tuple[int, int], list[Position]]:
    positions: list[Position] = []
    scores = []
    for position_id, match_id in _IDS.findall(part):
        situation = read_match_id(match_id, BackgammonPosition.start())
        # GNU Backgammon's player 0, whom an identifier calls B, is the left player of a file, who sits at A.
        scores.append(situation.score[::-1])
        if situation.stage is Stage.DROPPED:
            continue  # it shows the board of a dropped game from the other side
        position = read_position_id(position_id, situation.seat)
        positions.append(BackgammonPosition(light=position.dark, dark=position.light))
    start: Position = BackgammonPosition.start()
    return scores[0], [each for each in _each_once(positions) if each != start]


def _each_once(positions: Sequence[Position]) -> list[Position]:
    return [position for position, _ in groupby(positions)]
