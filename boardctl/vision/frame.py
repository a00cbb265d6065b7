"""One frame: everything that is read from it; and the eyes that read one after the other."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from boardctl.referee.readings import BoardReading, DiceReading, Witness
from boardctl.vision.board import BoardSeen, see_board
from boardctl.vision.dice.calibrated import prepare, read_dice
from boardctl.vision.dice.colour import coloured, prepare_colours
from boardctl.vision.dice.covered import doubted_near_hands
from boardctl.vision.dice.memory import DiceMemory
from boardctl.vision.dice.size import DieSize
from boardctl.vision.light.burning_lights import without_lights
from boardctl.vision.light.cut_levels import shown_by
from boardctl.vision.light.even_light import in_even_light
from boardctl.vision.nudged_camera import AS_CALIBRATED, Following
from boardctl.vision.points.columns import Picture
from calibration import Calibration
from calibration.drift import UNTOLD, View, relit
from calibration.light.flicker import on_empty, steadied
from calibration.light.focus import soft_by_px
from calibration.light.saturation import is_colourless, saturated, saturation_of
from calibration.light.shadows import sight_of
from calibration.light.tones import Tones, tones_of


@dataclass(frozen=True)
class Memory:
    """What a frame leaves to the next one of the same camera: how large the dice are, and what need not be read anew
    where nothing has changed. ``board`` and ``dice`` are None where nothing was read. ``following``: how a camera that
    has moved is followed; ``tones``: how its pictures' tones have changed, None where they are as calibrated (for what
    reads a picture from which they were taken: how they were)."""

    die_size: DieSize | None = None
    board: BoardSeen | None = None
    dice: DiceMemory | None = None
    following: Following = AS_CALIBRATED
    tones: Tones | None = None

    @property
    def darkest(self) -> float:
        """The level to which the lowest of a picture was brought with its tones."""
        return 0.0 if self.tones is None else self.tones.darkest


FIRST = Memory()


@dataclass(frozen=True, slots=True)
class FrameReading:
    """What one frame shows: board with the cube, dice, and whether a hand is in view.

    ``view``: how the camera sees the board against its calibration, where that was looked at. Where the calibration
    does not hold, nothing is read: no place is listed, so that each counts as hidden.
    ``memory`` is what it leaves to the next frame.
    """

    board: BoardReading
    dice: DiceReading
    hand: bool
    view: View | None = None
    memory: Memory = FIRST

    @classmethod
    def unread(cls, view: View, memory: Memory) -> "FrameReading":
        """Gets the reading of a picture that may not be read with the calibration."""
        return cls(BoardReading(Witness.CAMERA, ()), DiceReading(()), hand=False, view=view, memory=memory)


def read_frame(picture: Picture, calibration: Calibration, before: Memory = FIRST) -> FrameReading:
    """Gets the reading of a picture (H x W x 3). ``before`` is what the frame before left.

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    calibration.check_size(picture)
    sight = sight_of(picture, calibration)
    view = sight.view
    if not view.holds:
        return FrameReading.unread(view, Memory(before.die_size))
    relighted = relit(without_lights(sight.picture, calibration, view.gains), view)
    shown = shown_by(relighted, calibration, sight.brightest * max(view.gains), before.darkest / min(view.gains))
    seen = see_board(*in_even_light(shown.picture, shown.calibration), before.board)
    board = shown.doubted(seen.reading)
    found = read_dice(sight.picture, calibration, board, before.die_size, before.dice, sight.halved)
    dice = shown.doubted_dice(found.dice, found.size.mm)
    dice = doubted_near_hands(dice, relighted, calibration, board, found.size.mm)
    dice_read = DiceReading(coloured(dice, relighted, calibration, found.size.mm))
    memory = Memory(found.size, seen, found.memory)
    return FrameReading(replace(board, cube=found.cube), dice_read, board.hand, view, memory)


Read = Callable[[Picture, Calibration, Memory], FrameReading]
"""What reads one picture, told what the picture before left."""


def read_following(
    picture: Picture, calibration: Calibration, before: Memory = FIRST, read: Read = read_frame
) -> FrameReading:
    """Gets what ``read`` makes of a picture (H x W x 3), without the bands that a lamp that flickers lays into it. A
    camera that was nudged since it was calibrated is followed, where what stands still shows plainly how it sees the
    board now. A picture that is out of focus or without colours is not read, and the next is as if it had not been; one
    whose colours are fainter or stronger, or whose contrast is another one, than when it was calibrated is read with
    these as they were, and one with a veil of light over it as without.

    :raises CalibrationError: when the picture has not the size that was calibrated.
    """
    calibration.check_size(picture)
    known = before.following
    installed = known.calibration or calibration
    if tones := tones_of(picture, installed, before.tones):
        picture = tones.undone(picture)
    picture = steadied(picture, installed.empty, on_empty(installed))
    if blurred_px := soft_by_px(picture, installed):
        return FrameReading.unread(replace(UNTOLD, blurred_px=blurred_px), before)
    before = replace(before, tones=tones)
    saturation = saturation_of(picture, installed, before.darkest)
    if is_colourless(saturation):
        return FrameReading.unread(replace(UNTOLD, colourless=True), before)
    picture = saturated(picture, saturation)
    reading = read(picture, installed, before)
    view = reading.view
    if view is None:
        return reading
    following = known.after(calibration, picture, view)
    if following.calibration is not None and following.calibration is not known.calibration:
        reading = read(picture, following.calibration, Memory(before.die_size, tones=tones))
    seen = reading.view or view
    return replace(
        reading,
        view=replace(seen, followed_px=following.followed_px(calibration)),
        memory=replace(reading.memory, following=following, tones=tones),
    )


def prepare_eyes(calibration: Calibration, read: Read = read_frame) -> None:
    """Does what is done on first use (networks load, tables are made), so that no frame has to wait for it."""
    prepare(calibration)
    prepare_colours(calibration)
    read_following(calibration.start, calibration, FIRST, read)


class FrameReader:
    """Reads the frames of one camera one after the other: learns from them how large the dice are, and reads only what
    has changed."""

    def __init__(self, calibration: Calibration, read: Read | None = None) -> None:
        self._calibration = calibration
        self._read = read or read_frame
        self._memory = FIRST
        prepare_eyes(calibration, self._read)

    def read(self, picture: Picture) -> FrameReading:
        """Gets the reading of the next picture (H x W x 3).

        :raises CalibrationError: when the picture has not the size that was calibrated.
        """
        reading = read_following(picture, self._calibration, self._memory, self._read)
        self._memory = reading.memory
        return reading
