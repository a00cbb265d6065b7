"""Trays: the checkers that were borne off, lying in ``rows`` or standing on their edges in ``runs``.

``reading`` joins them; ``bearing_off`` tells what may have been borne off at all.
"""
