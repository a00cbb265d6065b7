"""``boardctl play``: referees a game at a real table, with the devices that its configuration names."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from boardctl.cli.board_choice import BOARD_HELP, PORT_HELP, BoardKind
from boardctl.cli.reporting import UsageError
from boardctl.cli.session.coaches import table_coach
from boardctl.cli.session.devices import Devices, SessionClock, connect_panel, connect_sensor_board
from boardctl.cli.session.follower import LiveTable, TableFollower
from boardctl.cli.session.hall import HallAddress, HallTable, asked_hall
from boardctl.cli.session.interrupted import interrupted
from boardctl.cli.session.journals import begin_journal
from boardctl.cli.session.options import (
    AssistLevels,
    AssistLifts,
    AutomaticDoubles,
    BeaversPlayed,
    CubeUsed,
    GameName,
    GameOptions,
    JacobyPlayed,
    JournalFile,
    LastRollPlayed,
    MatchLength,
    PlayerNames,
    ResyncAsked,
    RulesetName,
    named_options,
)
from boardctl.cli.session.page import PageAddress, asked_page
from boardctl.cli.session.sessions import CubeCustoms, session_of
from boardctl.cli.session.turn_lines import HeadLine, TurnLines, nowhere
from boardctl.devices.cameras import open_camera, without_password
from boardctl.devices.faces import Camera, CameraError, Frame, Picture
from boardctl.devices.settings import DeviceSettings, read_device_settings
from boardctl.devices.steady_camera import SteadyCamera
from boardctl.lights.words import Say
from boardctl.records import Journal
from boardctl.referee import Referee, read_catalogue, render
from boardctl.referee.facts import ClockStopped, Device, DeviceChanged, PauseReason, Role
from boardctl.rules import Game
from boardctl.table import (
    CameraNews,
    CameraSource,
    ClockTimer,
    Desk,
    EvidenceKeeper,
    FrameRing,
    NewGame,
    Output,
    Responder,
    Resync,
    Session,
    WitnessTally,
    keep_starting_picture,
    kept_starting_picture,
    look_again,
    run_table,
)
from boardctl.table.one_heap import share_one_heap
from boardctl.vision.frame import FrameReading
from boardctl.vision.game_eyes import eyes_for, must_be_shown
from boardctl.vision.tracking import Tracker
from calibration import Calibration, bar_columns, load
from config import CONFIG_DIRECTORY

_SWITCHED_OFF = "the table was switched off"


def play(
    config: Annotated[
        Path | None, typer.Option(help="The table's devices; a copy of config/table.yaml.", show_default=False)
    ] = None,
    camera: Annotated[
        str | None, typer.Option(help="A camera (0, /dev/video0, pi), a video file or a stream's URL.")
    ] = None,
    calibration: Annotated[Path | None, typer.Option(help="What boardctl calibrate camera wrote.")] = None,
    port: Annotated[str | None, typer.Option(help=PORT_HELP)] = None,
    board: Annotated[
        BoardKind | None, typer.Option(help=BOARD_HELP + " It has lights; nothing lies on its sensors.")
    ] = None,
    game: GameName = "backgammon",
    ruleset: RulesetName = "house-seed",
    match: MatchLength = None,
    cube: CubeUsed = False,
    jacoby: JacobyPlayed = False,
    beavers: BeaversPlayed = False,
    automatic_doubles: AutomaticDoubles = 0,
    last_roll: LastRollPlayed = False,
    option: GameOptions = None,
    player: PlayerNames = None,
    assist: AssistLevels = None,
    assist_lifts: AssistLifts = None,
    resync: ResyncAsked = False,
    page: PageAddress = None,
    hall: HallAddress = None,
    table: HallTable = None,
    journal: JournalFile = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with the record of a game that was interrupted.", show_default=False)
    ] = None,
    go_on_within: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="MINUTES",
            help="Go on with the last record, if it is of the same game, was written at most so many minutes ago and "
            "its match is not over; else begin a new one. For a table that starts again by itself.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Referee a game at a real table: camera, sensor board and panel as --config names them.

    Ctrl-C ends it; the record is kept, and boardctl play --resume RECORD goes on from there.

    Examples: boardctl play --config mytable.yaml; boardctl play --camera 0 --calibration board.yaml --board standin
    """
    if resume is not None and journal is not None:
        raise UsageError("--resume goes on in its own record; leave --journal out")
    if go_on_within is not None and (resume is not None or journal is not None):
        raise UsageError("--go-on-within chooses the record; leave --resume and --journal out")
    if port is not None and board is not None:
        raise UsageError("--port and --board exclude each other; give one of them")
    share_one_heap()
    settings = read_device_settings(config or CONFIG_DIRECTORY / "table.yaml")
    source, installation = _eyes(settings, camera, calibration)
    clock, console, catalogue = SessionClock(), Console(), read_catalogue()
    news = CameraNews(clock)
    tracker = Tracker()
    with ExitStack() as stack:
        resumed = None if resume is None else stack.enter_context(Journal.open(resume))
        if resumed is not None:
            session = Session.from_header(resumed.header)
            if session.calibration not in ("", installation.digest):
                console.print("the record began with another calibration than is read by now", soft_wrap=True)
        else:
            customs = CubeCustoms(cube, jacoby, beavers, automatic_doubles, last_roll)
            session = session_of(
                game,
                ruleset,
                match,
                source,
                assist=assist,
                assist_lifts=assist_lifts,
                customs=customs,
                options=named_options(option),
                players=player,
                calibration=installation.digest,
            )
            if go_on_within is not None and (record := _interrupted(session, go_on_within, console)) is not None:
                resumed = stack.enter_context(Journal.open(record))
        referee = session.referee()
        taken, told_of = asked_page(stack, page, settings.page), asked_hall(hall, table, settings.hall)
        steady = SteadyCamera(lambda: open_camera(source, clock), news.tell)
        frames = _Checked(stack.enter_context(closing(steady)), clock)
        see = eyes_for(referee.game, installation, _start(referee.game, frames, resumed))
        found = Devices([look_again(tracker)], [news])
        connect_sensor_board(stack, found, settings, port, board, installation.geometry, clock, referee.game)
        connect_panel(stack, found, settings.panel, clock, referee)
        opened = resumed or stack.enter_context(begin_journal(journal, "play", session.header()))
        tally = WitnessTally(lambda: dict(referee.state.readings))
        if taken is not None:  # says its secrets before anything is drawn over them
            told = taken.open(stack, referee, opened, clock, installation.geometry, settings.lights)
            found.outputs.append(told)
            found.beside.append(told)
        if told_of is not None:
            line = told_of.open(stack, referee, session.game, opened, clock, None if taken is None else taken.address)
            found.outputs.append(line)
            found.beside.append(line.pulse)
        say = partial(render, catalogue=catalogue)
        lines, shown = _shown(stack, console, say, referee)
        coach = stack.enter_context(table_coach(referee, wait_s=0))
        ring = FrameRing(frames)
        keeper = EvidenceKeeper(ring, opened)
        responders: list[Responder] = [keeper, *_responders(referee, resync), coach]
        head = HeadLine(opened, say, lambda line: console.print(line, highlight=False, soft_wrap=True))
        desk = Desk(opened, referee, [*found.outputs, tally, *shown, head], responders)
        if resumed is not None:
            _take_up(desk, clock)
        elif must_be_shown(referee.game):
            keep_starting_picture(desk, frames.first)
        camera_source = CameraSource[FrameReading](ring, see, tracker, waits=True)
        timer = ClockTimer(lambda: _flag_due_ms(referee), clock)
        try:
            asyncio.run(run_table(desk, [camera_source], beside=[timer, coach, *found.beside]))
        finally:
            keeper.finish(desk.handle)
            console.print(f"{lines.rolls} rolls, {lines.turns} turns; {tally.line}", highlight=False, soft_wrap=True)
            console.print(f"record: {opened.path}", highlight=False, soft_wrap=True)


