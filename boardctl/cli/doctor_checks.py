"""What ``boardctl doctor`` looks at: each check says what it found, and what to do next where something is wrong."""

import asyncio
import os
import platform
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile

import cv2

from boardctl import __version__
from boardctl.cli import flickering
from boardctl.cli.named_points import named_points
from boardctl.cli.seen_sizes import seen_sizes
from boardctl.cli.session.hall import table_name
from boardctl.cli.session.journals import made_folder
from boardctl.cli.session.page import ending
from boardctl.coach import EngineError, GnuBackgammon, find_gnubg
from boardctl.devices.cameras import open_camera
from boardctl.devices.faces import CameraError, Frame, Picture
from boardctl.devices.panel import GpioPanel, PanelError, PanelSettings, check_gpio
from boardctl.devices.settings import DeviceSettings, read_device_settings
from boardctl.lights import read_grammar, read_sounds
from boardctl.records import EncodingError, Journal, JournalError
from boardctl.referee import read_catalogue, read_ruleset, ruleset_names
from boardctl.rules import Backgammon, Roll, Seat, write_play
from boardctl.vision.light.cut_levels import white_points
from boardctl.vision.light.glare import glaring_points
from calibration import Calibration, CalibrationError, load
from calibration.drift import COLOURLESS, FOCUS, NIGHT_MODE
from calibration.light.enough import LESS_LIGHT
from calibration.light.focus import soft_by_px
from calibration.light.saturation import is_colourless, saturation_of
from calibration.light.sharpness import soft_edges_px
from calibration.light.tones import tones_of
from config import CONFIG_DIRECTORY, HallSettings, PageSettings, SettingsError
from firmware_bridge.board import SensorBoard
from firmware_bridge.errors import BridgeError
from firmware_bridge.ports import open_port
from firmware_bridge.protocol import CHANNEL_COUNT, LED_COUNT

LEAST_FREE_MB = 500
"""A long evening: 500 rolls, each with its best picture of up to 1 MB; the facts themselves are a tenth of that."""

OPEN_LINE = "who is in that network can read along, passwords as well; docs/page.md says how it is encrypted"
SAMPLE_FRAMES = 5
BOARD_WAIT_S = 4.0
BROKER_WAIT_S = 4.0
DARK_LEVEL = 25
"""Mean brightness out of 255 below which the colours of checkers drown in the noise of the sensor."""
FOCUS_FIRST = "focus the camera on the board, fix the focus there, and calibrate anew (boardctl calibrate camera)"
"""What to do with a calibration whose own pictures are out of focus."""
LESS_LIGHT_FIRST = f"{LESS_LIGHT}, and calibrate anew (boardctl calibrate camera)"
"""What to do with a calibration whose own pictures show too much light."""
OTHER_TONES = "its contrast is another one than when it was calibrated; it is read as if it were the same"
"""What is so where somebody has turned a setting, the camera itself has, or light falls on the lens."""
AS_BEFORE = "shade its lens, wipe it, or turn brightness, contrast and gamma back"
"""What may be done about it."""


class Verdict(StrEnum):
    """What a check came to."""

    OK = "ok"
    PROBLEM = "problem"
    UNUSED = "unused"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. ``says``: what was found; ``next``: what to do, where there is something to do."""

    name: str
    verdict: Verdict
    says: str
    next: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user wants checked; None: not used at this table, unless the configuration names it."""

    camera: str | None = None
    port: str | None = None
    calibration: Path | None = None
    journal: Path | None = None
    config: Path | None = None


def examine(asked: Asked) -> Iterator[Check]:
    """Gets the checks one by one, each as soon as it is done."""
    yield _program()
    configuration, devices = _configuration(asked.config)
    yield configuration
    calibration_check, calibration = _calibration(asked.calibration or devices.calibration)
    yield calibration_check
    yield _camera(asked.camera or devices.camera, calibration)
    yield _sensor_board(asked.port or devices.sensor_board)
    yield _panel(devices.panel)
    yield _page(devices.page)
    yield _hall(devices.hall)
    yield _engine()
    yield _journal(asked.journal)


def _program() -> Check:
    versions = f"boardctl {__version__}, Python {platform.python_version()}, OpenCV {cv2.__version__}"
    return Check("program", Verdict.OK, f"{versions} on {platform.system()} {platform.machine()}")


def _configuration(path: Path | None) -> tuple[Check, DeviceSettings]:
    try:
        read_grammar(CONFIG_DIRECTORY / "lights.yaml")
        read_sounds(CONFIG_DIRECTORY / "sounds.yaml")
        rulesets = [read_ruleset(name) for name in ruleset_names()]
        read_catalogue()
        devices = read_device_settings(path or CONFIG_DIRECTORY / "table.yaml")
    except SettingsError as error:
        return _problem("configuration", error, "correct the line that is named"), DeviceSettings()
    says = f"lights, sounds, texts and {len(rulesets)} rulesets are in order"
    return Check("configuration", Verdict.OK, says + (f"; so is {path}" if path else "")), devices


