"""What goes wrong with the checkers: before the game, before anybody has rolled, and under a mug."""

from dataclasses import replace

from boardctl.rules import Move, Place, PlaceKind, Placement, Play, Roll, tray
from boardctl.virtual.drawing.things import mug
from boardctl.virtual.playing.motions import Acts, moves_between
from boardctl.virtual.playing.occasion import Occasion
from boardctl.virtual.playing.players import HandMove
from boardctl.virtual.truth import ROW, IncidentTruth
from boardctl.virtual.world import Checker, lifted, put, set_up

KNOCKED_CHECKERS = 3
"""How many checkers a sleeve takes along: more than a play would move."""

BETWEEN = 0.5
"""How far towards the next point a checker lies that nobody can assign: half of the way."""


def _points(occasion: Occasion) -> list[Place]:
    return [place for place in occasion.game.places if place.kind is PlaceKind.POINT]


# -- before the game


def wrong_set_up(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """A checker stands on an empty point instead of its own."""
    yield from _set_up_as(occasion, _one_elsewhere(occasion), truth)


def checker_short(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """One checker was left in the case."""
    yield from _set_up_as(occasion, _one_short(occasion), truth)


def checker_too_many(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """One checker more than there should be was put up."""
    right = occasion.position.placement()
    place = occasion.random.choice([place for place in _points(occasion) if 0 < len(right.at(place)) < ROW])
    yield from _set_up_as(occasion, right.replaced({place: (*right.at(place), right.at(place)[-1])}), truth)


def began_wrong(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """A checker stands on an empty point instead of its own, and the players begin all the same."""
    yield from _left_set_up_as(occasion, _one_elsewhere(occasion), truth)


def began_short(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """One checker was left in the case, and the players begin all the same."""
    yield from _left_set_up_as(occasion, _one_short(occasion), truth)


def _one_elsewhere(occasion: Occasion) -> Placement:
    right = occasion.position.placement()
    source = occasion.random.choice([place for place in _points(occasion) if right.at(place)])
    target = occasion.random.choice([place for place in _points(occasion) if not right.at(place)])
    stack = right.at(source)
    return right.replaced({source: stack[:-1], target: stack[-1:]})


def _one_short(occasion: Occasion) -> Placement:
    right = occasion.position.placement()
    source = occasion.random.choice([place for place in _points(occasion) if right.at(place)])
    return right.replaced({source: right.at(source)[:-1]})


def may_begin_wrongly(occasion: Occasion) -> bool:
    """Whether the game can be played on from a set-up that lacks a checker, or has one elsewhere."""
    trays = all(tray(seat) in occasion.game.places for seat in occasion.game.seats)
    return trays and seats_differ(occasion) and sets_up_points(occasion)


def may_have_too_many(occasion: Occasion) -> bool:
    """Whether the game begins with rows that one checker more makes a set-up of no game."""
    rows = [occasion.position.at(place) for place in _points(occasion)]
    return seats_differ(occasion) and any(0 < len(row) < ROW for row in rows)


def sets_up_points(occasion: Occasion) -> bool:
    """Whether the game begins with checkers on points: in some they all enter from the bar."""
    return any(occasion.position.at(place) for place in _points(occasion))


def seats_differ(occasion: Occasion) -> bool:
    """Whether a board looks another one when two seats change places."""
    return len(occasion.game.seats) == 2 and bool(occasion.position.placement())


def seats_exchanged(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """Everybody's checkers stand where the other's belong."""
    right = occasion.position.placement()
    wrong = Placement({place: tuple(seat.other for seat in right.at(place)) for place in right})
    yield from _set_up_as(occasion, wrong, truth)


def _set_up_as(occasion: Occasion, wrong: Placement, truth: IncidentTruth) -> Acts:
    yield from _left_set_up_as(occasion, wrong, truth)
    yield from occasion.hands.set_up(occasion.position.placement())


def _left_set_up_as(occasion: Occasion, wrong: Placement, truth: IncidentTruth) -> Acts:
    hands = occasion.hands
    hands.world = set_up(hands.world, wrong, occasion.random)
    yield from hands.rest(None, truth)


# -- before anybody has rolled


def start_put_right(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The players see that they began from a wrong set-up, and put the checker where it belongs."""
    hands, before, wrong = occasion.hands, occasion.board, occasion.wrong_start
    assert wrong is not None
    yield from hands.carry_out(occasion.seat, [HandMove(wrong.seat, wrong.stands, wrong.belongs)])
    changed = tuple(before.differences(occasion.board))
    truth = replace(truth, changed=changed).where_seen(before, occasion.board)
    yield from hands.rest(occasion.seat, truth)


def plain_move(occasion: Occasion) -> Move | None:
    """Gets a move without a hit that could be part of a roll, and is no whole play of the one before: then nobody could
    tell which of the two it is."""
    rolls = [Roll.of(low, high) for low in (1, 2, 3) for high in (4, 5, 6)]
    roll = occasion.random.choice([roll for roll in rolls if not set(roll) & set(occasion.roll or ())])
    plays = occasion.game.plays(occasion.position, occasion.seat, roll)
    first = [play.moves[0] for play in plays if play.moves and play.moves[0].hit is None]
    told = [move for move in first if not _plays_last_roll(occasion, move)]
    return told[0] if told else None


def _plays_last_roll(occasion: Occasion, move: Move) -> bool:
    """Whether a single move leads to where a whole play of the last roll leads: a checker borne off, mostly."""
    if occasion.roll is None:
        return False
    before = occasion.whole_board
    taken = before.replaced({move.source: before.at(move.source)[:-1]})
    after = taken.replaced({move.target: (*taken.at(move.target), occasion.seat)})
    plays = occasion.game.plays(occasion.position, occasion.seat, occasion.roll)
    return any(play.position.placement() == after for play in plays)


def moved_without_rolling(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat on turn moves a checker and has not rolled."""
    move = plain_move(occasion)
    if move is not None:
        yield from _moved_and_back(occasion, [HandMove(occasion.seat, move.source, move.target)], truth)


def plain_play(occasion: Occasion) -> Play | None:
    """Gets a play of the opponent's last roll, without a hit."""
    if occasion.roll is None:
        return None
    plays = occasion.game.plays(occasion.position, occasion.seat, occasion.roll)
    return next((play for play in plays if play.moves and all(move.hit is None for move in play.moves)), None)


def played_opponents_roll(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """The seat on turn plays what its opponent has rolled."""
    play = plain_play(occasion)
    if play is not None:
        moves = [HandMove(occasion.seat, move.source, move.target) for move in play.moves]
        yield from _moved_and_back(occasion, moves, truth)


def held_points(occasion: Occasion) -> list[Place]:
    """Gets the points with checkers on them; in the small games all may be on the bar and in the trays."""
    return [place for place in _points(occasion) if occasion.board.at(place)]


def board_knocked(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """A sleeve takes some checkers along to other points."""
    before = board = occasion.board
    empty = [place for place in _points(occasion) if not before.at(place)]
    for target in occasion.random.sample(empty, min(KNOCKED_CHECKERS, len(empty))):
        sources = [place for place in held_points(occasion) if board.at(place)]
        if not sources:
            break
        source = occasion.random.choice(sources)
        stack = board.at(source)
        board = board.replaced({source: stack[:-1], target: stack[-1:]})
    yield from _stands_as(occasion, board, truth)


def checker_gone(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """A checker falls off the board."""
    board = occasion.board
    source = occasion.random.choice(held_points(occasion))
    yield from _stands_as(occasion, board.replaced({source: board.at(source)[:-1]}), truth)


def checker_added(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """A checker too many lies on the board, out of the case."""
    board = occasion.board
    place = occasion.random.choice([place for place in _points(occasion) if 0 < len(board.at(place)) < ROW])
    yield from _stands_as(occasion, board.replaced({place: (*board.at(place), board.at(place)[-1])}), truth)


def has_low_stack(occasion: Occasion) -> bool:
    """Whether there is a point on which one checker more would lie in the row."""
    return any(0 < len(occasion.board.at(place)) < ROW for place in _points(occasion))


def filled_trays(occasion: Occasion) -> list[Place]:
    """Gets the trays with checkers in them."""
    return [place for place in occasion.game.places if place.kind is PlaceKind.TRAY and occasion.board.at(place)]


def checker_from_tray(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """A checker that was borne off is back on the board."""
    board = occasion.board
    source = occasion.random.choice(filled_trays(occasion))
    target = occasion.random.choice([place for place in _points(occasion) if not board.at(place)])
    stack = board.at(source)
    yield from _stands_as(occasion, board.replaced({source: stack[:-1], target: stack[-1:]}), truth)


def _stands_as(occasion: Occasion, board: Placement, truth: IncidentTruth) -> Acts:
    """The board stands otherwise for a while, without anybody's hand."""
    hands, before = occasion.hands, occasion.board
    for move in moves_between(before, board):
        if move.source is not None:
            hands.world, _ = lifted(hands.world, move.source, move.seat)
        if move.target is not None:
            hands.world = put(hands.world, move.seat, move.target, occasion.random)
    changed = tuple(before.differences(board))
    yield from hands.rest(None, replace(truth, changed=changed).where_seen(before, board))
    yield from hands.carry_out(occasion.seat, moves_between(board, before))
    yield from hands.rest()


def _moved_and_back(occasion: Occasion, moves: list[HandMove], truth: IncidentTruth) -> Acts:
    hands, before = occasion.hands, occasion.board
    yield from hands.carry_out(occasion.seat, moves)
    yield from hands.rest(occasion.seat, truth.where_seen(before, occasion.board))
    yield from hands.carry_out(occasion.seat, moves_between(occasion.board, before))
    yield from hands.rest()


# -- during a play


def mug_on_a_point(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """A mug is put on a point. It stays until the players tidy up or the turn is over."""
    hands = occasion.hands
    geometry = hands.world.geometry
    x, y = geometry.middle_of(occasion.random.choice(held_points(occasion)))
    hands.world = replace(hands.world, things=(mug(x, y),))
    yield from hands.rest(occasion.seat, truth)


def able_to_stray(occasion: Occasion) -> list[Checker]:
    """Gets the checkers that lie alone, with room beside them: of a stack it is plain where each belongs."""
    world = occasion.hands.world
    alone = [one for one in world.checkers if len(world.at(one.place)) == 1 and one.place.kind is PlaceKind.POINT]
    return [one for one in alone if one.seat is occasion.seat and not occasion.board.at(_beside(one.place))]


def _beside(place: Place) -> Place:
    """Gets the next point of the same section of the board."""
    return Place(place.kind, place.number - 1 if place.number % 6 == 0 else place.number + 1)


def checker_astray(occasion: Occasion, truth: IncidentTruth) -> Acts:
    """A checker of the seat lies between two points; the players know to which it belongs."""
    hands, geometry = occasion.hands, occasion.hands.world.geometry
    checker = occasion.random.choice(able_to_stray(occasion))
    away = geometry.point_x_mm(_beside(checker.place).number) - geometry.point_x_mm(checker.place.number)
    moved = replace(checker, x_mm=checker.x_mm + BETWEEN * away)
    checkers = tuple(moved if one is checker else one for one in hands.world.checkers)
    hands.world = replace(hands.world, checkers=checkers)
    yield from hands.rest(occasion.seat, truth)
