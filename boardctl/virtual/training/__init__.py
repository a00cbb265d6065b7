"""Draws what the networks that read learn from: none of it is an installation by which they are measured."""
