"""What witnesses saw, weighed: which board and which dice it is, and what that says of a play.

``weighing`` tells how well a position fits readings, ``matching`` which position of a play a board has reached,
``judging`` whether a play was legal, ``explain`` what is wrong with one that was not, by the ``displacement`` of its
checkers. ``agreement`` compares two witnesses, ``cut_off`` names places of which light lets nobody tell; ``dice`` says
which dice are the roll, and whether it counts.
"""
