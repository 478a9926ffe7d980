"""Payloads: what a record of a web archive holds, as the answer of a server.

Bodies are decompressed in bounded steps, as those from the web are.
"""

from __future__ import annotations

from typing import Any

from warcio.bufferedreaders import ChunkedDataReader

from minisearch.fetch.errors import FetchError
from minisearch.fetch.fetcher import CHUNK, GZIP, PAGE_STATUSES, Response, decompress
from minisearch.limits import Limits


def raw_body(record: Any, limits: Limits) -> bytes:
    """The body as it was sent, put together if it came in chunks, and no more of it than a page may have."""
    stream = record.raw_stream
    if record.http_headers and (record.http_headers.get_header("Transfer-Encoding") or "").lower() == "chunked":
        stream = ChunkedDataReader(stream)
    body = bytearray()
    while len(body) <= limits.page_bytes and (piece := stream.read(CHUNK)):
        body += piece
    return bytes(body)


def _unpacked_body(raw: bytes, packing: str, limits: Limits) -> bytes:
    """The body as a reader has it. Many an archive holds it unpacked, under the headers it was packed with."""
    if len(raw) > limits.page_bytes:
        return raw  # too much even so
    try:
        return decompress(raw, packing, limits.page_bytes)
    except FetchError:
        if raw.startswith(GZIP):
            raise
        return raw


def answer_in(record: Any, url: str, raw: bytes, limits: Limits) -> Response:
    """The answer for `url` that a record holds; its `raw` body was read before."""
    if record.http_headers is None:
        return Response(url, 200, {"content-type": record.rec_headers.get_header("Content-Type") or ""}, raw)
    status = int(record.http_headers.get_statuscode())
    packing = record.http_headers.get_header("Content-Encoding") or ""
    body = _unpacked_body(raw, packing, limits) if status in PAGE_STATUSES else b""
    return Response(url, status, _headers(record), body)


def _headers(record: Any) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in record.http_headers.headers:
        name = name.lower()
        if name == "x-robots-tag" and name in headers:
            headers[name] += "\n" + value
        elif name not in ("content-encoding", "transfer-encoding", "content-length"):  # the body is unpacked already
            headers[name] = value
    return {"x-robots-tag": "", **headers}
