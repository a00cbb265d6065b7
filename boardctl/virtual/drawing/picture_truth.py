"""What is truly seen in a drawn picture, as a record of the kind that rendered pictures come with.

The keys are those that ``boardctl.vision.measuring.readings`` and ``boardctl.vision.training`` read, so that drawn
pictures are counted, and can be learned from, as rendered ones are.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from boardctl.referee.readings import Support
from boardctl.rules import Place, PlaceKind, Seat, bar, point, tray
from boardctl.virtual.dice import Die
from boardctl.virtual.drawing.bodies import die_corners_mm, footprint_mm, top_mm
from boardctl.virtual.drawing.brush import Picture, fill, fill_any, hull, mask_of
from boardctl.virtual.drawing.hands import outlines_px
from boardctl.virtual.drawing.render import checkers_before
from boardctl.virtual.drawing.stage import Stage
from boardctl.virtual.drawing.things import dice_in, narrowest_mm, outline_px
from boardctl.virtual.world import Checker, World

Floats = NDArray[np.float64]

HIDDEN = 0.15
"""Of what hands or things cover more than this share, that is hidden: as in the truth of the rendered pictures."""

HIDES = 0.5
"""What is narrower than this part of a checker hides none."""

LEVEL_INSIDE = 127
"""Level of a mask (0 to 255) above which a place is in it."""

OUTLINE_OFF_PX = 0.7
"""How far an outline that is told may be from where it is."""

SPOTS = 6
"""Spots along the middle of a bare place that tell how much of it is covered."""

SEATS = (Seat.A, Seat.B)

MM_A_CM = 10.0
SIZES = (
    "point_width",
    "point_length",
    "field_height",
    "bar_width",
    "checker_diameter",
    "checker_height",
    "die_size",
    "rail_height",
    "bar_height",
    "rail_width",
    "tray_width",
)
"""Sizes of a board that its truth tells."""


def record_of(stage: Stage, world: World, roller: Seat, cube_at: str, covered: Picture | None = None) -> dict[str, Any]:
    """Gets the truth of a world as a stage's camera sees it. ``cube_at``: ``center``, ``A``, ``B`` or ``field``.

    ``covered`` (height x width, 255 there): where what hides the board is seen, if that is not just the hands and
    things that the stage draws.
    """
    return _Record(stage, world, covered_in(stage, world) if covered is None else covered).told(roller, cube_at)


def covered_in(stage: Stage, world: World) -> Picture:
    """Gets where hands and things are seen that a stage draws (height x width, 255 there)."""
    covered = covered_by_things(stage, world)
    for hand in world.hands:
        for outline in outlines_px(stage, hand):
            fill_any(covered, outline, (255,))
    return covered


def covered_by_things(stage: Stage, world: World) -> Picture:
    """Gets where things are seen that lie on the board or beside it (height x width, 255 there), but such as a pen,
    below which nothing can lie unseen."""
    covered = np.zeros((stage.camera.height_px, stage.camera.width_px), dtype=np.uint8)
    for thing in world.things:
        if narrowest_mm(thing) >= HIDES * stage.geometry.checker_diameter_mm:
            fill(covered, outline_px(stage, thing), (255,))
    return covered


class _Record:
    def __init__(self, stage: Stage, world: World, covered: Picture) -> None:
        self._stage, self._world, self._geometry = stage, world, stage.geometry
        self._size = (stage.camera.width_px, stage.camera.height_px)
        self._covered, self._any_covered = covered, bool(covered.any())

    def told(self, roller: Seat, cube_at: str) -> dict[str, Any]:
        world, corners = self._world, self._px([(x, y, 0.0) for x, y in self._geometry.corners])
        names = ("A_left", "A_right", "B_right_of_A_view", "B_left_of_A_view")
        cube = world.cube
        return {
            "points": {str(number): self._point(number) for number in range(1, 25)},
            "bar": {seat.value: len(world.at(bar(seat))) for seat in SEATS},
            "off": {seat.value: len(world.at(tray(seat))) for seat in SEATS},
            "bar_occluded": self._hidden(world.at(bar(Seat.A)) + world.at(bar(Seat.B)), self._along_bar()),
            "tray_occluded": {seat.value: self._hidden(world.at(tray(seat)), self._along_tray(seat)) for seat in SEATS},
            "dice": [self._die(die, roller) for die in world.dice] + self._held(roller),
            "cube": None
            if cube is None
            else {
                "value": cube.value,
                "owner": cube_at,
                "center_px": self._px([(cube.x_mm, cube.y_mm, cube.z_mm)])[0],
            },
            "hand": {"player_side": world.hands[0].seat.value} if world.hands else None,
            "covers_px": self._covers(),
            "checkers": [self._checker(one) for one in world.checkers],
            "camera": self._camera(),
            "geometry_cm": self._sizes(),
            "roller": roller.value,
            "home_side_is_A_right": self._geometry.home_on_right,
            "field_corners_px": dict(zip(names, corners, strict=True)),
        }

    def _covers(self) -> list[list[list[int]]]:
        """Gets the outlines of what hides the board: hands and things."""
        seen = np.where(self._covered > LEVEL_INSIDE, 255, 0).astype(np.uint8)
        outlines, _ = cv2.findContours(seen, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        return [cv2.approxPolyDP(outline, OUTLINE_OFF_PX, closed=True)[:, 0].tolist() for outline in outlines]

    def _point(self, number: int) -> dict[str, Any]:
        here: Place = point(number)
        there = self._world.at(here)
        left, right, tip = self._geometry.point_triangle(number)
        base = ((left[0] + right[0]) / 2, left[1])
        base_px, tip_px = self._px([(*base, 0.0), (*tip, 0.0)])
        hidden = self._hidden_share(there, _between(base, tip))
        return {
            "color": there[0].seat.value if there else None,
            "count": len(there),
            "base_px": base_px,
            "tip_px": tip_px,
            "occluded": hidden > HIDDEN,
            "occluded_frac": round(hidden, 4),
        }

    def _checker(self, one: Checker) -> dict[str, Any]:
        """Gets where a checker counts, on how many others it lies, and where the middle of its top is seen."""
        at: int | str = one.place.number
        if one.place.kind is not PlaceKind.POINT:
            at = "bar" if one.place.kind is PlaceKind.BAR else "off"
        floor = self._geometry.bar_height_mm if at == "bar" else 0.0
        layer = 0 if one.on_edge else round((one.z_mm - floor) / self._geometry.checker_height_mm - 0.5)
        [px] = self._px([(one.x_mm, one.y_mm, top_mm(self._stage, one))])
        return {"player": one.seat.value, "at": at, "layer": layer, "px": px, "on_edge": one.on_edge}

    def _camera(self) -> dict[str, Any]:
        camera = self._stage.camera
        return {
            "width": camera.width_px,
            "height": camera.height_px,
            "fx": camera.focal_x_px,
            "fy": camera.focal_y_px,
            "cx": camera.center_x_px,
            "cy": camera.center_y_px,
            "dist_k1k2p1p2k3": list(camera.distortion),
            "R_world_to_cam": camera.rotation.tolist(),
            "C_world_cm": (camera.position_mm / MM_A_CM).tolist(),
        }

    def _sizes(self) -> dict[str, float]:
        return {name: getattr(self._geometry, f"{name}_mm") / MM_A_CM for name in SIZES}

    def _along_bar(self) -> Floats:
        end = self._geometry.field_height_mm / 2
        return _between((0.0, -end), (0.0, end), self._geometry.bar_height_mm)

    def _along_tray(self, seat: Seat) -> Floats:
        x, end = self._geometry.tray_x_mm(), self._geometry.field_height_mm / 2
        return _between((x, 0.0), (x, -end if seat is Seat.A else end))

    def _hidden(self, checkers: Iterable[Checker], bare: Floats) -> bool:
        """Whether hands or things cover too much of checkers, or of the spots (N x 3) of a place where none lie."""
        return self._hidden_share(checkers, bare) > HIDDEN

    def _hidden_share(self, checkers: Iterable[Checker], bare: Floats) -> float:
        """Gets how much of some checkers hands or things cover, or of the spots (N x 3) of a place where none lie."""
        if not self._any_covered:
            return 0.0
        shapes = [self._outline(one) for one in checkers]
        if shapes:
            mask = mask_of(self._size, shapes) > LEVEL_INSIDE
            return float((self._covered[mask] > LEVEL_INSIDE).mean())
        spots = np.clip(np.round(self._px(bare)).astype(int), 0, np.array(self._size) - 1)
        return float((self._covered[spots[:, 1], spots[:, 0]] > LEVEL_INSIDE).mean())

    def _outline(self, one: Checker) -> Floats:
        top = top_mm(self._stage, one)
        body = np.concatenate([footprint_mm(self._stage, one, z) for z in (2 * one.z_mm - top, top)])
        return hull(self._stage.camera.project(body))

    def _die(self, die: Die, roller: Seat) -> dict[str, Any]:
        corners = self._stage.camera.project(die_corners_mm(self._stage, die))
        inside = (corners >= 0).all() and (corners < np.array(self._size)).all()
        section = self._geometry.section_of(die.x_mm, die.y_mm)
        return {
            "value": die.value,
            "flat": die.flat,
            "tilt_deg": die.tilt_deg,
            "on": die.on.value,
            "where": "off_board" if die.on is Support.OFF_BOARD else "right" if section is roller else "left",
            "kind": die.kind.value,
            "legal": die.valid_for(roller, self._geometry),
            "in_play": True,
            "in_image": bool(inside),
            "visible_frac": self._visible(die, hull(corners)),
            "center_px": self._px([(die.x_mm, die.y_mm, die.z_mm)])[0],
            "corners_px": corners.round(2).tolist(),
        }

    def _held(self, roller: Seat) -> list[dict[str, Any]]:
        """Gets the dice in cups: no part of a throw."""
        dice = chain.from_iterable(dice_in(thing) for thing in self._world.things)
        aside = {"on": Support.THING.value, "where": "cup", "legal": False, "in_play": False}
        return [self._die(die, roller) | aside for die in dice]

    def _visible(self, die: Die, outline: Floats) -> float:
        body = mask_of(self._size, [outline]) > LEVEL_INSIDE
        before = checkers_before(self._stage, self._world, die)
        hidden = (self._covered > LEVEL_INSIDE) | (
            mask_of(self._size, [self._outline(one) for one in before]) > LEVEL_INSIDE
        )
        return float(1.0 - hidden[body].mean()) if body.any() else 0.0

    def _px(self, places_mm: Any) -> list[list[float]]:
        pixels: list[list[float]] = self._stage.camera.project(places_mm).round(2).tolist()
        return pixels


def _between(start: tuple[float, float], end: tuple[float, float], z_mm: float = 0.0) -> Floats:
    """Gets spots (N x 3) evenly spaced from one place to another, not at its very ends."""
    share = (np.arange(SPOTS)[:, None] + 0.5) / SPOTS
    flat = np.array([start]) + (np.array([end]) - np.array([start])) * share
    return np.column_stack([flat, np.full(SPOTS, z_mm)])
