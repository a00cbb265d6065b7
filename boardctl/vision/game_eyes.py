"""The eyes for each game: the same camera and the same networks, with the places where that game has its checkers."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np

from boardctl.referee.readings import BoardReading, DiceReading, DieReading, Hand, PlaceReading, Witness
from boardctl.rules import Game, Place, PlaceKind, Seat, point
from boardctl.rules.traits import leaves_last_first
from boardctl.vision.board import BoardSeen as SeenOnBoard
from boardctl.vision.dice.calibrated import read_dice
from boardctl.vision.dice.colour import coloured
from boardctl.vision.dice.covered import doubted_near_hands
from boardctl.vision.frame import FrameReader, FrameReading, Memory
from boardctl.vision.light.burning_lights import without_lights
from boardctl.vision.light.cut_levels import Levels, shown_by
from boardctl.vision.light.even_light import even_light, in_even_light
from boardctl.vision.points.brightness import brightness
from boardctl.vision.points.column_input import changed_strips
from boardctl.vision.points.columns import (
    POINTS,
    SLOTS,
    Cutter,
    Picture,
    ReferenceStrips,
    cutter,
    tops_of_row,
)
from boardctl.vision.points.flat_bar import bar_logits, in_middle, unseen_on
from boardctl.vision.points.hands import HandsTold, told_hands
from boardctl.vision.points.mixed import joined, mixed_reading
from boardctl.vision.points.off_centre import PLAIN, put_in_rows
from boardctl.vision.points.reading import (
    BARE,
    Floats,
    PointsSeen,
    as_far_as_bare,
    bar_readings,
    sure_strips,
)
from boardctl.vision.points.seat_palette import seat_palette
from boardctl.vision.points.slot_colours import Colours, colour_chances
from boardctl.vision.points.strip_reading import StripsSeen, see_strips
from boardctl.vision.trays.reading import EMPTY, LOOKED_AT_ROWS, see_trays
from boardctl.vision.trays.rows import tray_places_mm
from calibration import BoardGeometry, Calibration, CalibrationError, bar_columns, board_for, is_played_on_quarter
from calibration.drift import relit
from calibration.follow import seen_from
from calibration.installation import INSTALLATIONS_KEPT
from calibration.light.shadows import sight_of

Eyes = Callable[[Picture], FrameReading]
"""What reads a picture (H x W x 3)."""

_RIGHT = (Seat.A, Seat.B)

ANYBODYS = 0.0
"""How plain it must be whose a checker is (logarithm of odds) where checkers of both seats lie in one row."""


def must_be_shown(game: Game) -> bool:
    """Whether the eyes need a picture of a game's starting position: a calibration knows the checkers of two seats."""
    return len(game.seats) > len(_RIGHT)


def eyes_for(game: Game, calibration: Calibration, start: Picture | None = None) -> Eyes:
    """Gets what reads the pictures of a game at a calibrated board.

    ``start``: a picture (H x W x 3) of the game's own starting position, from which the colours of the third and the
    fourth seat are learned.

    :raises CalibrationError: when more than two seats play and there is no such picture, it has another size, or it
        does not show the checkers of these seats where they start.
    """
    if not is_played_on_quarter(game) and not leaves_last_first(game):
        return FrameReader(calibration).read
    eyes = _game_eyes(game, calibration, start)
    if start is not None and must_be_shown(game):
        _check_shown(start, eyes)
    return FrameReader(calibration, partial(_read, eyes=eyes)).read


@dataclass(frozen=True, eq=False)
class _GameEyes:
    """What reading a game's pictures needs, made once. Each is equal to itself alone."""

    game: Game
    calibration: Calibration
    board: BoardGeometry
    reference: ReferenceStrips
    colours: Colours
    start: Picture | None


