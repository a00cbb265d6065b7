"""Reading ``.mat`` files, every play held against the rules."""

import re
from collections.abc import Iterator

from boardctl.records.formats.game_replay import GameReplay
from boardctl.records.formats.match_file_error import MatchFileError
from boardctl.records.formats.match_record import GameRecord, MatchRecord
from boardctl.rules import Backgammon, Match, MatchRules, Roll, Seat

_LENGTH = re.compile(r"^\s*([0-9]{1,5}) point match\s*$", re.IGNORECASE)
_GAME = re.compile(r"^\s*Game ([0-9]{1,6})\s*$", re.IGNORECASE)
_NAMES = re.compile(r"^\s*(?P<a>[^:]*?) ?: (?P<score_a>[0-9]{1,6})\s*(?P<b>[^:]*?) ?: (?P<score_b>[0-9]{1,6})\s*$")
_TITLE = re.compile(r'^; \[(?P<name>\w+) "(?P<text>[^"]*)"\]\s*$')
_ROW = re.compile(r"^\s*\d+\)")
_CELL = re.compile(
    r"(?P<dice>[1-6]{2}):(?P<moves>(?: +(?:cannot move|[^\s:]+/\S+))*)"
    r"|(?P<turn>doubles|redoubles|beavers|raccoons) => (?P<value>[0-9]{1,9})"
    r"|(?P<answer>takes|drops)"
    r"|(?P<wins>wins) (?P<points>[0-9]{1,9}) points?(?: and the match)?",
    re.IGNORECASE,
)
_BYTE_ORDER_MARK = "\ufeff"  # some programs write one before the first line
_RIGHT_COLUMN = 20  # a cell that starts here or later, counted from 0, is in the right column


def read_mat(text: str) -> MatchRecord:
    """Gets the match of a ``.mat`` file. The left player sits at seat A.

    :raises MatchFileError: where the file is damaged or holds what the rules do not allow.
    """
    return _MatReader(text).read()


class _MatReader:
    def __init__(self, text: str) -> None:
        self._lines = text.removeprefix(_BYTE_ORDER_MARK).splitlines()
        self._at = 0
        self._titles: dict[str, str] = {}

    def read(self) -> MatchRecord:
        length = int(self._expect(_LENGTH, "5 point match")[1])
        crawford = self._titles.get("Crawford", "On") == "On"
        match = Match(MatchRules(length=length or None, crawford=crawford, beavers=not length, raccoons=not length))
        players = {Seat.A: "", Seat.B: ""}
        games: list[GameRecord] = []
        while self._skip_blank():
            number = self._expect(_GAME, f"Game {len(games) + 1}")[1]
            if int(number) != len(games) + 1:
                raise self._error(1, f"game {number} follows on game {len(games)}", -1)
            if games and games[-1].outcome is None:
                raise self._error(1, f"game {number} starts before game {len(games)} has ended", -1)
            names = self._expect(_NAMES, "Ann : 0     Bob : 0")
            players = {Seat.A: names["a"], Seat.B: names["b"]}
            score = (int(names["score_a"]), int(names["score_b"]))
            if score != match.score:
                raise self._error(1, f"the score is {match.score[0]}-{match.score[1]}, not {score[0]}-{score[1]}", -1)
            game = self._read_game(match)
            games.append(game)
            if game.outcome is not None:
                match = match.after(game.outcome)
        return MatchRecord(
            players,
            tuple(games),
            match.rules,
            event=self._titles.get("Event", ""),
            place=self._titles.get("Site", ""),
            date=self._titles.get("EventDate", "").replace(".", "-"),
        )

    def _read_game(self, match: Match) -> GameRecord:
        replay = GameReplay(Backgammon(), match)
        while self._skip_blank() and not _GAME.match(self._lines[self._at]):
            line = self._lines[self._at]
            for seat, cell in self._cells(line):
                try:
                    if cell["wins"]:
                        game = replay.end(seat, int(cell["points"]))
                        self._at += 1
                        return game
                    _follow(replay, seat, cell)
                except ValueError as error:
                    raise self._error(cell.start() + 1, str(error).partition("\n")[0]) from None
            self._at += 1
        try:
            return replay.end(None, None)
        except ValueError as error:
            raise self._error(1, str(error)) from None

    def _cells(self, line: str) -> Iterator[tuple[Seat, re.Match[str]]]:
        row = _ROW.match(line)
        at = row.end() if row else 0
        cells: list[re.Match[str]] = []
        while line[at:].strip():
            at += len(line[at:]) - len(line[at:].lstrip())
            cell = _CELL.match(line, at)
            if cell is None or (row is None and not cell["wins"]) or len(cells) == 2:
                raise self._error(at + 1, f"{line[at : at + 20].strip()!r} is no roll, cube action or result")
            cells.append(cell)
            at = cell.end()
        if len(cells) == 2:
            yield Seat.A, cells[0]
            yield Seat.B, cells[1]
        elif cells:
            yield Seat.B if cells[0].start() >= _RIGHT_COLUMN else Seat.A, cells[0]

    def _skip_blank(self) -> bool:
        """Passes over empty lines and comments; whether a line is left."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if title := _TITLE.match(line):
                self._titles[title["name"]] = title["text"]
            if line.strip() and not line.startswith(";"):
                return True
            self._at += 1
        return False

    def _expect(self, pattern: re.Pattern[str], example: str) -> re.Match[str]:
        if not self._skip_blank():
            raise self._error(1, f"the file ends where {example!r} should follow")
        found = pattern.match(self._lines[self._at])
        if found is None:
            raise self._error(1, f"{self._lines[self._at].strip()[:60]!r} stands where {example!r} should")
        self._at += 1
        return found

    def _error(self, column: int, why: str, lines_from_here: int = 0) -> MatchFileError:
        return MatchFileError(self._at + 1 + lines_from_here, column, why)


def _follow(replay: GameReplay, seat: Seat, cell: re.Match[str]) -> None:
    if cell["dice"]:
        moves = cell["moves"].strip()
        replay.roll(seat, Roll.of(*map(int, cell["dice"])), _standard(moves))
    elif cell["turn"]:
        replay.turn_cube(seat, int(cell["value"]))
    else:
        replay.answer(seat, taken=cell["answer"].lower() == "takes")


def _standard(moves: str) -> str:
    """Gets moves in standard notation where a file has 25 for the bar and 0 for off."""
    if moves.lower() == "cannot move":
        return ""
    return re.sub(r"/0\b", "/off", re.sub(r"\b25/", "bar/", moves))
