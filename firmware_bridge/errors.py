"""What can go wrong on the way to the sensor board. Every text says what happened, where, and what to do next."""


class BridgeError(Exception):
    """Anything that went wrong between host and sensor board."""


class MessageError(BridgeError, ValueError):
    """A message that cannot be put on the wire, or bytes that are no message."""


class SlotMapError(BridgeError, ValueError):
    """A map of channels or LEDs that contradicts itself or the hardware."""


class LinkError(BridgeError):
    """The link to the sensor board does not work."""


class TransientLinkError(LinkError):
    """May be gone at the next try: the link closes, backs off and opens again by itself."""


class PermanentLinkError(LinkError):
    """Stays until a person does something: the link does not try again."""


class PortMissingError(TransientLinkError, FileNotFoundError):
    """No such port; plugging the board in makes it appear."""


class PortBusyError(TransientLinkError, BlockingIOError):
    """Another program has the port open."""


class PortUnusableError(TransientLinkError, OSError):
    """The port is there and failed in use: unplugged, or the far end of a socket is not listening."""


class NoAnswerError(TransientLinkError, TimeoutError):
    """The port opened and stayed silent, or a request stayed unanswered."""


class NotABoardError(TransientLinkError):
    """The port talks, but not in frames of this protocol."""


class LinkDownError(TransientLinkError, ConnectionError):
    """A request was made while the board was not connected, or the link went down before the answer."""


class PortDeniedError(PermanentLinkError, PermissionError):
    """The user may not open the port."""


class NotAPortError(PermanentLinkError, ValueError):
    """The path or URL names something that is no serial port."""


class VersionRefusedError(PermanentLinkError):
    """Host and firmware speak different major versions of the protocol."""


class EmulatorError(BridgeError):
    """The emulated board cannot be built or has ended; the text says which packages to install."""


class RequestRefusedError(BridgeError):
    """The board answered a request with an error."""
