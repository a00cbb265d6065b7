"""The table's web page: what everybody may see of it, and what players and the director say at it."""

from boardctl.console.console import Console
from boardctl.console.opening import Keys, OpenPage, keys_of
from boardctl.console.serving import Certificate, PageError, bound, usable

__all__ = ["Certificate", "Console", "Keys", "OpenPage", "PageError", "bound", "keys_of", "usable"]
