"""Plays in standard notation, written and read: ``13/7 8/7*``, ``bar/24``, ``6/off(2)``, ``(no play)``.

Points are the mover's own. One checker's moves are written as one journey, ``24/13``; a stop in between is named only
when a blot is hit there, ``24/18*/13``. A number in brackets counts checkers that make the same journey.

>>> from boardctl.rules import Backgammon, Roll, Seat
>>> game = Backgammon()
>>> play = read_play(game, game.start(), Seat.A, Roll.of(6, 5), "24/18/13")
>>> write_play(game, Seat.A, play)
'24/13'
"""

import re
from collections import Counter
from dataclasses import dataclass

from boardctl.rules.board import Seat
from boardctl.rules.game import Game, Move, MoveGraph, Play, Position, Roll

NO_PLAY = "(no play)"

_JOURNEY = re.compile(r"^(?P<source>\w+)(?P<stops>(?:/\w+\*?)+)(?:\((?P<count>\d+)\))?$")
_BAR_RANK = 100  # above every point: the bar lies behind them all
_NO_PLAY_WORDS = frozenset({"", NO_PLAY, "no play", "dance", "dances", "cannot move"})


class NotationError(ValueError):
    """The text is no play in standard notation."""


class IllegalPlayError(NotationError):
    """The text is a play, but not a legal and complete one of that position and roll."""


@dataclass(frozen=True, slots=True)
class _Stop:
    name: str
    hit: bool = False

    def __str__(self) -> str:
        return f"{self.name}*" if self.hit else self.name


_Journey = tuple[_Stop, ...]  # where the checker is first, then every stop that is named


def write_play(game: Game, seat: Seat, play: Play) -> str:
    """Gets a play in standard notation as ``seat`` counts the points."""
    journeys: list[list[_Stop]] = []
    for move in play.moves:
        source, target = game.point_for(seat, move.source), game.point_for(seat, move.target)
        landed = _Stop(target, move.hit is not None)
        travelled = next((journey for journey in journeys if journey[-1].name == source), None)
        if travelled is None:
            journeys.append([_Stop(source), landed])
        else:
            travelled.append(landed)
    # A game that counts its points along the way writes low points first; the hindmost checker always comes first.
    rises = any(_rank(stop) > _rank(journey[0]) for journey in journeys for stop in journey[1:])
    journeys.sort(key=lambda journey: _rank(journey[0], rises=rises), reverse=True)
    groups: dict[tuple[str, ...], list[_Journey]] = {}
    for journey in journeys:
        named = (journey[0], *(stop for stop in journey[1:-1] if stop.hit), journey[-1])
        groups.setdefault(tuple(stop.name for stop in named), []).append(named)
    return " ".join(_group_text(group) for group in groups.values()) or NO_PLAY


def read_play(game: Game, position: Position, seat: Seat, roll: Roll, text: str) -> Play:
    """Gets the legal play that a text in standard notation names.

    The order of the journeys is free, stops without a hit may be named, and the star of the last stop may be missing.
    A text whose journeys cannot be made one by one (``8/3 3/off`` where it was ``8/4 4/off``) names the legal play that
    takes the same checkers off the same places and puts them on the same places, when there is just one: where the
    checkers are in the end is what counts.

    :raises NotationError: when the text is not in standard notation.
    :raises IllegalPlayError: when it names no complete legal play; the message quotes it and the position.
    """
    graph = game.moves(position, seat, roll)
    journeys = _read_journeys(text)
    moves = _follow(game, seat, graph, position, journeys)
    if moves is not None:
        return _play_of(graph, moves)
    alike = [play for play in game.plays(position, seat, roll) if _carries_alike(game, seat, play, journeys)]
    if len(alike) == 1:
        return alike[0]
    raise IllegalPlayError(f"{text!r} is no legal play of {seat.value} with {roll}\n{position}")


def _rank(stop: _Stop, *, rises: bool = False) -> int:
    if not stop.name.isdecimal():
        return _BAR_RANK if stop.name == "bar" else 0
    return -int(stop.name) if rises else int(stop.name)


def _group_text(group: list[_Journey]) -> str:
    path = [_Stop(stop.name, any(journey[at].hit for journey in group)) for at, stop in enumerate(group[0])]
    count = f"({len(group)})" if len(group) > 1 else ""
    return "/".join(str(stop) for stop in path) + count


def _read_journeys(text: str) -> tuple[_Journey, ...]:
    words = text.strip().lower()
    if words in _NO_PLAY_WORDS:
        return ()
    journeys: list[_Journey] = []
    for word in words.split():
        found = _JOURNEY.match(word)
        if found is None:
            raise NotationError(f"{word!r} in {text!r} is no journey; expected such as '13/7', 'bar/24*' or '6/off(2)'")
        stops = [_Stop(stop.rstrip("*"), stop.endswith("*")) for stop in found["stops"].strip("/").split("/")]
        journeys.append((_Stop(found["source"]), *stops))
        # A point has one blot to hit: the star of a group is that of its first checker.
        bare = tuple(_Stop(stop.name) for stop in journeys[-1])
        journeys.extend([bare] * (int(found["count"] or 1) - 1))
        if len(journeys) > 4:
            raise NotationError(f"{text!r} moves more than four checkers")
    return tuple(journeys)


def _follow(
    game: Game, seat: Seat, graph: MoveGraph, position: Position, journeys: tuple[_Journey, ...]
) -> tuple[Move, ...] | None:
    """Gets the moves that make all the journeys and end the turn, or None when no way through the graph does."""
    step = graph.steps[position]
    if not journeys:
        return () if step.complete else None
    for move, result in step.onward:
        source, target = game.point_for(seat, move.source), game.point_for(seat, move.target)
        for at, journey in enumerate(journeys):
            here, aim, *later = journey
            if here.name != source or (aim.hit and aim.name == target and move.hit is None):
                continue
            if aim.name != target:
                if move.hit is not None:
                    continue
                left: tuple[_Journey, ...] = ((_Stop(target), aim, *later),)
            else:
                left = ((_Stop(target), *later),) if later else ()
            moves = _follow(game, seat, graph, result, (*journeys[:at], *left, *journeys[at + 1 :]))
            if moves is not None:
                return (move, *moves)
    return None


def _carries_alike(game: Game, seat: Seat, play: Play, journeys: tuple[_Journey, ...]) -> bool:
    """Whether a play changes the same places as the journeys do, and hits wherever they have a star."""
    named, made = Counter[str](), Counter[str]()
    for journey in journeys:
        named.update({journey[0].name: -1})
        named.update({journey[-1].name: 1})
    for move in play.moves:
        made.update({game.point_for(seat, move.source): -1})
        made.update({game.point_for(seat, move.target): 1})
    hits = {game.point_for(seat, move.target) for move in play.moves if move.hit is not None}
    starred = {stop.name for journey in journeys for stop in journey if stop.hit}
    changes = [{place: count for place, count in each.items() if count} for each in (named, made)]
    return bool(journeys) and changes[0] == changes[1] and starred <= hits


def _play_of(graph: MoveGraph, moves: tuple[Move, ...]) -> Play:
    position = graph.start
    for made in moves:
        position = next(result for move, result in graph.steps[position].onward if move == made)
    return Play(moves, position)
