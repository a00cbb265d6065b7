"""Points and bar: how many checkers of which seat lie on each, and which of them a hand hides.

``columns`` cuts each point from the picture as an upright strip, ``strip_reading`` asks the network what lies in its
slots, ``row_counts`` and ``stack_strips`` make stacks of them, ``hands`` tells what is covered, ``off_centre`` what
lies beside its row, and ``reading`` joins them all. For games of several seats: ``mixed``.
"""
