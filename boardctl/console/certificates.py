"""The certificate that encrypts the line to browsers: whether it can be used, and until when it holds."""

import ssl
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from boardctl.console.errors import PageError

_TURNS = 4
"""How often each side of a handshake speaks at most (RFC 5246, RFC 8446)."""
_ENDED = 10
"""OpenSSL's number for a certificate that has ended (X509_V_ERR_CERT_HAS_EXPIRED)."""


class Certificate(NamedTuple):
    """The files (PEM) of a certificate and of its private key; ``key`` None: in the same file."""

    file: Path
    key: Path | None = None


def usable(certificate: Certificate) -> Certificate:
    """Gets a certificate as it is, if a line can be encrypted with it.

    :raises PageError: when it cannot; the message names the file and what is wrong with it.
    """
    for file, what in ((certificate.file, "the page's certificate"), (certificate.key, "the key of its certificate")):
        try:
            if file is not None:
                file.read_bytes()
        except OSError as error:
            raise PageError(f"{file}: {what} cannot be read ({error.strerror or error})") from error
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*certificate, password=_no_password)
    except ssl.SSLError as error:
        raise PageError(f"{certificate.key or certificate.file}: {_unfit(error, certificate)}") from error
    return certificate


def valid_until(certificate: Certificate) -> datetime | None:
    """Gets until when a usable certificate holds (UTC); None: it has ended.

    It is shown to a browser that is not there, which trusts it: a line within this program.

    :raises PageError: when no browser would take it whoever vouches for it; the message says why.
    """
    browser = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    browser.check_hostname = False
    browser.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # whoever has signed it
    browser.load_verify_locations(certificate.file)
    page = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    page.load_cert_chain(*certificate, password=_no_password)
    to_browser, to_page = ssl.MemoryBIO(), ssl.MemoryBIO()
    seeing = browser.wrap_bio(to_browser, to_page)
    shown = page.wrap_bio(to_page, to_browser, server_side=True)
    try:
        for _ in range(_TURNS):
            for side in (seeing, shown):
                with suppress(ssl.SSLWantReadError):
                    side.do_handshake()
    except ssl.SSLCertVerificationError as error:
        if error.verify_code == _ENDED:
            return None
        raise PageError(f"{certificate.file}: browsers do not take it: {error.verify_message}") from error
    told = seeing.getpeercert()
    assert told is not None
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(told["notAfter"])), UTC)


class _ProtectedError(ssl.SSLError):
    """A private key that is protected by a password: nobody is there to be asked for it."""


def _no_password() -> str:
    raise _ProtectedError


def _unfit(error: ssl.SSLError, certificate: Certificate) -> str:
    if isinstance(error, _ProtectedError):
        return "the key is protected by a password; openssl pkey -in KEY -out PLAIN_KEY writes one that is not"
    if error.reason == "KEY_VALUES_MISMATCH":
        return f"the key is not that of {certificate.file}"
    missing = "" if certificate.key else ", or the key is in a file of its own: name it as certificate_key"
    return f"no certificate with its key in PEM{missing}"
