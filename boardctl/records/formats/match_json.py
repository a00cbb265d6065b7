"""The plain JSON record of a match: every game, whole, for programs and for people."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from boardctl.records.formats.json_places import Path, place_of
from boardctl.records.formats.match_file_error import MatchFileError
from boardctl.records.formats.match_record import (
    Action,
    CubeAnswered,
    CubeTurned,
    GameRecord,
    MatchRecord,
    NotSeen,
    Resigned,
    Rolled,
    SetUp,
    moments,
)
from boardctl.rules import (
    Game,
    MatchRules,
    Move,
    OfferKind,
    Outcome,
    Place,
    Placement,
    Play,
    Position,
    Roll,
    Seat,
    Turn,
    WinKind,
    write_play,
)
from boardctl.rules.games import game_named
from boardctl.rules.turn import begin, moves_in, proceed

FORMAT = "boardctl match"
VERSION = 1

_BYTE_ORDER_MARK = "\ufeff"  # some programs write one before the first character

_HELD_AT = {"MatchRules": "rules", "Outcome": "outcome"}  # else it is the game: its options
_RULES = TypeAdapter(MatchRules)
_OUTCOME = TypeAdapter(Outcome)


def write_json(record: MatchRecord) -> str:
    """Gets a record of a match of any game as JSON, two spaces an indent."""
    plain = {
        "format": FORMAT,
        "version": VERSION,
        "game": record.game.name,
        "options": TypeAdapter(type(record.game)).dump_python(record.game, mode="json"),
        "rules": _RULES.dump_python(record.rules, mode="json"),
        "players": {seat.value: record.players[seat] for seat in record.game.seats},
        "event": record.event,
        "place": record.place,
        "date": record.date,
        "games": [
            {
                "equal_opening_rolls": game.equal_opening_rolls,
                "actions": [_plain_action(record.game, action) for action in game.actions],
                "outcome": None if game.outcome is None else _OUTCOME.dump_python(game.outcome, mode="json"),
            }
            for game in record.games
        ],
    }
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


class _DamagedActionError(ValueError):
    """An action that cannot be read, with its number from 0."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"action {number + 1}: {why}")
        self.number = number


