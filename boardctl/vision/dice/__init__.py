"""Dice and the doubling cube: where each lies, what it shows, whether it lies flat, and on what.

``scan`` tells where there may be one, ``look`` looks closer, ``tilt`` tells whether it leans, ``place`` and ``around``
what it lies on, ``told`` what is told of it; ``reading`` joins them. ``calibrated`` adds what of a board looks like a
die and is none, ``alone`` reads without a board.
"""