def _game_eyes(game: Game, calibration: Calibration, start: Picture | None) -> _GameEyes:
    even = even_light(calibration)
    bright = brightness(calibration if even is None else even.calibration)
    reference = bright.reference
    board = board_for(game, calibration.geometry)
    colours = Colours(_RIGHT, (reference.palette,))
    guests = game.seats[2:]
    if guests:
        if start is None:
            raise CalibrationError(
                f"{game.name} has {len(game.seats)} seats: the colours of {' and '.join(guests)} are not known; "
                "give a picture of its starting position"
            )
        calibration.check_size(start, f"the picture of the starting position of {game.name}")
        shown = reference.cutter.cut(bright.picture(in_even_light(start, calibration)[0]))
        tops = [tops_of_row(shown[bar_columns(game)[seat][0] - 1], game.checkers_a_seat) for seat in guests]
        guests_palette = seat_palette(tops[0], tops[1], reference.empty.reshape(-1, 3))
        colours = Colours(game.seats, (reference.palette, guests_palette))
        reference = replace(reference, palette=colours.merged())
    return _GameEyes(game, calibration, board, reference, colours, start)


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _seen_otherwise(eyes: _GameEyes, calibration: Calibration, levels: Levels) -> _GameEyes:
    """Gets the same eyes by another calibration of the same table: of a camera that has moved, or with pictures of
    which levels are cut off."""
    start = eyes.start
    if start is not None:
        camera, taken_by = calibration.camera, eyes.calibration.camera
        start = levels.cut(start if camera == taken_by else seen_from(camera, start, taken_by))
    return _game_eyes(eyes.game, calibration, start)


def _check_shown(start: Picture, eyes: _GameEyes) -> None:
    """Makes sure that the checkers from which colours were learned lie there.

    :raises CalibrationError: when they do not.
    """
    reading = _read(start, eyes.calibration, Memory(), eyes)
    read = reading.board.by_place
    stacks = eyes.game.start().placement().items()
    guests = {place: stack for place, stack in stacks if place.seat in eyes.game.seats[len(_RIGHT) :]}
    missing = [place for place, stack in guests.items() if place not in read or read[place].best != stack]
    if missing or reading.hand:
        where = ", ".join(map(str, missing)) or "a hand is in it"
        raise CalibrationError(
            f"the first picture does not show the starting position of {eyes.game.name}, from which the colours of its "
            f"checkers are learned ({where}); set up the board and begin again"
        )


def _read(picture: Picture, calibration: Calibration, before: Memory, eyes: _GameEyes) -> FrameReading:
    calibration.check_size(picture)
    sight = sight_of(picture, calibration)
    view = sight.view
    if not view.holds:
        return FrameReading.unread(view, Memory(before.die_size))
    relighted = relit(without_lights(sight.picture, calibration, view.gains), view)
    last = None if before.board is None else before.board.points
    within = shown_by(relighted, calibration, sight.brightest * max(view.gains), before.darkest / min(view.gains))
    if within.calibration is not eyes.calibration:
        eyes = _seen_otherwise(eyes, within.calibration, within.levels)
    lit, even = in_even_light(within.picture, within.calibration)
    bright = brightness(even)
    shown = bright.picture(lit)
    strips = eyes.reference.cutter.cut(shown)
    seen_strips = see_strips(strips, eyes.reference, None if last is None else last.strips, sure_strips(last))
    plain = ANYBODYS if leaves_last_first(eyes.game) else PLAIN
    seen_strips, in_rows = put_in_rows(shown, bright.calibration, eyes.reference, strips, seen_strips, plain)
    told = told_hands(lit, even, seen_strips.logits)
    hand = told.any_over
    colours = _colours(eyes, in_rows, seen_strips, None if last is None else last.colours)
    points = _points(eyes, colours, seen_strips, told)
    said = bar_logits(told.logits, even.geometry)
    on_bar = bar_readings(said, unseen_on(even.geometry), in_middle(seen_strips, said))
    bars = (told.read(reading, POINTS, POINTS + 1) for reading in on_bar)
    on_board = PointsSeen((*points, *bars), hand, seen_strips, told.hands, colours=colours)
    trays = see_trays(lit, even, None if before.board is None else before.board.trays)
    lying = within.doubted(BoardReading(Witness.CAMERA, (*on_board.places, *trays.readings), hand))
    seen = {reading.place: reading for reading in lying.places}
    found = read_dice(sight.picture, calibration, lying, before.die_size, before.dice, sight.halved)
    left = _left_trays(lit, even)
    places = tuple(_place(eyes, place, seen, left) for place in eyes.game.places)
    dice = within.doubted_dice(found.dice, found.size.mm)
    dice = doubted_near_hands(dice, relighted, calibration, lying, found.size.mm)
    dice_read = _sectioned(coloured(dice, relighted, calibration, found.size.mm), eyes)
    board = BoardReading(Witness.CAMERA, places, hand, found.cube, _hands(told.hands, eyes.game))
    memory = Memory(found.size, SeenOnBoard(on_board, trays), found.memory)
    return FrameReading(board, dice_read, hand, view, memory)


