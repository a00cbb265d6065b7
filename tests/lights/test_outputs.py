"""Lights and sounds as the referee's effects are carried out."""

import io
import threading
import time

from drawn_tables import HINTS, PLAYED, START
from rich.console import Console

from boardctl.lights import TableView, frame_of
from boardctl.lights.outputs import BoardOutput, TerminalOutput
from boardctl.lights.sounds import Level
from boardctl.referee.effects import Cue, Mark, Notice, Scene, Sign, Text
from boardctl.referee.facts import HandSeen
from boardctl.rules import point
from firmware_bridge.board import SensorBoard
from firmware_bridge.errors import LinkDownError
from firmware_bridge.leds import LedFrame
from firmware_bridge.standin import StandInBoard

FACT = HandSeen(0, False)


class Board:
    """Notes what it is told; refuses sounds while ``away``."""

    def __init__(self) -> None:
        self.frames: list[LedFrame] = []
        self.beeps: list[tuple[int, int, int]] = []
        self.heard = threading.Semaphore(0)
        self.away = False

    def show(self, frame: LedFrame) -> None:
        self.frames.append(frame)

    def beep(self, frequency_hz: int, duration_ms: int, repeats: int) -> None:
        self.heard.release()
        if self.away:
            raise LinkDownError("not connected")
        self.beeps.append((frequency_hz, duration_ms, repeats))


def test_the_last_scene_is_shown_and_the_lights_go_out_at_the_end() -> None:
    board = Board()
    with BoardOutput(board) as output:
        output(FACT, [Scene(()), HINTS])
        output(FACT, [Notice(Text.of("hello"))])
        assert board.frames == [frame_of(HINTS)]
    output.close()
    assert board.frames == [frame_of(HINTS), LedFrame()]


def test_sounds_are_played_in_order_at_the_chosen_level() -> None:
    board = Board()
    with BoardOutput(board, level=Level.ALL) as output:
        output(FACT, [Cue("ok"), Cue("problem")])
        assert board.heard.acquire(timeout=2)
        assert board.heard.acquire(timeout=2)
    assert board.beeps == [(2000, 40, 1), (2600, 120, 2)]


def test_a_silent_table_stays_silent() -> None:
    board = Board()
    with BoardOutput(board, level=Level.NONE) as output:
        output(FACT, [Cue("problem")])
        assert not board.heard.acquire(timeout=0.1)


def test_a_board_that_is_away_loses_a_sound_and_plays_the_next() -> None:
    board = Board()
    with BoardOutput(board, level=Level.ALL) as output:
        board.away = True
        output(FACT, [Cue("ok")])
        assert board.heard.acquire(timeout=2)
        board.away = False
        output(FACT, [Cue("ok")])
        assert board.heard.acquire(timeout=2)
        time.sleep(0.02)
    assert len(board.beeps) == 1


def test_a_scene_reaches_the_lights_over_the_wire() -> None:
    with StandInBoard() as rig, SensorBoard(rig.path, wait_s=5) as board, BoardOutput(board, level=Level.ALL) as output:
        output(FACT, [HINTS, Cue("problem")])
        until = time.monotonic() + 3
        while (rig.led_frame != frame_of(HINTS) or not rig.beeps) and time.monotonic() < until:
            time.sleep(0.01)
        assert rig.led_frame == frame_of(HINTS)
        assert [(beep.frequency_hz, beep.duration_ms, beep.repeats) for beep in rig.beeps] == [(2600, 120, 2)]


def test_the_terminal_shows_what_the_referee_says() -> None:
    file = io.StringIO()
    console = Console(file=file, width=80, height=30, force_terminal=True, color_system=None)
    with TerminalOutput(console, lambda: 0, TableView(START)) as output:
        output(FACT, [Scene((Mark(Sign.PROBLEM, point(5)),)), Notice(Text.of("dice_on_checker"))])
    text = file.getvalue()
    assert "dice on checker" in text
    assert "5!" in text


def test_the_terminal_blinks_with_the_clock() -> None:
    now_ms = 0
    output = TerminalOutput(Console(file=io.StringIO()), lambda: now_ms, PLAYED)

    def drawn() -> str:
        console = Console(file=io.StringIO(), width=80, height=40, color_system=None, record=True)
        console.print(output._drawing())
        return console.export_text().split("may move")[0]

    assert " v " in drawn()
    now_ms = 600
    assert " v " not in drawn()
