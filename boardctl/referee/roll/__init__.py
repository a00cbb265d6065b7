"""Before a play: the start of a game, and every throw.

``before_game`` holds the starting position and the opening roll, ``set_up_anew``, ``wrong_start`` and ``missing`` what
was wrong with them. ``rolling`` takes a throw: ``together`` and ``whose_dice`` tell whether it counts, ``before_roll``
what changed on the board before it, ``next_throw``, ``thrown_again`` and ``taken_up`` what a throw says of the turn
before.
"""
