"""Readings of single frames -> facts: what lies still is reported once, what changes is reported again.

No clock is read: times are passed in with the frames.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import hypot

from boardctl.referee.facts import BoardSeen, Device, DeviceChanged, DiceLifted, DiceRested, Fact, HandSeen
from boardctl.referee.readings import BoardReading, CubeReading, DiceReading, DieReading, PlaceReading
from boardctl.rules import Place, PlaceKind, Stack
from boardctl.vision.frame import FrameReading
from calibration import BoardGeometry

_PAIR = 2  # dice of a throw

Seen = tuple[tuple[Place, Stack | None], ...]
Lying = tuple[str, int | None]
HandsSeen = tuple[str, ...]
"""Whose hands are over the board, in the order of the seats."""

AS_LIKELY = 3.0
"""A stack that is at most so many times less likely than the likeliest may as well be what lies there: where the two
change places from one picture to the next, nothing has moved."""


FLICKERS_MS = 1000
"""What was seen over the board so short a time before may not have been gone in between: some frames miss it."""

FOLLOWED_ALIKE_PX = 1.0
"""A camera that is followed is told to have moved again when it has by so much more."""


@dataclass(frozen=True, slots=True)
class TrackingSettings:
    """When something counts as lying still.

    ``settle_ms``: the board is reported when every place has read the same for so long, the cube with it when it has
    been seen nowhere else for as long. ``steady_readings``: dice are
    reported when so many frames in a row show them alike. ``same_spot_mm``: a die that is found this near is the same
    die lying still; readings of one die scatter by a pixel, about a millimetre. ``surer_by``: a place that was
    reported is reported again when its confidence has risen by this much. ``lost_after_ms``: a camera that does not see
    the board as calibrated for so long is reported as lost, and as back when it does so again for as long: somebody who
    leans over the board is gone sooner. ``put_down_ms``: what is over the board for so long, and no arm with it, was
    put down and is no hand: a cup, a telephone. The places below it stay hidden.
    """

    settle_ms: int = 300
    steady_readings: int = 3
    same_spot_mm: float = 3.0
    surer_by: float = 0.1
    lost_after_ms: int = 1500
    put_down_ms: int = 3000


class Tracker:
    """Follows the readings of one camera. Feed it frame by frame, in order. ``geometry`` tells where the points lie."""

    def __init__(self, settings: TrackingSettings | None = None, geometry: BoardGeometry | None = None) -> None:
        self._settings = settings or TrackingSettings()
        self._geometry = geometry or BoardGeometry()
        self._hidden_with_dice: frozenset[Place] = frozenset()
        self._over_since_ms: int | None = None
        self._clear_since_ms: int | None = None
        self._put_down: frozenset[Place] | None = None
        self._hand = False
        self._hands: HandsSeen = ()
        self._told_hands: HandsSeen = ()
        self._seen: Seen | None = None
        self._seen_since_ms = 0
        self._told_board: BoardReading | None = None
        self._cube: Lying | None = None
        self._cube_since_ms = self._cube_value_since_ms = 0
        self._told_cube: CubeReading | None = None
        self._last_dice: DiceReading = DiceReading(())
        self._steady = 0
        self._told_dice: DiceReading = DiceReading(())
        self._followed_px = 0.0
        self._holds = self._told_holds = True
        self._holds_since_ms = 0

    def feed(self, reading: FrameReading, at_ms: int, frame: str | None = None, still: bool = False) -> list[Fact]:
        """Gets the facts that a frame's reading brings, in the order in which they are to be told.

        ``still``: the frame stands alone (a folder of pictures); what it shows counts as settled.
        """
        facts = self._view(reading, at_ms, still)
        if not self._holds:
            return facts  # what is not seen has neither gone nor changed
        reading = self._without_what_was_put_down(reading, at_ms)
        facts += self._followed(reading, at_ms)
        facts += self._hands_over(reading, at_ms, still)
        # Dice before checkers: where one frame shows a turn's end, the next roll and its play, they came in this order.
        facts += self._dice(reading, at_ms, frame, still)
        facts += self._board(reading.board, at_ms, frame, still)
        return facts

    def tell_again(self, at_ms: int) -> None:
        """Lets the board be told again when it has been seen still from now on, even if nothing about it has changed:
        whoever knows that something was moved needs to hear that."""
        self._forget_told()
        self._seen_since_ms = max(self._seen_since_ms, at_ms)

    def _forget_told(self) -> None:
        self._told_board = self._told_cube = None

    def _view(self, reading: FrameReading, at_ms: int, still: bool) -> list[Fact]:
        """Gets what is to be told of the camera itself: that it has moved or is covered, or sees the board again."""
        holds = reading.view is None or reading.view.holds
        if holds != self._holds:
            self._holds, self._holds_since_ms = holds, at_ms
        lasted = still or at_ms - self._holds_since_ms >= self._settings.lost_after_ms
        if holds == self._told_holds or not lasted:
            return []
        self._told_holds = holds
        self._forget_told()
        reason = "" if reading.view is None else reading.view.complaint
        return [DeviceChanged(at_ms, Device.CAMERA, working=holds, reason=reason)]

    def _followed(self, reading: FrameReading, at_ms: int) -> list[Fact]:
        """Gets what is to be told of a camera that has moved and is followed: that it has, for the record."""
        away_px = 0.0 if reading.view is None else reading.view.followed_px
        if not self._told_holds or abs(away_px - self._followed_px) < FOLLOWED_ALIKE_PX:
            return []
        self._followed_px = away_px
        reason = f"it has moved and is followed: the board is seen {away_px:.0f} pixels from where it was calibrated"
        return [DeviceChanged(at_ms, Device.CAMERA, working=True, reason=reason)]

    def _without_what_was_put_down(self, reading: FrameReading, at_ms: int) -> FrameReading:
        """Gets a reading in which what was put down on the board is no hand over it."""
        if not reading.hand:
            self._clear_since_ms = at_ms if self._clear_since_ms is None else self._clear_since_ms
            return reading
        clear_since_ms, self._clear_since_ms = self._clear_since_ms, None
        if clear_since_ms is not None and at_ms - clear_since_ms > FLICKERS_MS:
            self._over_since_ms = self._put_down = None
        if reading.board.hands or self._over_since_ms is None:
            self._over_since_ms = at_ms
        hidden = frozenset(place.place for place in reading.board.places if place.hidden)
        if not reading.board.hands and at_ms - self._over_since_ms >= self._settings.put_down_ms:
            self._put_down = hidden | (self._put_down or frozenset())
        if reading.board.hands or self._put_down is None or not hidden <= self._put_down:
            return reading
        return replace(reading, board=replace(reading.board, hand=False), hand=False)

    def _hands_over(self, reading: FrameReading, at_ms: int, still: bool) -> list[Fact]:
        """Gets what is to be told of hands: at once that one came or that all went, and who has hands over the board
        when two frames in a row show that it has changed."""
        hands = tuple(hand for hand in reading.board.hands if hand.places) if reading.hand else ()
        seen = tuple(sorted(str(hand.entry) for hand in hands))
        lasting, self._hands = still or seen == self._hands, seen
        if reading.hand == self._hand and (seen == self._told_hands or not lasting or not reading.hand):
            return []
        if self._hand and not reading.hand:
            self._forget_told()  # whoever waits for the hand to go needs to hear that nothing has changed, too
        self._hand, self._told_hands = reading.hand, seen
        return [HandSeen(at_ms, reading.hand, hands)]

    def _board(self, board: BoardReading, at_ms: int, frame: str | None, still: bool) -> list[Fact]:
        before = dict(self._seen or ())
        seen: Seen = tuple((place.place, _stack_seen(place, before)) for place in board.places)
        if seen != self._seen:
            self._seen, self._seen_since_ms = seen, at_ms
        cube = self._settled_cube(board.cube, at_ms, still)
        settled = still or at_ms - self._seen_since_ms >= self._settings.settle_ms
        if not settled or not (self._is_news(board) or self._is_cube_news(cube)):
            return []
        self._told_board, self._told_cube = board, cube or self._told_cube
        return [BoardSeen(at_ms, replace(board, cube=cube), frame=frame)]

    def _settled_cube(self, cube: CubeReading | None, at_ms: int, still: bool) -> CubeReading | None:
        """Gets the cube as a frame shows it, once it has lain so for long enough.

        A frame in which it is not seen says nothing: it is small, and hands come before it. It settles by itself, as
        the checkers need not wait until it is seen where it is; and its value by itself, as many frames leave it open.
        """
        if cube is None:
            return None
        has_changed = self._cube is None or _has_changed(cube, self._cube)
        if has_changed:
            self._cube_since_ms = at_ms
        if self._cube is None or has_changed or (cube.value is not None and self._cube[1] is None):
            self._cube, self._cube_value_since_ms = _lying(cube), at_ms
        if still:
            return cube
        place_ms, value_ms = at_ms - self._cube_since_ms, at_ms - self._cube_value_since_ms
        if place_ms < self._settings.settle_ms:
            return None
        return cube if value_ms >= self._settings.settle_ms else replace(cube, value=None)

    def _is_cube_news(self, cube: CubeReading | None) -> bool:
        """Whether a settled cube lies elsewhere than was told last, or does so surer."""
        told = self._told_cube
        if cube is None or told is None:
            return cube is not None
        if cube.value is not None and told.value is None:
            return True
        return _has_changed(cube, _lying(told)) or cube.confidence > told.confidence + self._settings.surer_by

    def _is_news(self, board: BoardReading) -> bool:
        """Whether a reading says something other than what was told last, or says it surer."""
        told = self._told_board
        if told is None or len(told.places) != len(board.places):
            return True
        for place in board.places:
            before = told.at(place.place)
            if place.best != before.best or place.confidence > before.confidence + self._settings.surer_by:
                return True
        return False

    def _dice(self, reading: FrameReading, at_ms: int, frame: str | None, still: bool) -> list[Fact]:
        dice = reading.dice
        self._steady = self._steady + 1 if self._alike(dice, self._last_dice) else 1
        self._last_dice = dice
        if not still and self._steady < self._settings.steady_readings:
            return []
        facts: list[Fact] = []
        covered = {place.place for place in reading.board.places if place.hidden} - self._hidden_with_dice
        seen = [die for die in self._told_dice.dice if self._same(die, dice) is not None]
        left = [die for die in self._told_dice.dice if die in seen or any(self._is_on(die, place) for place in covered)]
        # Under a hand a die that is not seen may still lie there. One that lies elsewhere, beside one that has stayed,
        # was moved and not lifted.
        moved = bool(left) and not still and not self._fewer(dice)
        if len(left) < len(self._told_dice.dice) and not moved and not reading.hand:
            self._told_dice = DiceReading(tuple(left))
            facts.append(DiceLifted(at_ms, len(left), frame, tuple(left), len(left) - len(seen)))
        hidden = len(left) > len(dice.dice)  # something stands on a die: what is seen is not all that lies there
        if (
            dice.dice
            and not hidden
            and not self._told(dice)
            and not (reading.hand and len(dice.dice) < len(self._told_dice.dice))
        ):
            # Who takes up the dice may put them down in a cup: they are told to be gone when the hand is.
            aside = reading.hand and all(die.section is None for die in dice.dice)
            gone = [die for die in self._told_dice.dice if die.section is not None and self._same(die, dice) is None]
            self._told_dice = DiceReading((*dice.dice, *gone)) if aside else dice
            self._hidden_with_dice = frozenset(place.place for place in reading.board.places if place.hidden)
            facts.append(DiceRested(at_ms, dice, frame=frame))
        return facts

    def _is_on(self, die: DieReading, place: Place) -> bool:
        """Whether a die lies on a point."""
        if place.kind is not PlaceKind.POINT:
            return False
        x, y = die.center_mm
        beside = abs(x - self._geometry.point_x_mm(place.number)) <= self._geometry.point_width_mm / 2
        return beside and (y < 0) == self._geometry.is_near_row(place.number)

    def _fewer(self, dice: DiceReading) -> bool:
        """Whether fewer dice lie on the field than were told of last, wherever they lie now.

        One that lay in no section may have been a glint, as long as a pair is left.
        """
        told, seen = (Counter(die.section for die in one.dice) for one in (self._told_dice, dice))
        if len(dice.dice) < _PAIR:
            return any(seen[section] < count for section, count in told.items())
        return seen.total() - seen[None] < told.total() - told[None]

    def _same(self, die: DieReading, among: DiceReading) -> DieReading | None:
        """Gets the die of a reading that lies where ``die`` lies."""
        spot = self._settings.same_spot_mm
        near = [(hypot(d.center_mm[0] - die.center_mm[0], d.center_mm[1] - die.center_mm[1]), d) for d in among.dice]
        return min(((away, d) for away, d in near if away <= spot), key=lambda entry: entry[0], default=(0.0, None))[1]

    def _alike(self, dice: DiceReading, others: DiceReading) -> bool:
        """Whether two readings show the same dice at the same spots with the same values."""
        if len(dice.dice) != len(others.dice):
            return False
        pairs = [(die, self._same(die, others)) for die in dice.dice]
        return all(other is not None and other.value == die.value for die, other in pairs)

    def _told(self, dice: DiceReading) -> bool:
        """Whether all that a reading says of its dice was told before."""
        for die in dice.dice:
            before = self._same(die, self._told_dice)
            if before is None or (die.value is not None and die.value != before.value) or die.flat != before.flat:
                return False
        return True


def _stack_seen(reading: PlaceReading, before: Mapping[Place, Stack | None]) -> Stack | None:
    """Gets what lies at a place: what was seen there before, while that is about as likely as anything else."""
    stack = before.get(reading.place)
    if stack is None or reading.hidden or reading.likelihood(stack) * AS_LIKELY < reading.confidence:
        return reading.best
    return stack


def _lying(cube: CubeReading) -> Lying:
    """Gets where the cube lies and what it shows; its likelihood is a little different in every frame."""
    return cube.at, cube.value


def _has_changed(cube: CubeReading, before: Lying) -> bool:
    """Whether the cube lies elsewhere than before, or shows another value: a frame that leaves it open does not."""
    at, value = before
    return cube.at != at or (None not in (cube.value, value) and cube.value != value)
