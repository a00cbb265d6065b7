"""Pictures of the table as its camera would take them.

``stage`` draws the empty board once for an installation, ``bodies``, ``hands`` and ``things`` what lies on it, and
``render`` puts them together; ``picture_truth`` tells what is truly seen.
"""
