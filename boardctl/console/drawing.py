"""The board as shapes in millimetres, from what the lights' own drawings compute."""

from collections.abc import Iterator

from boardctl.console.page_state import (
    BoardDrawn,
    BoardShape,
    CheckerDrawn,
    CubeDrawn,
    DieDrawn,
    LampDrawn,
    PointDrawn,
    SignExplained,
)
from boardctl.console.telling import Telling
from boardctl.lights import Grammar, signs_shown, standard_grammar
from boardctl.lights.colour_vision import screen_colour
from boardctl.lights.on_board import TRAY_OF
from boardctl.lights.picture_board import LAYER_SHIFT_MM, die_center_mm
from boardctl.lights.picture_lights import light_place
from boardctl.lights.scene_frame import Spot, leds_of
from boardctl.lights.terminal import SYMBOLS
from boardctl.referee.effects import Scene, Sign
from boardctl.rules import Game, Place, PlaceKind, Placement, Seat, Stack, tray
from calibration.geometry import ROWS_HIGH, BoardGeometry
from firmware_bridge import ChainLayout

_CUBE_FROM_EDGE_MM = 18.0


def board_shape(geometry: BoardGeometry, game: Game) -> BoardShape:
    """Gets the empty board as a game uses it."""
    half_height, rail = geometry.field_height_mm / 2, geometry.rail_width_mm
    points = (
        PointDrawn(
            number=number,
            corners=geometry.point_triangle(number),
            label_y=(-1.0 if geometry.is_near_row(number) else 1.0) * (half_height + rail / 2),
        )
        for number in range(1, 25)
    )
    return BoardShape(
        half_width=geometry.field_width_mm / 2,
        half_height=half_height,
        rail=rail,
        bar_width=geometry.bar_width_mm,
        checker_radius=geometry.checker_diameter_mm / 2,
        checker_height=geometry.checker_height_mm,
        die_size=geometry.die_size_mm,
        tray_x=geometry.tray_x_mm(),
        tray_width=geometry.tray_width_mm,
        waiting=any(place.kind is PlaceKind.WAITING for place in game.places),
        points=tuple(points),
    )


class BoardDrawing:
    """Draws what lies on one board: with its geometry, where its lights are, and what they mean."""

    def __init__(self, geometry: BoardGeometry, layout: ChainLayout, grammar: Grammar | None = None) -> None:
        self.geometry = geometry
        self._layout = layout
        self._grammar = grammar or standard_grammar()

    def __call__(self, told: Telling) -> BoardDrawn:
        """Gets the shapes of what is told of a table."""
        geometry = self.geometry
        dice = []
        for index, die in enumerate(told.dice):
            x, y = die_center_mm(geometry, die, index, len(told.dice))
            dice.append(DieDrawn(x=_mm(x), y=_mm(y), angle_deg=_mm(die.angle_deg), value=die.value, flat=die.flat))
        return BoardDrawn(
            checkers=tuple(one for place, stack in told.placement.items() for one in self._stack(place, stack)),
            dice=tuple(dice),
            lamps=tuple(self._lamps(told.scene)),
            legend=tuple(self._legend(told.scene)),
            cube=None if told.cube is None else self._cube(*told.cube),
            words=words_of(told.placement),
        )

    def _stack(self, place: Place, stack: Stack) -> Iterator[CheckerDrawn]:
        beside = place.kind in (PlaceKind.TRAY, PlaceKind.WAITING)
        spots: list[tuple[float, float]] = []
        for index, seat in enumerate(stack):
            x, y = self._spot(place, index, seat)
            # A checker on top of others is shifted a little, so that those below stay visible.
            layers = 0 if beside else spots.count((x, y))
            spots.append((x, y))
            topmost = index == len(stack) - 1
            yield CheckerDrawn(
                x=_mm(x + LAYER_SHIFT_MM * layers),
                y=_mm(y + LAYER_SHIFT_MM * layers),
                seat=seat.value,
                edge=beside,
                label=str(len(stack)) if topmost and (len(stack) > ROWS_HIGH or beside) else "",
            )

    def _spot(self, place: Place, index: int, seat: Seat) -> tuple[float, float]:
        geometry, owner = self.geometry, place.seat or seat
        if place.kind is PlaceKind.POINT:
            return geometry.on_point(place.number, index)[:2]
        if place.kind is PlaceKind.BAR:
            return geometry.on_bar(owner, index)[:2]
        if place.kind is PlaceKind.TRAY:
            return geometry.in_tray(owner, index)[:2]
        return geometry.in_waiting(owner, index)[:2]

    def _lamps(self, scene: Scene) -> Iterator[LampDrawn]:
        for spot, lit in signs_shown(scene, self._grammar).items():
            for end, sign in lit.items():
                pattern = self._grammar.signs[sign].pattern(end)
                if "o" in pattern and leds_of(spot, end, self._layout):
                    x, y = light_place(self.geometry, _lit_at(spot), end)
                    yield LampDrawn(
                        x=_mm(x), y=_mm(y), colour=self._colour(sign), pattern=pattern, symbol=SYMBOLS[sign]
                    )

    def _legend(self, scene: Scene) -> Iterator[SignExplained]:
        present = {sign for lit in signs_shown(scene, self._grammar).values() for sign in lit.values()}
        for sign in (sign for sign in Sign if sign in present):
            means = self._grammar.signs[sign].means
            yield SignExplained(symbol=SYMBOLS[sign], colour=self._colour(sign), means=means)

    def _colour(self, sign: Sign) -> str:
        red, green, blue = screen_colour(self._grammar.levels(sign))
        return f"#{red:02x}{green:02x}{blue:02x}"

    def _cube(self, value: int, owner: Seat | None) -> CubeDrawn:
        side = {Seat.A: -1.0, Seat.B: 1.0}.get(owner, 0.0) if owner is not None else 0.0
        y = side * (self.geometry.field_height_mm / 2 - _CUBE_FROM_EDGE_MM)
        return CubeDrawn(value=value, owner=owner.value if owner else None, x=0.0, y=_mm(y))


def _lit_at(spot: Spot) -> Spot:
    """Gets where the lights of a spot lie: those of the third and the fourth seat are a tray's."""
    return tray(TRAY_OF[spot]) if isinstance(spot, Seat) and spot in TRAY_OF else spot


def words_of(placement: Placement) -> str:
    """Gets a position in words: place by place how many checkers of whom."""
    places = sorted(placement, key=lambda place: (list(PlaceKind).index(place.kind), place.number, str(place.seat)))
    return "; ".join(
        f"{place}: " + ", ".join(f"{stack.count(seat)} {seat}" for seat in Seat if seat in stack)
        for place, stack in ((place, placement.at(place)) for place in places)
    )


def _mm(value: float) -> float:
    return round(value, 1)
