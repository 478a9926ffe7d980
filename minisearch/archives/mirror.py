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
from urllib.parse import quote, unquote, unquote_to_bytes

from minisearch.errors import BadInput
from minisearch.fetch.errors import FetchError
from minisearch.fetch.fetcher import Response
from minisearch.limits import Limits
from minisearch.urls import normalize, origin

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
SLASH = {ord("/"): "%2F"}
WINDOWS = SLASH | {ord(char): f"%{ord(char):02X}" for char in '\\|:?"*<>'}  # wget --restrict-file-names=windows


class Mirror:
    """The files of a folder. `base` is the URL of the folder; by default it is derived from its name."""

    def __init__(self, folder: str | Path, base: str = "") -> None:
        self._folder = Path(folder).resolve()
        self.ignored: Counter[str] = Counter()
        self.warning = ""
        self.about: dict[str, Any] = {}
        try:
            self._folders = dict(self._find_bases(base))  # by base URL
        except OSError as error:
            raise BadInput(f'cannot read "{folder}": {error.strerror}') from error
        self._urls: dict[str, Path] = {}
        self._pages: set[Path] = set()
        self._subfolders: set[Path] = set()
        for base_url, top, path in self._find_pages():
            self._pages.add(path)
            url = self._url(base_url, path.relative_to(top))
            if url in self._urls:  # such as index.htm beside index.html
                url = self._url(base_url, path.relative_to(top), short=False)
            if self._urls.setdefault(url, path) != path:
                self.ignored["another file for the same URL"] += 1
        if not self._urls:
            raise BadInput(f'there are no pages in "{folder}"')

    def _find_bases(self, base: str) -> Iterator[tuple[str, Path]]:
        """Base URLs and their folders."""
        if base:
            base = normalize(base).partition("?")[0]
            yield (base if base.endswith("/") else base + "/"), self._folder
            return
        hosts = [path for path in sorted(self._folder.iterdir()) if path.is_dir() and _is_host(path.name)]
        if hosts and not any(path.suffix in CONTENT_TYPES for path in self._folder.iterdir() if path.is_file()):
            for path in hosts:  # wget makes a folder for each host
                yield _host_url(path), path
        elif _is_host(self._folder.name):
            yield _host_url(self._folder), self._folder
        else:
            yield normalize(f"http://localhost/{quote(os.fsencode(self._folder.name))}/"), self._folder

    def _find_pages(self) -> Iterator[tuple[str, Path, Path]]:
        """(base URL, its folder, file) of each page; index files come first."""
        for base, top in self._folders.items():
            for folder, names, files in os.walk(top, onerror=self._ignore):
                self._subfolders.add(Path(folder))
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
                        yield base, top, path

    def _reason_to_ignore(self, path: Path, top: Path) -> str:
        """Why a file is not a page; empty if it is one."""
        if path.name.startswith(".") or not Path(os.path.realpath(path)).is_relative_to(self._folder):
            return "hidden or outside"
        if not path.is_file():  # reading a pipe would block
            return "not a file"
        if path == top / "robots.txt":
            return "robots.txt"
        return "" if self._content_type(path) else path.suffix.lower() or "not a page"

    def _ignore(self, error: OSError) -> None:
        self.ignored[(error.strerror or str(error)).lower()] += 1

    @staticmethod
    def _url(base: str, path: Path, *, short: bool = True) -> str:
        """The URL of a file; with `short`, an index file gets the URL of its folder."""
        front, _, query = path.as_posix().partition("?")
        if short and path.name.partition("?")[0] in INDEX:
            front = front.removesuffix(path.name.partition("?")[0])
        name, query = quote(os.fsencode(front)), quote(os.fsencode(query.replace("%2F", "/")), safe="=&/")
        return normalize(base + name + (f"?{query}" if query else ""))

    @staticmethod
    def _content_type(path: Path) -> str:
        """The content type of a page; empty if the file is not a page."""
        suffix = Path(path.name.partition("?")[0]).suffix.lower()
        if path.suffix.lower() in CONTENT_TYPES or suffix in CONTENT_TYPES:
            return CONTENT_TYPES.get(path.suffix.lower()) or CONTENT_TYPES[suffix]
        if "?" not in path.name and TYPES.guess_type(path.name)[0]:
            return ""  # an image, a script ...; "release-1.5" is none of them
        with path.open("rb") as file:
            return "text/html" if HTML_TAG.search(file.read(SNIFFED_BYTES)) else ""

    def urls(self) -> list[str]:
        """The URLs that it has a response for."""
        return list(self._urls)

    def location(self, url: str) -> Path | None:
        """The file or folder at a URL; None if there is none."""
        base = next((base for base in self._folders if _is_below(url, base)), None)
        if base is None:
            return None
        front, mark, query = url[len(origin(url)) :].partition("?")
        name = os.fsdecode(unquote_to_bytes(front[len(base) - len(origin(base)) :]))
        paths = (self._folders[base] / candidate for candidate in _file_names(name, mark + query))
        found = next((path for path in paths if path in self._pages or path in self._subfolders), None)
        return found or self._urls.get(url)  # normalisation may have removed a part of the query that is in the name

    def start(self) -> str:
        """The index page of the folder, or its first page."""
        return next(iter(self._urls))

    def decision(self, url: str, *, robots: bool = False) -> None:
        """Nothing: a folder has responses only."""

    def response(self, url: str, limits: Limits) -> tuple[Response, str] | None:
        """The file at a URL; a redirect if it is a folder without its slash."""
        path = self.location(url)
        if path is None:
            return None
        if path in self._subfolders:
            return Response(url, 301, {"location": url + "/"}), ""
        try:
            changed = path.stat().st_mtime
            with path.open("rb") as file:
                body = file.read(limits.page_bytes + 1)
            headers = {"content-type": self._content_type(path), "last-modified": formatdate(changed, usegmt=True)}
        except OSError as error:
            raise FetchError("unreadable", transient=False, error=error.strerror) from error
        return Response(url, 200, headers, body), datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds")


