"""An electronic referee, teacher and witness for real backgammon boards."""

__version__ = "0.1.0"
