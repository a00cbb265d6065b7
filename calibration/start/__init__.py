"""Camera and board in millimetres, by where the checkers of the starting position are seen.

First guesses are four-sided hulls of what has changed (``quads``); ``landmarks`` and the rims of checkers refine them
(``pose_fit``, ``landmark_fit``).
"""
