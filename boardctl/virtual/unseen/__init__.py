"""Installations that nothing was trained on, drawn by chance, by which the eyes are measured.

``looks`` draws boards, cameras and lamps, ``tables`` what lies on them; the others what is uncommon: dice, checkers,
rails, cloths, boards that fold or have neither bar nor trays. ``mixed`` draws much of that at once.
"""
