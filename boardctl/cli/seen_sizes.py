"""How wide checkers and dice come out in a camera's pictures, and what that means for reading them."""

from dataclasses import dataclass

from calibration import Calibration

LEAST_DIE_PX, GOOD_DIE_PX = 14, 20
"""Smaller dice may be refused by the reader; from the second on they are read at full rate."""

CLOSER = "take a larger picture, or hang the camera lower"


@dataclass(frozen=True, slots=True)
class SeenSizes:
    """Widths in pixels of a checker and of a die in the middle of the board; ``die_of_checker``: the width of dice that
    is assumed, in checkers; None where somebody has measured it."""

    checker_px: float
    die_px: float
    die_of_checker: float | None

    @property
    def is_enough(self) -> bool:
        """Whether dice are so wide that their values are told."""
        return self.die_px >= LEAST_DIE_PX

    @property
    def advice(self) -> str:
        """What that means and what would be better; nothing where all is well."""
        if not self.is_enough:
            return f"at least {LEAST_DIE_PX} px are needed to tell what dice show: {CLOSER}"
        return f"{GOOD_DIE_PX} px and more are read best: {CLOSER}" if self.die_px < GOOD_DIE_PX else ""


def seen_sizes(calibration: Calibration) -> SeenSizes:
    """Gets how wide checkers and dice come out."""
    geometry = calibration.geometry
    assumed = None if calibration.die_size_given else geometry.die_size_mm / geometry.checker_diameter_mm
    camera = calibration.camera
    return SeenSizes(camera.seen_px(geometry.checker_diameter_mm), camera.seen_px(geometry.die_size_mm), assumed)
