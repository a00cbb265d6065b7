"""What hands can do at the table, act by act: throw and lift dice, carry checkers, wait, press and answer.

Every method is a generator of acts. It is sent what the referee has said since the act before, and keeps it in
:attr:`Motions.ear` for whoever decides what to do next.
"""

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from random import Random

from boardctl.referee.effects import (
    CubeTurned,
    Effect,
    Notice,
    Phase,
    PhaseChanged,
    Prompt,
    RollRead,
    Ruled,
    TurnJudged,
)
from boardctl.referee.facts import Choice, Device, Role
from boardctl.rules import Place, Placement, Seat
from boardctl.virtual.dice import Die, tumbling
from boardctl.virtual.playing.acts import Act, ActKind, Pace
from boardctl.virtual.playing.players import HandMove
from boardctl.virtual.score import UNCLEAR_TURN
from boardctl.virtual.truth import TruthItem, TurnTruth
from boardctl.virtual.world import Hand, World, lifted, put, set_up, tidied, with_hand, without_hands

Acts = Generator[Act, Sequence[Effect], None]

SET_UP_MS = 3000
WITHDRAW_MS = 300
ANSWER_MS = 800
"""How long it takes to set a board up, to take a hand away, to answer a question: for the clock of the record only."""

ROLL_OUT_MM = 70.0
"""How far from where it comes to rest a die is when it touches the board."""


@dataclass
class Ear:
    """What the players have heard and not yet acted on. ``ever``: whether anyone has spoken at all."""

    effects: list[Effect]
    ever: bool = False

    def take(self, heard: Sequence[Effect]) -> None:
        """Takes what was said. A double that is answered is asked about no more."""
        self.effects += heard
        if any(isinstance(one, CubeTurned) and one.step != "double" for one in heard):
            self.effects = [one for one in self.effects if not _asks_to_take(one)]
        self.ever = self.ever or bool(heard)

    def clear(self) -> None:
        """Forgets what was said so far, except questions nobody has answered."""
        self.effects = [effect for effect in self.effects if isinstance(effect, Prompt)]

    def roll(self) -> RollRead | None:
        """Gets the last reading of dice."""
        return next((one for one in reversed(self.effects) if isinstance(one, RollRead)), None)

    def judged(self) -> TurnJudged | None:
        """Gets the last judgement."""
        return next((one for one in reversed(self.effects) if isinstance(one, TurnJudged)), None)

    def ruled(self) -> Ruled | None:
        """Gets the last ruling."""
        return next((one for one in reversed(self.effects) if isinstance(one, Ruled)), None)

    def must_replay(self, last: TurnTruth | None) -> bool:
        """Whether the last turn is to be played again."""
        ruled = self.ruled()
        return ruled is not None and ruled.ruling == "must_replay" and last is not None and ruled.seat is last.seat

    def take_prompt(self, later: Callable[[Prompt], bool] = lambda prompt: False) -> Prompt | None:
        """Gets the last question and forgets all questions, but those that are left for ``later``."""
        prompts = [one for one in self.effects if isinstance(one, Prompt) and not later(one)]
        self.effects = [one for one in self.effects if one not in prompts]
        return prompts[-1] if prompts else None

    def is_asked_to_take(self) -> bool:
        """Whether it is asked if a double is taken."""
        return any(_asks_to_take(one) for one in self.effects)

    def asked_to_look(self) -> bool:
        """Whether the referee has said that it cannot tell what was played."""
        return any(isinstance(one, Notice) and one.text.key in UNCLEAR_TURN for one in self.effects)

    def went_on(self) -> bool:
        """Whether the referee has gone on to another phase than the judging of a turn."""
        return any(isinstance(one, PhaseChanged) and one.phase is not Phase.CONFIRM for one in self.effects)


def _asks_to_take(effect: Effect) -> bool:
    return isinstance(effect, Prompt) and Choice.TAKE in effect.choices


