"""Typed settings and their defaults, each written down in YAML with a comment."""
