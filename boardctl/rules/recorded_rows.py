"""One recorded case of each kind, compared with the game that it is of.

Every kind records a position from the mover's view, a roll and all positions that can result, again from the mover's
view. The mover is taken to be seat A. ``alt`` holds what results under other readings, where that differs.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from boardctl.rules.backgammon import Backgammon
from boardctl.rules.backgammon_position import BackgammonPosition
from boardctl.rules.blocking import Blocking, BlockingPosition, Own, Trapped
from boardctl.rules.blocking_express import BlockingExpress
from boardctl.rules.board import Seat
from boardctl.rules.game import Game, Play, Position, Roll, Turn
from boardctl.rules.mini_gam import Bar, Entry, MiniGam, MiniGamPosition
from boardctl.rules.multi_gam import MultiGam, MultiGamPosition, Oblige

Row = Mapping[str, Any]

_Stacks = TypeVar("_Stacks", MiniGamPosition, BlockingPosition)

_SIGNS = "onmlkjihgfedcba.123456789ABCDEF"
_LETTERS = str.maketrans("mo", "AB")
_SEATS = (Seat.A, Seat.B, Seat.C, Seat.D)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the rules say something else than the record, under one reading of the texts."""

    what: str
    missing: tuple[Position, ...] = ()  # recorded, but not found
    surplus: tuple[Position, ...] = ()  # found, but not recorded

    def drawn(self) -> str:
        """Gets the difference with drawn boards."""
        titled = [("recorded, not found:", each) for each in self.missing]
        titled += [("found, not recorded:", each) for each in self.surplus]
        return "\n".join([self.what, *(f"{title}\n{position}" for title, position in titled)])


@dataclass(frozen=True, slots=True)
class Comparison:
    """One recorded case beside what the rules say about it."""

    case: str
    position: Position
    differences: tuple[Difference, ...]

    @property
    def equal(self) -> bool:
        """Whether exactly what was recorded was found."""
        return not self.differences

    def drawn(self) -> str:
        """Gets the case with its position and every difference as drawn boards."""
        return "\n".join([self.case, str(self.position), *(difference.drawn() for difference in self.differences)])


Comparer = Callable[[Row], Comparison]


def compare_sets(what: str, recorded: Iterable[Position], found: Iterable[Position]) -> tuple[Difference, ...]:
    """Gets the difference of two sets of positions: one, or none when they are equal."""
    recorded_set, found_set = set(recorded), set(found)
    if recorded_set == found_set:
        return ()
    missing, surplus = (sorted(some, key=str) for some in (recorded_set - found_set, found_set - recorded_set))
    return (Difference(what, tuple(missing), tuple(surplus)),)


def standard_question(row: Row) -> tuple[BackgammonPosition, Roll]:
    """Gets the position and the roll of a case of standard backgammon; A is to play."""
    return BackgammonPosition.from_mover_view(row["b"], Seat.A), Roll.of(*row["d"])


def standard(row: Row) -> Comparison:
    """Compares a case of standard backgammon: ``b`` is a mover's view, ``r`` holds views as strings."""
    position, roll = standard_question(row)
    recorded = {"": [BackgammonPosition.from_mover_view(_view(text), Seat.A) for text in row["r"]]}
    return _compare_plays(row, position, Seat.A, roll, recorded, {"": Backgammon()})


def mini_gam(row: Row) -> Comparison:
    """Compares a case of Mini-Gam: points from the mover's entry side, then both bars and both trays."""
    readings: dict[str, Game] = {
        "": MiniGam(),
        "bar=clear": MiniGam(bar=Bar.CLEAR),
        "entry=literal": MiniGam(entry=Entry.LITERAL),
    }
    return _compare_plays(
        row, _mini_gam(row["s"]), Seat.A, Roll.of(*row["d"]), _recorded(row, readings, _mini_gam), readings
    )


def multi_gam(row: Row) -> Comparison:
    """Compares a case of Multi-Gam: points as owner and count, then the bars and the trays of seats 0 to 3."""
    readings: dict[str, Game] = {"": MultiGam(), "oblige=greedy": MultiGam(oblige=Oblige.GREEDY)}
    seat, dice = row["d"]
    position, recorded = _multi_gam(row["s"]), _recorded(row, readings, _multi_gam)
    return _compare_plays(row, position, _SEATS[seat], Roll.of(*dice), recorded, readings, _without_ranks)


def blocking(row: Row) -> Comparison:
    """Compares a case of Blocking Backgammon: 24 stacks, then both hands and both trays."""
    readings: dict[str, Game] = {
        "": Blocking(),
        "own=single": Blocking(own=Own.SINGLE),
        "trapped=ignored": Blocking(trapped=Trapped.IGNORED),
    }
    return _compare_plays(
        row, _blocking(row["s"]), Seat.A, Roll.of(*row["d"]), _recorded(row, readings, _blocking), readings
    )


def express_group(row: Row) -> Comparison:
    """Compares one group of a doubles turn: number ``n`` up to ``left`` times, ``k`` of them played."""
    position = _blocking(row["s"])
    if not 1 <= row["left"] <= 4:
        raise ValueError(f"{row['id']}: {row['left']} numbers left; a group has 1 to 4")
    plays = BlockingExpress().plays_of(position, Seat.A, (row["n"],) * row["left"])
    recorded = [_blocking(text) for text in row["r"]] or [position]
    differences = compare_sets("positions:", recorded, (play.position for play in plays))
    played = {len(play.moves) for play in plays}
    if played != {row["k"]}:
        differences += (Difference(f"recorded {row['k']} numbers played, found {sorted(played)}"),)
    return Comparison(f"case {row['id']}: A to play {row['n']} up to {row['left']} times", position, differences)


