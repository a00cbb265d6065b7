"""Illegal plays, each of one kind, made from a position and a roll as people make them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from boardctl.referee.effects import PlayFault
from boardctl.rules import Game, Place, PlaceKind, Placement, Play, Position, Roll, Seat, bar, tray, waiting
from boardctl.rules.traits import enters_first, hits, is_held, pips_left
from boardctl.virtual.playing.players import HandMove

OFF = 0
"""The tray as a number: one step beyond the 1-point."""

EVEN = 0.5
"""Of two ways to do the same thing wrong, each as often as the other."""

TRIES = 40
"""How often a kind is tried with other checkers before it is given up as impossible here."""


@dataclass(frozen=True, slots=True)
class Misplay:
    """What the hand does, what it should be called, and where the checkers then are."""

    fault: PlayFault
    moves: tuple[HandMove, ...]
    after: Placement


@dataclass(frozen=True)
class Situation:
    """A roll to be played by a seat, with the legal plays and with the board numbered from that seat's view."""

    game: Game
    position: Position
    seat: Seat
    roll: Roll
    plays: Sequence[Play]

    @cached_property
    def start(self) -> Placement:
        """Where the checkers are."""
        return self.position.placement()

    def place(self, number: int) -> Place:
        """Gets the place from which so many pips are left: a point, 0 the tray, one above the highest the bar."""
        if number == OFF:
            return tray(self.seat)
        return self.numbered.get(number, self.entry)

    @cached_property
    def entry(self) -> Place:
        """Gets from where the seat's checkers enter: its bar, or the place beside the board where they wait."""
        beside = waiting(self.seat)
        return beside if beside in self.game.places else bar(self.seat)

    @cached_property
    def numbered(self) -> dict[int, Place]:
        """Gets the points by how many pips the seat has to go from them, which is what backgammon calls them."""
        points = (place for place in self.game.places if place.kind is PlaceKind.POINT)
        return {pips_left(self.game, self.seat, place): place for place in points}

    @cached_property
    def own_points(self) -> list[int]:
        """Gets the numbers of the points with a checker of the seat on top."""
        return sorted(n for n, place in self.numbered.items() if self.start.at(place)[-1:] == (self.seat,))

    @cached_property
    def opponents(self) -> list[Seat]:
        """Gets the other seats."""
        return [seat for seat in self.game.seats if seat is not self.seat]

    def opposed(self, number: int) -> int:
        """Gets how many checkers of others are on a point."""
        place = self.place(number)
        return sum(self.start.count(place, seat) for seat in self.opponents)

    def held(self, number: int) -> bool:
        """Whether others keep the seat from landing on a point."""
        return is_held(self.game, self.start.at(self.place(number)), self.seat)


Maker = Callable[[Situation, Random], "list[HandMove] | None"]


def misplay(situation: Situation, faults: Sequence[PlayFault], random: Random) -> Misplay | None:
    """Gets an illegal play of the first of ``faults`` that this position allows; None when it allows none."""
    legal = {play.position.placement() for play in situation.plays}
    for fault in faults:
        maker = MAKERS.get(fault)
        if maker is None:
            raise ValueError(f"{fault}: no way to play it; known: {', '.join(sorted(MAKERS))}")
        for _ in range(TRIES):
            moves = maker(situation, random)
            after = moved(situation.start, moves) if moves is not None else None
            if moves is not None and after is not None and after not in legal:
                return Misplay(fault, tuple(moves), after)
    return None


def moved(placement: Placement, moves: Sequence[HandMove]) -> Placement | None:
    """Gets where the checkers are after a hand has moved some; None when it would lift one that is not there."""
    stacks = {place: list(stack) for place, stack in placement.items()}
    for move in moves:
        if move.source is not None:
            stack = stacks.get(move.source, [])
            if move.seat not in stack:
                return None
            # The topmost of that seat.
            del stack[len(stack) - 1 - stack[::-1].index(move.seat)]
        if move.target is not None:
            stacks.setdefault(move.target, []).append(move.seat)
    return Placement({place: tuple(stack) for place, stack in stacks.items()})


def _tidy_moves(situation: Situation, play: Play) -> list[HandMove]:
    """Gets a legal play as hand moves, hit checkers taken away first."""
    moves: list[HandMove] = []
    for move in play.moves:
        if move.hit is not None:
            moves.append(HandMove(move.hit, move.target, bar(move.hit)))
        moves.append(HandMove(situation.seat, move.source, move.target))
    return moves


def _played(situation: Situation, random: Random, *, least: int = 1) -> Play | None:
    """Gets some legal play of at least so many moves."""
    plays = [play for play in situation.plays if len(play.moves) >= least]
    return random.choice(plays) if plays else None


