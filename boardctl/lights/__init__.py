"""Scenes -> frames of light for the chain, for the terminal and for pictures; cues -> sounds."""
