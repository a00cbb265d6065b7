"""``boardctl bench rules``: how fast the legal plays of every game are listed."""

import json
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from boardctl.cli.recorded_lines import recorded_lines
from boardctl.cli.reporting import UsageError
from boardctl.rules import GAMES, Game, Position, Seat, Turn
from boardctl.rules.playouts import playout
from boardctl.rules.recorded import standard_questions
from boardctl.rules.turn import begin, plays_in

_Question = tuple[Position, Turn]


@dataclass(frozen=True, slots=True)
class _Times:
    """How long the lists of one game took."""

    game: str
    lists: int
    pairs_a_second: float  # the median of the runs
    non_double_p99_ms: float
    non_double_worst_ms: float
    double_p99_ms: float
    double_worst_ms: float

    def __str__(self) -> str:
        return (
            f"{self.game:<12} {self.lists:>6} lists {self.pairs_a_second:>8.0f} a second   "
            f"non-doubles p99 {self.non_double_p99_ms:6.3f} ms, worst {self.non_double_worst_ms:6.2f} ms   "
            f"doubles p99 {self.double_p99_ms:6.3f} ms, worst {self.double_worst_ms:6.2f} ms"
        )


def rules(
    cases: Annotated[Path | None, typer.Argument(help="Recorded cases of standard backgammon to measure too.")] = None,
    runs: Annotated[int, typer.Option(min=1, help="How many times; the median speed is reported.")] = 5,
    games: Annotated[int, typer.Option(min=1, help="How many random games of each kind give the positions.")] = 10,
    seed: Annotated[int, typer.Option(help="Where the random games start.", min=0)] = 7,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> None:
    """Time the whole list of legal plays along random games, and on recorded cases.

    The times are the processor's, so that what else runs on the machine does not count.

    Example: boardctl bench rules tests/data/rules/standard.jsonl.gz
    """
    if cases is not None:
        _say(_measured("recorded", GAMES["backgammon"], _recorded(cases), runs), as_json)
    for name, game in GAMES.items():
        dice = random.Random(seed)  # noqa: S311  positions to measure on, no secret
        questions = [question for _ in range(games) for question in _questions(game, dice)]
        _say(_measured(name, game, questions, runs), as_json)


def _say(times: _Times, as_json: bool) -> None:
    typer.echo(json.dumps(asdict(times)) if as_json else str(times))


def _recorded(cases: Path) -> list[_Question]:
    try:
        return [
            (position, begin(GAMES["backgammon"], position, Seat.A, roll))
            for position, roll in standard_questions(recorded_lines(cases))
        ]
    except (OSError, ValueError) as error:
        raise UsageError(f"{cases}: {error}; take a file of recorded standard cases") from error


def _questions(game: Game, dice: random.Random) -> Iterator[_Question]:
    return ((state.position, state.turn) for state in playout(game, dice))


def _measured(name: str, game: Game, questions: Sequence[_Question], runs: int) -> _Times:
    def one(question: _Question) -> float:
        return _took_ms(lambda: plays_in(game, *question))

    speeds = [len(questions) / sum(one(question) for question in questions) * 1000 for _ in range(runs)]
    doubles = sorted(one(question) for question in questions if question[1].roll.is_double)
    others = sorted(one(question) for question in questions if not question[1].roll.is_double)
    return _Times(
        name,
        len(questions),
        statistics.median(speeds),
        _at_percent(others, 99),
        others[-1] if others else 0.0,
        _at_percent(doubles, 99),
        doubles[-1] if doubles else 0.0,
    )


def _at_percent(times: Sequence[float], percent: int) -> float:
    return times[len(times) * percent // 100] if times else 0.0


def _took_ms(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000
