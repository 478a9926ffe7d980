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


def describe_error(error: Exception, timeout: float) -> FetchError:
    """Return the FetchError for an exception of requests, urllib3 or http.client."""
    if isinstance(error, FetchError):
        return error
    causes = list(_causes(error))

    def caused_by(*kinds: type[BaseException]) -> bool:
        return any(isinstance(cause, kinds) for cause in causes)

    if caused_by(urllib3.exceptions.NameResolutionError):
        return FetchError("dns")
    if caused_by(ConnectionRefusedError):
        return FetchError("connection", problem="refused")
    if caused_by(urllib3.exceptions.NewConnectionError):  # a timeout to urllib3, but it is none
        return FetchError("connection", problem="none")
    if caused_by(requests.Timeout, urllib3.exceptions.TimeoutError):
        return FetchError("timeout", seconds=timeout)
    if caused_by(requests.exceptions.SSLError, urllib3.exceptions.SSLError, ssl.SSLError):
        return FetchError("tls", transient=False, **_tls_problem(causes))
    if caused_by(urllib3.exceptions.DecodeError):
        return FetchError("encoding", transient=False)
    if caused_by(urllib3.exceptions.InvalidHeader, requests.exceptions.InvalidHeader):
        return FetchError("headers", transient=False, problem="contradiction")
    if caused_by(http.client.LineTooLong) or any(type(cause) is http.client.HTTPException for cause in causes):
        return FetchError("headers", transient=False, problem="long")
    if isinstance(error, urllib3.exceptions.ProtocolError):
        return FetchError("truncated")
    if caused_by(ConnectionError):
        return FetchError("connection", problem="closed")
    if caused_by(http.client.BadStatusLine, http.client.UnknownProtocol):
        return FetchError("protocol", transient=False)
    if caused_by(requests.exceptions.InvalidURL, urllib3.exceptions.LocationValueError):
        return FetchError("url", transient=False)
    if isinstance(error, ValueError):
        return FetchError("protocol", transient=False, problem="invalid")
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
