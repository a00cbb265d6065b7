"""No time limit for one example of a property: the machine may be busy, and time is measured elsewhere."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
