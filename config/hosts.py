"""What may stand for a machine in an address: a name of DNS, or an address of IP."""

import ipaddress
import re

_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST_NAME = re.compile(rf"{_LABEL}(\.{_LABEL})*")


def is_address(host: str) -> bool:
    """Whether it is an address of IP version 4 or 6."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_host(host: str) -> bool:
    """Whether it is an address of IP or written as a name of DNS is."""
    return is_address(host) or _HOST_NAME.fullmatch(host) is not None
