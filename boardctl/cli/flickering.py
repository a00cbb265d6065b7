"""What is told of a lamp that flickers below a camera."""

from boardctl.devices.faces import Picture
from calibration.light.flicker import Sample, bands

SAYS = "the lamp flickers, so that bright and dark bands lie in the pictures"
ADVICE = (
    "the bands are taken out, yet without them more is told: set the camera to your mains (v4l2-ctl --device "
    "/dev/video0 --set-ctrl power_line_frequency=1 where it has 50 Hz, =2 where it has 60), or take another lamp"
)


def flickers(picture: Picture, another: Picture) -> bool:
    """Whether two pictures of one scene (each H x W x 3) are unlike as a lamp that flickers makes them."""
    return picture.shape == another.shape and bands(picture, Sample.of(another)) is not None
