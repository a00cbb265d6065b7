"""``.mat`` files, the text format of Jellyfish that nearly every backgammon program reads.

     5 point match

     Game 1
     Ann : 0                          Bob : 0
      1)                             52: 24/22 13/8
      2) 31: 8/5 6/5                 66: 24/18 13/7 13/7
      3)  Doubles => 2                Drops
          Wins 1 point

Seat A is in the left column. The format cannot carry automatic doubles, Jacoby, beavers and ties: a comment at the
head says so. A game in which an illegal play stood, a play was not seen or the board was set up anew ends in the file
before that, and a comment says why: GNU Backgammon 1.07 reads some illegal plays as others, without a word.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from boardctl.records.formats.carried import carried_record, left_out
from boardctl.records.formats.mat_reader import read_mat
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
from boardctl.records.formats.plain_names import plain_name, plain_text
from boardctl.rules import Backgammon, Match, OfferKind, Outcome, Seat, write_play

__all__ = ["read_mat", "write_mat"]

_GROUP = re.compile(r"(\S+)\((\d)\)")
_LEFT_WIDTH = 29  # where the right column starts behind the number of the row
_INDENT = {Seat.A: 6, Seat.B: 34}  # of the line that says who wins
_WORDS = {OfferKind.DOUBLE: "Doubles", OfferKind.BEAVER: "Beavers", OfferKind.RACCOON: "Raccoons"}


def write_mat(record: MatchRecord) -> str:
    """Gets a record of a backgammon match as the text of a ``.mat`` file.

    :raises ValueError: for another game than backgammon.
    """
    if not isinstance(record.game, Backgammon):
        raise ValueError(f"a .mat file holds backgammon, not {record.game.name}; write the JSON record instead")
    missing = left_out(record, illegal_plays=False)
    record = carried_record(record, illegal_plays=False)
    lines = [f"; {line}" for line in (*_titles(record), *_what_is_lost(record), *missing.values())]
    lines += [f" {record.rules.length or 0} point match", ""]
    for number, (match, game) in enumerate(zip(record.matches(), record.games, strict=True), start=1):
        names = [f" {plain_name(record.players[seat], seat)} : {match.points(seat)}" for seat in (Seat.A, Seat.B)]
        lines += [f" Game {number}", f"{names[0]:<{_LEFT_WIDTH + 3}}{names[1]}", *_rows(record, match, game), ""]
    return "\n".join(lines) + "\n"


def _titles(record: MatchRecord) -> Iterator[str]:
    for name, text in (("Event", record.event), ("Site", record.place), ("EventDate", record.date.replace("-", "."))):
        if text:
            yield f'[{name} "{plain_text(text)}"]'
    if record.rules.length is not None:
        yield f'[Crawford "{"On" if record.rules.crawford else "Off"}"]'


def _what_is_lost(record: MatchRecord) -> Iterator[str]:
    lost = []
    if record.rules.jacoby:
        lost.append("the Jacoby rule")
    if record.rules.last_roll is not None:
        lost.append("Last Roll")
    turned = [each for game in record.games for each in game.actions if isinstance(each, CubeTurned)]
    if any(each.kind is not OfferKind.DOUBLE for each in turned):
        lost.append("beavers")  # they are written all the same, but GNU Backgammon 1.07 goes astray over them
    if any(game.equal_opening_rolls for game in record.games) and record.rules.automatic_doubles:
        lost.append("automatic doubles")
    if lost:
        yield f"Played with {', '.join(lost)}, which this format cannot carry"
    for number, game in enumerate(record.games, start=1):
        if game.outcome is not None and game.outcome.winner is None:
            yield f"Game {number} was tied"


def _rows(record: MatchRecord, match: Match, game: GameRecord) -> list[str]:
    rows: list[dict[Seat, str]] = []
    for moment in moments(record, match, game):
        assert not isinstance(moment.action, (NotSeen, SetUp)), "no game is carried beyond these"
        seat, text = moment.action.seat, _cell(record, moment)
        if not text:
            continue
        if not rows or seat is Seat.A or Seat.B in rows[-1]:
            rows.append({})
        rows[-1][seat] = text
    winner = None if game.outcome is None else game.outcome.winner
    if game.outcome is not None and winner is not None:
        won = _wins(match, game.outcome)
        if winner is Seat.B and rows and Seat.B not in rows[-1]:
            # In the row itself, as GNU Backgammon writes it; in a line of its own it takes it for another double.
            rows[-1][Seat.B] = f" {won}"
        else:
            return [*_numbered(rows), " " * _INDENT[winner] + won]
    return _numbered(rows)


def _numbered(rows: Sequence[Mapping[Seat, str]]) -> list[str]:
    return [f"{number:>3}) {_columns(row)}".rstrip() for number, row in enumerate(rows, start=1)]


def _columns(row: Mapping[Seat, str]) -> str:
    left, right = row.get(Seat.A, ""), row.get(Seat.B, "")
    return f"{left + '  ':<{_LEFT_WIDTH - 1}}{right}" if right else left


def _wins(match: Match, outcome: Outcome) -> str:
    points = f"Wins {outcome.points} point{'s' if outcome.points != 1 else ''}"
    return points + (" and the match" if match.after(outcome).winner is not None else "")


def _cell(record: MatchRecord, moment: Moment) -> str:
    action = moment.action
    if isinstance(action, Rolled):
        return f"{max(action.roll)}{min(action.roll)}: {_play_text(record, action)}".rstrip()
    if isinstance(action, CubeTurned):
        waiting = moment.cube.offer
        value = 2 * (moment.cube.value if waiting is None else waiting.value)
        return f" {_WORDS[action.kind]} => {value}"
    if isinstance(action, CubeAnswered):
        return " Takes" if action.taken else " Drops"
    assert isinstance(action, Resigned)
    return ""  # the points won say it


def _play_text(record: MatchRecord, rolled: Rolled) -> str:
    """Gets a play as Jellyfish writes it: 25 for the bar, 0 for off, every checker by itself."""
    standard = write_play(record.game, rolled.seat, rolled.play) if rolled.play.moves else ""
    single = _GROUP.sub(
        lambda group: " ".join([group[1], *[group[1].replace("*", "")] * (int(group[2]) - 1)]), standard
    )
    return single.replace("bar", "25").replace("off", "0")