def _carry(situation: Situation, source: int, target: int) -> list[HandMove]:
    """Gets one checker of the seat carried between numbered places, a blot there hit properly."""
    moves = [HandMove(situation.seat, situation.place(source), situation.place(target))]
    if target != OFF and situation.opposed(target) == 1 and hits(situation.game):
        hit = next(seat for seat in situation.opponents if situation.start.count(situation.place(target), seat))
        moves.insert(0, HandMove(hit, situation.place(target), bar(hit)))
    return moves


def _wrong_pips(situation: Situation, random: Random) -> list[HandMove] | None:
    play = _played(situation, random)
    if play is None:
        return None
    numbers = {place: number for number, place in situation.numbered.items()}
    targets = [move.target for move in play.moves]
    sources = [move.source for move in play.moves]
    # Only a checker that makes one move without a hit: its journey then is the whole of the fault.
    alone = [
        number
        for number, move in enumerate(play.moves)
        if move.hit is None and move.target in numbers and move.target not in sources and move.source not in targets
    ]
    if not alone:
        return None
    chosen = random.choice(alone)
    right = numbers[play.moves[chosen].target]
    source = right + play.moves[chosen].number
    wrong = right + random.choice((-2, -1, 1, 2))
    if source <= wrong or wrong not in situation.numbered or situation.opposed(wrong):
        return None
    if source - wrong in _sums(situation.roll):
        return None
    moves: list[HandMove] = []
    for number, move in enumerate(play.moves):
        if move.hit is not None:
            moves.append(HandMove(move.hit, move.target, bar(move.hit)))
        target = situation.place(wrong) if number == chosen else move.target
        moves.append(HandMove(situation.seat, move.source, target))
    return moves


def _sums(roll: Roll) -> set[int]:
    """Gets every number of pips that one checker could move with a roll."""
    if roll.is_double:
        return {roll.first * times for times in range(1, 5)}
    return {roll.first, roll.second, roll.first + roll.second}


def _number_not_used(situation: Situation, random: Random) -> list[HandMove] | None:
    play = _played(situation, random)
    if play is None:
        return None
    kept = random.randint(0, len(play.moves) - 1)
    if any(move.source == situation.entry for move in play.moves[kept:]):
        return None  # a number left for a checker on the bar has a name of its own
    return _tidy_moves(situation, Play(play.moves[:kept], play.position))


def _lower_number_used(situation: Situation, random: Random) -> list[HandMove] | None:
    lower, higher = sorted(situation.roll)
    only_higher = all([move.number for move in play.moves] == [higher] for play in situation.plays)
    if lower == higher or not only_higher or situation.start.count(situation.entry, situation.seat):
        return None
    ways = [(source, source - lower) for source in situation.own_points if source - lower in situation.numbered]
    open_ways = [(source, target) for source, target in ways if not situation.held(target)]
    return _carry(situation, *random.choice(open_ways)) if open_ways else None


def _entry_missed(situation: Situation, random: Random) -> list[HandMove] | None:
    if not enters_first(situation.game):
        return None  # then it is a number not used like any other
    play = _played(situation, random)
    return [] if play is not None and play.moves[0].source == situation.entry else None


def _bar_ignored(situation: Situation, random: Random) -> list[HandMove] | None:
    if not situation.start.count(situation.entry, situation.seat):
        return None
    return _single_steps(situation, random, lambda number: not situation.held(number))


def _blocked_point(situation: Situation, random: Random) -> list[HandMove] | None:
    if situation.start.count(situation.entry, situation.seat):
        return None
    return _single_steps(situation, random, lambda number: number != OFF and situation.held(number))


def _moved_backwards(situation: Situation, random: Random) -> list[HandMove] | None:
    if situation.start.count(situation.entry, situation.seat):
        return None
    ways = [
        (source, source + pips)
        for source in situation.own_points
        for pips in set(situation.roll)
        if source + pips in situation.numbered and not situation.held(source + pips)
    ]
    return _carry(situation, *random.choice(ways)) if ways else None


def _early_bear_off(situation: Situation, random: Random) -> list[HandMove] | None:
    home = [number for number in situation.own_points if number <= 6]
    outside = [number for number in situation.own_points if number > 6]
    fitting = [number for number in home if number in situation.roll]
    if not outside or not fitting or situation.start.count(situation.entry, situation.seat):
        return None
    return _carry(situation, random.choice(fitting), OFF)


def _excess_bear_off(situation: Situation, random: Random) -> list[HandMove] | None:
    """Bears off from a low point with a number that a checker farther back has to play, or one checker too many."""
    own = situation.own_points
    if not own or own[-1] > 6 or situation.start.count(situation.entry, situation.seat):
        return None
    past = [n for n in own for pips in set(situation.roll) if n < pips and n not in situation.roll and n < own[-1]]
    whole = [play for play in situation.plays if all(move.target == situation.place(OFF) for move in play.moves)]
    if past and random.random() < EVEN:
        return _carry(situation, random.choice(past), OFF)
    if not whole:
        return None
    play = random.choice(whole)
    left = [n for n in own if situation.seat in play.position.at(situation.place(n))]
    return [*_tidy_moves(situation, play), *_carry(situation, random.choice(left), OFF)] if left else None


