"""How virtual installations look: colours, camera and light of each, as data."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.rules import Seat
from calibration import CameraModel

Colour = tuple[int, int, int]
"""Blue, green, red, 0 to 255, as OpenCV has them."""

Spot = tuple[float, float, float]
"""x, y, z in millimetres of the board frame."""


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp over the table and the light of the room.

    ``ambient``: the share of the room's light, 0 to 1. ``tint``: what the light multiplies blue, green and red by.
    ``shadow``: how much of the light a body's shadow takes: the lamp's share less what a wide lamp lets through.
    ``soft``: how wide the edges of shadows are; 1 of a common lamp.
    ``mirrored``: how wide the lamp is seen in what is polished: to the first slope of its upper face away from the one
    that mirrors the lamp's middle all of it, from the second on nothing.
    """

    at_mm: Spot
    ambient: float = 0.45
    exposure: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    shadow: float = 0.42
    soft: float = 1.0
    mirrored: tuple[float, float] = (0.05, 0.1)


Outline = tuple[tuple[float, float], ...]
"""A closed outline on the playing surface or a checker: x, y in millimetres of the board frame, or from the middle of
the checker."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A spot of a colour on something flat: its closed outlines, of which an inner one cuts a hole."""

    outlines_mm: tuple[Outline, ...]
    colour: Colour


@dataclass(frozen=True, slots=True)
class CheckerLook:
    """A seat's checkers: colour, how deep their dish is (0 flat to 1), how much their edges shine, how much of the
    lamp's light their upper faces mirror (0 to 1), and what is inlaid in their faces."""

    colour: Colour
    dish: float = 0.5
    gloss: float = 0.3
    polish: float = 0.0
    inlays: tuple[Patch, ...] = ()


@dataclass(frozen=True, slots=True)
class DiceLook:
    """The dice: body and pips; ``faces``: what is on the faces one to six where they are not of the common make, its
    outlines in die widths from the middle of a face; ``clear``: which part of the light goes into the body and through
    it, 0 to 1."""

    body: Colour
    pips: Colour
    faces: tuple[tuple[Patch, ...], ...] | None = None
    clear: float = 0.0


@dataclass(frozen=True, slots=True)
class Lens:
    """The camera's own faults: how far it blurs and how much noise it adds (both standard deviations)."""

    blur_px: float = 0.7
    noise: float = 2.2


Profile = tuple[tuple[float, float], ...]
"""How wide points are, in widths of points, at such shares of their length, from edge to tip: (share, width) each."""


@dataclass(frozen=True)
class Look:
    """One installation to the eye."""

    name: str
    camera: CameraModel
    field: Colour
    points: tuple[Colour, Colour]
    wood: Colour
    table: Colour
    checkers: tuple[CheckerLook, CheckerLook]
    dice: DiceLook
    skin: Colour
    sleeve: Colour
    light: Light
    second_dice: DiceLook = DiceLook((44, 34, 168), (236, 238, 238))
    """The dice of seat B, where each seat has a set of its own: red."""
    cube: DiceLook = DiceLook((222, 228, 230), (36, 30, 140))
    """The doubling cube, and the numbers on it."""
    lens: Lens = Lens()
    wooden: bool = False
    """Whether the field is of wood, along which its grain goes, not of felt or cork."""
    point_profile: Profile = ((0.0, 1.0), (1.0, 0.0))
    """The shape of points."""
    below_points: tuple[Patch, ...] = ()
    over_points: tuple[Patch, ...] = ()
    """What is painted on the playing surface before its points are, and after them."""
    on_rails: tuple[Patch, ...] = ()
    """What is inlaid in rails and bar."""
    on_table: tuple[Patch, ...] = ()
    """What the table shows around the board: the pattern of its cloth, a mat, papers."""
    field_grain: float = 5.0
    wood_grain: float = 9.0
    polish: float = 0.0
    """How much of the lamp's light the board mirrors (0 to 1): lacquered wood does, felt does not."""
    guests: tuple[CheckerLook, CheckerLook] = (
        CheckerLook((40, 168, 236), 0.4, 0.25),
        CheckerLook((196, 112, 40), 0.4, 0.25),
    )
    """The checkers of seats C and D: amber and blue."""

    def dice_of(self, owner: Seat | None) -> DiceLook:
        """Gets what the dice of a seat look like; None: the set that both throw, which otherwise is seat A's."""
        return self.second_dice if owner is Seat.B else self.dice

    def checker(self, seat: Seat) -> CheckerLook:
        """Gets what the checkers of a seat look like."""
        return dict(zip(Seat, (*self.checkers, *self.guests), strict=True))[seat]


