"""Reading SGF files of backgammon, every play held against the rules."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from boardctl.records.formats.game_replay import GameReplay
from boardctl.records.formats.match_file_error import MatchFileError
from boardctl.records.formats.match_record import GameRecord, MatchRecord
from boardctl.records.formats.sgf_letters import COLOURS, notation
from boardctl.rules import Backgammon, Match, MatchRules, Roll, Seat

_SEATS = {colour: seat for seat, colour in COLOURS.items()}
_PROPERTY = re.compile(r"[A-Z]+")
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_RESULT = re.compile(r"^(?P<winner>[WB])\+(?P<points>[0-9]{1,9})(?P<resigned>R?)$")
_OTHER_RESULT = re.compile(r"^(?:0|Draw|Void|\?|[WB]\+(?:R|Resign|T|Time|F|Forfeit)?)?$")
"""Results of SGF that do not say how many points were won."""

_BYTE_ORDER_MARK = "\ufeff"  # some programs write one before the first character
_NUMBER = re.compile(r"^[0-9]{1,9}$")
_PLAY = re.compile(r"^(?P<dice>[1-6]{2})(?P<pairs>[a-z]*)$")


@dataclass(frozen=True, slots=True)
class _Property:
    name: str
    values: tuple[str, ...]
    at: int  # where in the text it starts

    @property
    def value(self) -> str:
        return self.values[0]


_Node = list[_Property]


def read_sgf(text: str) -> MatchRecord:
    """Gets the match of an SGF file of backgammon. W sits at seat A.

    :raises MatchFileError: where the file is damaged or holds what the rules do not allow.
    """
    return _SgfReader(text).read()


class _SgfReader:
    def __init__(self, text: str) -> None:
        self._text = text.removeprefix(_BYTE_ORDER_MARK)
        self._at = 0

    def read(self) -> MatchRecord:
        match: Match | None = None
        players = {Seat.A: "", Seat.B: ""}
        titles: dict[str, str] = {}
        games: list[GameRecord] = []
        for root, nodes in self._trees():
            properties = {each.name: each for each in root}
            if "GM" not in properties or properties["GM"].value != "6":
                raise self._error(root[0].at if root else 0, "this is no SGF of backgammon, GM[6]")
            match = match or Match(_match_rules(properties))
            self._check_score(properties, match)
            titles = titles or {name: properties[name].value for name in ("DT", "EV", "PC") if name in properties}
            players = {seat: _player(properties, f"P{colour}") for seat, colour in COLOURS.items()}
            if games and games[-1].outcome is None:
                raise self._error(root[0].at, f"another game starts before game {len(games)} has ended")
            game = self._game(match, properties, nodes)
            games.append(game)
            if game.outcome is not None:
                match = match.after(game.outcome)
        if match is None:
            raise self._error(0, "there is no game tree '(;...)'")
        return MatchRecord(
            players,
            tuple(games),
            match.rules,
            event=titles.get("EV", ""),
            place=titles.get("PC", ""),
            date=titles.get("DT", ""),
        )

    def _game(self, match: Match, root: dict[str, _Property], nodes: list[_Node]) -> GameRecord:
        doublings = 0
        if nodes and nodes[0] and nodes[0][0].name == "CV":
            value = nodes[0][0].value
            doublings = int(value).bit_length() - 1 if _NUMBER.match(value) else 0
            nodes = nodes[1:]
        replay = GameReplay(Backgammon(), match, doublings)
        for each in (each for node in nodes for each in node):
            if each.name in _SEATS:
                try:
                    _follow(replay, _SEATS[each.name], each.value)
                except ValueError as error:
                    raise self._error(each.at, str(error).partition("\n")[0]) from None
        result = root.get("RE")
        found = _RESULT.match(result.value) if result is not None else None
        if result is not None and found is None and not _OTHER_RESULT.match(result.value):
            raise self._error(result.at, f"{result.value[:40]!r} is no result such as 'W+2'")
        try:
            if found is not None:
                return replay.end(_SEATS[found["winner"]], int(found["points"]))
            return replay.end(None, None)
        except ValueError as error:
            raise self._error(result.at if result is not None else self._at, str(error)) from None

    def _check_score(self, root: dict[str, _Property], match: Match) -> None:
        said = _match_info(root)
        score = (int(said.get("ws", match.score[0])), int(said.get("bs", match.score[1])))
        if score != match.score:
            why = f"the score is {match.score[0]}-{match.score[1]}, not {score[0]}-{score[1]}"
            raise self._error(root["MI"].at, why)

    def _trees(self) -> Iterator[tuple[_Node, list[_Node]]]:
        while self._next():
            self._take("(", "a game tree starts with '('")
            nodes: list[_Node] = []
            while self._next() == ";":
                self._at += 1
                nodes.append(self._node())
            if self._next() == "(":
                raise self._error(self._at, "variations are no part of a match that was played")
            self._take(")", "a game tree ends with ')'")
            if not nodes:
                raise self._error(self._at - 1, "a game tree has at least one node ';'")
            yield nodes[0], nodes[1:]

    def _node(self) -> _Node:
        node: _Node = []
        while self._next().isupper():
            name = _PROPERTY.match(self._text, self._at)
            assert name is not None
            start, self._at = self._at, name.end()
            values: list[str] = []
            while self._next() == "[":
                value = _VALUE.match(self._text, self._at)
                if value is None:
                    raise self._error(self._at, f"the value of {name[0]} has no end")
                values.append(re.sub(r"\\(.)", r"\1", value[1], flags=re.DOTALL))
                self._at = value.end()
            if not values:
                raise self._error(start, f"{name[0]} has no value")
            node.append(_Property(name[0], tuple(values), start))
        return node

    def _next(self) -> str:
        """Gets the next character that is no space; empty at the end."""
        while self._text[self._at : self._at + 1].isspace():
            self._at += 1
        return self._text[self._at : self._at + 1]

    def _take(self, character: str, why: str) -> None:
        if self._next() != character:
            found = self._next() or "the end of the file"
            raise self._error(self._at, f"{why}, not with {found!r}")
        self._at += 1

    def _error(self, at: int, why: str) -> MatchFileError:
        before = self._text[:at]
        return MatchFileError(before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1, why)


def _match_info(root: dict[str, _Property]) -> dict[str, str]:
    pairs = (value.partition(":") for value in (root["MI"].values if "MI" in root else ()))
    return {name: value for name, _, value in pairs if _NUMBER.match(value)}


def _match_rules(root: dict[str, _Property]) -> MatchRules:
    length = int(_match_info(root).get("length", 0))
    words = root["RU"].value.split(":") if "RU" in root else []
    if length:
        return MatchRules(length=length, crawford="Crawford" in words)
    return MatchRules(jacoby="Jacoby" in words, beavers=True, raccoons=True, automatic_doubles=6)


def _player(root: dict[str, _Property], name: str) -> str:
    return root[name].value if name in root else ""


def _follow(replay: GameReplay, seat: Seat, value: str) -> None:
    if value == "double":
        replay.turn_cube(seat)
    elif value in ("take", "drop"):
        replay.answer(seat, taken=value == "take")
    else:
        found = _PLAY.match(value)
        if found is None:
            raise ValueError(f"{value!r} is no play, double, take or drop")
        replay.roll(seat, Roll.of(*map(int, found["dice"])), notation(found["pairs"], seat))
