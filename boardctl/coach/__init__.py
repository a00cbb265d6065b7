"""Hints for learners: what may be said to a seat, and at which level of help."""