def express_turn(row: Row) -> Comparison:
    """Compares one line of play through a doubles turn: who played which number how often, and the state after it."""
    game = BlockingExpress()
    position = start = _blocking(row["s"])
    seats = {"roller": Seat.A, "other": Seat.B}
    turn: Turn | None = game.begin(position, Seat.A, Roll.of(row["double"], row["double"]))
    log = [(seats[who], number, many) for who, number, many in row["log"]]
    states = [_blocking(text, seats[who]) for who, text in row["segs"]]
    differences: tuple[Difference, ...] = ()
    recorded = zip(log, states, strict=True)
    found: list[tuple[Seat, int, int]] = []
    while turn is not None:
        plays: dict[Position, Play] = {play.position: play for play in game.plays_in(position, turn)}
        played = len(next(iter(plays.values())).moves)
        if played:
            found.append((turn.control, turn.numbers[0], played))
            entry, state = next(recorded, (None, None))
            if entry != found[-1] or state not in plays:
                differences += (Difference(f"group {len(found)}: recorded {entry}, found {found[-1]}", (), (*plays,)),)
                break
            position = state
        turn = game.proceed(position, turn, played)
    differences += tuple(Difference(f"recorded, not found: {entry}") for entry, _ in recorded)
    differences += compare_sets("at the end:", [_blocking(row["end"])], [position])
    return Comparison(f"case {row['id']}: A rolled {row['double']}-{row['double']}", start, differences)


def _compare_plays(
    row: Row,
    position: Position,
    seat: Seat,
    roll: Roll,
    recorded: Mapping[str, Sequence[Position]],
    readings: Mapping[str, Game],
    seen: Callable[[Position], Position] = lambda position: position,
) -> Comparison:
    """Compares the plays under each reading; ``seen`` takes from a position what is not recorded."""
    differences: tuple[Difference, ...] = ()
    for reading, game in readings.items():
        found = [seen(play.position) for play in game.plays(position, seat, roll)]
        differences += compare_sets(reading or "default reading", recorded[reading] or [position], found)
    return Comparison(f"case {row['id']}: {seat.value} to play {roll}", position, differences)


def _recorded(row: Row, readings: Iterable[str], read: Callable[[str], Position]) -> dict[str, list[Position]]:
    """Gets the recorded results under each reading; where no other is recorded they are those of the default."""
    others = row.get("alt", {})
    if unknown := set(others) - set(readings):
        raise ValueError(f"{row['id']} has a reading that is not known: {', '.join(unknown)}")
    return {reading: [read(text) for text in others.get(reading, row["r"])] for reading in readings}


def _view(text: str) -> list[int]:
    """Gets the numbers of a recorded result: ``.`` is none, ``1`` to ``F`` the mover's, ``a`` to ``o`` the other's."""
    if strange := set(text) - set(_SIGNS):
        raise ValueError(f"result {text!r} has {''.join(sorted(strange))!r}, which counts no checkers")
    return [_SIGNS.index(character) - _SIGNS.index(".") for character in text]


def _mini_gam(text: str) -> MiniGamPosition:
    points, rest = text.split("/")
    bar_a, bar_b, off_a, off_b = map(int, rest.split(","))
    signed = [int(count) for count in points.split(",")]
    stacks = ["A" * count if count > 0 else "B" * -count for count in signed]
    return _checked(MiniGamPosition([*stacks, "A" * bar_a, "B" * bar_b, "A" * off_a, "B" * off_b]))


def _multi_gam(text: str) -> MultiGamPosition:
    points, bars, trays = text.split("/")
    stacks = []
    for owned in points.split(","):
        owner, _, count = owned.partition(":")
        stacks.append("" if owned == "-" else _SEATS[int(owner)].value * int(count))
    for counts in (bars, trays):
        stacks += [seat.value * int(count) for seat, count in zip(_SEATS, counts.split(","), strict=True)]
    return _without_ranks(MultiGamPosition([*stacks, ""]))


def _without_ranks(position: Position) -> MultiGamPosition:
    """Gets the position without the order in which seats finished, which is not recorded."""
    return MultiGamPosition.of(position.placement())


def _blocking(text: str, mover: Seat = Seat.A) -> BlockingPosition:
    points, rest = text.split("/")
    waiting_a, waiting_b, off_a, off_b = map(int, rest.split(","))
    stacks = points.translate(_LETTERS).split("|")
    if mover is Seat.B:
        stacks = points.translate(str.maketrans("mo", "BA")).split("|")[::-1]
        waiting_a, waiting_b, off_a, off_b = waiting_b, waiting_a, off_b, off_a
    return _checked(BlockingPosition([*stacks, "A" * off_a, "B" * off_b, "A" * waiting_a, "B" * waiting_b]))


def _checked(position: _Stacks) -> _Stacks:
    """Gets the position when it has its game's number of stacks and checkers.

    :raises ValueError: when it has not.
    """
    stacks = len(position), sum(map(len, position))
    expected = len(position.places), position.checkers * len(position.seats)
    if stacks != expected:
        raise ValueError(f"has {stacks[0]} stacks and {stacks[1]} checkers, not {expected[0]} and {expected[1]}")
    return position


COMPARERS: Mapping[str, Comparer] = {
    "gnubg": standard,
    "Mini-Gam": mini_gam,
    "Multi-Gam": multi_gam,
    "Blocking Backgammon": blocking,
    "Blocking Express, one group of a doubles turn": express_group,
    "Blocking Express, whole doubles turns (one random line of play each)": express_turn,
}
"""What compares the cases of a file, by the game that its header names."""
