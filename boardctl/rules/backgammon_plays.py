"""The complete plays of backgammon, found with bit masks.

What no move of a turn can change is worked out once: the points that are open to the mover. From there a position on
the way is one whole number (both sides, a byte for each place) and the mask of the places where the mover stands. The
checkers that can play a number are then ``occupied & (open_points << number)``, and a move is one addition.

Two facts keep the search from finding a result twice:

* Moves of a non-double can be made in either order, except where the order is the point: one checker that makes both
  moves, a checker to enter first, a move that allows the bear-off of the other. Only these are tried lower die first.
* Moves of a double can always be ordered from the hindmost checker to the foremost, and that order is the only one
  for its result.
"""

from collections.abc import Callable
from typing import NamedTuple

from boardctl.rules.backgammon_options import BlockedHigher
from boardctl.rules.backgammon_position import BAR_BYTE, POINTS, SIDE_BYTES, BackgammonPosition, one_at, place_of
from boardctl.rules.board import Seat
from boardctl.rules.game import Move, Play, Roll

_SIDE_BITS = 8 * SIDE_BYTES
_SIDE_MASK = (1 << _SIDE_BITS) - 1
_POINT_MASK = sum(1 << number for number in range(1, POINTS + 1))
_BAR_MASK = 1 << BAR_BYTE
_OUTSIDE = 1 << 7  # a mask of occupied places at or above it has a checker outside the home board

# For bytes.translate: which counts become the character 1 of a binary number. Read with byte 0 last, a side's own
# bytes are a mask of own places; read with byte 0 first, the other side's bytes are a mask of the same places, because
# each side counts from its own view.
_ANY = bytes([ord("0")] + [ord("1")] * 255)
_BLOT = bytes([ord("1") if count == 1 else ord("0") for count in range(256)])
_AT_MOST_BLOT = bytes([ord("1") if count <= 1 else ord("0") for count in range(256)])


class _Moves(NamedTuple):
    """The moves of one seat, by number and source byte, and what they add to a position's number."""

    change: tuple[tuple[int, ...], ...]
    plain: tuple[tuple[Move, ...], ...]
    hitting: tuple[tuple[Move, ...], ...]
    hit_change: tuple[int, ...]  # by target byte: the other's blot goes to the bar


class _View(NamedTuple):
    """One turn as its mover sees it, before the first move."""

    whole: int  # both sides in one number, the mover's low
    counts: list[int]  # of the mover, by byte
    occupied: int  # mask of the mover's points and bar
    blots: int  # mask of the other's blots
    open_points: int  # mask of the points the mover may land on
    sources: Callable[[int, int, int], int]  # of occupied places, a number, open points: where it can be moved from


_Found = dict[int, tuple[Move, ...]]


def legal_plays(
    position: BackgammonPosition, seat: Seat, roll: Roll, blocked_higher: BlockedHigher = BlockedHigher.WAITS
) -> list[Play]:
    """Gets every complete play, one for each position that can result.

    Of several ways to one position it is the one that plays the higher number first, and of those the one that starts
    with the hindmost checker; they all hit the same checkers.
    """
    view = _view(position, seat, blocked_higher)
    moves = _MOVES[seat]
    found = _doubles(view, moves, roll.first) if roll.is_double else _non_doubles(view, moves, max(roll), min(roll))
    if not found:
        return [Play((), position)]
    if seat is Seat.A:
        return [Play(way, BackgammonPosition(whole & _SIDE_MASK, whole >> _SIDE_BITS)) for whole, way in found.items()]
    return [Play(way, BackgammonPosition(whole >> _SIDE_BITS, whole & _SIDE_MASK)) for whole, way in found.items()]


def single_moves(
    position: BackgammonPosition, seat: Seat, number: int, blocked_higher: BlockedHigher = BlockedHigher.WAITS
) -> list[tuple[Move, BackgammonPosition]]:
    """Gets every move of one checker by ``number``, and where it leads, whether or not a legal play contains it."""
    view = _view(position, seat, blocked_higher)
    moves = _MOVES[seat]
    return [
        (way[0], BackgammonPosition.of_sides(whole & _SIDE_MASK, whole >> _SIDE_BITS, seat))
        for whole, way in _singles(view, moves, number).items()
    ]


def _view(position: BackgammonPosition, seat: Seat, blocked_higher: BlockedHigher) -> _View:
    own, other = position.sides(seat)
    other_bytes = other.to_bytes(SIDE_BYTES, "little")
    return _View(
        whole=own | other << _SIDE_BITS,
        counts=list(own.to_bytes(SIDE_BYTES, "little")),
        occupied=int(own.to_bytes(SIDE_BYTES, "big").translate(_ANY), 2) & ~1,
        blots=int(other_bytes.translate(_BLOT), 2) & _POINT_MASK,
        open_points=int(other_bytes.translate(_AT_MOST_BLOT), 2) & _POINT_MASK,
        sources=_sources if blocked_higher is BlockedHigher.WAITS else _licensed_sources,
    )


def _sources(occupied: int, number: int, open_points: int) -> int:
    """Gets the mask of the places from which ``number`` can be moved."""
    movable = occupied & open_points << number
    if occupied >= _OUTSIDE:
        return movable & _BAR_MASK if occupied & _BAR_MASK else movable
    if occupied >> number == 0:
        # No checker on the point of that number or above: the foremost of the others may go.
        return 1 << occupied.bit_length() - 1 if occupied else 0
    return movable | occupied & 1 << number


