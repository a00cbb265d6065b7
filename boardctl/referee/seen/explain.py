"""What is wrong with a play that is no legal one: its faults by name, in words, with the points and numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

from boardctl.referee.effects import Certainty, Finding, PlayFault, Text
from boardctl.referee.seen.displacement import (
    Displacement,
    Geometry,
    accounts_for,
    bears_off,
    displacements,
    shared_out,
)
from boardctl.rules import Game, Place, PlaceKind, Placement, Play, Position, Roll, Seat, write_play
from boardctl.rules.traits import bears_off_from_anywhere, enters_first, hits, is_held, leaves_last_first

_ENTERING = (PlaceKind.BAR, PlaceKind.WAITING)

EXAMPLES = 3
"""How many legal plays an explanation names, those closest to what was made."""


@dataclass(frozen=True)
class Attempt:
    """A play as it was made: where everything was, the roll, where everything is, and what would have been legal."""

    game: Game
    seat: Seat
    roll: Roll
    before: Position
    after: Placement
    plays: Sequence[Play]
    numbers: tuple[int, ...]  # those of the roll that were to be played

    @cached_property
    def start(self) -> Placement:
        """Where the checkers were."""
        return self.before.placement()

    @cached_property
    def geometry(self) -> Geometry:
        """The distances of the game."""
        return Geometry.of(self.game)

    @cached_property
    def moved(self) -> list[Displacement]:
        """Every checker that changed its place."""
        return displacements(self.game, self.start, self.after, self.roll, self.seat)

    @cached_property
    def own(self) -> list[Displacement]:
        """The mover's own checkers that went from one place to another."""
        return [
            one for one in self.moved if one.seat is self.seat and one.source is not None and one.target is not None
        ]

    def name(self, place: Place | None) -> str:
        """Gets how the mover calls a place."""
        return "" if place is None else self.game.point_for(self.seat, place)

    def on_bar(self, board: Placement) -> int:
        """Gets how many checkers the mover has on the bar."""
        return sum(board.count(place, self.seat) for place in self.game.places if place.kind in _ENTERING)

    def blocked(self, place: Place | None) -> bool:
        """Whether another seat held a point before the play."""
        if place is None or place.kind is not PlaceKind.POINT:
            return False
        return is_held(self.game, self.start.at(place), self.seat)

    def blot_at(self, place: Place | None) -> bool:
        """Whether a single checker of another seat was at a point before the play, and could be hit there."""
        if place is None or place.kind is not PlaceKind.POINT or not hits(self.game):
            return False
        return any(self.start.count(place, seat) == 1 for seat in self.game.seats if seat is not self.seat)

    def most_numbers(self) -> int:
        """Gets how many numbers a legal play uses."""
        return max(len(play.moves) for play in self.plays)


@dataclass
class _Faults:
    """Faults as they are found, each named once and explained as often as it occurs."""

    names: dict[PlayFault, None] = field(default_factory=dict)
    texts: dict[Text, None] = field(default_factory=dict)
    places: dict[Place, None] = field(default_factory=dict)

    def add(self, fault: PlayFault, text: Text, *places: Place | None) -> None:
        self.names[fault] = None
        self.texts[text] = None
        self.places.update(dict.fromkeys(place for place in places if place is not None))


def explain(attempt: Attempt, certainty: Certainty) -> Finding:
    """Gets the faults of a play that is none of the legal ones, and what would have been legal."""
    faults = _Faults()
    _material(attempt, faults)
    _others(attempt, faults)
    _own_moves(attempt, faults)
    if not faults.names:
        _numbers_left(attempt, faults)
    if not faults.names:
        changed = attempt.start.differences(attempt.after)
        faults.add(PlayFault.WRONG_PIPS, Text.of("fault.no_legal_play", roll=attempt.roll), *changed)
    return Finding(
        tuple(faults.names), certainty, tuple(faults.texts), tuple(faults.places), tuple(legal_examples(attempt))
    )


