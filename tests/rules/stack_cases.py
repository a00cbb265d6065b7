"""What the tests of several games share: random positions of them, their rules once more, boards moved and turned."""

from random import Random

from hypothesis import strategies as st

from boardctl.rules import (
    Bar,
    Blocking,
    BlockingExpress,
    Enter,
    Entry,
    Game,
    MiniGam,
    Move,
    MultiGam,
    Own,
    Place,
    PlaceKind,
    Placement,
    Position,
    Seat,
    Stack,
    Trapped,
    Turn,
    bar,
    point,
    tray,
    waiting,
)
from boardctl.rules.stack_game import StackGame

STACK_GAMES: list[StackGame] = [MiniGam(), MultiGam(), Blocking(), BlockingExpress()]
OTHER_READINGS: list[StackGame] = [
    MiniGam(bar=Bar.CLEAR),
    MiniGam(entry=Entry.LITERAL),
    Blocking(own=Own.SINGLE),
    Blocking(trapped=Trapped.IGNORED),
    Blocking(entry=Enter.ANY_TIME),
    Blocking(own=Own.SINGLE, trapped=Trapped.IGNORED, entry=Enter.ANY_TIME),
]


@st.composite
def stack_positions(draw: st.DrawFn, game: StackGame) -> Position:
    """Any position of a game on stacks. Half of them have all checkers of a seat in its last six points."""
    chance = Random(draw(st.integers(0, 2**32 - 1)))  # checkers drawn one by one come out nearly all alike
    shared = isinstance(game, Blocking)
    stacks: dict[Place, Stack] = {}
    on_board: list[tuple[Seat, list[Place]]] = []
    for seat in game.seats:
        points = [place for place in game.places if place.kind is PlaceKind.POINT]
        points.sort(key=lambda place: int(game.point_for(seat, place)), reverse=not shared)
        reach = points[:6] if shared and chance.random() < 0.5 else points
        near = chance.sample(reach, chance.randint(1, len(reach)))
        beside = chance.choice([0, 0, 1, 3, game.checkers_a_seat])
        off = chance.choice([0, 0, 1, chance.randint(0, game.checkers_a_seat)])
        beside = min(beside, game.checkers_a_seat)
        off = min(off, game.checkers_a_seat - beside)
        stacks[waiting(seat) if shared else bar(seat)] = (seat,) * beside
        stacks[tray(seat)] = (seat,) * off
        on_board += [(seat, near)] * (game.checkers_a_seat - beside - off)
    chance.shuffle(on_board)
    for seat, near in on_board:
        free = [place for place in near if shared or set(stacks.get(place, ())) <= {seat}] or [tray(seat)]
        place = chance.choice(free)
        stacks[place] = (*stacks.get(place, ()), seat)
    return game.position_of(Placement(stacks))


def brute_force(game: StackGame, position: Position, turn: Turn) -> set[Position]:
    """What complete plays lead to, found by trying every order of the numbers and every single move."""
    runs: list[tuple[tuple[int, ...], Position]] = [((), position)]
    for numbers in {turn.numbers, turn.numbers[::-1]}:
        ends = [position]
        for at, number in enumerate(numbers, start=1):
            ends = list({after for end in ends for _, after in game.single_moves(end, turn.control, number)})
            runs += [(numbers[:at], end) for end in ends]
            done = [end for end in ends if isinstance(game, MultiGam) and turn.control in end.finished]
            runs += [(numbers, end) for end in done]  # the fifth checker off completes a play of Multi-Gam
            ends = [end for end in ends if end not in done]
    most = max(len(played) for played, _ in runs)
    longest = [run for run in runs if len(run[0]) == most]
    larger = [run for run in longest if run[0] == (max(turn.numbers),)] if most == 1 else longest
    return {end for _, end in larger or longest}


def moved(placement: Placement, seat: Seat, move: Move) -> Placement:
    assert placement.at(move.source)[-1] is seat
    changes = {move.source: placement.at(move.source)[:-1]}
    there = placement.at(move.target)
    if move.hit is not None:
        assert there == (move.hit,)
        changes[bar(move.hit)] = (*placement.at(bar(move.hit)), move.hit)
        there = ()
    changes[move.target] = (*there, seat)
    return placement.replaced(changes)


def exchanged(game: Game, placement: Placement) -> Placement:
    """The placement with every seat's checkers given to the next seat, and the board turned where seats go both ways.

    What holds for a seat in a placement holds for the next seat in this one.
    """
    points = sum(place.kind is PlaceKind.POINT for place in game.places)

    def place_of_next(place: Place) -> Place:
        if place.seat is not None:
            return place._replace(seat=after(game, place.seat))
        return place if isinstance(game, MultiGam) else point(points + 1 - place.number)

    return Placement(
        {place_of_next(place): tuple(after(game, seat) for seat in stack) for place, stack in placement.items()}
    )


def after(game: Game, seat: Seat) -> Seat:
    """The seat that follows on another at the table, whether or not it has finished."""
    return game.seats[(game.seats.index(seat) + 1) % len(game.seats)]