class Motions:
    """The hands at one table, and the world as they leave it."""

    def __init__(self, world: World, pace: Pace, random: Random) -> None:
        self.world = world
        self.pace = pace
        self.ear = Ear([])
        self.now_ms = 0
        self._random = random
        self._hands_shown = 0

    def do(
        self,
        kind: ActKind,
        world: World,
        seat: Seat | None,
        takes_ms: int,
        frames: int,
        *,
        truth: TruthItem | None = None,
        by: Role | None = None,
        answer: tuple[int, Choice] | None = None,
        doubles: bool = False,
        device: tuple[Device, bool] | None = None,
    ) -> Acts:
        """Does one act and listens to what is said about it."""
        self.world = world
        self.now_ms += takes_ms
        heard = yield Act(kind, world, seat, takes_ms, frames, truth, by, answer, doubles, device)
        self.ear.take(heard)

    def rest(self, seat: Seat | None = None, truth: TruthItem | None = None) -> Acts:
        """Leaves the table alone, hands out of the view, until everything has settled."""
        yield from self._at_rest(ActKind.REST, without_hands(self.world), seat, truth)

    def set_up(self, placement: Placement) -> Acts:
        """Puts all checkers where a placement has them."""
        world = set_up(replace(self.world, dice=(), hands=(), things=()), placement, self._random)
        yield from self.do(ActKind.SET_UP, world, None, SET_UP_MS, 0)
        yield from self.rest()

    def tidy(self) -> Acts:
        """Puts every checker properly where it counts, and takes away what does not belong on a board."""
        self.world = replace(tidied(self.world, self._random), things=())
        yield from self.rest()

    def think(self, seat: Seat) -> Acts:
        """Lets a player think."""
        takes_ms = int(self._random.uniform(0.4, 1.6) * self.pace.think_ms)
        yield from self.do(ActKind.THINK, self.world, seat, takes_ms, 0)

    def throw(self, seat: Seat | None, dice: tuple[Die, ...], truth: TruthItem | None) -> Acts:
        """Lets dice roll out and come to rest."""
        steps = self.pace.tumble_steps
        for step in range(steps):
            moving = tuple(
                die if die in self.world.dice else tumbling(die, self._random, ROLL_OUT_MM * (steps - step) / steps)
                for die in dice
            )
            yield from self.do(ActKind.TUMBLE, replace(self.world, dice=moving), seat, self.pace.tumble_ms, 1)
        self.ear.clear()
        yield from self._at_rest(ActKind.DICE_REST, replace(self.world, dice=dice), seat, truth)

    def lift_dice(self, seat: Seat, truth: TruthItem | None = None, left: tuple[Die, ...] = ()) -> Acts:
        """Picks up all dice but those in ``left`` and takes the hand away."""
        if self.world.dice:
            yield from self._reach(seat, (self.world.dice[0].x_mm, self.world.dice[0].y_mm))
        yield from self._at_rest(ActKind.DICE_LIFTED, replace(self.world, dice=left, hands=()), seat, truth)

    def lay(self, seat: Seat, dice: tuple[Die, ...], truth: TruthItem | None) -> Acts:
        """Leaves exactly these dice lying, whatever lay there before."""
        yield from self._at_rest(ActKind.DICE_REST, replace(self.world, dice=dice), seat, truth)

    def begin_play(self) -> None:
        """Starts to count anew the hands of which frames are taken."""
        self._hands_shown = 0

    def carry_out(self, seat: Seat, moves: Sequence[HandMove]) -> Acts:
        """Carries checkers one after the other, then takes the hand away."""
        for move in moves:
            yield from self._carry(seat, move)
        yield from self.do(ActKind.WITHDRAW, without_hands(self.world), seat, WITHDRAW_MS, 0)

    def answer(self, by: Role, seat: Seat | None, prompt: int, choice: Choice, truth: TruthItem | None = None) -> Acts:
        """Answers a question at the console."""
        yield from self.do(ActKind.ANSWER, self.world, seat, ANSWER_MS, 1, by=by, answer=(prompt, choice), truth=truth)

    def double(self, by: Role, seat: Seat, truth: TruthItem) -> Acts:
        """Says that it doubles, the cube put before the opponent, where it lies until that is answered."""
        pace = self.pace
        takes_ms = pace.rest_ms * pace.rest_frames
        yield from self.do(
            ActKind.DOUBLE, self.world, seat, takes_ms, pace.rest_frames, by=by, doubles=True, truth=truth
        )

    def reach_for_cube(self, seat: Seat, truth: TruthItem | None = None) -> Acts:
        """Reaches for the cube, and stays over it for as long as it takes to see whose hand it is."""
        cube = self.world.cube
        assert cube is not None
        world = with_hand(self.world, Hand(seat, cube.x_mm, cube.y_mm))
        yield from self._at_rest(ActKind.REACH, world, seat, truth)

    def press(self, by: Role, seat: Seat, truth: TruthItem | None = None) -> Acts:
        """Presses a button of the panel."""
        yield from self.do(ActKind.PRESS, self.world, seat, self.pace.hand_ms, 1, by=by, truth=truth)

    def device(self, device: Device, *, working: bool, truth: TruthItem | None = None) -> Acts:
        """Lets a device go, or come back, and the table lie still for as long as it takes to be sure of it."""
        world = replace(without_hands(self.world), dark=not working) if device is Device.CAMERA else self.world
        takes_ms = self.pace.rest_ms * self.pace.rest_frames
        changed = (device, working)
        yield from self.do(ActKind.DEVICE, world, None, takes_ms, self.pace.rest_frames, truth=truth, device=changed)
        yield from self.rest()
        yield from self.rest()

    def _at_rest(self, kind: ActKind, world: World, seat: Seat | None, truth: TruthItem | None) -> Acts:
        """Does an act after which the table lies still for as long as it takes to settle."""
        takes_ms = self.pace.rest_ms * self.pace.rest_frames
        yield from self.do(kind, world, seat, takes_ms, self.pace.rest_frames, truth=truth)

    def _carry(self, seat: Seat, move: HandMove) -> Acts:
        """Carries one checker: lifts it, moves the hand, puts it down."""
        if move.source is not None:
            world, checker = lifted(self.world, move.source, move.seat)
            at = (checker.x_mm, checker.y_mm)
            yield from self._reach(seat, at)
            self._hands_shown += 1
            frames = 1 if self._hands_shown <= self.pace.hand_frames else 0
            yield from self.do(
                ActKind.LIFT, with_hand(world, Hand(seat, *at, move.seat)), seat, self.pace.hand_ms, frames
            )
        if move.target is not None:
            laid = put(self.world, move.seat, move.target, self._random)
            spot = (laid.checkers[-1].x_mm, laid.checkers[-1].y_mm)
            yield from self._reach(seat, spot, holding=move.seat)
            yield from self.do(ActKind.PUT, with_hand(laid, Hand(seat, *spot)), seat, self.pace.hand_ms, 0)

    def _reach(self, seat: Seat, to_mm: tuple[float, float], holding: Seat | None = None) -> Acts:
        """Moves the hand to a spot, in as many steps as the pace shows."""
        side = -1.0 if seat in (Seat.A, Seat.D) else 1.0
        start = (to_mm[0] * 0.6, side * self.world.geometry.field_height_mm * 0.8)
        if self.world.hands:
            start = (self.world.hands[0].x_mm, self.world.hands[0].y_mm)
        steps = self.pace.hand_steps
        for step in range(1, steps + 1):
            # A hand speeds up and slows down: half a wave of a cosine.
            share = 0.5 - 0.5 * math.cos(math.pi * step / steps)
            x, y = (begin + (end - begin) * share for begin, end in zip(start, to_mm, strict=True))
            world = with_hand(self.world, Hand(seat, x, y, holding))
            yield from self.do(ActKind.REACH, world, seat, self.pace.hand_ms, 0)