class _Checked:
    """A camera whose first frame is there: one that cannot be used is found out before a record begins."""

    def __init__(self, camera: Camera, clock: SessionClock) -> None:
        self._camera = camera
        self._clock = clock
        self._frames = camera.frames()
        first = next(self._frames, None)
        if first is None:
            raise CameraError("the camera gives no picture; check it with: boardctl doctor --camera SOURCE")
        self.first = first

    def frames(self) -> Iterator[Frame]:
        """Gets the frames from the first one on."""
        # It was taken before a session that is taken up again had found its time.
        first = replace(self.first, at_ms=max(self.first.at_ms, self._clock.least_ms))
        return chain([first], self._frames)

    def close(self) -> None:
        """Lets the camera go. May be called again."""
        self._camera.close()


def _eyes(settings: DeviceSettings, camera: str | None, calibration: Path | None) -> tuple[str, Calibration]:
    source, file = camera or settings.camera, calibration or settings.calibration
    if source is None:
        raise UsageError(
            "no camera is named: give --camera SOURCE, or name it in a copy of config/table.yaml and give --config"
        )
    if file is None:
        raise UsageError(
            "no calibration is named: give --calibration FILE. Make one with: boardctl calibrate camera --camera "
            f"{without_password(source)} --out calibration.yaml"
        )
    return source, load(file)


def _start(game: Game, frames: _Checked, resumed: Journal | None) -> Picture | None:
    """Gets the picture from which the eyes learn the game's colours, where they must be shown them."""
    if not must_be_shown(game):
        return None
    return frames.first.picture if resumed is None else kept_starting_picture(resumed)


def _interrupted(session: Session, within_minutes: int, console: Console) -> Path | None:
    record, why_not = interrupted(session.header(), within_minutes, time.time())
    text = why_not if record is None else f"going on with the record: {record}"
    if text is not None:
        console.print(text, highlight=False, soft_wrap=True)
    return record


def _take_up(desk: Desk, clock: SessionClock) -> None:
    """Goes on where the record stands. What was done to the board meanwhile is compared with what it should be, and
    never taken for moves."""
    clock.go_on_from(desk.resume())
    desk.handle(DeviceChanged(clock(), Device.CAMERA, working=False, reason=_SWITCHED_OFF))
    desk.handle(DeviceChanged(clock(), Device.CAMERA, working=True))
    # Nobody could hit a lever meanwhile; the director says when time goes on.
    desk.handle(ClockStopped(clock(), Role.DIRECTOR, PauseReason.FAULT))
    clock.least_ms = clock()


def _responders(referee: Referee, resync: bool) -> list[Responder]:
    return [NewGame.of(referee), *([Resync(lambda: referee.unexplained)] if resync else [])]


def _shown(stack: ExitStack, console: Console, say: Say, referee: Referee) -> tuple[TurnLines, list[Output]]:
    """Gets what shows the game here: a drawing on a terminal, elsewhere a line a turn."""
    if not console.is_terminal:
        lines = TurnLines(say, typer.echo)
        return lines, [lines]
    follower = TableFollower.of(referee, say, bar_columns(referee.game))
    live = stack.enter_context(LiveTable(follower, console, pause_s=0.0))
    lines = TurnLines(say, nowhere)
    return lines, [lines, follower, live]


def _flag_due_ms(referee: Referee) -> int | None:
    return None if referee.state.clock is None else referee.state.clock.due_ms