def _colours(eyes: _GameEyes, strips: Picture, seen: StripsSeen, before: Floats | None) -> Floats:
    """Gets how likely the checker in each slot of a point, if there is one, is each seat's (24 x seats x slots), from
    strips with every checker where it should lie; of those that have not changed as in the frame ``before``."""
    colours = np.zeros((POINTS, len(eyes.colours.seats), SLOTS)) if before is None else before.copy()
    chosen = np.flatnonzero(seen.asked[:POINTS] if before is not None else seen.looked_at[:POINTS])
    if len(chosen):
        colours[chosen] = colour_chances(strips[chosen], eyes.colours)
    return colours


def _points(eyes: _GameEyes, colours: Floats, seen: StripsSeen, told: HandsTold) -> list[PlaceReading]:
    """Gets the readings of the points from the colours of their slots (24 x seats x slots)."""
    points = [PlaceReading(point(number), BARE) for number in range(1, POINTS + 1)]
    shared = leaves_last_first(eyes.game)
    for strip in np.flatnonzero(seen.looked_at[:POINTS]).tolist():
        mixed = mixed_reading(point(strip + 1), told.logits[strip], colours[strip], eyes.colours.seats, shared)
        points[strip] = as_far_as_bare(told.read(mixed, strip), seen, eyes.reference)
    return [*told.doubted_beside(points)]


def _hands(hands: tuple[Hand, ...], game: Game) -> tuple[Hand, ...]:
    """Gets the hands over the places of a game. Where more than two play, it is open whose a hand is: they sit beside
    each other, or at the short sides."""
    two = len(game.seats) == len(_RIGHT)
    known = set(game.places)
    return tuple(
        Hand(hand.entry if two else None, tuple(place for place in hand.places if place in known)) for hand in hands
    )


def _place(eyes: _GameEyes, place: Place, seen: dict[Place, PlaceReading], left: dict[Seat, bool]) -> PlaceReading:
    """Gets the reading of a place of the game from what was read of the board."""
    seat = place.seat
    if seat is None:
        return seen[place]
    columns = bar_columns(eyes.game).get(seat, ())
    if place.kind is PlaceKind.BAR and columns:
        return joined(place, [seen[point(column)] for column in columns], seat)
    if place.kind is PlaceKind.WAITING or seat not in _RIGHT:
        # Seats C and D bear off into the trays at the left; checkers wait in them to be entered in the Blocking games.
        is_empty = left[Seat.A if seat in (Seat.A, Seat.D) else Seat.B]
        return PlaceReading(place, EMPTY if is_empty else (), hidden=not is_empty)
    return seen[place]


def _sectioned(dice: Iterable[DieReading], eyes: _GameEyes) -> DiceReading:
    """Gets the dice with the seats in whose sections of this game's board they lie."""
    return DiceReading(
        tuple(
            die if die.section is None else replace(die, section=eyes.board.section_of(*die.center_mm)) for die in dice
        )
    )


def _left_trays(picture: Picture, calibration: Calibration) -> dict[Seat, bool]:
    """Gets whether the trays opposite to the home side, on A's side and on B's, look as on the empty board; not,
    where there are none."""
    if not calibration.geometry.has_trays:
        return dict.fromkeys(_RIGHT, False)
    tool, empty = _left_tray_strips(calibration)
    strips = np.ascontiguousarray(tool.cut(picture)[:, :LOOKED_AT_ROWS])
    changed = set(changed_strips(strips, empty).tolist())
    return {seat: which not in changed for which, seat in enumerate(_RIGHT)}


@lru_cache(maxsize=INSTALLATIONS_KEPT)
def _left_tray_strips(calibration: Calibration) -> tuple[Cutter, Picture]:
    geometry = calibration.geometry
    mirrored = [tray_places_mm(geometry, seat) * np.array([-1.0, 1.0]) for seat in _RIGHT]
    tool = cutter(calibration.camera, [(places, geometry.checker_height_mm) for places in mirrored])
    return tool, np.ascontiguousarray(tool.cut(calibration.empty)[:, :LOOKED_AT_ROWS])