def moves_between(here: Placement, there: Placement) -> list[HandMove]:
    """Gets the hand moves that make one placement of checkers into another, with every stack in its order.

    Each checker that lies on one which must go is lifted, too. Where two places wait for each other's checkers, one is
    kept in the hand for a while; a checker too many is taken off the board, one too few is brought.
    """
    surplus, lacking = _apart(here, there), _apart(there, here)
    moves: list[HandMove] = []
    held: list[Seat] = []
    while any(surplus.values()) or any(lacking.values()):
        move = _laid(surplus, lacking, held) or _taken(surplus, lacking, held)
        moves.append(move)
    return moves


Stacks = dict[Place, list[Seat]]


def _apart(one: Placement, other: Placement) -> Stacks:
    """Gets by place, lowest first, the checkers of one placement that lie above what both have in common."""
    stacks: Stacks = {}
    for place in sorted(one.differences(other), key=str):
        mine, its = one.at(place), other.at(place)
        common = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(mine, its, strict=False)))
        stacks[place] = list(mine[common:])
    return stacks


def _laid(surplus: Stacks, lacking: Stacks, held: list[Seat]) -> HandMove | None:
    """Gets the move of a checker to a place that is ready for it; None while there is none."""
    for seat in Seat:
        ready = [place for place, stack in lacking.items() if stack and stack[0] is seat and not surplus.get(place)]
        if not ready:
            continue
        source = next((place for place, stack in surplus.items() if seat in stack), None)
        if source is not None:
            _lift(surplus[source], seat)
        elif seat in held:
            held.remove(seat)
        elif any(surplus.values()):
            continue
        lacking[ready[0]].pop(0)
        return HandMove(seat, source, ready[0])
    return None


def _taken(surplus: Stacks, lacking: Stacks, held: list[Seat]) -> HandMove:
    """Gets the move of a checker off its place, into the hand: one on which another place waits, if there is one."""
    waiting = [place for place, stack in surplus.items() if stack and lacking.get(place)]
    place = next(iter(waiting), None) or next(place for place, stack in surplus.items() if stack)
    seat = surplus[place][-1]
    _lift(surplus[place], seat)
    held.append(seat)
    return HandMove(seat, place, None)


def _lift(stack: list[Seat], seat: Seat) -> None:
    """Takes the topmost checker of a seat from a stack."""
    del stack[len(stack) - 1 - stack[::-1].index(seat)]
