"""Scenes -> frames of light for the chain, for the terminal and for pictures; cues -> sounds."""

from boardctl.lights.grammar import Grammar, Look, read_grammar, standard_grammar
from boardctl.lights.scene_frame import frame_of, signs_shown
from boardctl.lights.sounds import Level, Sounds, Tone, read_sounds, standard_sounds, tones_of
from boardctl.lights.table_view import DieShown, TableView, dice_of, dice_of_roll, follow, see
from boardctl.lights.terminal import TableDrawing

__all__ = [
    "DieShown",
    "Grammar",
    "Level",
    "Look",
    "Sounds",
    "TableDrawing",
    "TableView",
    "Tone",
    "dice_of",
    "dice_of_roll",
    "follow",
    "frame_of",
    "read_grammar",
    "read_sounds",
    "see",
    "signs_shown",
    "standard_grammar",
    "standard_sounds",
    "tones_of",
]
