"""What the referee's effects make the sensor board do: scenes light its chain, cues sound its piezo."""

import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from boardctl.lights import Grammar, Level, Sounds, frame_of, standard_grammar, standard_sounds, tones_of
from boardctl.lights.on_board import BarColumns, scene_on_board
from boardctl.referee.effects import Cue, Effect, Scene
from boardctl.referee.facts import Fact
from firmware_bridge.errors import BridgeError
from firmware_bridge.leds import ChainLayout, LedFrame

_log = logging.getLogger(__name__)


class LitBoard(Protocol):
    """What the lights need of a sensor board."""

    def show(self, frame: LedFrame) -> None:
        """Lights a frame; does not wait."""
        ...

    def beep(self, frequency_hz: int = ..., duration_ms: int = ..., repeats: int = ...) -> None:
        """Sounds the piezo; waits until the board has answered."""
        ...


class Lighting:
    """An output: lights and sounds of one board. Sounds are made on a thread of their own; nothing waits for them."""

    def __init__(
        self,
        board: LitBoard,
        grammar: Grammar | None = None,
        sounds: Sounds | None = None,
        level: Level | None = None,
        layout: ChainLayout | None = None,
        bar_columns: BarColumns | None = None,
    ) -> None:
        self._board = board
        self._grammar = grammar or standard_grammar()
        self._sounds = sounds or standard_sounds()
        self._level = level
        self._layout = layout
        self._bar_columns = bar_columns or {}
        self._beeper = ThreadPoolExecutor(max_workers=1, thread_name_prefix="beeper")

    def __call__(self, fact: Fact, effects: Sequence[Effect]) -> None:
        """Lights the last scene, sounds every cue."""
        scenes = [effect for effect in effects if isinstance(effect, Scene)]
        if scenes:
            self._board.show(frame_of(scene_on_board(scenes[-1], self._bar_columns), self._grammar, self._layout))
        for effect in effects:
            if isinstance(effect, Cue):
                self._beeper.submit(self._sound, effect)

    def close(self) -> None:
        """Puts the lights out and lets sounds that are still to come be. May be called again."""
        self._board.show(LedFrame.of({}))
        self._beeper.shutdown(wait=True, cancel_futures=True)

    def _sound(self, cue: Cue) -> None:
        for tone in tones_of(cue, self._sounds, self._level):
            try:
                self._board.beep(tone.frequency_hz, tone.on_ms, tone.repeats)
                time.sleep(tone.lasts_ms / 1000)
            except BridgeError as error:
                _log.warning("sound %s was not heard: %s", cue.sound, error)
                return
