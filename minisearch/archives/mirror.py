"""Mirrors: a folder of HTML files as an archive, such as `wget --mirror` makes one.

The folder's files stand for the pages below a base address. A folder's own address leads to its index.html, a name
may stand there with ".html" behind it (wget -E), and a query is a part of the name ("list.php?page=2"). What no
name can hold is written there as in a url: a slash always ("?file=a%2Fb"), on Windows some more ("list.php@page=2").
"""

from __future__ import annotations

import errno
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

from minisearch.crawl.visit import Task
from minisearch.errors import BadInput
from minisearch.fetch.errors import FetchError
from minisearch.fetch.fetcher import Response
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.records import Outcome
from minisearch.urls import normalize, origin

INDEX = ("index.html", "index.htm", "index.xhtml")
KINDS = {
    ".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".txt": "text/plain",
    ".php": "text/html", ".asp": "text/html", ".aspx": "text/html", ".jsp": "text/html", ".cgi": "text/html",
}  # fmt: skip
SNIFFED = 512  # bytes in which a file without a telling name shows that it is HTML
# and the tags by which browsers know it when it begins with them (the MIME Sniffing standard, section 7.1)
HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<"
    rb"(?:(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[ >]|!--)"
)
TYPES = MimeTypes()  # Python's own table, the same on every machine
SLASH = {ord("/"): "%2F"}
WINDOWS = SLASH | {ord(each): f"%{ord(each):02X}" for each in '\\|:?"*<>'}  # wget --restrict-file-names=windows


class Mirror:
    """The files of a folder. `base` is the address of the folder; if none is given, it is read off its name."""

    def __init__(self, folder: str | Path, base: str = "") -> None:
        self._folder = Path(folder).resolve()
        self.passed: Counter[str] = Counter()
        self.about: dict[str, Any] = {}
        try:
            self._bases = dict(self._places(base))
        except OSError as error:
            raise BadInput(f'cannot read "{folder}": {error.strerror}') from error
        self._known: dict[str, Path | None] = {}  # asked for again and again by links
        self._elsewhere: dict[str, str] = {}  # urls with a link to a folder in them -> the same without it
        self._urls: dict[str, Path] = {}
        for top_url, top, path in self._pages():
            url = self._address(top_url, path.relative_to(top))
            if url in self._urls:  # such as index.htm beside index.html
                url = self._address(top_url, path.relative_to(top), short=False)
            if self._urls.setdefault(url, path) != path:
                self.passed["another file for the same url"] += 1
        if not self._urls:
            raise BadInput(f'there are no pages in "{folder}"')

    def _places(self, base: str) -> Iterator[tuple[str, Path]]:
        """Which folder stands for which address."""
        if base:
            base = normalize(base).partition("?")[0]
            yield (base if base.endswith("/") else base + "/"), self._folder
            return
        hosts = [path for path in sorted(self._folder.iterdir()) if path.is_dir() and _is_host(path.name)]
        if hosts and not any(path.suffix in KINDS for path in self._folder.iterdir() if path.is_file()):
            for path in hosts:  # wget makes a folder for each host
                yield _home(path), path
        elif _is_host(self._folder.name):
            yield _home(self._folder), self._folder
        else:
            yield normalize(f"http://localhost/{quote(os.fsencode(self._folder.name))}/"), self._folder

    def _pages(self) -> Iterator[tuple[str, Path, Path]]:
        """(base, its folder, file) of each page, an index before what it may lead to."""
        for base, top in self._bases.items():
            for folder, names, files in os.walk(top, onerror=self._pass_over):
                names[:] = sorted(name for name in names if not name.startswith("."))
                for name in sorted(files, key=lambda name: (INDEX.index(name) if name in INDEX else len(INDEX), name)):
                    path = Path(folder, name)
                    try:
                        why_not = self._why_not(path, top)
                    except OSError as error:
                        self._pass_over(error)
                        continue
                    if why_not:
                        self.passed[why_not] += 1
                    else:
                        yield base, top, path

    def _why_not(self, path: Path, top: Path) -> str:
        """The kind of a file that is no page; nothing if it is one."""
        if path.name.startswith(".") or not _real(path).is_relative_to(self._folder):
            return "hidden or outside"
        if not path.is_file():  # a pipe would be waited for without end
            return "no file"
        if path == top / "robots.txt":  # was read by a crawler, and is no page
            return "robots.txt"
        return "" if self._kind(path) else path.suffix.lower() or "no page"

    def _pass_over(self, error: OSError) -> None:
        self.passed[(error.strerror or str(error)).lower()] += 1

    @staticmethod
    def _address(base: str, path: Path, *, short: bool = True) -> str:
        """The address of a file; that of its folder, if it is an index and a `short` one is wanted."""
        front, _, query = path.as_posix().partition("?")
        if short and path.name.partition("?")[0] in INDEX:
            front = front.removesuffix(path.name.partition("?")[0])
        name, asked = quote(os.fsencode(front)), quote(os.fsencode(query.replace("%2F", "/")), safe="=&/")
        return normalize(base + name + (f"?{asked}" if asked else ""))

    @staticmethod
    def _kind(path: Path) -> str:
        """The type of a file; nothing if it is no page."""
        suffix = Path(path.name.partition("?")[0]).suffix.lower()
        if path.suffix.lower() in KINDS or suffix in KINDS:
            return KINDS.get(path.suffix.lower()) or KINDS[suffix]
        if "?" not in path.name and TYPES.guess_type(path.name)[0]:
            return ""  # a picture, a script ...; "release-1.5" is none of them
        with path.open("rb") as file:
            start = file.read(SNIFFED).lower()
        is_html = HTML.match(start) or b"<html" in start or b"<!doctype html" in start
        return "text/html" if is_html else ""

    def urls(self) -> list[str]:
        """The urls that it has an answer for."""
        return list(self._urls)

    def has(self, url: str) -> bool:
        """Whether it has an answer for a url."""
        return self.place(url) is not None

    def place(self, url: str) -> Path | None:
        """The file that stands for a url."""
        if url not in self._known:
            self._known[url] = self._file(url)
        return self._known[url]

    def start(self) -> str:
        """The index of the folder, or else its first page."""
        return next(iter(self._urls))

    def note(self, task: Task) -> Outcome | RobotsFile | None:
        """A folder remembers nothing else."""

    def answer(self, url: str, limits: Limits) -> tuple[Response, str] | None:
        """The file that stands for a url; a folder redirects that lacks its slash, as on servers, or is a link."""
        path = self.place(url)
        if path is None:
            return None
        location = self._elsewhere.get(url, url)
        if location != url or path.is_dir():
            return Response(url, 301, {"location": location if location != url else url + "/"}), ""
        try:
            changed = path.stat().st_mtime
            with path.open("rb") as file:
                body = file.read(limits.page_bytes + 1)
            headers = {"content-type": self._kind(path), "last-modified": formatdate(changed, usegmt=True)}
        except OSError as error:
            raise FetchError(f"its file cannot be read: {error.strerror}", "unreadable", transient=False) from error
        return Response(url, 200, headers, body), datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds")

    def _file(self, url: str) -> Path | None:
        base = next((base for base in self._bases if _below(url, base)), None)
        if base is None:
            return None
        front, mark, query = url[len(origin(url)) :].partition("?")
        name = os.fsdecode(unquote_to_bytes(front[len(base) - len(origin(base)) :]))
        for each in _names(name, mark + query):
            try:
                path = _real(self._bases[base] / each)
                inside = path.is_relative_to(self._folder) and not any(p.startswith(".") for p in each.split("/"))
                if inside and (path.is_dir() or (path.is_file() and self._kind(path))):
                    if path != self._bases[base] / each:
                        self._elsewhere[url] = self._without_links(url, self._bases[base] / name.rpartition("/")[0])
                    return path if self._elsewhere.get(url, url) else None
            except (OSError, ValueError):  # a name no file can have
                continue
        return self._urls.get(url)  # a query that is no part of the address is one of the name

    def _without_links(self, url: str, folder: Path) -> str:
        """A url without the links to folders that it goes through, which may lead in a circle; nothing if not ours."""
        real = _real(folder)
        tops = [*self._bases.items(), *((base, _real(top)) for base, top in self._bases.items())]
        base, below = next(
            ((base, real.relative_to(top)) for base, top in tops if real.is_relative_to(top)), ("", real)
        )
        if not base or any(part.startswith(".") for part in below.parts):
            return ""
        front, mark, query = url.partition("?")
        folders = "".join(f"{quote(os.fsencode(part))}/" for part in below.parts)
        return normalize(base + folders + front.rpartition("/")[2] + mark + query)


