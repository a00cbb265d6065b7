"""What may go wrong with a calibration, each with what to do next."""


class CalibrationError(ValueError):
    """No calibration can be made or used; the message says why and what to change."""


class CalibrationFileError(CalibrationError):
    """A file holds no calibration that can be used: a wrong setting, which no second try cures."""
