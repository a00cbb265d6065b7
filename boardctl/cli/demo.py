"""``boardctl demo``: refereed games at a virtual table, no hardware needed."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from boardctl.cli.board_choice import BOARD_HELP, BoardKind
from boardctl.cli.demo_sight import EYES_HELP, SAID, EyeKind, sight_of
from boardctl.cli.reporting import UsageError, in_a_folder, writing
from boardctl.cli.session.coaches import table_coach
from boardctl.cli.session.devices import CAMERA_ALONE
from boardctl.cli.session.follower import LiveTable, TableFollower
from boardctl.cli.session.hall import HallAddress, HallTable, asked_hall
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
    RulesetName,
    named_options,
)
from boardctl.cli.session.page import PageAddress, asked_page
from boardctl.cli.session.sessions import CubeCustoms, session_of
from boardctl.cli.session.turn_lines import TurnLines, nowhere
from boardctl.cli.session.virtual_sessions import (
    LONGEST_MATCH,
    RATES,
    Faults,
    FromStart,
    insist_on_no_wrong_ruling,
    let_table_hear,
    pressed,
    tell_report,
)
from boardctl.devices.sensor_witness import SensorWitness, is_felt
from boardctl.lights.picture import draw_table, is_format, save_picture
from boardctl.referee import read_catalogue, render
from boardctl.referee.effects import Text
from boardctl.referee.facts import Fact
from boardctl.table import (
    CameraSource,
    Desk,
    EvidenceKeeper,
    FrameRing,
    NewGame,
    Source,
    WitnessTally,
    look_again,
    run_table,
)
from boardctl.virtual import LOOKS, Report, VirtualTable
from boardctl.vision.frame import FrameReading
from boardctl.vision.tracking import Tracker
from calibration import BoardGeometry, bar_columns
from firmware_bridge import SlotMap

_PAUSE_S = 0.7  # Long enough to read one line between one act and the next.
_CONNECT_S = 5.0


def demo(
    games: Annotated[
        int | None, typer.Option(help="How many games; by default one, or a whole match.", min=1, show_default=False)
    ] = None,
    turns: Annotated[int | None, typer.Option(help="Stop after so many turns.", min=1)] = None,
    seed: Annotated[int, typer.Option(help="The same seed, the same games.", min=0)] = 7,
    fast: Annotated[bool, typer.Option("--fast", help="As fast as this machine can; nothing to look at.")] = False,
    real_time: Annotated[
        bool, typer.Option("--real-time", help="As slow as real players, ten frames a second.")
    ] = False,
    report: Annotated[bool, typer.Option("--report", help="How the referee did, by kind of roll and play.")] = False,
    faults: Annotated[Faults, typer.Option(help="How often players misplay and throw cocked dice.")] = Faults.SOME,
    look: Annotated[str, typer.Option(help=f"The board and its light: {', '.join(LOOKS)}.")] = next(iter(LOOKS)),
    game: GameName = "backgammon",
    ruleset: RulesetName = "house-seed",
    match: MatchLength = None,
    cube: CubeUsed = False,
    jacoby: JacobyPlayed = False,
    beavers: BeaversPlayed = False,
    automatic_doubles: AutomaticDoubles = 0,
    last_roll: LastRollPlayed = False,
    option: GameOptions = None,
    journal: JournalFile = None,
    assist: AssistLevels = None,
    assist_lifts: AssistLifts = None,
    board: Annotated[BoardKind, typer.Option(help=BOARD_HELP)] = BoardKind.STANDIN,
    own_dice: Annotated[bool, typer.Option("--own-dice", help="Each seat throws a pair of its own colour.")] = False,
    cup: Annotated[bool, typer.Option("--cup", help="A dice cup with dice in it stands on the board.")] = False,
    eyes: Annotated[EyeKind, typer.Option(help=EYES_HELP)] = EyeKind.CAMERA,
    page: PageAddress = None,
    hall: HallAddress = None,
    table_name: HallTable = None,
    picture: Annotated[Path | None, typer.Option(help="Write a picture of the board and its lights.")] = None,
) -> None:
    """Play refereed games at a virtual table: rendered frames through the real eyes, lights over the real wire.

    Examples: boardctl demo; boardctl demo --games 20 --seed 7 --fast --report;
    boardctl demo --eyes standin --faults all --games 200 --fast --report;
    boardctl demo --real-time --page 8080
    """
    if look not in LOOKS:
        raise UsageError(f"no look is called {look!r}; choose one of {', '.join(LOOKS)}")
    if fast and real_time:
        raise UsageError("--fast and --real-time exclude each other; give one of them")
    if cup and eyes is not EyeKind.CAMERA:
        raise UsageError(f"--cup is seen by a camera; leave out --eyes {eyes.value}")
    if picture is not None:
        in_a_folder(picture)  # said before a game is played for it
        if not is_format(picture):
            raise UsageError(f"--picture {picture}: its ending names no picture format; use .png or .jpg")
    customs = CubeCustoms(cube, jacoby, beavers, automatic_doubles, last_roll)
    seen_by = "" if eyes is EyeKind.CAMERA else f", {eyes.value} eyes"
    origin = f"virtual table, seed {seed}{seen_by}"
    session = session_of(
        game,
        ruleset,
        match,
        origin,
        assist=assist,
        assist_lifts=assist_lifts,
        customs=customs,
        options=named_options(option),
    )
    referee = session.referee()
    console = Console()
    catalogue = read_catalogue()

    def say(text: Text) -> str:
        return render(text, catalogue)

    follower = TableFollower.of(referee, say, bar_columns(referee.game))
    with ExitStack() as stack:
        taken, told_of = asked_page(stack, page), asked_hall(hall, table_name)
        opened = stack.enter_context(begin_journal(journal, "demo", session.header()))
        witness = SensorWitness(SlotMap.reference(), BoardGeometry())
        felt = is_felt(referee.game)
        make_table = partial(
            VirtualTable,
            referee.game,
            look=look,
            seed=seed,
            rates=RATES[faults],
            ruleset=session.ruleset,
            fast=not real_time,
            games=games or (1 if match is None else LONGEST_MATCH),
            match=referee.match,
            own_dice=own_dice,
            cup=cup,
            sensors_tell=felt,
        )
        sight = sight_of(stack, eyes, make_table, referee.game, witness, board, seed)
        table = sight.table
        coach = stack.enter_context(table_coach(referee))
        camera = FromStart(table, lambda: stay())
        ring = FrameRing(camera)
        keeper = EvidenceKeeper(ring, opened)
        keepers = [keeper] if eyes is EyeKind.CAMERA else []  # without pictures there is no evidence to keep
        desk = Desk(opened, referee, [*sight.lights, follower], [*keepers, NewGame.of(referee), coach])
        shows_lines = not fast and not console.is_terminal
        lines = TurnLines(say, typer.echo if shows_lines else nowhere)
        desk.add_output(lines)
        tracker = Tracker()
        tally = WitnessTally(lambda: dict(referee.state.readings))
        for output in (tally, witness.hear, look_again(tracker)):
            desk.add_output(output)
        said_at_page: Callable[[], Iterable[Fact]] = tuple
        if taken is not None:  # says its secrets before anything is drawn over them
            told = taken.open(stack, referee, opened, lambda: camera.at_ms, BoardGeometry())
            desk.add_output(told)
            said_at_page = told.said
        beside: list[Source] = []
        if told_of is not None:
            address = None if taken is None else taken.address
            line = told_of.open(stack, referee, session.game, opened, lambda: camera.at_ms, address)
            desk.add_output(line)
            beside.append(line.pulse)
        stay: Callable[[], None] = _go_on
        if fast:
            progress = stack.enter_context(console.status("playing"))
            desk.add_output(lambda fact, effects: progress.update(f"playing: {lines.turns} turns"))
        elif console.is_terminal:
            pause_s = 0.0 if real_time else _PAUSE_S
            live = stack.enter_context(LiveTable(follower, console, pause_s))
            desk.add_output(live)
            stay = live.stay
        let_table_hear(desk, table)
        source = CameraSource[FrameReading](
            ring if keepers else camera,
            sight.see,
            tracker,
            waits=True,
            threads=eyes is EyeKind.CAMERA,
            beside=lambda: chain(sight.sensors.facts(camera.at_ms) if felt else (), pressed(table), said_at_page()),
        )
        try:
            asyncio.run(
                run_table(desk, [source], until=lambda: turns is not None and lines.turns >= turns, beside=beside)
            )
        except KeyboardInterrupt:
            _tell(console, table.report(), report, tally if felt else None, eyes)
            raise
        keeper.finish(desk.handle)
        outcome = table.report()
        if picture is not None:
            _save(follower, picture)
    _tell(console, outcome, report, tally if felt else None, eyes)
    console.print(f"record: {opened.path}", highlight=False, soft_wrap=True)
    insist_on_no_wrong_ruling(outcome)


def _go_on() -> None:
    """Does not stay: nobody looks."""


def _save(follower: TableFollower, path: Path) -> None:
    with writing(path):
        save_picture(draw_table(follower.telling), path)


def _tell(console: Console, outcome: Report, whole: bool, tally: WitnessTally | None, eyes: EyeKind) -> None:
    if SAID[eyes]:
        console.print(SAID[eyes], highlight=False, soft_wrap=True)
    tell_report(console, outcome, kinds=whole, remarks=whole)
    said = CAMERA_ALONE if tally is None else tally.line
    console.print(said, highlight=False, soft_wrap=True)
