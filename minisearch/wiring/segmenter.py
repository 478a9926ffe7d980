"""From waiting pages to segments. `python -m minisearch.wiring.segmenter FILE` does it for another process, which tells
over standard input after which page, and up to which.

It only reads the file; what it has made goes to its parent over standard output.
"""

from __future__ import annotations

import fcntl
import gc
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection
from urllib.parse import unquote, urlsplit

from minisearch.errors import StoreError
from minisearch.index.invert import MOST_PAGES, Document, Segment, invert
from minisearch.store.waiting import WaitingPages, opened

PAGES_AT_A_TIME = 200  # read from the file at one go
ROWS_AT_A_TIME = 500  # sent to the parent at one go
PLAIN_URL = re.compile(r"https?://[\w.:-]*(/[!$&-;=@-~]*)", re.ASCII)  # most of them have nothing but a path
WORDS_AT_A_TIME = 24_000_000  # roughly: bounds the memory that one segment takes to make
PIPE = 1 << 20  # bytes of rows that can wait for the parent, while the process goes on
# Arrays come and go. The GNU library would give their memory back each time, and the system clear it once more. Numpy
# would start threads for matrices, of which we have none, and they would wait for them in a loop; and it would ask for
# memory by 2 MB at a time, of which a system that has been up for a while must first find, and clear, what lay idle.
KEEPING = {
    "MALLOC_MMAP_THRESHOLD_": str(1 << 25),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 27),
    "MALLOC_TOP_PAD_": str(1 << 25),
    "OPENBLAS_NUM_THREADS": "1",
    "NUMPY_MADVISE_HUGEPAGE": "0",
}


def segments(pages: WaitingPages, after: int, up_to: int) -> Iterator[Segment]:
    """The segments of the waiting pages with ids from `after` (which is left out) to `up_to`."""
    while after < up_to:
        batch = Batch(pages, after, up_to)
        segment = inverted(batch)
        if len(segment.pages):
            yield segment
        after = batch.last


def inverted(documents: Iterable[Document]) -> Segment:
    """The segment of documents from the file."""
    try:
        return invert(documents)
    except UnicodeDecodeError as error:
        raise StoreError("the text of a page in this file is damaged: it is not UTF-8. Crawl it again") from error


class Batch:
    """Documents for one segment, read as they are asked for. `last` is where the next batch goes on."""

    def __init__(self, pages: WaitingPages, after: int, up_to: int, *, endless: bool = False) -> None:
        self._pages, self.last, self._up_to, self._endless = pages, after, up_to, endless

    def __iter__(self) -> Iterator[Document]:
        words = pages = 0
        while rows := self._pages.to_index(PAGES_AT_A_TIME, self.last, self._up_to):
            for self.last, url, title, headings, text, language in rows:
                yield Document(self.last, (title, headings, readable(url), text), language)
                words += len(text) // 6
                pages += 1
                if not self._endless and (words >= WORDS_AT_A_TIME or pages == MOST_PAGES):
                    return
        self.last = self._up_to


def readable(url: str) -> str:
    """The words of a url: its path and query, as a person would read them.

    >>> readable("https://example.com/docs/Caf%C3%A9-menu.html?lang=fr")
    '/docs/Café-menu.html lang=fr'
    """
    if plain := PLAIN_URL.fullmatch(url):
        return plain[1]
    parts = urlsplit(url)
    return unquote(f"{parts.path} {parts.query}", errors="replace").rstrip()


def start(path: str) -> tuple[subprocess.Popen[bytes], Connection]:
    """A process that makes the segments of a share of the pages once it is told which, and where they come out.

    It is no copy of this one: what SQLite knows of the locks on a file would be wrong in a copy.
    """
    reading, writing = os.pipe()
    with suppress(AttributeError, OSError):  # not everywhere can it be had larger
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, PIPE)
    try:
        child = subprocess.Popen(
            [sys.executable, "-m", "minisearch.wiring.segmenter", path],
            stdin=subprocess.PIPE,
            stdout=writing,
            env={**KEEPING, **os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            process_group=0,  # Ctrl-C at a terminal is for the parent alone
        )
    finally:
        os.close(writing)
    return child, Connection(reading, writable=False)


def tell(child: subprocess.Popen[bytes], after: int, up_to: int) -> None:
    """Tell a process its share."""
    if child.stdin is not None:
        with suppress(BrokenPipeError), child.stdin as told:  # or it has died, as whoever waits for segments will see
            told.write(b"%d %d\n" % (after, up_to))


def main(path: str) -> None:
    """Make the segments of a share of the pages, and send them."""
    gc.disable()  # the process ends before it could have left much
    results = Connection(os.dup(sys.stdout.fileno()), readable=False)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing printed may end up among the results
    after, up_to = map(int, sys.stdin.readline().split() or (0, 0))  # or the parent has gone
    with suppress(BrokenPipeError):  # the parent has gone
        for made in segments(opened(path), after, up_to):
            results.send(made.facts())
            while some := list(islice(made.rows, ROWS_AT_A_TIME)):
                results.send(some)
            results.send([])
        results.send(None)


if __name__ == "__main__":
    main(*sys.argv[1:])
    os._exit(0)  # all is sent; to take apart what was made would only take time
