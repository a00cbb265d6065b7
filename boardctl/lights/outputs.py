"""Carries out what the referee says with light and sound: on the sensor board, and in the terminal."""

import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.live import Live

from boardctl.lights.grammar import Grammar
from boardctl.lights.scene_frame import frame_of
from boardctl.lights.sounds import Level, Sounds, Tone, tones_of
from boardctl.lights.table_view import Say, TableView, follow, plain_text, see
from boardctl.lights.terminal import TableDrawing
from boardctl.referee.effects import Cue, Effect, Scene
from boardctl.referee.facts import Fact
from firmware_bridge.errors import BridgeError
from firmware_bridge.leds import PATTERN_SLOT_MS, ChainLayout, LedFrame


class LightBoard(Protocol):
    """What lights and sounds are played on: the sensor board, real or stand-in."""

    def show(self, frame: LedFrame) -> None:
        """Lights a frame; does not wait."""
        ...

    def beep(self, frequency_hz: int, duration_ms: int, repeats: int) -> None:
        """Sounds the piezo; waits until the board has taken the order."""
        ...


class BoardOutput:
    """Scenes on the chain and cues on the piezo of a board. Sounds are played on a thread of their own, in order."""

    def __init__(
        self,
        board: LightBoard,
        grammar: Grammar | None = None,
        layout: ChainLayout | None = None,
        sounds: Sounds | None = None,
        level: Level | None = None,
    ) -> None:
        self._board = board
        self._grammar = grammar
        self._layout = layout
        self._sounds = sounds
        self._level = level
        self._tones: queue.SimpleQueue[Tone | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._player = threading.Thread(target=self._play, name="sounds", daemon=True)
        self._player.start()

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Shows the last scene and queues the sounds of ``effects``."""
        for effect in effects:
            if isinstance(effect, Cue):
                for tone in tones_of(effect, self._sounds, self._level):
                    self._tones.put(tone)
        scenes = [effect for effect in effects if isinstance(effect, Scene)]
        if scenes:
            self._board.show(frame_of(scenes[-1], self._grammar, self._layout))

    def close(self) -> None:
        """Puts the lights out and ends the sounds. May be called again."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._tones.put(None)
        self._player.join(timeout=2.0)
        self._board.show(LedFrame())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _play(self) -> None:
        while (tone := self._tones.get()) is not None and not self._closing.is_set():
            # A sound that the board could not play is not made up for later: it would belong to nothing.
            with suppress(BridgeError):
                self._board.beep(tone.frequency_hz, tone.on_ms, tone.repeats)
            self._closing.wait(tone.lasts_ms / 1000)


class TerminalOutput:
    """The table in the terminal, redrawn in the rhythm of the lights. Use as a context manager.

    ``clock`` gets milliseconds and sets the rhythm. ``view`` is what the table shows before anything has happened.
    """

    def __init__(
        self,
        console: Console,
        clock: Callable[[], int],
        view: TableView | None = None,
        say: Say = plain_text,
        grammar: Grammar | None = None,
    ) -> None:
        self.view = view or TableView()
        self._clock = clock
        self._say = say
        self._grammar = grammar
        self._live = Live(
            console=console,
            get_renderable=self._drawing,
            refresh_per_second=1000 / PATTERN_SLOT_MS,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Draws what the camera saw and what the referee says to it."""
        view = see(self.view, fact)
        for effect in effects:
            view = follow(view, effect, self._say)
        self.view = view

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def _drawing(self) -> TableDrawing:
        return TableDrawing(self.view, self._clock(), self._grammar)
