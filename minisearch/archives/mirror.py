"""Read responses from a folder of HTML files, such as `wget --mirror` makes.

The files are the pages below a base URL. The URL of a folder leads to its index.html, the name of a file may have
".html" added to it (wget -E), and a query is part of the name ("list.php?page=2"). Characters that a file name cannot
have are percent-encoded there: a slash always ("?file=a%2Fb"), on Windows some more ("list.php@page=2").
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import formatdate
from mimetypes import MimeTypes
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from minisearch.errors import BadInput
from minisearch.fetch.errors import FetchError
from minisearch.fetch.fetcher import Response
from minisearch.limits import Limits
from minisearch.urls import normalize

INDEX = ("index.html", "index.htm", "index.xhtml")
CONTENT_TYPES = {
    ".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".txt": "text/plain",
    ".php": "text/html", ".asp": "text/html", ".aspx": "text/html", ".jsp": "text/html", ".cgi": "text/html",
}  # fmt: skip
SNIFFED_BYTES = 512  # read of a file whose name does not show its type
# The tags by which browsers recognise HTML (MIME Sniffing standard, section 7.1).
HTML_TAG = re.compile(
    rb"<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[ >]", re.IGNORECASE
)
TYPES = MimeTypes()  # Python's own table, the same on every machine
HOST = re.compile(r"(?:localhost|(?:\d+\.){3}\d+|(?:[\w-]+\.)+[^\W\d_]{2,})(?:[:+]\d+)?")  # name of a folder


class Mirror:
    """The files of a folder. `base` is the URL of the folder; by default it is derived from its name."""

    def __init__(self, folder: str | Path, base: str = "") -> None:
        self._folder = Path(folder).resolve()
        self.ignored: Counter[str] = Counter()
        self.warning = ""
        self.about: dict[str, Any] = {}
        try:
            bases = dict(self._find_bases(base))
        except OSError as error:
            raise BadInput(f'cannot read "{folder}": {error.strerror}') from error
        self._urls: dict[str, Path] = {}
        names: list[tuple[int, bytes, Path]] = []  # (rank, what follows the scheme in a URL, file)
        for base_url, top in bases.items():
            start = _place(base_url)
            for path in self._find_pages(top):
                name = path.relative_to(top).as_posix()
                names += [(rank, start + each, path) for rank, each in enumerate(_names(name))]
                url = _url(base_url, _without_index(name))
                if url in self._urls:  # such as index.htm beside index.html
                    url = _url(base_url, name)
                if self._urls.setdefault(url, path) != path:
                    self.ignored["another file for the same URL"] += 1
        if not self._urls:
            raise BadInput(f'there are no pages in "{folder}"')
        names.sort(key=lambda each: each[0])
        self._files = {name: path for _, name, path in reversed(names)}  # the likeliest wins

    def _find_bases(self, base: str) -> Iterator[tuple[str, Path]]:
        """Base URLs and their folders."""
        if base:
            yield normalize(base).partition("?")[0].rstrip("/") + "/", self._folder
            return
        hosts = [path for path in sorted(self._folder.iterdir()) if path.is_dir() and HOST.fullmatch(path.name)]
        if hosts and not any(path.suffix in CONTENT_TYPES for path in self._folder.iterdir() if path.is_file()):
            for path in hosts:  # wget makes a folder for each host
                yield _host_url(path), path
        elif HOST.fullmatch(self._folder.name):
            yield _host_url(self._folder), self._folder
        else:
            yield normalize(f"http://localhost/{quote(os.fsencode(self._folder.name))}/"), self._folder

    def _find_pages(self, top: Path) -> Iterator[Path]:
        """The pages in a folder, index files first."""
        for folder, names, files in os.walk(top, onerror=self._ignore):
            names[:] = sorted(name for name in names if not name.startswith("."))
            for name in sorted(files, key=lambda name: (INDEX.index(name) if name in INDEX else len(INDEX), name)):
                path = Path(folder, name)
                try:
                    reason = self._reason_to_ignore(path, top)
                except OSError as error:
                    self._ignore(error)
                    continue
                if reason:
                    self.ignored[reason] += 1
                else:
                    yield path

    def _reason_to_ignore(self, path: Path, top: Path) -> str:
        """Why a file is not a page; empty if it is one."""
        if path.name.startswith(".") or not Path(os.path.realpath(path)).is_relative_to(self._folder):
            return "hidden or outside"
        if not path.is_file():  # reading a pipe would block
            return "not a file"
        if path == top / "robots.txt":
            return "robots.txt"
        return "" if _content_type(path) else path.suffix.lower() or "not a page"

    def _ignore(self, error: OSError) -> None:
        self.ignored[(error.strerror or str(error)).lower()] += 1

    def urls(self) -> list[str]:
        """The URLs that it has a response for."""
        return list(self._urls)

    def location(self, url: str) -> Path | None:
        """The file at a URL, over http or https; None if there is none."""
        found = self._files.get(_place(url)) or self._files.get(_place(url) + b"/")
        return found or self._urls.get(url)  # normalisation may have removed a part of the query that is in the name

    def start(self) -> str:
        """The index page of the folder, or its first page."""
        return next(iter(self._urls))

    def decision(self, url: str, *, robots: bool = False) -> None:
        """Nothing: a folder has responses only."""

    def response(self, url: str, limits: Limits) -> tuple[Response, str] | None:
        """The file at a URL; a redirect if it is a folder with an index page, without its slash."""
        path = self.location(url)
        if path is None:
            return None
        if _place(url) not in self._files and _place(url) + b"/" in self._files:
            return Response(url, 301, {"location": url + "/"}), ""
        try:
            changed = path.stat().st_mtime
            with path.open("rb") as file:
                body = file.read(limits.page_bytes + 1)
            headers = {"content-type": _content_type(path), "last-modified": formatdate(changed, usegmt=True)}
        except OSError as error:
            raise FetchError("unreadable", transient=False, error=error.strerror) from error
        return Response(url, 200, headers, body), datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds")


def _place(url: str) -> bytes:
    """What follows the scheme in a URL, decoded."""
    return unquote_to_bytes(url.partition("://")[2])


def _names(name: str) -> Iterator[bytes]:
    """What the URL of a file may be below its base, decoded, the likeliest first.

    >>> [*dict.fromkeys(_names("docs/index.html"))], [*_names("a@q=b%2Fc.html")][2:4]
    ([b'docs/index.html', b'docs/index', b'docs/'], [b'a?q=b/c.html', b'a?q=b/c'])
    """
    on_windows = name if "?" in name else name.replace("@", "?", 1)
    for each in (name, on_windows, _without_index(name)):
        decoded = unquote_to_bytes(os.fsencode(each))
        yield decoded
        yield decoded.removesuffix(b".html")


def _without_index(name: str) -> str:
    """The name of a file, or that of its folder if it is the index of it."""
    front, mark, query = name.partition("?")
    last = front.rpartition("/")[2]
    return front.removesuffix(last) + mark + query if last in INDEX else name


def _url(base: str, name: str) -> str:
    """The URL of a file."""
    front, mark, query = name.partition("?")
    return normalize(
        base + quote(os.fsencode(front)) + mark + quote(os.fsencode(query.replace("%2F", "/")), safe="=&/")
    )


def _content_type(path: Path) -> str:
    """The content type of a page; empty if the file is not a page."""
    suffix = Path(path.name.partition("?")[0]).suffix.lower()
    if path.suffix.lower() in CONTENT_TYPES or suffix in CONTENT_TYPES:
        return CONTENT_TYPES.get(path.suffix.lower()) or CONTENT_TYPES[suffix]
    if "?" not in path.name and TYPES.guess_type(path.name)[0]:
        return ""  # an image, a script ...; "release-1.5" is none of them
    with path.open("rb") as file:
        return "text/html" if HTML_TAG.search(file.read(SNIFFED_BYTES)) else ""


def _host_url(folder: Path) -> str:
    """The URL of a folder named after its host; https if its index page links to itself that way."""
    name = folder.name.replace("+", ":")
    secure = f"https://{name}".encode()
    index = next((folder / name for name in INDEX if (folder / name).is_file()), None)
    return normalize(f"{'https' if index and secure in index.read_bytes() else 'http'}://{name}/")