def _names(name: str, query: str) -> Iterator[str]:
    """What the file may be called that stands for a name and the query behind it.

    >>> [*_names("a", "")], [*_names("docs/", "?q=%20")][:2]
    (['a', 'a.html'], ['docs/?q= ', 'docs/?q= .html'])
    >>> [name for name in _names("a", "?q=b/c") if name.endswith("c")]
    ['a?q=b/c', 'a?q=b%2Fc', 'a@q=b%2Fc']
    """
    is_folder = name == "" or name.endswith("/")
    indexes = [name + index for index in INDEX] if is_folder else []
    asked = unquote(query, errors="surrogateescape")
    ends = dict.fromkeys((asked, query, asked.translate(SLASH)))
    starts = ([name] if query or not is_folder else []) + indexes
    pairs = [(start, end) for start in starts for end in ends]
    pairs += [(_for_windows(start), asked and "@" + asked[1:].translate(WINDOWS)) for start in starts]
    for each in dict.fromkeys(start + end for start, end in pairs):
        yield each
        if query or not is_folder:
            yield f"{each}.html"


def _for_windows(name: str) -> str:
    """A path as wget writes it for Windows."""
    return "/".join(part.translate(WINDOWS) for part in name.split("/"))


def _real(path: Path) -> Path:
    """Where a path leads."""
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError("leads in a circle") from error
    return Path(os.path.realpath(path))  # resolve() tells a circle in another way from Python 3.13 on


def _home(folder: Path) -> str:
    """The address of a folder that is called after its host; over https if its index speaks of itself so."""
    name = folder.name.replace("+", ":")
    secure = f"https://{name}".encode()
    index = next((folder / each for each in INDEX if (folder / each).is_file()), None)
    return normalize(f"{'https' if index and secure in index.read_bytes() else 'http'}://{name}/")


def _below(url: str, base: str) -> bool:
    """Whether a url is below a base, over http or https."""
    return url.partition("://")[2].startswith(base.partition("://")[2])


def _is_host(name: str) -> bool:
    """Whether a folder has the name of a host, with its port perhaps.

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
