"""The table's web page: what everybody may see of it, and what players and the director say at it."""

from boardctl.console.certificates import Certificate, usable, valid_until
from boardctl.console.console import Console
from boardctl.console.errors import PageError, PortUsedError
from boardctl.console.found_page import is_our_page
from boardctl.console.opening import Keys, OpenPage, keys_of
from boardctl.console.serving import bound

__all__ = [
    "Certificate",
    "Console",
    "Keys",
    "OpenPage",
    "PageError",
    "PortUsedError",
    "bound",
    "is_our_page",
    "keys_of",
    "usable",
    "valid_until",
]
