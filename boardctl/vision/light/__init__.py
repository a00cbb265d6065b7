"""Light that is not the calibration's: taken out of a picture before it is read, or what it hides is said so."""
