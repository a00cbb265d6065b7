"""A table without hardware: bodies in millimetres, a camera, a sensor board and players, behind the devices' faces."""
