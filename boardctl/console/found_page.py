"""Whether what listens at the page's port is a page of this program: a table that is running."""

import http.client
import ssl

from config import Listening

ANSWER_S = 2.0
MOST_BYTES = 64 * 1024
GENERATOR = b'<meta name="generator" content="boardctl">'
"""What the page's head says of the program that made it."""

_EVERY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  addresses that stand for all of this machine's


def is_our_page(listening: Listening, *, encrypted: bool) -> bool:
    """Asks at an address, which nobody is trusted for: nothing is told there, and of what is said only the head is
    looked at."""
    host = _EVERY.get(listening.host, listening.host)
    connection = http.client.HTTPConnection(host, listening.port, timeout=ANSWER_S)
    if encrypted:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(host, listening.port, timeout=ANSWER_S, context=context)
    try:
        connection.request("GET", "/")
        return GENERATOR in connection.getresponse().read(MOST_BYTES)
    except (OSError, http.client.HTTPException):
        return False  # it does not answer as a page does, or not at all: somebody else's port
    finally:
        connection.close()
