"""One whole table without hardware: board, camera, sensors, panel and players, and the truth about all of it.

A :class:`VirtualTable` runs in one of two ways, on the same acts and with the same outcome for the same seed.

Pulled by its camera, as the real table is run::

    with VirtualTable(Backgammon(), look="green-felt", seed=7, sensors=True) as table:
        calibration = calibrate(table.empty_frame(), table.starting_frame())
        for frame in table.camera.frames():
            ...  # read it, feed facts to the referee; table.panel.presses() and .answers() are facts too
            table.hear(effects)  # everything the referee said, before the next frame is taken

Act by act, for tests and for scoring without threads::

    effects = []
    while (step := table.advance(effects)) is not None:
        effects = []
        for frame in step.frames():
            effects += ...
        for answer in table.panel.answers():
            effects += referee.feed(answer)
    print("\\n".join(table.report().lines()))

Before each act the board's sensors (``table.board``, a stand-in board behind a pty at ``table.board.path``) are set to
what lies over them. The stand-in lives in real time: who needs its events before going on waits for
:meth:`VirtualTable.wait_for_sensors`.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

import numpy as np

from boardctl.devices.faces import Frame, Picture
from boardctl.lights import frame_of
from boardctl.lights.on_board import layout_for, scene_on_board
from boardctl.referee import Match, Ruleset
from boardctl.referee.effects import Effect, Scene
from boardctl.referee.facts import BoardSeen, Device, Fact, HandSeen
from boardctl.rules import Backgammon, Game
from boardctl.rules import Match as Ledger
from boardctl.virtual.camera import Pacing, VirtualCamera
from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.burning_lights import LightLook, lights_of, with_lights
from boardctl.virtual.drawing.render import Renderer
from boardctl.virtual.looks import LOOKS, Look
from boardctl.virtual.panel import VirtualPanel
from boardctl.virtual.playing.acts import FAST, REAL_TIME, Act, Pace
from boardctl.virtual.playing.house import HouseRules
from boardctl.virtual.playing.incidents import NAMES
from boardctl.virtual.playing.motions import Acts, Motions
from boardctl.virtual.playing.players import Rates
from boardctl.virtual.playing.script import Script
from boardctl.virtual.report import Report
from boardctl.virtual.score import Score
from boardctl.virtual.sensing import channel_classes
from boardctl.virtual.truth import TruthItem, game_truth
from boardctl.virtual.unseen.dice_cups import cup_that_stands
from boardctl.virtual.unseen.put_down import has_room
from boardctl.virtual.world import Checker, World, empty_world, set_up
from calibration import BoardGeometry, bar_columns, board_for, is_played_on_quarter
from firmware_bridge import ChannelClass, SlotMap, StandInBoard
from firmware_bridge.leds import LedFrame
from firmware_bridge.rig import BoardRig

Sensed = Callable[[Mapping[int, ChannelClass], int], None]
"""Hears what every channel sees now, and since which time of the session in milliseconds."""

SensorsLost = Callable[[bool, int], None]
"""Hears that the sensors are lost (False) or back, and at which time of the session in milliseconds."""

EMPTY = np.zeros((1, 1, 3), dtype=np.uint8)
"""What a frame shows that nobody draws."""

SETTLE_POLL_S = 0.002
"""How often a wait for the sensors looks: the board scans its channels every few milliseconds."""


@dataclass(frozen=True)
class Step:
    """One act that has been done: the world after it, when, and the instants at which frames are taken of it."""

    act: Act
    at_ms: int
    shots_ms: tuple[int, ...]
    _shoot: Callable[[World, int], Frame]

    def frames(self) -> Iterator[Frame]:
        """Gets the frames of this act, each rendered when it is taken. To be taken before the next act."""
        for at_ms in self.shots_ms:
            yield self._shoot(self.act.world, at_ms)


class VirtualTable:
    """A table without hardware, with two players who play ``games`` games on it.

    ``look``: one of :data:`~boardctl.virtual.looks.LOOKS` by name, or a :class:`Look`. ``seed`` decides everything:
    the same seed, the same session, as long as the referee says the same. ``ruleset``: what the players hold each
    other to; by default throws count in the right-hand section only and lifted dice end the turn. ``fast``: time jumps
    from one instant worth a frame to the next; otherwise the camera gives frames in real time. ``sensors``: with a
    stand-in sensor board behind a pty, its port under the name ``board_path`` where that is given; or ``board``, which
    its owner closes. ``sensed`` is called whenever something else lies over the sensors, and may wait until the host
    knows of it; ``sensors_lost`` when the sensors are lost (False) and back. Without ``pictures`` frames are empty, for
    eyes that look at :attr:`world` themselves. ``own_dice``: each seat throws a pair of its own, of another colour.
    Where there is a board, its lights burn in the frames as the referee's scenes say. ``cup``: whether a dice cup with
    dice in it stands on the board once the game has begun, in every picture in which nothing else lies there.
    ``sensors_tell``: whether the sensors, if there are any, know where the game has its checkers; nobody misses those
    that do not.

    :raises ValueError: for an unknown look.
    :raises PortUnusableError: when the system gives no pty.
    """

    def __init__(
        self,
        game: Game,
        *,
        geometry: BoardGeometry | None = None,
        look: Look | str = "green-felt",
        seed: int = 0,
        rates: Rates | None = None,
        ruleset: Ruleset | None = None,
        fast: bool = True,
        pace: Pace | None = None,
        games: int = 1,
        match: Match | None = None,
        sensors: bool = False,
        board_path: Path | None = None,
        board: BoardRig | None = None,
        sensed: Sensed | None = None,
        sensors_lost: SensorsLost | None = None,
        pictures: bool = True,
        slot_map: SlotMap | None = None,
        own_dice: bool = False,
        cup: bool = False,
        sensors_tell: bool = True,
    ) -> None:
        self.game = game
        self.geometry = board_for(game, geometry or BoardGeometry())
        self.look = look if isinstance(look, Look) else look_named(look)
        self.pace = pace or (FAST if fast else REAL_TIME)
        self.panel = VirtualPanel()
        self.truths: list[TruthItem] = []
        self._random = Random(seed)  # noqa: S311  a game, not a secret
        self._renderer = Renderer(self.look, self.geometry, seed)
        self._cup = cup_that_stands(self.look, self.geometry, seed) if cup else None
        self._empty = empty_world(self.geometry, self._random)
        self._start = set_up(self._empty, Backgammon().start().placement(), self._random)
        self._game_start = self._start
        if game.start().placement() != self._start.placement():
            self._game_start = set_up(self._empty, game.start().placement(), self._random)
        self.world = self._empty
        self._match = match or Match()
        self._rates = rates or Rates()
        felt = sensors_tell and (sensors or board is not None or sensors_lost is not None)
        house = HouseRules(sensors=felt) if ruleset is None else HouseRules.of(ruleset, sensors=felt)
        self._house = replace(house, own_dice=own_dice)
        self._score = Score(must_correct=self._house.must_correct, names=NAMES - {"setup.wrong"})
        self._acts = self._session(games)
        self._begun = False
        self._now_ms = 0
        self._heard: list[Effect] = []
        self._slot_map = slot_map or SlotMap.reference()
        self._sensed: dict[int, ChannelClass] = {}
        self._lay: tuple[tuple[Checker, ...], tuple[Die, ...]] | None = None
        self.camera = VirtualCamera(
            self._before_session, self._next_frames, None if self.pace.frame_ms is None else Pacing()
        )
        self._own_board = StandInBoard(link_path=board_path) if sensors and board is None else None
        self.board: BoardRig | None = board or self._own_board
        self._tell_sensed = sensed
        self._tell_lost = sensors_lost
        self._pictures = pictures
        self._layout = layout_for(game.seats)
        self._lit = LedFrame()
        self._light_look = LightLook()
        self._sense(self._game_start)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Takes the table away: camera, panel and board. May be called again."""
        self.camera.close()
        self.panel.close()
        self._acts.close()
        if self._own_board is not None:
            self._own_board.close()

    def clock_ms(self) -> int:
        """Gets the virtual clock: milliseconds since the session began."""
        return self._now_ms

    def empty_frame(self) -> Picture:
        """Gets a frame of the empty board, for a calibration."""
        return self._renderer.frame(self._empty)

    def starting_frame(self) -> Picture:
        """Gets a frame of the starting position of backgammon, for a calibration."""
        return self._renderer.frame(self._start)

    def game_frame(self) -> Picture:
        """Gets a frame of the starting position of the game that is played."""
        return self._renderer.frame(self._game_start)

    def picture(self) -> Picture:
        """Gets a frame of the table as it is now."""
        return self._renderer.frame(self.world)

    def hear(self, effects: Sequence[Effect]) -> None:
        """Tells the players what the referee said; they act on it when the next frame is taken."""
        self._score.hear(effects)
        self._heard += effects
        scenes = [effect for effect in effects if isinstance(effect, Scene)]
        if scenes and self.board is not None:
            self._lit = frame_of(scene_on_board(scenes[-1], bar_columns(self.game)), layout=self._layout)

    def witnessed(self, fact: Fact) -> None:
        """Tells the score what a witness has told of the board."""
        if isinstance(fact, BoardSeen):
            self._score.witnessed(fact.reading)
        elif isinstance(fact, HandSeen):
            self._score.saw_hands(fact.hands)

    def advance(self, effects: Sequence[Effect] = ()) -> Step | None:
        """Lets the players do their next act, knowing what the referee said; None when the session is over."""
        self.hear(effects)
        heard, self._heard = self._heard, []
        try:
            act = self._acts.send(heard) if self._begun else next(self._acts)
        except StopIteration:
            return None
        self._begun = True
        return self._perform(act)

    def report(self) -> Report:
        """Gets how the referee has done so far."""
        return self._score.report()

    def sensed(self, channel: int) -> ChannelClass:
        """Gets what a channel of the stand-in board was last set to; EMPTY without a board."""
        return self._sensed.get(channel, ChannelClass.EMPTY)

    def wait_for_sensors(self, timeout_s: float = 1.0) -> bool:
        """Waits until the host knows everything the sensors see; whether it does before ``timeout_s`` has passed."""
        if self.board is None:
            return True
        give_up_s = time.monotonic() + timeout_s
        while not self.board.settled:
            if time.monotonic() > give_up_s:
                return False
            time.sleep(SETTLE_POLL_S)
        return True

    def _session(self, games: int) -> Acts:
        ledger = Ledger.of(self.game, self._match.terms)
        for _ in range(games):
            hands = Motions(self.world, self.pace, self._random)
            hands.now_ms = self._now_ms
            script = Script(self.game, hands, self._rates, self._random, self._house, ledger)
            yield from script.acts()
            ledger = ledger.after(script.outcome)
            self._score.game_ended(game_truth(self._now_ms, self.game.seats, script.outcome))
            if ledger.winner is not None:
                return
            self.world = replace(self.world, cube=self._empty.cube)

    def _perform(self, act: Act) -> Step:
        """Takes an act over: world, clock, sensors, buttons, truth."""
        began_ms = self._now_ms
        self.world = act.world
        self._now_ms += act.takes_ms
        if act.truth is not None:
            self.truths.append(act.truth)
            self._score.happened(act.truth)
        self._sense(act.world, began_ms)
        if act.device is not None and act.device[0] is Device.SENSORS:
            self._lose_sensors(working=act.device[1])
        if act.by is not None and act.answer is not None:
            self.panel.answer(act.by, self._now_ms, *act.answer)
        elif act.by is not None and act.doubles:
            self.panel.double(act.by, self._now_ms)
        elif act.by is not None:
            self.panel.press(act.by, self._now_ms)
        return Step(act, self._now_ms, self._shots(act, began_ms), self._shoot)

    def _shots(self, act: Act, began_ms: int) -> tuple[int, ...]:
        """Gets the instants of the frames of an act that began at ``began_ms``."""
        step = self.pace.frame_ms
        if step is not None:
            first = -(-began_ms // step) * step
            return tuple(range(first, began_ms + act.takes_ms, step))
        return tuple(began_ms + act.takes_ms * (number + 1) // act.frames for number in range(act.frames))

    def _shoot(self, world: World, at_ms: int) -> Frame:
        picture = self._lighted(world, at_ms) if self._pictures else EMPTY
        return Frame(picture, at_ms, f"virtual-{at_ms:08d}")

    def _lighted(self, world: World, at_ms: int) -> Picture:
        """Gets a frame of a world with the lights that burn at that time."""
        if self._cup is not None and has_room(world, self._cup):
            world = replace(world, things=(*world.things, self._cup))
        picture, stage = self._renderer.frame(world), self._renderer.stage
        lights = lights_of(self.geometry, self._layout, self._lit.lit_at(at_ms))
        return with_lights(picture, stage.picture, stage.camera, lights, self._light_look)

    def _lose_sensors(self, *, working: bool) -> None:
        """Takes the plug of the sensor board out, or puts it in again."""
        if self.board is not None and working:
            self.board.replug()
        elif self.board is not None:
            self.board.unplug()
        if self._tell_lost is not None:
            self._tell_lost(working, self._now_ms)

    def _sense(self, world: World, at_ms: int = 0) -> None:
        """Sets the channels whose class has changed, and says so."""
        if (self.board is None and self._tell_sensed is None) or is_played_on_quarter(self.game):
            return
        lying = (world.checkers, world.dice)
        if lying == self._lay:
            return  # a hand over the board is too far from the sensors
        self._lay = lying
        classes = channel_classes(world, self._slot_map, die_grey=self._grey)
        changed = {channel: kind for channel, kind in classes.items() if self._sensed.get(channel) is not kind}
        if changed:
            if self.board is not None:
                self.board.set_channels(changed)
            self._sensed.update(changed)
            if self._tell_sensed is not None:
                self._tell_sensed(self._sensed, at_ms)

    def _grey(self, die: Die) -> float:
        """Gets how bright a die is, 0 to 255."""
        return sum(self.look.dice_of(die.owner).body) / 3

    def _before_session(self) -> Iterator[Frame]:
        empty, start = (self.empty_frame(), self.game_frame()) if self._pictures else (EMPTY, EMPTY)
        yield Frame(empty, self._now_ms, "virtual-empty", still=True)
        yield Frame(start, self._now_ms, "virtual-start", still=True)

    def _next_frames(self) -> Iterator[Frame] | None:
        step = self.advance()
        return None if step is None else step.frames()


def look_named(name: str) -> Look:
    """Gets a look by its name.

    :raises ValueError: when there is none of that name; the message lists them.
    """
    if name not in LOOKS:
        raise ValueError(f"no look is called {name!r}; there are: {', '.join(LOOKS)}")
    return LOOKS[name]
