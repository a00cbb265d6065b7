"""A turn, from the right to roll to what is said of its play.

``turns`` begins them, ``parts`` divides those of games in which control passes within one, ``lifting`` lights what the
sensors feel, ``advising`` brings in the coach. ``verdicts`` makes a case of a judgement; ``unsettled`` and
``who_played`` ask again where a turn was not seen well enough, ``leading_back`` lights the way to the board that should
be. ``setup_window`` tells until when a start can still be put right.
"""
