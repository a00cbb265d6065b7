"""A board that changes before anybody has rolled: whether it has changed at all, and what that is called.

Where the turn before led to may only be presumed. A board that is seen otherwise then either is what that turn led to,
or has changed since: the readings by which the turn was ended tell which, as far as they go.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf

from boardctl.referee.effects import Mark, Notice, Sign, Text
from boardctl.referee.readings import BoardReading, PlaceReading, StackChance, Witness
from boardctl.referee.response import Response
from boardctl.referee.seen.judging import AGREEMENT, CONTRADICTION, LIKELY_ODDS
from boardctl.referee.seen.weighing import AS_LIKELY, Evidence, best_board, combined, weigh_graph
from boardctl.referee.turn.leading_back import differing
from boardctl.referee.turn.parts import first_stand
from boardctl.referee.turn.unsettled import drop_unsettled
from boardctl.rules import Faults, Place, Placement, Position, Roll, Seat, Stack
from boardctl.rules.turn import moves_in, plays_in

ROLLS = tuple(Roll.of(high, low) for high in range(1, 7) for low in range(1, high + 1))
"""Every roll of two dice."""

_MOST_BASES = 4
"""From so many results of a turn at most it is tried what was moved after it."""


def ends_last_turn(response: Response, board: Placement) -> bool:
    """Whether a legal play of the turn before leads to a board."""
    last = response.state.previous
    plays = plays_in(response.game, last.before, last.stand) if last is not None else ()
    return any(play.position.placement() == board for play in plays)


def is_presumed(response: Response, board: Placement) -> bool:
    """Whether the turn before, whose end was not seen for sure, may have led to a board that is seen."""
    possible = board != response.game.start().placement() and response.game.faults(board) is Faults.NONE
    return not response.state.position_sure and response.evidence.shows(board) and possible


def has_changed(response: Response, board: Placement) -> bool:
    """Whether what was seen when the turn before ended contradicts a board, so that it has changed since.

    False also where nothing was seen then, where a legal play of that turn leads to the board, and where the game is
    followed from pictures taken now and then, between which anything may have been played.
    """
    seen = combined(dict(response.state.ended_on), response.game.places)
    if not seen.weights or response.match.recorded or ends_last_turn(response, board):
        return False
    _, weight = best_board(response.game, seen, board)
    return weight - seen.weight_of(board) >= CONTRADICTION


def take_as_it_stands(response: Response, board: Placement) -> None:
    """Lets the game go on from a board, where the turn before led to was only presumed.

    It is vouched for if a legal play leads there: otherwise it may as well have been knocked since.
    """
    drop_unsettled(response)
    played = ends_last_turn(response, board)
    sure = played and not response.evidence.leaves_open(board)
    response.change(position=response.position_of(board), position_sure=sure, unplayed=not played)


def take_before_roll(response: Response, seat: Seat, roll: Roll) -> None:
    """Lets the game go on from a board that was said to have changed, when a seat rolls on it all the same.

    Only where the turn before led to was presumed: then the players know better. Who has moved a part of this very roll
    before throwing it plays on from where it was.
    """
    state = response.state
    evidence = response.evidence
    if not state.unexplained or state.position is None or state.position_sure or evidence.hand:
        return
    board, weight = best_board(response.game, evidence, state.position.placement())
    begun, _ = _best(response, evidence, state.position, seat, (roll,))
    if weight - begun >= CONTRADICTION and is_presumed(response, board):
        take_as_it_stands(response, board)


def since_then(response: Response, base: Placement | Position) -> Evidence:
    """Gets what is seen now of a board that was ``base`` when the turn before ended.

    A place that reads as it did then holds what it held, whatever it is misread for. A sensor that tells a checker too
    many or too few goes on doing so: by how many the row has changed is told rightly all the same.
    """
    before = dict(response.state.ended_on)
    readings = {
        witness: _as_then(reading, before[witness], base) if witness in before else reading
        for witness, reading in response.readings.items()
    }
    return combined(readings, response.game.places)


def _as_then(now: BoardReading, then: BoardReading, base: Placement | Position) -> BoardReading:
    felt = now.witness is Witness.SENSORS
    places = []
    for reading in now.places:
        before = then.at(reading.place)
        held, was = base.at(reading.place), before.best
        if reading.best == was:
            places.append(_holding(reading, held))
            continue
        erred = felt and before.likelihood(held) * AS_LIKELY < before.confidence
        changed = _changed_alike(held, was, reading.best) if erred else None
        places.append(reading if changed is None else _holding(reading, changed))
    return replace(now, places=tuple(places))


def _changed_alike(held: Stack, was: Stack | None, now: Stack | None) -> Stack | None:
    """Gets what a stack has become that was read as another one, of which checkers were put on or taken off."""
    if was is None or now is None:
        return None
    if now[: len(was)] == was:
        return (*held, *now[len(was) :])
    taken = was[len(now) :]
    left = len(held) - len(taken)
    return held[:left] if was[: len(now)] == now and left >= 0 and held[left:] == taken else None


def _holding(reading: PlaceReading, stack: Stack) -> PlaceReading:
    """Gets a reading with the likelihoods of its best stack and of another one exchanged."""
    if reading.best in (None, stack):
        return reading
    least = min(chance.likelihood for chance in reading.chances)
    others = {chance.stack: chance.likelihood for chance in reading.chances}
    others[reading.chances[0].stack] = others.pop(stack, least)
    chances = [StackChance(stack, reading.confidence), *(StackChance(*other) for other in others.items())]
    return replace(reading, chances=tuple(chances))


def changed_board(response: Response) -> Placement | None:
    """Gets the board that is seen, if it is another than the one from which the next seat is to roll.

    It contradicts that one, all told; or two witnesses who hold something else to be at the same place do, without a
    doubt whether all checkers are on the board: they would have to err there at the same time.
    """
    position = response.state.position
    assert position is not None
    expected = position.placement()
    evidence = since_then(response, expected)
    board, weight = best_board(response.game, evidence, expected)
    alone = [Evidence((reading,), response.game.places).gaps(expected) for reading in evidence.readings]
    twice = any(
        min(gaps.get(place, 0.0) for gaps in alone) >= AGREEMENT and sum(gaps[place] for gaps in alone) >= CONTRADICTION
        for place in (expected.differences(board) if len(alone) > 1 else ())
    )
    return board if twice or weight - evidence.weight_of(expected) >= CONTRADICTION else None


def changed_since_its_end(response: Response) -> bool:
    """Says what has changed on the board since a turn ended of which it could not be told how; whether something has.

    What its player moves of the own checkers after the end still is his play, put right or not.
    """
    state = response.state
    turn = state.turn
    assert turn is not None
    then = combined(dict(state.ended_on), response.game.places)
    if not then.weights or response.evidence.hand:
        return False
    weights = {position: then.weight_of(position) for position in response.plays}
    best = max(weights, key=lambda position: weights[position])
    if best_board(response.game, then, best.placement())[1] - weights[best] >= CONTRADICTION:
        return False  # what stood there was no legal play, and is put right
    likely = weights[best] - LIKELY_ODDS
    bases = sorted((position for position in weights if weights[position] > likely), key=lambda p: -weights[p])
    boards = []
    for base in bases[:_MOST_BASES]:
        evidence = since_then(response, base)
        board, weight = best_board(response.game, evidence, base.placement())
        if weight - evidence.weight_of(base) < CONTRADICTION:
            return False
        boards.append(board)
    others = [seat for seat in response.game.seats if seat is not turn.seat]
    likeliest = bases[0].placement()
    changed = boards[0].differences(likeliest)
    if all(here.count(seat) == there.count(seat) for here, there in changed.values() for seat in others):
        return False
    following = response.next_roller(bases[0], turn.roller)
    places = tuple(place for place in response.game.places if place in changed)
    text = moved_unrolled(response, bases[:_MOST_BASES], (following,), turn.roll)
    response.change(unexplained=places)
    response.show_turn(Mark(Sign.PROBLEM, place) for place in places)
    response.notice(text or Text.of("roll.board_changed", points=_named(places)))
    return True


def is_known(response: Response) -> bool:
    """Whether it is vouched for what the board should be before a roll."""
    return response.state.position_sure and not response.state.unplayed


def is_knocked(response: Response, board: Placement) -> bool:
    """Whether it is certain that a board, which no moves explain, stands where the game cannot go on from.

    Never in a game followed from pictures taken now and then, nor where the players are not told what is found: they
    could not know why their throw does not count.
    """
    evidence = response.evidence
    ruleset = response.ruleset
    told = ruleset.announce == "monitor" and not response.match.recorded
    return told and len(evidence.readings) >= ruleset.witnesses_required and evidence.vouches_for(board)


def say_what_changed(response: Response, board: Placement) -> bool:
    """Says what happened to a board although nobody has rolled, and that the turn before may have ended so, where that
    was not seen for sure; whether moves explain it."""
    state = response.state
    assert state.position is not None
    explained = None
    if state.seat is not None and state.previous is not None:
        results = state.unsettled.results if state.unsettled is not None else ()
        bases = dict.fromkeys((state.position, *results))
        seats = (state.seat, *(seat for seat in response.game.seats if seat is not state.seat))
        explained = moved_unrolled(response, bases, seats, state.previous.roll)
    changed = differing(response, state.position.placement(), board)
    response.say(Notice(explained or Text.of("roll.board_changed", points=_named(changed))))
    if is_presumed(response, board):
        response.notice(Text.of("roll.or_ended_so"))
    return explained is not None


def moved_unrolled(response: Response, bases: Iterable[Position], seats: Sequence[Seat], roll: Roll) -> Text | None:
    """Gets what was moved by whom without a roll, if that explains what is seen.

    ``bases``: from where, the likeliest first. ``seats``: who may have moved, first who is to roll. ``roll``: the one
    before, which that seat may have played instead of rolling.
    """
    for base in bases:
        evidence = since_then(response, base)
        board, _ = best_board(response.game, evidence, base.placement())
        least = evidence.weight_of(board) - AGREEMENT
        for seat in seats:
            own = seat is seats[0]
            whole = _best(response, evidence, base, seat, (roll,), whole=True) if own else (-inf, base)
            part = _best(response, evidence, base, seat, ROLLS)
            arrived = _arrived(evidence, base, part[1])
            if max(whole[0], part[0]) < least or not (own or arrived):
                continue
            if part[0] - whole[0] <= AGREEMENT and _arrived(evidence, base, whole[1], any_of_them=True):
                return Text.of("roll.played_opponents_roll", seat=seat, roll=roll)
            changed = [place for place in response.game.places if part[1].at(place) != base.at(place)]
            if arrived:
                return Text.of("roll.played_without_rolling", seat=seat, points=_named(changed))
            left = [place for place in changed if len(part[1].at(place)) < len(base.at(place))]
            return Text.of("roll.gone_or_moved", seat=seat, points=_named(left))
    return None


def _named(places: Iterable[Place]) -> str:
    return ", ".join(map(str, places))


def _arrived(evidence: Evidence, base: Position, moved: Position, *, any_of_them: bool = False) -> bool:
    """Whether it is seen where checkers came to: one that only may lie on a tall stack may as well have fallen off.

    ``any_of_them``: one that is seen to have come will do; that the others lie where one roll leads is no chance.
    """
    gained = (place for place in evidence.places if len(moved.at(place)) > len(base.at(place)))
    return (any if any_of_them else all)(
        evidence.weight(place, moved.at(place)) - evidence.weight(place, base.at(place)) > AGREEMENT for place in gained
    )


def _best(
    response: Response, evidence: Evidence, base: Position, seat: Seat, rolls: Iterable[Roll], *, whole: bool = False
) -> tuple[float, Position]:
    """Gets the likeliest position that moves of one of some rolls lead to, and its weight; ``whole``: all of them."""
    best: tuple[float, Position] = (-inf, base)
    for roll in rolls:
        graph = moves_in(response.game, base, first_stand(response.game, base, seat, roll))
        for position, weight in weigh_graph(evidence, graph).items():
            moved = position != base and (graph.steps[position].complete or not whole)
            if moved and weight > best[0]:
                best = (weight, position)
    return best