def _file_names(name: str, query: str) -> Iterator[str]:
    """The names that the file for a path and its query may have.

    >>> [*_file_names("a", "")], [*_file_names("docs/", "?q=%20")][:2]
    (['a', 'a.html'], ['docs/?q= ', 'docs/?q= .html'])
    >>> [name for name in _file_names("a", "?q=b/c") if name.endswith("c")]
    ['a?q=b/c', 'a?q=b%2Fc', 'a@q=b%2Fc']
    """
    is_folder = name == "" or name.endswith("/")
    indexes = [name + index for index in INDEX] if is_folder else []
    decoded = unquote(query, errors="surrogateescape")
    ends = dict.fromkeys((decoded, query, decoded.translate(SLASH)))
    starts = ([name] if query or not is_folder else []) + indexes
    pairs = [(start, end) for start in starts for end in ends]
    pairs += [(_for_windows(start), decoded and "@" + decoded[1:].translate(WINDOWS)) for start in starts]
    for candidate in dict.fromkeys(start + end for start, end in pairs):
        yield candidate
        if query or not is_folder:
            yield f"{candidate}.html"


def _for_windows(name: str) -> str:
    """A path as wget writes it for Windows."""
    return "/".join(part.translate(WINDOWS) for part in name.split("/"))


def _host_url(folder: Path) -> str:
    """The URL of a folder named after its host; https if its index page links to itself that way."""
    name = folder.name.replace("+", ":")
    secure = f"https://{name}".encode()
    index = next((folder / name for name in INDEX if (folder / name).is_file()), None)
    return normalize(f"{'https' if index and secure in index.read_bytes() else 'http'}://{name}/")


def _is_below(url: str, base: str) -> bool:
    """Whether a URL is below a base, over http or https."""
    return url.partition("://")[2].startswith(base.partition("://")[2])


def _is_host(name: str) -> bool:
    """Whether a folder is named after a host, perhaps with a port.

    >>> _is_host("www.example.com"), _is_host("127.0.0.1:8000"), _is_host("localhost:80"), _is_host("my.files.d")
    (True, True, True, False)
    """
    host, _, port = name.replace("+", ":").partition(":")
    last = host.rpartition(".")[2]
    if port and not port.isdecimal():
        return False
    if host == "localhost":
        return True
    return "." in host and ((len(last) >= 2 and last.isalpha()) or all(part.isdecimal() for part in host.split(".")))