def legal_examples(attempt: Attempt) -> list[str]:
    """Gets the legal plays closest to what was made, in standard notation."""
    closest = sorted(
        attempt.plays,
        key=lambda play: sum(_apart(pair) for pair in attempt.after.differences(play.position.placement()).values()),
    )
    return [write_play(attempt.game, attempt.seat, play) for play in closest[:EXAMPLES]]


def _apart(stacks: tuple[Sequence[Seat], Sequence[Seat]]) -> int:
    here, there = stacks
    return sum(abs(here.count(seat) - there.count(seat)) for seat in {*here, *there})


def _material(attempt: Attempt, faults: _Faults) -> None:
    for one in attempt.moved:
        if one.target is None:
            faults.add(
                PlayFault.CHECKER_VANISHED,
                Text.of("fault.checker_vanished", seat=one.seat, point=attempt.name(one.source)),
                one.source,
            )
        elif one.source is None:
            faults.add(
                PlayFault.CHECKER_EXTRA,
                Text.of("fault.checker_extra", seat=one.seat, point=attempt.name(one.target)),
                one.target,
            )


def _others(attempt: Attempt, faults: _Faults) -> None:
    """Names what happened to checkers of the other seats. Only a hit checker that went to its bar is in order."""
    landed = {one.target for one in attempt.own} | set(_stops(attempt))
    for one in attempt.moved:
        if one.seat is attempt.seat or one.source is None or one.target is None:
            continue
        hit = attempt.blot_at(one.source) and one.source in landed
        if hit and one.target.kind is PlaceKind.BAR:
            continue
        point = attempt.name(one.source)
        if one.target.kind is PlaceKind.TRAY:
            faults.add(PlayFault.HIT_CHECKER_IN_TRAY, Text.of("fault.hit_checker_in_tray", point=point), one.target)
        else:
            where = attempt.name(one.target)
            text = Text.of("fault.opponent_checker_moved", source=point, target=where)
            faults.add(PlayFault.OPPONENT_CHECKER_MOVED, text, one.source, one.target)
    for place in attempt.game.places if hits(attempt.game) else ():
        if place.kind is PlaceKind.POINT and len(set(attempt.after.at(place))) > 1 and not attempt.blocked(place):
            point = attempt.name(place)
            faults.add(PlayFault.HIT_CHECKER_LEFT, Text.of("fault.hit_checker_left", point=point), place)
    for one in attempt.own:
        passed = [[stop for stop in way[:-1] if attempt.blot_at(stop)] for way in _open_ways(attempt, one)]
        if passed and all(passed):
            blot = next((stop for stop in passed[0] if stop is not None and _still_there(attempt, stop)), None)
            if blot is not None:
                text = Text.of("fault.hit_checker_left", point=attempt.name(blot))
                faults.add(PlayFault.HIT_CHECKER_LEFT, text, blot)


def _open_ways(attempt: Attempt, one: Displacement) -> list[tuple[Place | None, ...]]:
    return [way for way in _ways(attempt, one) if not any(stop is None or attempt.blocked(stop) for stop in way)]


def _still_there(attempt: Attempt, blot: Place) -> bool:
    return any(attempt.after.count(blot, seat) for seat in attempt.game.seats if seat is not attempt.seat)


def _stops(attempt: Attempt) -> Iterator[Place]:
    """Gets the points on which a checker that played several numbers may have touched down."""
    for one in attempt.own:
        for way in _ways(attempt, one):
            yield from (stop for stop in way if stop is not None)


def _ways(attempt: Attempt, one: Displacement) -> Iterator[tuple[Place | None, ...]]:
    """Gets the ways to make a displacement with numbers of the roll: for each the points between, then the last."""
    pips = attempt.geometry.pips(one)
    if pips is None or pips <= 0 or one.source is None:
        return
    numbers = attempt.numbers
    from_distance = attempt.geometry.distance(one.seat, one.source)
    seen = set()
    for length in range(1, len(numbers) + 1):
        for order in permutations(numbers, length):
            fits = accounts_for(order, pips, bears_off(one))
            if order in seen or not fits:
                continue
            seen.add(order)
            stops = [from_distance - sum(order[: count + 1]) for count in range(length - 1)]
            yield (*(attempt.geometry.point_at(one.seat, stop) for stop in stops), one.target)


