"""Trouble: why there is no usable answer to a request, in words for a person."""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Iterator

import requests
import urllib3

from minisearch.fetch.heads import Unmeasured

DEEPEST = 10  # causes of causes that are looked at


class Rejected(Exception):
    """An answer that is not for us: of another type, too large, or from where we may not go."""

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(reason)
        self.reason, self.rule = reason, rule


class FetchError(Exception):
    """No usable answer. What is `transient` may work later."""

    def __init__(self, reason: str, rule: str, *, transient: bool = True) -> None:
        super().__init__(reason)
        self.reason, self.rule, self.transient = reason, rule, transient


def explained(error: Exception, silence: float) -> FetchError:
    """The same in words for a person."""
    text = str(error)
    if isinstance(error, FetchError):
        return error
    if isinstance(error, (requests.Timeout, urllib3.exceptions.TimeoutError)):
        return FetchError(f"no answer within {silence:g} seconds", "timeout")
    if isinstance(error, requests.exceptions.SSLError):
        return FetchError(_insecure(error), "tls", transient=False)
    if isinstance(error, (requests.exceptions.InvalidHeader, urllib3.exceptions.InvalidHeader)):
        return FetchError("its headers contradict each other", "headers", transient=False)
    if (reason := _unreadable(error)) is not None:
        return reason
    if isinstance(error, urllib3.exceptions.ProtocolError):
        return FetchError("the connection broke off before the page was complete", "truncated")
    if isinstance(error, ValueError):
        return FetchError(f"nobody can be asked for such a url ({type(error).__name__})", "url", transient=False)
    if "NameResolutionError" in text or "Failed to resolve" in text:
        return FetchError("the host name could not be found", "dns")
    if "refused" in text:
        return FetchError("the connection was refused", "connection")
    if "Connection aborted" in text:
        return FetchError("the server hung up before it gave an answer", "connection")
    return FetchError(f"the connection failed ({type(error).__name__})", "connection")


def _insecure(error: Exception) -> str:
    """What is wrong with a secure connection: mostly the certificate, and seldom that there is no TLS at all."""
    causes = [cause for cause in _causes(error) if isinstance(cause, ssl.SSLError)]
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"the server's certificate could not be trusted ({cause.verify_message.rstrip('.')})"
    told = next((cause.reason.replace("_", " ").lower() for cause in causes if cause.reason), "")
    return "no secure connection to the server could be made" + f" ({told})" * bool(told)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what led to it. Others are handed on as an argument, as urllib3 and requests do."""
    for _ in range(DEEPEST):
        if error is None:
            return
        yield error
        inner = getattr(error, "reason", None) or next((arg for arg in error.args if isinstance(arg, Exception)), None)
        error = inner if isinstance(inner, BaseException) else error.__cause__ or error.__context__


def _unreadable(error: BaseException) -> FetchError | None:
    """What made http.client give up on an answer: no status line, too many headers, too long a line, an odd chunk."""
    for cause in _causes(error):
        if isinstance(cause, http.client.LineTooLong) or type(cause) is http.client.HTTPException:
            return FetchError(f"its headers are beyond all bounds ({cause})", "headers", transient=False)
        if isinstance(cause, http.client.UnknownTransferEncoding):
            return FetchError(f"packed on its way, which we did not ask for ({cause})", "encoding", transient=False)
        if isinstance(cause, Unmeasured):
            return FetchError(f"nobody can tell where its next chunk ends: its size is {str(cause)!r}", "truncated")
        told = isinstance(cause, (http.client.BadStatusLine, http.client.UnknownProtocol))
        if told and not isinstance(cause, http.client.RemoteDisconnected):  # which said nothing at all
            return FetchError("what the server answered is not HTTP", "protocol", transient=False)
    return None