def _single_steps(situation: Situation, random: Random, allowed: Callable[[int], bool]) -> list[HandMove] | None:
    """Gets one checker moved on by one number of the roll to a place that ``allowed`` lets through."""
    ways = [
        (source, source - pips)
        for source in situation.own_points
        for pips in set(situation.roll)
        if source - pips in situation.numbered and allowed(source - pips)
    ]
    return _carry(situation, *random.choice(ways)) if ways else None


def _with_play(situation: Situation, random: Random, more: Callable[[Placement], list[HandMove]]) -> list[HandMove]:
    """Gets a legal play with something done besides."""
    play = random.choice(situation.plays)
    return _tidy_moves(situation, play) + more(play.position.placement())


def _occupied(placement: Placement, seat: Seat) -> list[Place]:
    return sorted(
        (place for place in placement if place.kind is PlaceKind.POINT and placement.count(place, seat)), key=str
    )


def _opponent_moved(situation: Situation, random: Random) -> list[HandMove] | None:
    opponent = situation.opponents[0]

    def more(placement: Placement) -> list[HandMove]:
        points = _occupied(placement, opponent)
        free = [place for place in situation.numbered.values() if not placement.count(place, situation.seat)]
        if not points:
            return []
        source = random.choice(points)
        near = [place for place in free if place != source and abs(place.number - source.number) <= 3]
        return [HandMove(opponent, source, random.choice(near))] if near else []

    return _with_play(situation, random, more)


def _own_on_bar(situation: Situation, random: Random) -> list[HandMove] | None:
    if situation.start.count(situation.entry, situation.seat):
        return None

    def more(placement: Placement) -> list[HandMove]:
        points = _occupied(placement, situation.seat)
        return [HandMove(situation.seat, random.choice(points), situation.entry)] if points else []

    return _with_play(situation, random, more)


def _vanished(situation: Situation, random: Random) -> list[HandMove] | None:
    def more(placement: Placement) -> list[HandMove]:
        seat = random.choice(situation.game.seats)
        points = _occupied(placement, seat)
        return [HandMove(seat, random.choice(points), None)] if points else []

    return _with_play(situation, random, more)


def _extra(situation: Situation, random: Random) -> list[HandMove] | None:
    def more(placement: Placement) -> list[HandMove]:
        seat = random.choice(situation.game.seats)
        points = [place for place in _occupied(placement, seat) if len(placement.at(place)) < 5]
        return [HandMove(seat, None, random.choice(points))] if points else []

    return _with_play(situation, random, more)


def _hits(situation: Situation, random: Random) -> Play | None:
    """Gets a legal play that hits a checker and goes on with it nowhere."""
    plays = [
        play
        for play in situation.plays
        if sum(move.hit is not None for move in play.moves) == 1
        and all(move.source != hit.target for hit in play.moves if hit.hit is not None for move in play.moves)
    ]
    return random.choice(plays) if plays else None


def _hit_left(situation: Situation, random: Random) -> list[HandMove] | None:
    play = _hits(situation, random)
    if play is None:
        return None
    return [HandMove(situation.seat, move.source, move.target) for move in play.moves]


def _hit_in_tray(situation: Situation, random: Random) -> list[HandMove] | None:
    play = _hits(situation, random)
    if play is None:
        return None

    def instead(move: HandMove) -> HandMove:
        return move if move.seat is situation.seat else HandMove(move.seat, move.source, tray(move.seat))

    return [instead(move) for move in _tidy_moves(situation, play)]


MAKERS: dict[PlayFault, Maker] = {
    PlayFault.WRONG_PIPS: _wrong_pips,
    PlayFault.NUMBER_NOT_USED: _number_not_used,
    PlayFault.LOWER_NUMBER_USED: _lower_number_used,
    PlayFault.ENTRY_MISSED: _entry_missed,
    PlayFault.BAR_IGNORED: _bar_ignored,
    PlayFault.BLOCKED_POINT: _blocked_point,
    PlayFault.MOVED_BACKWARDS: _moved_backwards,
    PlayFault.EARLY_BEAR_OFF: _early_bear_off,
    PlayFault.EXCESS_BEAR_OFF: _excess_bear_off,
    PlayFault.OPPONENT_CHECKER_MOVED: _opponent_moved,
    PlayFault.OWN_CHECKER_ON_BAR: _own_on_bar,
    PlayFault.CHECKER_VANISHED: _vanished,
    PlayFault.CHECKER_EXTRA: _extra,
    PlayFault.HIT_CHECKER_LEFT: _hit_left,
    PlayFault.HIT_CHECKER_IN_TRAY: _hit_in_tray,
}
"""How each fault is made. A maker returns None when the checkers it has drawn do not allow it."""
