"""How much of a record can be carried by files that know rolls and plays alone, and what is left out of them."""

from collections.abc import Iterator
from dataclasses import replace

from boardctl.records.formats.match_record import GameRecord, MatchRecord, Moment, NotSeen, Rolled, SetUp, moments
from boardctl.records.formats.standing_plays import journeys, journeys_between
from boardctl.rules import BackgammonPosition, Position
from boardctl.rules.backgammon_position import BAR_BYTE, POINTS

_MOST_JOURNEYS = 4
"""A play in these files moves four checkers at most: readers keep no more places for it."""


def carried_record(record: MatchRecord, *, illegal_plays: bool) -> MatchRecord:
    """Gets a record of backgammon with every game cut off before the first action that a format cannot carry.

    ``illegal_plays``: whether the format carries those that were allowed to stand, as far as moves can say them. What
    the games came to, and so the score, stays.
    """
    return replace(record, games=tuple(game for game, _ in _cut_games(record, illegal_plays)))


def left_out(record: MatchRecord, *, illegal_plays: bool) -> dict[int, str]:
    """Gets for each game that is cut off, by its number from 1, a sentence that says where and why."""
    return {
        number: f"Game {number} is carried up to roll {sum(1 for _ in game.rolls())} only: then {why}; the JSON record "
        "has it whole"
        for number, (game, why) in enumerate(_cut_games(record, illegal_plays), start=1)
        if why
    }


def _cut_games(record: MatchRecord, illegal_plays: bool) -> Iterator[tuple[GameRecord, str]]:
    for match, game in zip(record.matches(), record.games, strict=True):
        for at, moment in enumerate(moments(record, match, game)):
            if why := _too_much(moment, illegal_plays):
                yield replace(game, actions=game.actions[:at]), why
                break
        else:
            yield game, ""


def _too_much(moment: Moment, illegal_plays: bool) -> str:
    """Gets what an action is that cannot be carried; empty when it can."""
    action = moment.action
    if isinstance(action, SetUp):
        return f"the board was set up anew (by {action.by})"
    if isinstance(action, NotSeen):
        return f"the play of {action.seat.value} with {action.roll} was not seen"
    if not isinstance(action, Rolled) or action.legal:
        return ""
    after, seat = action.play.position, action.seat
    made = journeys(moment.position, after, seat)
    sayable = all(source > target for source, target in made) and len(made) <= _MOST_JOURNEYS
    sayable = sayable and _led_to(moment.position, action) == after
    if sayable and illegal_plays:
        return ""
    said = (journeys_between(moment.position, after, seat) or "nothing") if sayable else "what no moves can say"
    return f"{seat.value} played {said} with {action.roll}, which was illegal and was allowed to stand"


def _led_to(before: Position, rolled: Rolled) -> Position:
    """Gets where a reader comes who moves the checkers and sends the blots that they meet to the bar."""
    after = rolled.play.position
    assert isinstance(before, BackgammonPosition)
    assert isinstance(after, BackgammonPosition)
    other = bytearray(before.counts(rolled.seat.other))
    for _, target in journeys(before, after, rolled.seat):
        if 1 <= target <= POINTS and other[BAR_BYTE - target] == 1:
            other[BAR_BYTE - target] -= 1
            other[BAR_BYTE] += 1
    own, _ = after.sides(rolled.seat)
    return BackgammonPosition.of_sides(own, int.from_bytes(other, "little"), rolled.seat)
