"""``boardctl bench watch``: how right the referee is on recorded frames whose truth is known."""

import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from boardctl.cli.bench.places import wanted_installations
from boardctl.cli.reporting import UsageError
from boardctl.cli.session.sessions import session_of
from boardctl.devices.faces import Frame
from boardctl.devices.pictures import PictureFiles
from boardctl.records import Journal
from boardctl.referee import Referee, Stage
from boardctl.referee.effects import Certainty, Effect, RollRead, TurnJudged
from boardctl.referee.facts import Fact
from boardctl.rules import Placement, Seat, bar, point, tray
from boardctl.table import CameraSource, Desk, Resync, run_table
from boardctl.vision.frame import FrameReader, FrameReading
from boardctl.vision.tracking import Tracker
from calibration import calibrate
from calibration.errors import CalibrationError

_HEADINGS = ("installation", "rolls right", "refused", "wrong", "positions right", "not told", "wrong", "wrong rulings")
_OF_A_GAME = ("frame", "kind", "points_list")
"""What the truth of a picture tells where it is one of a game: pictures that ``bench looks`` draws are not."""

_ROLLED_BADLY = "rolled_irregular"


@dataclass
class Watched:
    """What became of the frames of one installation."""

    name: str
    rolls: Counter[str] = field(default_factory=Counter)
    positions: Counter[str] = field(default_factory=Counter)
    wrong_certain: list[str] = field(default_factory=list)
    wrong_unsure: list[str] = field(default_factory=list)

    def wrong(self, certainty: Certainty, said: str) -> None:
        """Notes something that the referee said and that is not so."""
        (self.wrong_certain if certainty is Certainty.CERTAIN else self.wrong_unsure).append(said)

    def cells(self) -> tuple[str, ...]:
        """Gets the row of the table, in the order of the headings."""
        rolls, positions = sum(self.rolls.values()), sum(self.positions.values())
        return (
            self.name,
            f"{self.rolls['right']}/{rolls}",
            str(self.rolls["refused"]),
            str(self.rolls["wrong"]),
            f"{self.positions['right']}/{positions}",
            str(self.positions["not told"]),
            str(self.positions["wrong"]),
            f"{len(self.wrong_certain)} certain, {len(self.wrong_unsure)} unsure",
        )


def watch(
    folder: Annotated[Path, typer.Argument(help="Folder of installations, or one: f00 empty, f01 start, with truth.")],
    only: Annotated[str, typer.Option(help="Names of the installations to measure, comma-separated.")] = "",
) -> None:
    """Referee each installation's frames with --resync, and hold rolls, positions and rulings against the truth.

    Example: boardctl bench watch renders --only inst00,inst01
    """
    places = wanted_installations(folder, only)
    rows = [_watched(place) for place in track(places, "watching", console=Console(stderr=True), transient=True)]
    table = [_HEADINGS, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(_HEADINGS))]
    for line in table:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    for row in rows:
        for said in row.wrong_certain:
            typer.echo(f"wrong and certain: {row.name} {said}")
        for said in row.wrong_unsure:
            typer.echo(f"wrong, not vouched for: {row.name} {said}")


def _watched(place: Path) -> Watched:
    """Referees one installation's frames and counts how it went."""
    paths = sorted(place.glob("f*.jpg"))
    truths = {str(path): json.loads(path.with_suffix(".json").read_text(encoding="utf-8")) for path in paths}
    for path, truth in truths.items():
        if missing := [key for key in _OF_A_GAME if key not in truth]:
            raise UsageError(
                f"{Path(path).with_suffix('.json')}: tells of no game ({', '.join(missing)} missing), so that nothing "
                "can be refereed; measure how its pictures are read with bench vision"
            )
    watched = Watched(place.name)
    frames = list(PictureFiles(paths, lambda: 0).frames())
    try:
        installation = calibrate(frames[0].picture, frames[1].picture)
    except CalibrationError as error:
        watched.wrong_unsure.append(f"not calibrated: {error}")
        return watched
    referee = session_of("backgammon", "house-seed", None, str(place), recorded=True).referee()
    heard: list[Effect] = []

    def hear(fact: Fact, effects: Sequence[Effect]) -> None:
        heard.extend(effects)

    def judged_frames() -> Iterator[Frame]:
        for number, frame in enumerate(frames[1:]):
            yield Frame(frame.picture, 1000 * number, frame.name, still=True)
            _count(watched, truths[frame.name], _truth_before(frames, truths, frame), heard, referee)
            heard.clear()

    with tempfile.TemporaryDirectory() as scratch, Journal.create(Path(scratch) / "bench.journal", {}) as journal:
        desk = Desk(journal, referee, [hear], [Resync(lambda: referee.unexplained)])
        eyes = CameraSource[FrameReading](
            _Frames(judged_frames()), FrameReader(installation).read, Tracker(), waits=True
        )
        asyncio.run(run_table(desk, [eyes]))
    return watched


