"""A photograph of a board that nobody has calibrated, read by the four corners of its field.

``bare_points`` makes an empty board of what is bare in it, ``points`` reads the others against that, or ``circles``
where too few are bare; ``dice`` and ``tilt`` read its dice with every camera that may have taken it.
"""