def read_json(text: str) -> MatchRecord:
    """Gets the match of a JSON record, every legal play held against the rules.

    :raises MatchFileError: where the file is no JSON, or where the entry stands that is not as written; the message
        names the entry.
    """
    try:
        plain = json.loads(text.removeprefix(_BYTE_ORDER_MARK))
    except json.JSONDecodeError as error:
        raise MatchFileError(error.lineno, error.colno, f"no JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number of thousands of digits
        raise MatchFileError(1, 1, f"no JSON of a match: {error}") from None
    where = "the record"
    path: Path = ()
    try:
        if (plain["format"], plain["version"]) != (FORMAT, VERSION):
            raise ValueError(f"format {plain['format']!r} {plain['version']!r} is not {FORMAT!r} {VERSION}")
        base = game_named(plain["game"])
        game = TypeAdapter(type(base)).validate_python(plain["options"])
        games = []
        for number, entry in enumerate(plain["games"], start=1):
            where, path = f"game {number}", ("games", number - 1)
            games.append(_read_game(game, entry))
        where, path = "the record", ()
        record = MatchRecord(
            {seat: str(plain["players"][seat.value]) for seat in game.seats},
            tuple(games),
            _RULES.validate_python(plain["rules"]),
            game,
            event=str(plain["event"]),
            place=str(plain["place"]),
            date=str(plain["date"]),
        )
        for number, (match, each) in enumerate(zip(record.matches(), record.games, strict=True), start=1):
            where, path = f"game {number}", ("games", number - 1)
            list(moments(record, match, each))
        return record
    except ValidationError as error:
        first = error.errors()[0]
        entry_name = ".".join(str(part) for part in first["loc"])
        why, path = (
            f"{where}, {entry_name}: {first['msg']}",
            (*path, _HELD_AT.get(error.title, "options"), *first["loc"]),
        )
    except KeyError as error:
        why = f"{where} has no {error}"
    except _DamagedActionError as error:
        why, path = f"{where}: {error}", (*path, "actions", error.number)
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        why = f"{where}: {error}"
    line, column = place_of(text.removeprefix(_BYTE_ORDER_MARK), path)
    raise MatchFileError(line, column, why.partition("\n")[0])


def _plain_action(game: Game, action: Action) -> dict[str, Any]:
    if isinstance(action, Rolled):
        return {
            "seat": action.seat.value,
            "roll": list(action.roll),
            "play": write_play(game, action.seat, action.play) if action.legal else None,
            "moves": [[str(move.source), str(move.target), move.number, move.hit] for move in action.play.moves],
            "after": _plain_placement(action.play.position),
        }
    if isinstance(action, NotSeen):
        return {
            "seat": action.seat.value,
            "roll": list(action.roll),
            "led_to": _plain_position(action.position),
        }
    if isinstance(action, SetUp):
        return {"set_up": _plain_position(action.position), "by": action.by}
    if isinstance(action, CubeTurned):
        return {"seat": action.seat.value, "turns_cube": action.kind.value}
    if isinstance(action, CubeAnswered):
        return {"seat": action.seat.value, "answers": "take" if action.taken else "drop"}
    return {"seat": action.seat.value, "resigns": int(action.level)}


def _plain_position(position: Position | None) -> dict[str, str] | None:
    return None if position is None else _plain_placement(position)


def _plain_placement(position: Position) -> dict[str, str]:
    placement = position.placement()
    return {str(place): "".join(seat.value for seat in placement.at(place)) for place in placement}


def _read_game(game: Game, entry: Mapping[str, Any]) -> GameRecord:
    position: Position = game.start()
    turn: Turn | None = None
    actions: list[Action] = []
    for number, plain in enumerate(entry["actions"]):
        try:
            if "play" in plain:
                rolled, turn = _read_rolled(game, position, turn, Seat(plain["seat"]), plain)
                position = rolled.play.position
                actions.append(rolled)
                continue
            action = _read_action(game, plain)
            if isinstance(action, (NotSeen, SetUp)):
                position, turn = position if action.position is None else action.position, None
            actions.append(action)
        except KeyError as error:
            raise _DamagedActionError(number, f"has no {error}") from None
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise _DamagedActionError(number, str(error)) from None
    outcome = None if entry["outcome"] is None else _OUTCOME.validate_python(entry["outcome"])
    return GameRecord(tuple(actions), outcome, int(entry["equal_opening_rolls"]))


def _read_action(game: Game, plain: Mapping[str, Any]) -> Action:
    if "set_up" in plain:
        return SetUp(_read_position(game, plain["set_up"]), str(plain["by"]))
    seat = Seat(plain["seat"])
    if "roll" in plain:
        return NotSeen(seat, Roll.of(*plain["roll"]), _read_position(game, plain["led_to"]))
    if "turns_cube" in plain:
        return CubeTurned(seat, OfferKind(plain["turns_cube"]))
    if "answers" in plain:
        return CubeAnswered(seat, {"take": True, "drop": False}[plain["answers"]])
    return Resigned(seat, WinKind(plain["resigns"]))


def _read_position(game: Game, plain: Mapping[str, str] | None) -> Position | None:
    return None if plain is None else game.position_of(_read_placement(plain))


def _read_placement(plain: Mapping[str, str]) -> Placement:
    return Placement((Place.parse(place), tuple(map(Seat, stack))) for place, stack in plain.items())


def _read_rolled(
    game: Game, position: Position, turn: Turn | None, seat: Seat, plain: Mapping[str, Any]
) -> tuple[Rolled, Turn | None]:
    """Gets a roll and its play, and the state of a turn that goes on behind it."""
    roll = Roll.of(*plain["roll"])
    placement = _read_placement(plain["after"])
    if plain["play"] is None:
        return Rolled(seat, roll, Play((), game.position_of(placement)), legal=False), None
    turn = turn or begin(game, position, seat, roll)
    moves = tuple(_move(*move) for move in plain["moves"])
    graph = moves_in(game, position, turn)
    after = position
    for move in moves:
        onward = dict(graph.steps[after].onward)
        if move not in onward:
            raise ValueError(f"{plain['play']} is no legal play of {turn.control.value} with {turn.numbers}")
        after = onward[move]
    if not graph.steps[after].complete or after.placement() != placement:
        raise ValueError(f"{plain['play']} is not complete or does not lead to the recorded position")
    return Rolled(seat, roll, Play(moves, after)), proceed(game, after, turn, len(moves))


def _move(source: str, target: str, number: int, hit: str | None) -> Move:
    return Move(Place.parse(source), Place.parse(target), number, None if hit is None else Seat(hit))
