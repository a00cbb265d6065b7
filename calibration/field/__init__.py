"""The playing field in one picture, whatever lies on it, with the camera that sees it so.

``point_edges`` finds pairs of edges that may be points, ``point_rows`` makes two rows of twelve of them, ``row_fit`` a
field with its camera, ``look`` tells how much it looks like a board, and ``find`` joins them.
"""
