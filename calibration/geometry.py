"""One board in millimetres: where points, bar, trays and halves lie, and where a checker of a stack sits.

Board frame: origin at the middle of the playing field, on its surface; x to the right of seat A, y away from seat A
towards seat B, z up. Points are numbered as seat A counts them. With ``home_on_right`` her point 1 is at her right.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from pydantic import ConfigDict, NonNegativeFloat, PositiveFloat

from boardctl.rules import Place, PlaceKind, Seat

XY = tuple[float, float]
"""A place on the board plane: x and y in millimetres."""

POINTS_A_SECTION = 6
ROWS_HIGH = 5  # A stack longer than a row of five goes on in a second layer, when the point holds no more.


FLAT_BAR = 0.5
"""A bar narrower than this share of a checker holds none: it is a line or a hinge, as low as the field."""


@dataclass(frozen=True, slots=True)
class BoardGeometry:
    """The sizes of one board, all in millimetres. Defaults: a common tournament board."""

    point_width_mm: PositiveFloat = 40.5
    point_length_mm: PositiveFloat = 190.0
    field_height_mm: PositiveFloat = 430.0
    bar_width_mm: NonNegativeFloat = 41.0
    checker_diameter_mm: PositiveFloat = 38.0
    checker_height_mm: PositiveFloat = 10.0
    die_size_mm: PositiveFloat = 13.5
    rail_height_mm: NonNegativeFloat = 20.0
    bar_height_mm: NonNegativeFloat = 20.0
    rail_width_mm: NonNegativeFloat = 20.0
    tray_width_mm: NonNegativeFloat = 45.0
    home_on_right: bool = True

    # A key nobody reads is a mistake in a file.
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    @property
    def field_width_mm(self) -> float:
        """The width of the playing field from outer edge to outer edge, the bar included."""
        return 2 * POINTS_A_SECTION * self.point_width_mm + self.bar_width_mm

    @property
    def corners(self) -> tuple[XY, XY, XY, XY]:
        """The outer corners of the playing field: A's left, A's right, B's side above A's right, above A's left."""
        x, y = self.field_width_mm / 2, self.field_height_mm / 2
        return ((-x, -y), (x, -y), (x, y), (-x, y))

    @property
    def has_trays(self) -> bool:
        """Whether there are trays into which checkers are borne off."""
        return self.tray_width_mm > 0

    def with_trays(self, has_trays: bool) -> "BoardGeometry":
        """Gets the same board with trays as wide as common ones for its checkers, or without any."""
        common = BoardGeometry()
        wide = self.checker_diameter_mm * common.tray_width_mm / common.checker_diameter_mm
        return self if has_trays == self.has_trays else replace(self, tray_width_mm=wide if has_trays else 0.0)

    @property
    def with_likely_bar(self) -> "BoardGeometry":
        """The same board, its bar as low as the field where none of its checkers can lie on it (:data:`FLAT_BAR`)."""
        is_flat = self.bar_width_mm < FLAT_BAR * self.checker_diameter_mm
        return replace(self, bar_height_mm=0.0) if is_flat else self

    def point_x_mm(self, number: int) -> float:
        """Gets the x of the centre line of point ``number``.

        :raises ValueError: for a number that is not 1 to 24.
        """
        if not 1 <= number <= 24:
            raise ValueError(f"point {number}: a board has the points 1 to 24")
        from_home_edge = number - 1 if number <= 12 else 24 - number
        over_bar = self.bar_width_mm if from_home_edge >= POINTS_A_SECTION else 0.0
        x = self.field_width_mm / 2 - (from_home_edge + 0.5) * self.point_width_mm - over_bar
        return x if self.home_on_right else -x

    def is_near_row(self, number: int) -> bool:
        """Whether point ``number`` starts at seat A's edge (1 to 12) rather than at seat B's (13 to 24)."""
        return number <= 12

    def point_triangle(self, number: int) -> tuple[XY, XY, XY]:
        """Gets the two base corners and the tip of a point."""
        x = self.point_x_mm(number)
        side = -1.0 if self.is_near_row(number) else 1.0
        base_y = side * self.field_height_mm / 2
        half = self.point_width_mm / 2
        return ((x - half, base_y), (x + half, base_y), (x, base_y - side * self.point_length_mm))

    def on_point(self, number: int, index: int) -> tuple[float, float, float]:
        """Gets x, y, z of the middle of the ``index``-th checker (from 0) of an orderly stack on a point.

        The sixth to tenth checker lie on top of the first five, and so on.
        """
        layer, row = divmod(index, ROWS_HIGH)
        side = -1.0 if self.is_near_row(number) else 1.0
        from_edge = (row + 0.5) * self.checker_diameter_mm
        y = side * (self.field_height_mm / 2 - from_edge)
        return (self.point_x_mm(number), y, (layer + 0.5) * self.checker_height_mm)

    def on_bar(self, seat: Seat, index: int) -> tuple[float, float, float]:
        """Gets x, y, z of the middle of the ``index``-th checker of a seat on the bar.

        Each seat's checkers lie from the middle towards that seat's opponent, where they will enter; four to a row.
        """
        layer, row = divmod(index, 4)
        side = 1.0 if seat is Seat.A else -1.0
        y = side * (1.2 + row) * self.checker_diameter_mm
        return (0.0, y, self.bar_height_mm + (layer + 0.5) * self.checker_height_mm)

    def tray_x_mm(self) -> float:
        """Gets the x of the middle of the trays at the home side."""
        x = self.field_width_mm / 2 + self.rail_width_mm + self.tray_width_mm / 2
        return x if self.home_on_right else -x

    def in_tray(self, seat: Seat, index: int) -> tuple[float, float, float]:
        """Gets x, y, z of the middle of the ``index``-th checker in a seat's tray, standing on its edge."""
        side = -1.0 if seat is Seat.A else 1.0
        y = side * (self.field_height_mm / 2 - (index + 0.5) * self.checker_height_mm * 1.05)
        return (self.tray_x_mm(), y, self.checker_diameter_mm / 2)

    def in_waiting(self, seat: Seat, index: int) -> tuple[float, float, float]:
        """Gets x, y, z of the middle of a seat's ``index``-th checker still to be entered, standing on its edge.

        It stands in the tray opposite to the one into which the seat bears off.
        """
        x, y, z = self.in_tray(seat, index)
        return (-x, y, z)

    def middle_of(self, place: Place) -> XY:
        """Gets x and y of the middle of a point, a seat's part of the bar, or a tray."""
        if place.kind is PlaceKind.POINT:
            side = -1.0 if self.is_near_row(place.number) else 1.0
            return (self.point_x_mm(place.number), side * (self.field_height_mm - self.point_length_mm) / 2)
        if place.seat is None:
            raise ValueError(f"{place}: has no seat")
        if place.kind is PlaceKind.BAR:
            return self.on_bar(place.seat, 0)[:2]
        side = -1.0 if place.seat is Seat.A else 1.0
        return (self.tray_x_mm(), side * self.field_height_mm / 4)

    def section_of(self, x_mm: float, y_mm: float) -> Seat | None:
        """Gets the seat in whose right-hand section a spot lies; None on the bar and off the field."""
        if abs(y_mm) > self.field_height_mm / 2 or abs(x_mm) > self.field_width_mm / 2:
            return None
        if abs(x_mm) <= self.bar_width_mm / 2:
            return None
        return Seat.A if x_mm > 0 else Seat.B

    def section_mm(self, seat: Seat) -> tuple[float, tuple[float, float]]:
        """Gets on which side of the bar (1 right, -1 left) a seat's section lies, and from and to which y."""
        edge = self.field_height_mm / 2
        return (1.0 if seat is Seat.A else -1.0), (-edge, edge)
