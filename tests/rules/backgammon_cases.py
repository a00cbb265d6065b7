"""What the tests of backgammon share: random positions, and the rules once more, written as slowly as possible."""

from hypothesis import strategies as st

from boardctl.rules import BackgammonPosition, Roll, Seat

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


def brute_force(view: View, roll: Roll) -> set[View]:
    """Every result of a complete play, from the mover's view, found by trying everything."""
    runs: list[tuple[tuple[int, ...], View]] = [((), view)]
    for numbers in {roll.numbers, roll.numbers[::-1]}:
        ways = [((), view)]
        for number in numbers:
            ways = [(*way, after) for way in ways for after in _after_one(way[-1], number)] or ways[:0]
            runs += [(numbers[: len(way) - 2], way[-1]) for way in ways]
    most = max(len(played) for played, _ in runs)
    longest = [run for run in runs if len(run[0]) == most]
    larger = [run for run in longest if run[0] == (max(roll),)] if most == 1 else longest
    return {result for _, result in larger or longest}


def _after_one(view: View, number: int) -> list[View]:
    results = []
    for source in [25] if view[25] else [place for place in range(1, 25) if view[place] > 0]:
        after, target = list(view), source - number
        after[source] -= 1
        if target > 0:
            if view[target] < -1:
                continue
            if view[target] == -1:
                after[target] = 0
                after[0] -= 1
            after[target] += 1
        elif any(count > 0 for count in view[7:]) or (target < 0 and any(count > 0 for count in view[source + 1 :])):
            continue
        results.append(tuple(after))
    return results
