"""``boardctl watch``: referees recorded or live pictures, and writes the record."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from boardctl.cli.board_choice import PORT_HELP
from boardctl.cli.reporting import UsageError
from boardctl.cli.session.devices import Devices, SessionClock, connect_sensor_board
from boardctl.cli.session.hall import HallAddress, HallTable, asked_hall
from boardctl.cli.session.journals import begin_journal
from boardctl.cli.session.options import (
    GameName,
    GameOptions,
    JournalFile,
    MatchLength,
    PlayerNames,
    ResyncAsked,
    RulesetName,
    named_options,
)
from boardctl.cli.session.page import PageAddress, asked_page
from boardctl.cli.session.sessions import session_of
from boardctl.cli.session.turn_lines import HeadLine, TurnLines
from boardctl.devices.cameras import open_camera
from boardctl.devices.faces import CameraError, Frame
from boardctl.devices.live_camera import LiveCamera
from boardctl.devices.settings import DeviceSettings
from boardctl.referee import Stage, read_catalogue, render
from boardctl.rules import Backgammon, Game
from boardctl.table import CameraSource, Desk, EvidenceKeeper, FrameRing, Resync, look_again, run_table
from boardctl.vision.frame import FrameReading
from boardctl.vision.game_eyes import eyes_for
from boardctl.vision.tracking import Tracker
from calibration import Calibration, calibrate, load


def watch(
    source: Annotated[
        str, typer.Argument(help="A folder of frames, a video file, a camera (0, /dev/video0) or a stream's URL.")
    ],
    calibration: Annotated[
        Path | None,
        typer.Option(
            help="The camera's calibration. Without it the first frame must show the empty board and the second the "
            "starting position."
        ),
    ] = None,
    resync: ResyncAsked = False,
    journal: JournalFile = None,
    game: GameName = "backgammon",
    ruleset: RulesetName = "house-seed",
    match: MatchLength = None,
    option: GameOptions = None,
    player: PlayerNames = None,
    port: Annotated[
        str | None, typer.Option(help=PORT_HELP + " Its sensors bear witness beside live pictures.", show_default=False)
    ] = None,
    page: PageAddress = None,
    hall: HallAddress = None,
    table: HallTable = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Referee a game from pictures: a line a turn, and a journal of everything that was seen and said.

    Example: boardctl watch frames/ --resync --journal evening.journal
    """
    session = session_of(
        game, ruleset, match, source, recorded=Path(source).is_dir(), options=named_options(option), players=player
    )
    referee = session.referee()
    clock, tracker = SessionClock(), Tracker()
    devices = Devices([look_again(tracker)], [])
    camera = open_camera(source, clock)
    frames = _Counted(camera.frames())
    with ExitStack() as stack:
        stack.callback(camera.close)
        if port is not None and not isinstance(camera, LiveCamera):
            raise UsageError(f"--port: the sensors see the board as it is now, and {source} shows it as it was")
        installation = _calibration(calibration, frames, source, referee.game)
        session = session.model_copy(update={"calibration": installation.digest})
        see = eyes_for(referee.game, installation, frames.first(source).picture)
        if port is not None:
            connect_sensor_board(
                stack, devices, DeviceSettings(), port, None, installation.geometry, clock, referee.game
            )
        taken, told_of = asked_page(stack, page), asked_hall(hall, table)
        catalogue = read_catalogue()
        lines = TurnLines(lambda text: render(text, catalogue), typer.echo, as_json)
        with begin_journal(journal, "watch", session.header()) as opened, ExitStack() as pages:
            ring = FrameRing(frames)
            keeper = EvidenceKeeper(ring, opened)
            resyncing = [Resync(lambda: referee.unexplained)] if resync else []
            told_head = [] if as_json else [HeadLine(opened, lambda text: render(text, catalogue), typer.echo)]
            desk = Desk(opened, referee, [lines, *told_head, *devices.outputs], [keeper, *resyncing])
            # Recorded pictures have a time of their own: people speak at the time of the last of them.
            now_ms = clock if isinstance(camera, LiveCamera) else _no_time
            if taken is not None:
                told = taken.open(pages, referee, opened, now_ms, installation.geometry)
                desk.add_output(told)
                devices.beside.append(told)
            if told_of is not None:
                address = None if taken is None else taken.address
                line = told_of.open(pages, referee, session.game, opened, now_ms, address)
                desk.add_output(line)
                devices.beside.append(line.pulse)
            camera_source = CameraSource[FrameReading](ring, see, tracker, waits=True)
            try:
                asyncio.run(run_table(desk, [camera_source], beside=devices.beside))
            finally:
                keeper.finish(desk.handle)
                if not as_json:
                    typer.echo(
                        f"{frames.count} frames, {lines.rolls} rolls, {lines.turns} turns; record: {opened.path}"
                    )
        if not as_json:
            _say_open_turn(referee.state.progress.stage, bool(referee.state.turn))


class _Counted:
    """Frames as a camera gives them, counted; a frame may be given back, to be given out again."""

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames = frames
        self.count = 0

    def frames(self) -> Iterator[Frame]:
        """Gets the frames that are left."""
        for frame in self._frames:
            self.count += 1
            yield frame

    def first(self, source: str) -> Frame:
        """Gets the first frame, and leaves it: a source that cannot be used is found out before a record begins.

        :raises CameraError: when there is none.
        """
        first = next(self.frames(), None)
        if first is None:
            raise CameraError(f"{source}: holds no more frames; nothing is left to referee")
        self.give_back(first)
        return first

    def give_back(self, frame: Frame) -> None:
        """Puts a frame before those that are left."""
        self._frames = chain([frame], self._frames)
        self.count -= 1

    def close(self) -> None:
        """Does nothing: the camera is closed by who opened it."""


def _calibration(path: Path | None, frames: _Counted, source: str, game: Game) -> Calibration:
    """Gets the calibration from its file, or from the first two frames: the empty board, and the starting position of
    backgammon, which belongs to the game only where the game begins with it."""
    if path is not None:
        return load(path)
    pictures = list(islice(frames.frames(), 2))
    if len(pictures) < 2:
        raise UsageError(f"{source}: has {len(pictures)} frames, too few to calibrate from; give --calibration")
    empty, start = pictures
    if empty.picture.shape != start.picture.shape:
        raise CameraError(f"{start.name}: is of another size than {empty.name}; take both with one camera")
    if game.start().placement() == Backgammon().start().placement():
        frames.give_back(start)
    with Console(stderr=True).status("looking for the board ..."):
        return calibrate(empty.picture, start.picture)


def _no_time() -> int:
    return 0


def _say_open_turn(stage: Stage, rolled: bool) -> None:
    if rolled and stage in (Stage.COMPLETE, Stage.ON_THE_WAY):
        typer.echo(f"the last turn had not ended: its play was {stage.replace('_', ' ')}, and is not judged")
