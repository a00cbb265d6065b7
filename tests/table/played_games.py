"""Games as facts: what perfect eyes would report of legal games, with an illegal play now and then."""

from collections.abc import Iterator
from random import Random

from boardctl.referee.facts import BoardSeen, DiceLifted, DiceRested, Fact, HandSeen
from boardctl.referee.readings import DiceReading, DieReading, Support, sure_reading
from boardctl.rules import Backgammon, Placement, Roll, Seat

GAME = Backgammon()
SECTION_X_MM = {Seat.A: 150.0, Seat.B: -150.0}


def facts_of_games(seed: int, games: int, illegal_share: float = 0.1) -> Iterator[Fact]:
    """Gets the facts of some games, the same for the same seed."""
    random = Random(seed)
    at_ms = 0

    def now() -> int:
        nonlocal at_ms
        at_ms += random.randint(50, 2000)
        return at_ms

    for _ in range(games):
        position = GAME.start()
        yield BoardSeen(now(), sure_reading(position.placement(), GAME.places))
        seat, roll = random.choice([Seat.A, Seat.B]), _opening_roll(random)
        while GAME.result(position) is None:
            yield DiceRested(now(), DiceReading(_dice(random, seat, roll)))
            yield HandSeen(now(), True)
            yield HandSeen(now(), False)
            position = random.choice(GAME.plays(position, seat, roll)).position
            yield BoardSeen(now(), sure_reading(_disturbed(position.placement(), random, illegal_share), GAME.places))
            yield BoardSeen(now(), sure_reading(position.placement(), GAME.places))
            yield DiceLifted(now(), 0)
            seat, roll = GAME.next_seat(position, seat), Roll(random.randint(1, 6), random.randint(1, 6))


def _opening_roll(random: Random) -> Roll:
    first, second = random.sample(range(1, 7), 2)
    return Roll(first, second)


def _dice(random: Random, seat: Seat, roll: Roll) -> tuple[DieReading, ...]:
    x = SECTION_X_MM[seat]
    spots = [(x + random.uniform(-60, 60), y + random.uniform(-15, 15)) for y in (-30, 30)]
    return tuple(
        DieReading(value, 0.999, True, Support.SURFACE, seat, 0.5, spot, spot)
        for value, spot in zip(roll, spots, strict=True)
    )


def _disturbed(placement: Placement, random: Random, share: float) -> Placement:
    """Gets the placement, now and then with the top checker of one place put onto another: a player shuffling."""
    if random.random() >= share:
        return placement
    source = random.choice([place for place in placement if place.seat is None])
    target = random.choice([place for place in GAME.places if place.seat is None and place != source])
    stack = placement.at(source)
    return placement.replaced({source: stack[:-1], target: (*placement.at(target), stack[-1])})
