"""Frames -> readings, with likelihoods; what cannot be seen is said to be hidden."""
