"""Why a request has no usable response, as a rule and its details."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Iterator
from typing import Any

import requests
import urllib3

from minisearch.models import Detail

MAX_CAUSES = 10  # exceptions that led to one another


class Rejected(Exception):
    """A response that is not wanted: of another type, too large, or from a blocked address."""

    def __init__(self, rule: str, **detail: Any) -> None:
        super().__init__(rule, detail)
        self.rule, self.detail = rule, detail


class FetchError(Exception):
    """No usable response. After a `transient` error another attempt may succeed."""

    def __init__(self, rule: str, *, transient: bool = True, **detail: Any) -> None:
        super().__init__(rule, detail)
        self.rule, self.detail, self.transient = rule, detail, transient


def cause(error: FetchError | Rejected) -> Detail:
    """The rule and the details of an error, as the cause of another decision."""
    return {"rule": error.rule, **error.detail}


# Exceptions, and what they mean. A line decides if an exception, or one of those that led to it, is of its kind; the
# first such line counts.
MEANINGS: list[tuple[tuple[type[Exception], ...], FetchError]] = [
    ((urllib3.exceptions.NameResolutionError,), FetchError("dns")),
    ((ConnectionRefusedError,), FetchError("connection", problem="refused")),
    # To urllib3 this is also a timeout.
    ((urllib3.exceptions.NewConnectionError,), FetchError("connection", problem="none")),
    ((requests.Timeout, urllib3.exceptions.TimeoutError), FetchError("timeout")),
    ((requests.exceptions.SSLError, urllib3.exceptions.SSLError, ssl.SSLError), FetchError("tls", transient=False)),
    ((urllib3.exceptions.DecodeError,), FetchError("encoding", transient=False)),
    ((urllib3.exceptions.InvalidHeader,), FetchError("headers", transient=False, problem="contradiction")),
    ((ConnectionError,), FetchError("connection", problem="closed")),
    ((http.client.BadStatusLine, http.client.UnknownProtocol), FetchError("protocol", transient=False)),
    ((http.client.HTTPException,), FetchError("headers", transient=False, problem="long")),
    ((requests.exceptions.InvalidURL, urllib3.exceptions.LocationValueError), FetchError("url", transient=False)),
    ((ValueError,), FetchError("protocol", transient=False, problem="invalid")),
]


def describe_error(error: Exception, timeout: float) -> FetchError:
    """Return the FetchError for an exception of requests, urllib3 or http.client."""
    if isinstance(error, FetchError):
        return error
    if isinstance(error, urllib3.exceptions.ProtocolError):  # while the body was read, whatever led to it
        return FetchError("truncated")
    causes = list(_causes(error))
    for kinds, meaning in MEANINGS:
        if any(isinstance(cause, kinds) for cause in causes):
            detail = meaning.detail
            if meaning.rule == "timeout":
                detail = {"seconds": timeout}
            elif meaning.rule == "tls":
                detail = _tls_problem(causes)
            return FetchError(meaning.rule, transient=meaning.transient, **detail)
    return FetchError("connection", error=type(error).__name__)


def _tls_problem(causes: list[BaseException]) -> Detail:
    """The details of a failed TLS handshake: mostly what is wrong with the certificate."""
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return {"problem": "certificate", "error": cause.verify_message.rstrip(".")}
    reasons = [cause.reason for cause in causes if isinstance(cause, ssl.SSLError) and cause.reason]
    return {"problem": "handshake", "error": reasons[0].replace("_", " ").lower()} if reasons else {}


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and what led to it; urllib3 and requests pass causes on as `reason` or as an argument."""
    for _ in range(MAX_CAUSES):
        if error is None:
            return
        yield error
        inner = getattr(error, "reason", None) or next((arg for arg in error.args if isinstance(arg, Exception)), None)
        error = inner if isinstance(inner, BaseException) else error.__cause__ or error.__context__
