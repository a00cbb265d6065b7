"""The page's server: its socket, and its thread with an event loop of its own."""

import errno
import socket
import threading

import uvicorn
from starlette.types import ASGIApp

from boardctl.console.certificates import Certificate
from boardctl.console.errors import PageError, PortUsedError
from config import Listening

MOST_CONNECTIONS = 80
_START_S = 10.0
_STOP_S = 2.0
"""How long answers that are under way may take when the table ends."""


def bound(listening: Listening) -> socket.socket:
    """Gets a socket at an address, so that a port that cannot be had is found out before anything else begins.

    :raises PortUsedError: when the port is in use.
    :raises PageError: when it is not for us, or the address is none of this machine's.
    """
    try:
        found = socket.getaddrinfo(listening.host, listening.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise PageError(f"--page {listening}: no address of this machine ({error.strerror or error})") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except OSError as error:
        listener.close()
        kind_of_error = PortUsedError if error.errno == errno.EADDRINUSE else PageError
        raise kind_of_error(f"--page {listening}: {_why(error, listening)}") from error
    return listener


def _why(error: OSError, listening: Listening) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {listening.port} is in use; choose another, such as --page {listening.port + 1}"
        case errno.EACCES | errno.EPERM:
            return f"port {listening.port} is for the system only; choose one from 1024 on, such as --page 8080"
        case errno.EADDRNOTAVAIL:
            return "the address is none of this machine's; 0.0.0.0 takes all of them"
    return error.strerror or str(error)


class PageServer:
    """Serves the page on a thread of its own until :meth:`close`; a context manager. It takes over the socket.

    ``certificate``: what encrypts the line; None: nothing does.
    """

    def __init__(self, app: ASGIApp, listener: socket.socket, certificate: Certificate | None = None) -> None:
        settings = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=round(_STOP_S),
            ssl_certfile=certificate.file if certificate else None,
            ssl_keyfile=certificate.key if certificate else None,
        )
        self._listener = listener
        self._server = uvicorn.Server(settings)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listener]}, name="page", daemon=True
        )

    def __enter__(self) -> "PageServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def port(self) -> int:
        """The port it listens at."""
        port = self._listener.getsockname()[1]
        assert isinstance(port, int)
        return port

    def close(self) -> None:
        """Stops serving and waits until that is done. May be called again."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(_STOP_S + _START_S)
        self._listener.close()
