"""Lets GNU Backgammon read a match file and tells, game by game, which positions it saw."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from boardctl.records.formats import GameRecord, MatchRecord, Resigned
from boardctl.records.formats.match_record import moments
from boardctl.rules import BackgammonPosition, Match, Position, Seat
from boardctl.rules.match_id import read_match_id, write_match_id
from boardctl.rules.position_id import read_position_id, write_position_id
from boardctl.rules.situation import Stage

GNUBG = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")  # Debian keeps it among the games
_IDS = re.compile(r"Position ID: (\S+)\s+Match ID +: (\S+)")
_GAME, _FILE = 1001, 1002  # seeds, set to have something printed that marks where a game starts and a file ends

_Seen = TypeVar("_Seen")
_Cube = tuple[int, Seat | None]
Walk = list[tuple[tuple[int, ...], list[Position], list[_Cube]]]
"""For each game the score before it, its positions and its cubes (value, owner) in order, none twice in a row."""


def walk_in_gnubg(command: str, files: Sequence[Path], records: Sequence[MatchRecord]) -> list[Walk]:
    """Gets what GNU Backgammon saw of each file that it was told to read with ``command``."""
    assert GNUBG is not None
    lines = ["set confirm new off", "set confirm save off"]
    for file, record in zip(files, records, strict=True):
        lines.append(f'{command} "{file}"')
        for number, game in enumerate(record.games):
            lines += ["first game" if number == 0 else "next game", f"set seed {_GAME}"]
            lines += ["next", "show board"] * _steps(command, record, game)
        lines.append(f"set seed {_FILE}")
    ran = subprocess.run(
        [GNUBG, "-t", "-q", "-r"], input="\n".join(lines).encode(), capture_output=True, timeout=300, check=True
    )
    # Names are cut in the middle of a character when they are long.
    printed = ran.stdout.decode("utf-8", errors="replace")
    games = iter([_game(after.partition(_mark(_FILE))[0]) for after in printed.split(_mark(_GAME))[1:]])
    return [[next(games) for _ in record.games] for record in records]


def _steps(command: str, record: MatchRecord, game: GameRecord) -> int:
    """How many steps GNU Backgammon takes through a game: one for each action, and one where it sets the cube first."""
    cube_set = command != "import mat" and record.opening_match().opening_cube(game.equal_opening_rolls).value > 1
    return cube_set + sum(not isinstance(each, Resigned) for each in game.actions)


def walk_of(record: MatchRecord) -> Walk:
    """Gets the same of a record."""
    walks = zip(record.matches(), record.games, strict=True)
    return [
        (match.score, _each_once([roll.play.position for roll in game.rolls()]), _cubes(record, match, game))
        for match, game in walks
    ]


def _cubes(record: MatchRecord, match: Match, game: GameRecord) -> list[_Cube]:
    cubes = [moment.cube for moment in moments(record, match, game) if moment.cube.offer is None]
    return _each_once([(cube.value, cube.owner) for cube in cubes])


def _mark(seed: int) -> str:
    return f"Seed set to {seed}."


def _game(part: str) -> tuple[tuple[int, ...], list[Position], list[_Cube]]:
    positions: list[Position] = []
    cubes: list[_Cube] = []
    scores = []
    for position_id, match_id in _IDS.findall(part):
        situation = read_match_id(match_id, BackgammonPosition.start())
        assert write_match_id(situation) == match_id
        assert write_position_id(read_position_id(position_id, situation.seat), situation.seat) == position_id
        # GNU Backgammon's player 0, whom an identifier calls B, is the left player of a file, who sits at A.
        scores.append(situation.score[::-1])
        if situation.stage is Stage.DROPPED:
            continue  # it shows the board of a dropped game from the other side
        owner = situation.cube.owner
        if situation.cube.offer is None:  # while a beaver waits, an identifier does not say whose the cube was
            cubes.append((situation.cube.value, None if owner is None else owner.other))
        position = read_position_id(position_id, situation.seat)
        positions.append(BackgammonPosition(light=position.dark, dark=position.light))
    start: Position = BackgammonPosition.start()
    return scores[0], [each for each in _each_once(positions) if each != start], _each_once(cubes)


def _each_once(seen: Sequence[_Seen]) -> list[_Seen]:
    return [each for each, _ in groupby(seen)]
