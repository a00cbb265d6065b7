"""What becomes of a play once its turn has ended, and of the game.

``confirming`` judges, ``correction_window`` and ``own_correction`` let an illegal play be put right, ``directing`` lets
the director decide. ``going_on`` starts what follows, ``finishing`` and ``last_roll`` end the game.
"""