def camera_over(
    at_mm: Spot,
    toward_mm: Spot,
    focal_px: float,
    *,
    roll_deg: float = 0.0,
    size_px: tuple[int, int] = (1280, 720),
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0),
    off_center_px: tuple[float, float] = (0.0, 0.0),
) -> CameraModel:
    """Gets a camera at ``at_mm`` that looks toward ``toward_mm``, seat A at the lower edge of its picture.

    ``roll_deg`` turns it about its own axis. ``focal_px`` holds for both directions.
    """
    eye, aim = np.array(at_mm), np.array(toward_mm)
    forward = (aim - eye) / np.linalg.norm(aim - eye)
    # Seat A sits at -y and is to be at the bottom: the picture's down is where -y goes.
    right = np.cross(forward, np.array([0.0, 1.0, 0.0]))
    right = right / np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = math.radians(roll_deg)
    turned_right = math.cos(roll) * right + math.sin(roll) * down
    turned_down = -math.sin(roll) * right + math.cos(roll) * down
    rotation = np.stack([turned_right, turned_down, forward])
    vector = rotation_vector(rotation)
    translation = -rotation @ eye
    width, height = size_px
    return CameraModel(
        width_px=width,
        height_px=height,
        focal_x_px=focal_px,
        focal_y_px=focal_px,
        center_x_px=(width - 1) / 2 + off_center_px[0],
        center_y_px=(height - 1) / 2 + off_center_px[1],
        distortion=distortion,
        rotation_vector=vector,
        translation_mm=(float(translation[0]), float(translation[1]), float(translation[2])),
    )


def rotation_vector(rotation: NDArray[np.float64]) -> Spot:
    """Gets the rotation vector (OpenCV's axis times angle) of a 3x3 rotation."""
    vector = cv2.Rodrigues(rotation)[0].ravel()
    return (float(vector[0]), float(vector[1]), float(vector[2]))


_SKIN: Colour = (122, 152, 205)

GREEN_FELT = Look(
    name="green-felt",
    camera=camera_over(
        (40.0, -110.0, 960.0),
        (8.0, 4.0, 0.0),
        1190.0,
        roll_deg=0.9,
        distortion=(0.05, 0.01, 0.0, 0.0, 0.0),
        off_center_px=(-3.0, 4.0),
    ),
    field=(62, 102, 26),
    points=((34, 30, 148), (172, 200, 206)),
    wood=(38, 52, 78),
    table=(48, 62, 84),
    checkers=(CheckerLook((202, 222, 230), 0.35, 0.15), CheckerLook((36, 30, 29), 0.8, 0.5)),
    dice=DiceLook((238, 242, 244), (28, 26, 30)),
    skin=_SKIN,
    sleeve=(96, 58, 34),
    light=Light((-260.0, 420.0, 1150.0), ambient=0.45, exposure=1.02, tint=(0.94, 1.0, 1.03)),
)

WALNUT = Look(
    name="walnut",
    camera=camera_over(
        (-30.0, -190.0, 1010.0), (0.0, -6.0, 0.0), 1230.0, roll_deg=-1.6, distortion=(-0.06, 0.03, 0.0, 0.0, 0.0)
    ),
    field=(96, 132, 168),
    points=((48, 66, 104), (172, 196, 214)),
    wood=(36, 58, 98),
    table=(120, 128, 132),
    checkers=(CheckerLook((188, 214, 226), 0.2, 0.25), CheckerLook((32, 34, 52), 0.3, 0.4)),
    dice=DiceLook((226, 236, 240), (30, 28, 32)),
    skin=(140, 170, 222),
    sleeve=(60, 66, 72),
    light=Light((420.0, 180.0, 1300.0), ambient=0.55, tint=(0.9, 0.99, 1.05)),
    lens=Lens(0.6, 2.6),
    field_grain=4.0,
)

BLUE_FELT = Look(
    name="blue-felt",
    camera=camera_over(
        (110.0, 30.0, 1020.0), (10.0, 0.0, 0.0), 1240.0, roll_deg=2.4, distortion=(-0.12, 0.02, 0.0, 0.0, 0.0)
    ),
    field=(112, 62, 34),
    points=((58, 118, 190), (196, 202, 208)),
    wood=(52, 50, 50),
    table=(88, 110, 138),
    checkers=(CheckerLook((222, 230, 234), 0.45, 0.3), CheckerLook((36, 34, 142), 0.45, 0.35)),
    dice=DiceLook((232, 240, 244), (26, 24, 26)),
    skin=(104, 132, 188),
    sleeve=(70, 40, 110),
    light=Light((120.0, -360.0, 1250.0), ambient=0.5, tint=(1.02, 1.0, 0.98)),
    lens=Lens(0.75, 2.0),
)

CORK = Look(
    name="cork",
    camera=camera_over(
        (-160.0, -60.0, 1060.0), (6.0, 2.0, 0.0), 1290.0, roll_deg=-3.0, distortion=(0.03, -0.04, 0.0, 0.0, 0.0)
    ),
    field=(118, 160, 192),
    points=((64, 92, 62), (80, 72, 156)),
    wood=(40, 66, 110),
    table=(58, 54, 52),
    checkers=(CheckerLook((214, 222, 226), 0.3, 0.2), CheckerLook((92, 50, 34), 0.4, 0.3)),
    dice=DiceLook((34, 32, 32), (232, 238, 240)),
    skin=(92, 116, 160),
    sleeve=(160, 158, 150),
    light=Light((-380.0, -240.0, 1100.0), ambient=0.5, tint=(0.96, 1.0, 1.0)),
    lens=Lens(0.65, 3.0),
    field_grain=9.0,
)

LOOKS: dict[str, Look] = {look.name: look for look in (GREEN_FELT, WALNUT, BLUE_FELT, CORK)}
"""Every look by its name; the first is the one that ``demo`` uses."""