def _calibration(path: Path | None) -> tuple[Check, Calibration | None]:
    name = "calibration"
    if path is None:
        return Check(name, Verdict.UNUSED, "none named", "check one with: --calibration FILE"), None
    try:
        calibration = load(path)
    except CalibrationError as error:
        return _problem(name, error), None
    camera = calibration.camera
    sizes = seen_sizes(calibration)
    says = f"{path}: a camera of {camera.width_px}x{camera.height_px}; a die is {sizes.die_px:.0f} px wide"
    if (wide_px := soft_edges_px(calibration)) is not None:
        says += f"; out of focus, its sharpest edges {wide_px:.1f} pixels wide"
        return Check(name, Verdict.PROBLEM, says, FOCUS_FIRST), calibration
    for points, why in (
        (glaring_points(calibration), "glare hides what lies on the points"),
        (white_points(calibration), "light checkers are as white as the board on the points"),
    ):
        if points:
            says += f"; {why} {named_points(points)}"
            return Check(name, Verdict.PROBLEM, says, LESS_LIGHT_FIRST), calibration
    return Check(name, Verdict.OK if sizes.is_enough else Verdict.PROBLEM, says, sizes.advice), calibration


def _camera(source: str | None, calibration: Calibration | None) -> Check:
    name = "camera"
    if source is None:
        return Check(
            name, Verdict.UNUSED, f"none named; there: {_there('/dev', 'video*')}", "check one with: --camera SOURCE"
        )
    try:
        frames, took_s = _sample(source)
        if not frames:
            return Check(name, Verdict.PROBLEM, f"{source}: gives no picture", "name another source")
        picture = frames[0].picture
        if calibration is not None:
            calibration.check_size(picture, f"{source}: the picture")
    except (CameraError, CalibrationError) as error:
        return _problem(name, error)
    height, width = picture.shape[:2]
    says = f"{source}: {width}x{height}"
    if not frames[0].still and took_s > 0:
        says += f", {(len(frames) - 1) / took_s:.0f} frames a second here"
    if (brightness := float(picture.mean())) < DARK_LEVEL:
        return Check(name, Verdict.PROBLEM, f"{says}, too dark ({brightness:.0f} of 255)", "switch on a light")
    if calibration is not None and (changed := _changed(name, says, frames[-1].picture, calibration)):
        return changed
    if not frames[0].still and any(flickering.flickers(frame.picture, picture) for frame in frames[1:]):
        return Check(name, Verdict.OK, f"{says}; {flickering.SAYS}", flickering.ADVICE)
    return Check(name, Verdict.OK, says)


def _changed(name: str, says: str, picture: Picture, calibration: Calibration) -> Check | None:
    """Gets what a camera shows otherwise than when it was calibrated; None where that is nothing."""
    if blurred_px := soft_by_px(picture, calibration):
        return Check(name, Verdict.PROBLEM, f"{says}, out of focus by {blurred_px:.1f} pixels", FOCUS)
    tones = tones_of(picture, calibration)
    undone, darkest = (tones.undone(picture), tones.darkest) if tones else (picture, 0.0)
    if is_colourless(saturation_of(undone, calibration, darkest)):
        return Check(name, Verdict.PROBLEM, f"{says}, {COLOURLESS}", NIGHT_MODE)
    return Check(name, Verdict.OK, f"{says}; {OTHER_TONES}", AS_BEFORE) if tones and tones.change else None


def _sample(source: str) -> tuple[list[Frame], float]:
    """Gets a few frames and how long those after the first took, in seconds."""
    began = time.monotonic()
    camera = open_camera(source, lambda: round((time.monotonic() - began) * 1000))
    try:
        frames = camera.frames()
        first = list(islice(frames, 1))
        opened = time.monotonic()
        rest = [] if not first or first[0].still else list(islice(frames, SAMPLE_FRAMES - 1))
        return first + rest, time.monotonic() - opened
    finally:
        camera.close()


def _sensor_board(port: str | None) -> Check:
    name = "sensor board"
    if port is None:
        there = _there("/dev/serial/by-id", "*")
        return Check(name, Verdict.UNUSED, f"none named; there: {there}", "check one with: --port PORT")
    try:
        if port.startswith("/") and not os.path.exists(port):  # False as well where the folder may not be entered
            open_port(port).close()  # says at once what a connection in the background would wait for
        with SensorBoard(port, wait_s=BOARD_WAIT_S) as board:
            ident = board.wait_connected(BOARD_WAIT_S)
    except BridgeError as error:
        return _problem(name, error)
    version = ".".join(map(str, ident.firmware_version))
    says = (
        f"{port}: board {ident.board_id}, firmware {version}, {ident.channel_count} channels, {ident.led_count} lights"
    )
    if (ident.channel_count, ident.led_count) != (CHANNEL_COUNT, LED_COUNT):
        wanted = f"this boardctl wants {CHANNEL_COUNT} channels and {LED_COUNT} lights: update boardctl or the firmware"
        return Check(name, Verdict.PROBLEM, says, wanted)
    return Check(name, Verdict.OK, says)


