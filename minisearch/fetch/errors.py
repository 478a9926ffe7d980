"""Why a request has no usable response, as a rule and a sentence."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Iterator

import requests
import urllib3

MAX_CAUSES = 10  # exceptions that led to one another


class Rejected(Exception):
    """A response that is not wanted: of another type, too large, or from a blocked address."""

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(reason)
        self.reason, self.rule = reason, rule


class FetchError(Exception):
    """No usable response. After a `transient` error another attempt may succeed."""

    def __init__(self, reason: str, rule: str, *, transient: bool = True) -> None:
        super().__init__(reason)
        self.reason, self.rule, self.transient = reason, rule, transient


def timed_out(seconds: float) -> FetchError:
    """The error of a request that was ended by its deadline; another attempt would take as long again."""
    return FetchError(f"not done after {seconds:g} seconds", "timeout", transient=False)


def describe_error(error: Exception, timeout: float) -> FetchError:
    """Return the FetchError for an exception of requests, urllib3 or http.client."""
    if isinstance(error, FetchError):
        return error
    causes = list(_causes(error))

    def caused_by(*kinds: type[BaseException]) -> bool:
        return any(isinstance(cause, kinds) for cause in causes)

    if caused_by(urllib3.exceptions.NameResolutionError):
        return FetchError("the host name could not be resolved", "dns")
    if caused_by(ConnectionRefusedError):
        return FetchError("the connection was refused", "connection")
    if caused_by(urllib3.exceptions.NewConnectionError):  # a timeout to urllib3, but it is none
        return FetchError("no connection to the server could be made", "connection")
    if caused_by(requests.Timeout, urllib3.exceptions.TimeoutError):
        return FetchError(f"no response within {timeout:g} seconds", "timeout")
    if caused_by(requests.exceptions.SSLError, urllib3.exceptions.SSLError, ssl.SSLError):
        return FetchError(_tls_problem(causes), "tls", transient=False)
    if caused_by(urllib3.exceptions.DecodeError):
        return FetchError("the body could not be decompressed", "encoding", transient=False)
    if caused_by(urllib3.exceptions.InvalidHeader, requests.exceptions.InvalidHeader):
        return FetchError("its Content-Length headers contradict each other", "headers", transient=False)
    if caused_by(http.client.LineTooLong) or any(type(cause) is http.client.HTTPException for cause in causes):
        return FetchError("its headers are too long or too many", "headers", transient=False)
    if isinstance(error, urllib3.exceptions.ProtocolError):
        return FetchError("the connection was closed before the body was complete", "truncated")
    if caused_by(ConnectionError):
        return FetchError("the server closed the connection without a response", "connection")
    if caused_by(http.client.BadStatusLine, http.client.UnknownProtocol):
        return FetchError("the response is not HTTP", "protocol", transient=False)
    if caused_by(requests.exceptions.InvalidURL, urllib3.exceptions.LocationValueError):
        return FetchError("no request can be made for this URL", "url", transient=False)
    if isinstance(error, ValueError):
        return FetchError("the response is not valid HTTP", "protocol", transient=False)
    return FetchError(f"the connection failed ({type(error).__name__})", "connection")


def _tls_problem(causes: list[BaseException]) -> str:
    """Describe a failed TLS handshake, mostly by what is wrong with the certificate."""
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"the server's certificate could not be verified ({cause.verify_message.rstrip('.')})"
    reasons = [cause.reason for cause in causes if isinstance(cause, ssl.SSLError) and cause.reason]
    detail = f" ({reasons[0].replace('_', ' ').lower()})" if reasons else ""
    return f"no secure connection to the server could be made{detail}"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and what led to it; urllib3 and requests pass causes on as `reason` or as an argument."""
    for _ in range(MAX_CAUSES):
        if error is None:
            return
        yield error
        inner = getattr(error, "reason", None) or next((arg for arg in error.args if isinstance(arg, Exception)), None)
        error = inner if isinstance(inner, BaseException) else error.__cause__ or error.__context__