def _own_moves(attempt: Attempt, faults: _Faults) -> None:
    entered = sum(one.source is not None and one.source.kind in _ENTERING for one in attempt.own)
    still_on_bar = attempt.on_bar(attempt.start) - entered if enters_first(attempt.game) else 0
    for one in attempt.own:
        assert one.source is not None
        assert one.target is not None
        source, target = attempt.name(one.source), attempt.name(one.target)
        pips = attempt.geometry.pips(one) or 0
        if one.target.kind in _ENTERING:
            faults.add(PlayFault.OWN_CHECKER_ON_BAR, Text.of("fault.own_checker_on_bar", source=source), one.target)
            continue
        if pips <= 0:
            text = Text.of("fault.moved_backwards", source=source, target=target)
            if one.source.kind is PlaceKind.TRAY:
                text = Text.of("fault.left_the_tray", source=source, target=target)
            faults.add(PlayFault.MOVED_BACKWARDS, text, one.source, one.target)
            continue
        if still_on_bar > 0 and one.source.kind not in _ENTERING:
            text = Text.of("fault.bar_ignored", source=source, target=target, count=still_on_bar)
            faults.add(PlayFault.BAR_IGNORED, text, one.source, one.target)
        _one_move(attempt, faults, one, source, target, pips)
    if attempt.own and not faults.names:
        _too_many(attempt, faults)


def _one_move(attempt: Attempt, faults: _Faults, one: Displacement, source: str, target: str, pips: int) -> None:
    """Names what is wrong with one forward move of an own checker."""
    if one.source is not None and _is_trapped(attempt, one.source):
        text = Text.of("fault.trapped_checker_moved", source=source, target=target)
        faults.add(PlayFault.TRAPPED_CHECKER_MOVED, text, one.source)
        return
    if bears_off(one) and not bears_off_from_anywhere(attempt.game) and (outside := _outside(attempt, one)):
        text = Text.of(
            "fault.early_bear_off", source=source, points=", ".join(attempt.name(place) for place in outside)
        )
        faults.add(PlayFault.EARLY_BEAR_OFF, text, one.source, one.target)
        return
    if attempt.blocked(one.target):
        held = Text.of("fault.blocked_point", source=source, target=target, point=target)
        faults.add(PlayFault.BLOCKED_POINT, held, one.source, one.target)
    ways = list(_ways(attempt, one))
    if not ways:
        text = Text.of("fault.wrong_pips", source=source, target=target, pips=pips, roll=attempt.roll)
        faults.add(PlayFault.WRONG_PIPS, text, one.source, one.target)
        return
    closed = [next((stop for stop in way[:-1] if stop is None or attempt.blocked(stop)), "open") for way in ways]
    if "open" not in closed:
        stop = next((stop for stop in closed if isinstance(stop, Place)), None)
        held = Text.of("fault.blocked_point", source=source, target=target, point=attempt.name(stop))
        faults.add(PlayFault.BLOCKED_POINT, held, one.source, one.target, stop)
    exact = any(sum_ == pips for sum_ in _sums(attempt.numbers))
    if bears_off(one) and not exact and (behind := _behind(attempt, one)):
        text = Text.of("fault.bear_off_from_behind", source=source, points=", ".join(map(attempt.name, behind)))
        faults.add(PlayFault.EXCESS_BEAR_OFF, text, one.source, one.target)


def _is_trapped(attempt: Attempt, source: Place) -> bool:
    """Whether a checker has left a point on which another seat's lies over it."""
    if not leaves_last_first(attempt.game) or source.kind is not PlaceKind.POINT:
        return False
    left = attempt.start.count(source, attempt.seat) - attempt.after.count(source, attempt.seat)
    return any(seat is not attempt.seat for seat in attempt.start.at(source)[-left:])


