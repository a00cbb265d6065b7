"""What the tests of backgammon share: random positions, and the rules once more, written as slowly as possible."""

from hypothesis import strategies as st

from boardctl.rules import BackgammonPosition, Game, Position, Roll, Seat, write_play

View = tuple[int, ...]

rolls = st.builds(Roll, st.integers(1, 6), st.integers(1, 6))
seats = st.sampled_from([Seat.A, Seat.B])


@st.composite
def positions(draw: st.DrawFn) -> BackgammonPosition:
    """Any position: each of the thirty checkers falls somewhere that the other side does not hold."""
    own_home = draw(st.booleans())  # bear-offs are rare when checkers fall everywhere
    view = [0] * 26
    for place in draw(st.lists(st.integers(1, 6 if own_home else 25), max_size=15)):
        view[place] += 1
    for place in draw(st.lists(st.integers(0, 24), max_size=15)):
        if view[place] <= 0:
            view[place] -= 1
    return BackgammonPosition.from_mover_view(view, Seat.A)


def few(a: dict[int, int], b: dict[int, int] | None = None, bar_a: int = 0, bar_b: int = 0) -> BackgammonPosition:
    """A position of few checkers: how many each seat has on its own points; all others are borne off."""
    points = [0] * 24
    for number, count in a.items():
        points[number - 1] += count
    for number, count in (b or {}).items():
        points[24 - number] -= count
    return BackgammonPosition.from_points(points, bar_a, bar_b)


def texts(game: Game, position: Position, seat: Seat, first: int, second: int) -> set[str]:
    """The legal plays in standard notation."""
    return {write_play(game, seat, play) for play in game.plays(position, seat, Roll.of(first, second))}


def brute_force(view: View, roll: Roll, licensed: bool = False) -> set[View]:
    """Every result of a complete play, from the mover's view, found by trying everything."""
    runs: list[tuple[tuple[int, ...], View]] = [((), view)]
    for numbers in {roll.numbers, roll.numbers[::-1]}:
        ways = [(view,)]
        for number in numbers:
            ways = [(*way, after) for way in ways for after in _after_one(way[-1], number, licensed)]
            runs += [(numbers[: len(way) - 1], way[-1]) for way in ways]
    most = max(len(played) for played, _ in runs)
    longest = [run for run in runs if len(run[0]) == most]
    larger = [run for run in longest if run[0] == (max(roll),)] if most == 1 else longest
    return {result for _, result in larger or longest}


def _after_one(view: View, number: int, licensed: bool) -> list[View]:
    sources = [25] if view[25] else [place for place in range(24, 0, -1) if view[place] > 0]
    all_home = not any(count > 0 for count in view[7:])
    results: list[View] = []
    for source in sources:
        target = source - number
        if target > 0 and view[target] < -1:
            continue
        stays_behind = any(place > source for place in sources) and not (licensed and not results)
        if target <= 0 and (not all_home or (target < 0 and stays_behind)):
            continue
        after = list(view)
        after[source] -= 1
        if target > 0:
            after[0] -= after[target] == -1
            after[target] = max(after[target], 0) + 1
        results.append(tuple(after))
    return results