def _panel(settings: PanelSettings | None) -> Check:
    name = "panel"
    if settings is None:
        return Check(name, Verdict.UNUSED, "none in the configuration", "name its pins under panel: and give --config")
    try:
        way = check_gpio()
        GpioPanel(settings, lambda: 0).close()
    except PanelError as error:
        return _problem(name, error)
    return Check(name, Verdict.OK, f"{len(list(settings.pins()))} pins through {way}")


def _page(settings: PageSettings | None) -> Check:
    name = "page"
    if settings is None:
        return Check(name, Verdict.UNUSED, "none in the configuration", "say where under page: and give --config")
    # Only who has a page waits until its server is imported.
    from boardctl.console import Certificate, PageError, usable, valid_until

    try:
        says = _page_port(settings)
        if settings.certificate is None:
            alone = settings.listen.is_loopback
            return Check(name, Verdict.OK, says if alone else f"{says}; not encrypted", "" if alone else OPEN_LINE)
        until = valid_until(usable(Certificate(settings.certificate, settings.certificate_key)))
    except PageError as error:
        return _problem(name, error)
    advice = ending(until, datetime.now(UTC))
    if until is None:
        return Check(name, Verdict.PROBLEM, says, advice)
    return Check(name, Verdict.OK, f"{says}; encrypted, until {until:%Y-%m-%d}", advice)


def _page_port(settings: PageSettings) -> str:
    """Gets whether the page's port is free, or a table that is running has it; another program's is a
    ``PortUsedError``."""
    from boardctl.console import PortUsedError, bound, is_our_page

    try:
        bound(settings.listen).close()
    except PortUsedError:
        if not is_our_page(settings.listen, encrypted=settings.certificate is not None):
            raise
        return f"{settings.listen}: served now, by a table that is running"
    return f"{settings.listen}: free"


def _hall(settings: HallSettings) -> Check:
    name = "hall"
    if settings.broker is None:
        then = "name its broker under hall: and give --config"
        return Check(name, Verdict.UNUSED, "none in the configuration", then)
    # Only who has a hall waits until MQTT is imported.
    from boardctl.hall.broker import BrokerError, BrokerLostError, broker_of

    try:
        table = table_name(settings.table)
    except ValueError as error:
        return _problem(name, error, "name it under hall: table:")
    try:
        broker = broker_of(settings.broker, settings.password_file, settings.ca_file, os.environ)
        asyncio.run(broker.answer(BROKER_WAIT_S))
    except BrokerError as error:
        return _problem(name, error)
    except BrokerLostError as error:
        return _problem(name, error, "games go on without it; docs/hall.md says how it is set up")
    says = f"{broker}: the broker answers{'' if broker.tls else ', not encrypted'}; this is {table}"
    if broker.user in (None, table):
        return Check(name, Verdict.OK, says)
    held = f"a broker that holds tables to their users' names drops all of it: write table: {broker.user}"
    return Check(name, Verdict.OK, says, held)


def _engine() -> Check:
    """Whether the engine is there that the coach asks for the best play, and plays what it must."""
    name = "engine"
    if find_gnubg() is None:
        return Check(name, Verdict.UNUSED, "GNU Backgammon is not installed", "for the best play: apt install gnubg")
    game = Backgammon()
    try:
        with GnuBackgammon() as gnubg:
            began_s = time.monotonic()
            rated = gnubg.rate(game, game.start(), Seat.A, Roll.of(3, 1))
            took_s = time.monotonic() - began_s
    except EngineError as error:
        return _problem(name, error, "install it anew: sudo apt install --reinstall gnubg")
    best = write_play(game, Seat.A, rated[0].play)
    return Check(name, Verdict.OK, f"GNU Backgammon opens 3-1 with {best}; started and answered in {took_s:.1f} s")


def _journal(path: Path | None) -> Check:
    name = "journal"
    try:
        folder = made_folder() if path is None else path.parent
        if path is not None and path.exists():
            with Journal.read(path) as journal:
                held = f"{path}: {sum(1 for _ in journal.entries())} entries"
        else:
            held = f"{folder}: a new journal"
        with TemporaryFile(dir=folder) as probe:
            probe.write(b"boardctl doctor")
            probe.flush()
        free_mb = shutil.disk_usage(folder).free // 1_000_000
    except (JournalError, EncodingError) as error:
        return _problem(name, error)
    except OSError as error:
        where = f"{folder}: cannot be written ({error.strerror})"
        return Check(name, Verdict.PROBLEM, where, "make the folder, free space, or give --journal FILE elsewhere")
    says = f"{held}, {free_mb} MB free"
    if free_mb < LEAST_FREE_MB:
        return Check(
            name, Verdict.PROBLEM, says, f"free at least {LEAST_FREE_MB} MB: a match with its pictures needs them"
        )
    return Check(name, Verdict.OK, says)


def _problem(name: str, error: Exception, then: str = "") -> Check:
    """Gets a check that failed; the messages of our own errors say themselves what to do next."""
    return Check(name, Verdict.PROBLEM, str(error), then)


def _there(folder: str, pattern: str) -> str:
    return " ".join(sorted(str(path) for path in Path(folder).glob(pattern))) or "none"
