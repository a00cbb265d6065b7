"""Installations that are uncommon in several ways at once, as real ones are: what is read well by itself may not be
beside something else."""

import numpy as np

from boardctl.virtual.unseen import looks

OFTEN = 0.3
"""How often an installation is changed in each of the ways."""

WAYS = (
    *(looks.resized, looks.wide, looks.printed, looks.trayless, looks.ornate),
    *(looks.railed, looks.inlaid, looks.polished, looks.uncommon_dice, looks.cluttered),
)
"""In this order: camera and board come before what lies on it and around it."""


def mixed(installation: looks.Installation) -> looks.Installation:
    """Gets an installation that is changed in some of the :data:`WAYS`, three of the ten on average."""
    rng = np.random.default_rng([looks.STREAM, 10, *installation.name.encode()])
    for change, chance in zip(WAYS, rng.random(len(WAYS)).tolist(), strict=True):
        if chance < OFTEN:
            installation = change(installation)
    return installation