class _Frames:
    """Frames that are there already, as a camera gives them."""

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames = frames

    def frames(self) -> Iterator[Frame]:
        """Gets the frames."""
        return self._frames

    def close(self) -> None:
        """Does nothing: there is no device."""


def _truth_before(frames: Sequence[Frame], truths: dict[str, Any], frame: Frame) -> dict[str, Any]:
    names = [each.name for each in frames]
    before: dict[str, Any] = truths[names[names.index(frame.name) - 1]]
    return before


def _count(
    watched: Watched, truth: dict[str, Any], before: dict[str, Any], heard: Sequence[Effect], referee: Referee
) -> None:
    """Counts one frame: the roll that it is the first to show, the position, and the turns judged in it."""
    name = f"f{truth['frame']:02d}"
    game = truth.get("game") or {}
    placement = _placement(truth)
    shows_roll = truth["kind"] == "rolled" or (truth["kind"] == "moved" and before["kind"] == _ROLLED_BADLY)
    if shows_roll:
        state = referee.state
        read = None if state.turn is None else (state.turn.seat, tuple(sorted(state.turn.roll)))
        new = any(isinstance(effect, RollRead) and effect.valid for effect in heard)
        right = read == (Seat(game["player"]), tuple(sorted(game["roll"])))
        watched.rolls["right" if right else "wrong" if new else "refused"] += 1
        if new and not right and state.turn is not None:
            watched.wrong(state.turn.certainty, f"{name}: read {state.turn.seat} {state.turn.roll}")
    if truth["kind"] == _ROLLED_BADLY:
        taken = [effect for effect in heard if isinstance(effect, RollRead) and effect.valid]
        watched.rolls["wrong" if taken else "right"] += 1
        for roll in taken:
            watched.wrong(roll.certainty, f"{name}: took a throw that does not count for {roll.seat} {roll.roll}")
    watched.positions[_position(referee, placement)] += 1
    for effect in heard:
        if isinstance(effect, TurnJudged) and effect.legal is False:
            watched.wrong(effect.certainty, f"{name}: called {effect.seat} {effect.roll} not legal")
        if isinstance(effect, TurnJudged) and effect.legal and effect.after != _placement(before):
            watched.wrong(effect.certainty, f"{name}: took {effect.seat} {effect.roll} for {effect.play}")


def _position(referee: Referee, truth: Placement) -> str:
    """Gets whether the referee believes the checkers to be where they are."""
    state = referee.state
    if state.unexplained or state.progress.stage is Stage.UNEXPLAINED or state.position is None:
        return "not told"
    believed = state.progress.position or state.position
    if believed.placement() == truth:
        return "right"
    return "wrong" if state.position_sure and state.progress.stage is not Stage.UNSEEN else "not told"


def _placement(truth: dict[str, Any]) -> Placement:
    """Gets where the checkers truly are."""
    stacks = {point(number): (Seat(c),) * n for number, (c, n) in enumerate(truth["points_list"], 1) if c is not None}
    for seat in (Seat.A, Seat.B):
        stacks[bar(seat)] = (seat,) * truth["bar"][seat.value]
        stacks[tray(seat)] = (seat,) * truth["off"][seat.value]
    return Placement(stacks)
