"""A look whose seats differ in lightness alone."""

from dataclasses import replace

from boardctl.virtual.looks import LOOKS, CheckerLook, Look


def brown() -> Look:
    """Gets a look whose checkers are light and dark wood: only by how light they are can they be told apart."""
    look = LOOKS["walnut"]
    light, dark = CheckerLook((110, 150, 190), 0.3, 0.1), CheckerLook((55, 75, 95), 0.3, 0.1)
    return replace(look, checkers=(light, dark))
