"""The players: how they throw, play and double, how they err, and all else that goes wrong at a table.

``script`` makes a game of it, act by act (``acts``); ``misplays`` and ``incidents`` are what a referee must notice.
"""
