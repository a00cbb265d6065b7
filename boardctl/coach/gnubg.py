"""GNU Backgammon as a process of its own, spoken to over its command line and kept alive between questions.

It is told position, score and cube by Position ID and Match ID, with the asking seat on roll, and answers ``hint`` with
the legal plays and their equities. Its standard input is our end of a pipe: when we die, however we die, it reads the
end of it and quits.
"""

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from queue import Empty, Queue
from time import monotonic
from types import TracebackType
from typing import Self

from boardctl.coach.engine import FOR_ITSELF, EngineError, RatedPlay, Stake
from boardctl.rules import (
    Backgammon,
    BlockedHigher,
    Game,
    IllegalPlayError,
    Match,
    MatchRules,
    NotationError,
    Position,
    Roll,
    Seat,
)
from boardctl.rules.backgammon_position import BackgammonPosition
from boardctl.rules.cube import CENTRED
from boardctl.rules.match_id import write_match_id
from boardctl.rules.notation import read_play
from boardctl.rules.position_id import write_position_id
from boardctl.rules.situation import Situation

START_S = 20.0
"""Until the first answer: on a Raspberry Pi it reads its networks from a memory card."""

ANSWER_S = 5.0
"""Until any later answer. A double in the middle game has some hundred plays; evaluating each without looking ahead
takes a fraction of a second."""

RESTARTS = 1
"""How often one question is asked again of a fresh process."""

_SETTINGS = (
    "set player 0 human",
    "set player 1 human",
    "set automatic game off",
    "set automatic roll off",
    "set automatic move off",
    "set automatic bearoff off",
    "set confirm new off",
    "set confirm save off",
    "set display off",
    "set output mwc off",
    "set output digits 4",
)
_DECIDES = Match(MatchRules(length=1))
_LINE = re.compile(r"^\s*\d+\. (?:Cubeful|Cubeless)\s+\S+\s+(?P<play>\S.*?)\s+Eq\.:\s*(?P<equity>[-+]\d+\.\d+)")
_MOST_PLAYS = 2000  # more than any roll has


def find_gnubg() -> str | None:
    """Gets the path of the program; None when it is not installed. Debian keeps it among the games."""
    return shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}:/usr/games")


class GnuBackgammon:
    """The engine for standard backgammon. The process is started with the first question; a context manager.

    ``plies``: how many rolls it looks ahead; with 0 it answers in hundredths of a second.
    """

    name = "GNU Backgammon"

    def __init__(
        self, program: str | None = None, plies: int = 0, answer_s: float = ANSWER_S, start_s: float = START_S
    ) -> None:
        found = program or find_gnubg()
        if found is None:
            raise EngineError("GNU Backgammon is not installed; run: sudo apt install gnubg")
        self._program = found
        self._plies = plies
        self._answer_s = answer_s
        self._start_s = start_s
        self._process: subprocess.Popen[str] | None = None
        self._lines: Queue[str | None] = Queue()
        self._marks = count(1)
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The id of the process; None while none runs."""
        return self._process.pid if self._process is not None else None

    def knows(self, game: Game) -> bool:
        """Whether a game is backgammon with the usual rule of bearing off with larger numbers."""
        return isinstance(game, Backgammon) and game.options.blocked_higher is BlockedHigher.WAITS

    def rate(
        self, game: Game, position: Position, seat: Seat, roll: Roll, stake: Stake = FOR_ITSELF
    ) -> Sequence[RatedPlay]:
        """Gets the plays of a roll, the best first; none where there is no choice.

        Equity is that at the score, with the cube where it stands, or without one; a game whose gammons do not count
        is rated as one that decides a match. What Last Roll or automatic doubles may add is not known to it.

        :raises EngineError: when it does not answer in time, or has gone twice in a row.
        :raises ValueError: for a position of another game.
        """
        if not isinstance(game, Backgammon) or not isinstance(position, BackgammonPosition):
            raise ValueError(f"{self.name} plays backgammon only, not {game.name}")
        if len(game.plays(position, seat, roll)) < 2:
            return ()
        match = stake.match if game.options.gammons else _DECIDES
        situation = Situation(
            position,
            seat,
            roll,
            stake.cube if match.has_cube else CENTRED,
            match.rules.length or 0,
            (match.points(Seat.A), match.points(Seat.B)),
            match.is_crawford,
            match.rules.jacoby,
        )
        questions = [
            f"set gnubgid {write_position_id(position, seat)}:{write_match_id(situation)}",
            f"set evaluation chequerplay evaluation cubeful {'on' if match.has_cube else 'off'}",
            f"hint {_MOST_PLAYS}",
        ]
        with self._lock:
            answer = self._ask(questions)
        rated = []
        for line in answer:
            if (found := _LINE.match(line)) is not None:
                try:
                    play = read_play(game, position, seat, roll, found["play"])
                except (NotationError, IllegalPlayError) as error:
                    raise EngineError(f"{self.name} named a play that is none: {error}") from error
                rated.append(RatedPlay(play, float(found["equity"])))
        if not rated:
            raise EngineError(f"{self.name} named no play for {roll}; it said: {' / '.join(answer)[-200:]}")
        return tuple(rated)

    def close(self) -> None:
        """Ends the process. May be called again."""
        with self._lock:
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, questions: Sequence[str]) -> list[str]:
        """Gets the lines that answer some commands; a process that has gone is started again."""
        for attempt in range(RESTARTS + 1):
            try:
                if self._process is None:
                    self._start()
                return self._exchange(questions, self._answer_s)
            except EngineError:
                self._end()
                if attempt == RESTARTS:
                    raise
        raise AssertionError("unreachable")

    def _start(self) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603  a program that was found on the path, no shell
                [self._program, "-t", "-q", "-r"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
                env={**os.environ, "LC_ALL": "C"},
            )
        except OSError as error:
            raise EngineError(f"{self._program}: cannot be started: {error.strerror}") from error
        self._lines = Queue()
        threading.Thread(target=_drain, args=(self._process, self._lines), name="gnubg", daemon=True).start()
        plies = f"set evaluation chequerplay evaluation plies {self._plies}"
        self._exchange([*_SETTINGS, plies], self._start_s)

    def _exchange(self, commands: Sequence[str], timeout_s: float) -> list[str]:
        """Sends commands and gets all that is said until they are done: setting a seed then has something printed."""
        assert self._process is not None
        assert self._process.stdin is not None
        number = next(self._marks)
        try:
            self._process.stdin.write("\n".join([*commands, f"set seed {number}", ""]))
            self._process.stdin.flush()
        except OSError as error:
            raise EngineError(f"{self.name} is gone ({error.strerror}); it is started again") from error
        said: list[str] = []
        give_up_s = monotonic() + timeout_s
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, give_up_s - monotonic()))
            except Empty:
                raise EngineError(f"{self.name} has not answered in {timeout_s:g} s") from None
            if line is None:
                raise EngineError(f"{self.name} has ended by itself; check it with: {self._program} -t")
            if f"Seed set to {number}." in line:
                return said
            said.append(line.rstrip())

    def _end(self) -> None:
        if self._process is None:
            return
        process, self._process = self._process, None
        process.kill()
        process.wait()
        # What was not read by it any more cannot be written; nobody needs it.
        with suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()


def _drain(process: "subprocess.Popen[str]", lines: "Queue[str | None]") -> None:
    """Passes on what a process says, line by line, and then that it has ended."""
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            lines.put(line)
    lines.put(None)
