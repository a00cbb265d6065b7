"""The least squares of a misfit (Levenberg, 1944; Marquardt, 1963), with derivatives by differences."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STRONGER, WEAKER = 6.0, 4.0
"""By how much the damping grows when a step makes things worse, and shrinks when one makes them better."""

ENOUGH = 1e-4
"""A step that makes the squares smaller by less than this share of them is the last."""


def least_squares(
    misfit: Callable[[Floats], Floats], values: Floats, steps: Floats, damping: float, rounds: int, tries: int
) -> Floats:
    """Gets the values moved to where the squares of ``misfit`` (N values -> M) are least nearby.

    ``steps`` (N) are those by which derivatives are taken, ``damping`` the first one; ``tries``: so many times a step
    is damped before the search ends. A misfit that is not finite is as bad as can be. Where one of the values makes no
    difference to it the search ends.
    """
    current = misfit(values)
    for _ in range(rounds):
        jacobian = slopes(misfit, values, steps)
        normal = jacobian @ jacobian.T
        gradient = jacobian @ current
        if not np.diag(normal).all():
            break
        for _ in range(tries):
            trial = values - np.linalg.solve(normal + damping * np.diag(np.diag(normal)), gradient)
            missed = misfit(trial)
            if missed @ missed < current @ current:
                break
            damping *= STRONGER
        else:
            break
        gained = 1 - (missed @ missed) / (current @ current)
        values, current, damping = trial, missed, damping / WEAKER
        if gained < ENOUGH:
            break
    return values


def slopes(function: Callable[[Floats], Floats], values: Floats, steps: Floats) -> Floats:
    """Gets how much a function's numbers (M) change with each of its values (N), by differences to both sides: N x M,
    each row lies together."""
    changes = [
        (function(values + move) - function(values - move)) / (2 * step)
        for move, step in zip(np.diag(steps), steps, strict=True)
    ]
    return np.stack(changes)
