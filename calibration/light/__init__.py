"""The light of an installation: whether it is enough or too much, and what of it has changed since the calibration."""
