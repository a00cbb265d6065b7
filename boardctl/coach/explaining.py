"""Why a number cannot be played, what is forced, what a move leaves: pure functions over the rules of any game.

>>> from boardctl.rules import Backgammon, BackgammonPosition, Roll, Seat
>>> position = BackgammonPosition.from_points([2, 2, 2, 2, 2, 4] + [0] * 13 + [-3, 0, -2, -2, -3], bar_a=1)
>>> [text.key for text in unplayable(Backgammon(), position, Seat.A, Roll(5, 5))]
['coach.no_move', 'coach.held', 'coach.bar_first']
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from boardctl.coach.way import Way, entering_comes_first, move_name, numbers_of, pip_counts, singles
from boardctl.referee.effects import Text
from boardctl.rules import Blocking, Game, Move, Place, PlaceKind, Play, Position, Roll, Seat, write_play

_MOST_WAYS = 4
"""How many blocked ways are named for one number: whoever needs more looks at the board."""


def unplayable(game: Game, position: Position, seat: Seat, roll: Roll) -> tuple[Text, ...]:
    """Gets why numbers of a roll cannot be played: for each such number that, and what is in the way.

    What is in the way is what is there when all else that can be played has been.
    """
    plays = game.plays(position, seat, roll)
    if all(game.result(play.position) is not None for play in plays):
        return ()  # nothing is left to be played
    graph = game.moves(position, seat, roll)
    playable = {move.number for step in graph.steps.values() for move, _ in step.onward}
    texts: list[Text] = []
    for number in numbers_of(roll):
        if number not in playable:
            texts.append(Text.of("coach.no_move", number=number))
            reasons = (reason for play in plays for reason in _reasons(game, play.position, seat, number))
            texts += list(dict.fromkeys(reasons))[:_MOST_WAYS]
    return tuple(texts)


def _reasons(game: Game, position: Position, seat: Seat, number: int) -> Iterator[Text]:
    """Gets what stops each checker of a seat from moving by ``number``, the hindmost first."""
    way = Way.of(game, seat)
    held = [place for place in game.places if seat in position.at(place) and place.kind is not PlaceKind.TRAY]
    held.sort(key=way.distance, reverse=True)
    waiting = [place for place in held if place.kind is not PlaceKind.POINT]
    for place in waiting if waiting and entering_comes_first(game) else held:
        target = way.point_after(place, number)
        if position.at(place)[-1] is not seat:
            yield Text.of("coach.covered", point=game.point_for(seat, place))
        elif target is not None:
            yield from _held_by(game, position, seat, target)
        elif place.kind is PlaceKind.POINT and not waiting:
            yield from _no_bearing_off(way, held, place, number)
    if waiting:
        count = sum(position.at(place).count(seat) for place in waiting)
        yield Text.of("coach.bar_first", count=count)


def _held_by(game: Game, position: Position, seat: Seat, target: Place) -> Iterator[Text]:
    others = sum(one is not seat for one in position.at(target))
    if others >= (1 if isinstance(game, Blocking) else 2):  # where nobody is hit, one checker holds a point
        yield Text.of("coach.held", point=game.point_for(seat, target), count=others)


def _home(way: Way) -> int:
    """Gets how many points the home board has."""
    return min(6, way.last_point)


def _no_bearing_off(way: Way, held: list[Place], place: Place, number: int) -> Iterator[Text]:
    """Gets why the checker at ``place`` cannot be borne off with ``number``; ``held`` is the hindmost first."""
    hindmost = held[0]
    name = way.game.point_for(way.seat, hindmost)
    if way.distance(hindmost) > _home(way):
        yield Text.of("coach.not_home", point=name)
    elif number > way.distance(place) and hindmost != place:
        yield Text.of("coach.behind", point=name)


def dead_ends(game: Game, position: Position, seat: Seat, roll: Roll) -> tuple[Text, ...]:
    """Gets the first moves that leave nothing for the other number of a roll although both can be played.

    Whoever makes one has not played legally unless he takes it back. Empty for doubles: all their numbers are alike.
    """
    if roll.is_double or max(len(play.moves) for play in game.plays(position, seat, roll)) < 2:
        return ()
    texts: dict[Text, None] = {}
    for number in roll.numbers:
        other = roll.first + roll.second - number
        for move, result in singles(game, position, seat, number):
            if not singles(game, result, seat, other) and not _is_complete(game, position, seat, roll, result):
                texts[Text.of("coach.leaves_nothing", move=move_name(game, seat, move), number=other)] = None
    return tuple(texts)


def _is_complete(game: Game, position: Position, seat: Seat, roll: Roll, result: Position) -> bool:
    """Whether a play may end there all the same: the last checker is off."""
    return any(play.position == result for play in game.plays(position, seat, roll))


def leaves_nothing(game: Game, position: Position, seat: Seat, roll: Roll, reached: Position) -> Text | None:
    """Gets why a position that one move of a seat has reached is a dead end; None when it is none."""
    if roll.is_double or max(len(play.moves) for play in game.plays(position, seat, roll)) < 2:
        return None
    for number in roll.numbers:
        other = roll.first + roll.second - number
        for move, result in singles(game, position, seat, number):
            if result == reached and not singles(game, result, seat, other):
                return Text.of("coach.leaves_nothing", move=move_name(game, seat, move), number=other)
    return None


def forced(game: Game, position: Position, seat: Seat, roll: Roll) -> tuple[Text, ...]:
    """Gets what a seat has no choice about: the only play, the one number that must be played, moves of every play."""
    plays = game.plays(position, seat, roll)
    if not plays[0].moves:
        return ()
    if len(plays) == 1:
        return (Text.of("coach.only_play", play=write_play(game, seat, plays[0])),)
    texts: list[Text] = []
    used = {tuple(sorted(move.number for move in play.moves)) for play in plays}
    if not roll.is_double and len(used) == 1 and len(numbers := next(iter(used))) == 1:
        texts.append(Text.of("coach.must_play", number=numbers[0]))
    for move in _in_every(plays):
        texts.append(Text.of("coach.forced_move", move=move_name(game, seat, move)))
    return tuple(texts)


def _in_every(plays: Sequence[Play]) -> list[Move]:
    """Gets the moves that every play makes."""
    common = Counter(plays[0].moves)
    for play in plays[1:]:
        common &= Counter(play.moves)
    return list(common)


def pip_text(game: Game, position: Position, seat: Seat) -> Text:
    """Gets the pip counts as ``seat`` reads them: its own, and those of the others in the order of play."""
    counts = pip_counts(game, position)
    others = ", ".join(str(count) for other, count in counts.items() if other is not seat)
    return Text.of("coach.pips", own=counts[seat], other=others)