def _sums(numbers: tuple[int, ...]) -> set[int]:
    return {sum(order) for length in range(1, len(numbers) + 1) for order in permutations(numbers, length)}


def _outside(attempt: Attempt, borne_off: Displacement) -> list[Place]:
    """Gets where own checkers outside the home board remain, or from where this checker itself was borne off."""
    home, seat = attempt.geometry.home, attempt.seat
    outside = [
        place
        for place in attempt.game.places
        if attempt.after.count(place, seat) and attempt.geometry.distance(seat, place) > home
    ]
    source = borne_off.source
    if source is not None and attempt.geometry.distance(seat, source) > home and not list(_ways(attempt, borne_off)):
        outside.append(source)
    return outside


def _behind(attempt: Attempt, borne_off: Displacement) -> list[Place]:
    assert borne_off.source is not None
    distance = attempt.geometry.distance(attempt.seat, borne_off.source)
    return [
        place
        for place in attempt.game.places
        if attempt.after.count(place, attempt.seat) and attempt.geometry.distance(attempt.seat, place) > distance
    ]


def _too_many(attempt: Attempt, faults: _Faults) -> None:
    """Names moves that are each in order but together use more than the roll gives."""
    if shared_out(attempt.geometry, attempt.own, attempt.numbers):
        return
    places = [place for one in attempt.own for place in (one.source, one.target)]
    off = [one for one in attempt.own if bears_off(one)]
    if len(off) > len(attempt.numbers):
        text = Text.of("fault.excess_bear_off", count=len(off), roll=attempt.roll)
        faults.add(PlayFault.EXCESS_BEAR_OFF, text, *places)
        return
    moves = " ".join(f"{attempt.name(one.source)}/{attempt.name(one.target)}" for one in attempt.own)
    faults.add(PlayFault.WRONG_PIPS, Text.of("fault.too_much", moves=moves, roll=attempt.roll), *places)


def _numbers_left(attempt: Attempt, faults: _Faults) -> None:
    """Names numbers that could have been played and were not."""
    used = _used_numbers(attempt)
    examples = [sorted((move.number for move in play.moves), reverse=True) for play in attempt.plays]
    most = max(len(numbers) for numbers in examples)
    bars = [
        place for place in attempt.game.places if attempt.after.count(place, attempt.seat) and place.kind in _ENTERING
    ]
    if bars and len(used) < most and enters_first(attempt.game):
        text = Text.of("fault.entry_missed", roll=attempt.roll, count=attempt.on_bar(attempt.after))
        faults.add(PlayFault.ENTRY_MISSED, text, *bars)
        return
    sources = [move.source for play in attempt.plays[:1] for move in play.moves]
    if len(used) < most:
        left = max(examples, key=lambda numbers: len(numbers))
        for number in used:
            if number in left:
                left.remove(number)
        text = Text.of("fault.number_not_used", numbers=", ".join(map(str, left)), roll=attempt.roll)
        faults.add(PlayFault.NUMBER_NOT_USED, text, *sources)
    elif used and most == 1:
        higher = max(numbers[0] for numbers in examples)
        if max(used) < higher:
            text = Text.of("fault.lower_number_used", lower=max(used), higher=higher)
            moved = [place for one in attempt.own for place in (one.source, one.target)]
            faults.add(PlayFault.LOWER_NUMBER_USED, text, *moved)


def _used_numbers(attempt: Attempt) -> list[int]:
    """Gets the numbers that the moves made account for, each displacement with the fewest."""
    left = list(attempt.numbers)
    used: list[int] = []
    for one in attempt.own:
        pips = attempt.geometry.pips(one) or 0
        ways = sorted(
            {order for length in range(1, len(left) + 1) for order in permutations(left, length)},
            key=lambda order: (len(order), order),
        )
        off = bears_off(one)
        fit = next(
            (order for order in ways if sum(order) == pips),
            next((order for order in ways if off and sum(order[:-1]) < pips < sum(order)), ()),
        )
        for number in fit:
            left.remove(number)
            used.append(number)
    return used
