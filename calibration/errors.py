"""What may go wrong with a calibration, each with what to do next."""


class CalibrationError(ValueError):
    """No calibration can be made or used; the message says why and what to change."""
