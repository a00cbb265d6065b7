"""SGF files (FF[4] GM[6]) as GNU Backgammon writes and reads them: one game tree for each game of a match.

    (;FF[4]GM[6]CA[UTF-8]AP[boardctl]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]RE[W+1]
    ;B[52aclq]
    ;W[double]
    ;B[drop])

Seat A is W. A play is its dice and then a pair of letters for each checker moved: ``a`` to ``x`` are points 1 to 24 as
W counts them, for both players; ``y`` is the bar, ``z`` off. A game in which the board was set up anew or a play was
not seen ends in the file before that; its comment (``GC``) says so.
"""

from boardctl.records.formats.carried import carried_record, left_out
from boardctl.records.formats.match_record import (
    CubeAnswered,
    CubeTurned,
    GameRecord,
    MatchRecord,
    Moment,
    NotSeen,
    Resigned,
    Rolled,
    SetUp,
    moments,
)
from boardctl.records.formats.plain_names import plain_text
from boardctl.records.formats.sgf_letters import COLOURS, letter
from boardctl.records.formats.sgf_reader import read_sgf
from boardctl.records.formats.standing_plays import journeys
from boardctl.rules import Backgammon, EndedBy, Match, Move, Seat
from boardctl.rules.backgammon_position import byte_of

__all__ = ["read_sgf", "write_sgf"]


def write_sgf(record: MatchRecord) -> str:
    """Gets a record of a backgammon match as the text of an SGF file.

    :raises ValueError: for another game than backgammon.
    """
    if not isinstance(record.game, Backgammon):
        raise ValueError(f"SGF here holds backgammon, not {record.game.name}; write the JSON record instead")
    missing = left_out(record, illegal_plays=True)
    record = carried_record(record, illegal_plays=True)
    games = zip(record.matches(), record.games, strict=True)
    return "".join(
        _tree(record, match, game, number, missing.get(number + 1, "")) for number, (match, game) in enumerate(games)
    )


def _tree(record: MatchRecord, match: Match, game: GameRecord, number: int, comment: str) -> str:
    score = f"[ws:{match.points(Seat.A)}][bs:{match.points(Seat.B)}]"
    titles = (("DT", record.date), ("EV", record.event), ("PC", record.place), ("GC", comment))
    root = [
        "FF[4]GM[6]CA[UTF-8]AP[boardctl]",
        f"MI[length:{record.rules.length or 0}][game:{number}]{score}",
        f"PW[{_simple(record.players[Seat.A])}]PB[{_simple(record.players[Seat.B])}]",
        *(f"{name}[{_simple(text)}]" for name, text in titles if text),
        f"RU[{rules}]" if (rules := _rules(match)) else "",
        _result(game),
    ]
    cube = match.opening_cube(game.equal_opening_rolls)
    nodes = [f";CV[{cube.value}]"] if cube.value > 1 else []
    nodes += [_node(moment) for moment in moments(record, match, game)]
    return "(;" + "\n".join(["".join(root), *(node for node in nodes if node)]) + ")\n"


def _rules(match: Match) -> str:
    if match.rules.length is None:
        return "Jacoby" if match.rules.jacoby else ""
    if not match.rules.crawford:
        return ""
    return "Crawford:CrawfordGame" if match.is_crawford else "Crawford"


def _result(game: GameRecord) -> str:
    if game.outcome is None:
        return ""
    if game.outcome.winner is None:
        return "RE[0]"
    resigned = "R" if game.outcome.ended_by is EndedBy.RESIGNED else ""
    return f"RE[{COLOURS[game.outcome.winner]}+{game.outcome.points}{resigned}]"


def _node(moment: Moment) -> str:
    action = moment.action
    assert not isinstance(action, (NotSeen, SetUp)), "no game is carried beyond these"
    colour = COLOURS[action.seat]
    if isinstance(action, Rolled):
        comment = "" if action.legal else "C[This play was illegal and was allowed to stand.]"
        return f";{colour}[{max(action.roll)}{min(action.roll)}{_pairs(moment, action)}]{comment}"
    if isinstance(action, CubeTurned):
        return f";{colour}[double]"
    if isinstance(action, CubeAnswered):
        return f";{colour}[{'take' if action.taken else 'drop'}]"
    assert isinstance(action, Resigned)
    return ""  # the result says it


def _pairs(moment: Moment, rolled: Rolled) -> str:
    seat = rolled.seat
    if not rolled.legal:
        between = journeys(moment.position, rolled.play.position, seat)
        return "".join(letter(source, seat) + letter(target, seat) for source, target in between)
    return "".join(_pair(move, seat) for move in rolled.play.moves)


def _pair(move: Move, seat: Seat) -> str:
    return letter(byte_of(move.source, seat), seat) + letter(byte_of(move.target, seat), seat)


def _simple(text: str) -> str:
    """Gets a text as SGF's SimpleText: one line, with what would end it escaped."""
    words = plain_text(text)
    return words.replace("\\", "\\\\").replace("]", "\\]").replace(":", "\\:")