def _licensed_sources(occupied: int, number: int, open_points: int) -> int:
    """Gets the same where a higher checker that is blocked does not keep the lower ones from bearing off."""
    movable = _sources(occupied, number, open_points)
    lower = occupied & (1 << number) - 1
    if movable or occupied >= _OUTSIDE or not lower:
        return movable
    return 1 << lower.bit_length() - 1


def _singles(view: _View, moves: _Moves, number: int) -> _Found:
    found: _Found = {}
    sources = view.sources(view.occupied, number, view.open_points)
    while sources:
        source = sources.bit_length() - 1
        sources ^= 1 << source
        whole = view.whole + moves.change[number][source]
        if source > number and view.blots >> source - number & 1:
            found[whole + moves.hit_change[source - number]] = (moves.hitting[number][source],)
        else:
            found[whole] = (moves.plain[number][source],)
    return found


def _non_doubles(view: _View, moves: _Moves, higher: int, lower: int) -> _Found:
    whole, counts, occupied, blots, open_points, sources_of = view
    found: _Found = {}
    for first, second in ((higher, lower), (lower, higher)):
        first_change, second_change = moves.change[first], moves.change[second]
        sources = sources_of(occupied, first, open_points)
        while sources:
            source = sources.bit_length() - 1
            sources ^= 1 << source
            target = source - first
            blots_left = blots
            between = whole + first_change[source]
            move = moves.plain[first][source]
            occupied_now = occupied if counts[source] > 1 else occupied ^ 1 << source
            if target > 0:
                occupied_now |= 1 << target
                if blots >> target & 1:
                    blots_left ^= 1 << target
                    between += moves.hit_change[target]
                    move = moves.hitting[first][source]
            onward = sources_of(occupied_now, second, open_points)
            if first == lower and occupied < _BAR_MASK and occupied_now >= _OUTSIDE:
                onward &= 1 << target  # two checkers that move in either order are already found
            while onward:
                source_again = onward.bit_length() - 1
                onward ^= 1 << source_again
                target_again = source_again - second
                result = between + second_change[source_again]
                if target_again > 0 and blots_left >> target_again & 1:
                    result += moves.hit_change[target_again]
                    if result not in found:
                        found[result] = (move, moves.hitting[second][source_again])
                elif result not in found:
                    found[result] = (move, moves.plain[second][source_again])
    # "if either number can be played but not both, the player must play the larger one"
    return found or _singles(view, moves, higher) or _singles(view, moves, lower)


def _doubles(view: _View, moves: _Moves, number: int) -> _Found:
    """Gets the longest runs of up to four moves of one number, each from the hindmost checker to the foremost."""
    counts, open_points, sources_of = view.counts, view.open_points, view.sources
    change, plain, hitting, hit_change = (
        moves.change[number],
        moves.plain[number],
        moves.hitting[number],
        moves.hit_change,
    )
    longest: list[_Found] = [{}, {}, {}, {}, {}]  # by how many moves there are

    def run_on(whole: int, occupied: int, blots: int, at_most: int, way: tuple[Move, ...]) -> None:
        made = len(way) + 1
        results = longest[made]
        sources = sources_of(occupied, number, open_points) & (2 << at_most) - 1
        while sources:
            source = sources.bit_length() - 1
            sources ^= 1 << source
            target = source - number
            result = whole + change[source]
            if target > 0 and blots >> target & 1:
                result += hit_change[target]
                blots_left = blots ^ 1 << target
                moved = (*way, hitting[source])
            else:
                blots_left = blots
                moved = (*way, plain[source])
            results[result] = moved
            if made < 4:
                occupied_now = occupied | 1 << target if target > 0 else occupied
                counts[source] -= 1
                if target > 0:
                    counts[target] += 1
                if not counts[source]:
                    occupied_now ^= 1 << source
                run_on(result, occupied_now, blots_left, source, moved)
                counts[source] += 1
                if target > 0:
                    counts[target] -= 1

    run_on(view.whole, view.occupied, view.blots, BAR_BYTE, ())
    return next((found for found in reversed(longest) if found), {})


def _moves_of(seat: Seat) -> _Moves:
    sources, numbers = range(SIDE_BYTES), range(7)

    def change(number: int, source: int) -> int:
        return one_at(max(source - number, 0)) - one_at(source)

    def move(number: int, source: int, hit: Seat | None) -> Move:
        return Move(place_of(source, seat), place_of(max(source - number, 0), seat), number, hit)

    def hit_change(target: int) -> int:
        return (one_at(BAR_BYTE) - one_at(BAR_BYTE - target)) << _SIDE_BITS

    return _Moves(
        change=tuple(tuple(change(number, source) for source in sources) for number in numbers),
        plain=tuple(tuple(move(number, source, None) for source in sources) for number in numbers),
        hitting=tuple(tuple(move(number, source, seat.other) for source in sources) for number in numbers),
        hit_change=tuple(hit_change(target) for target in sources),
    )


_MOVES = {seat: _moves_of(seat) for seat in (Seat.A, Seat.B)}
