"""Who reads the files that are searched as one: threads of this process, processes beside it, or whoever else can.

A question goes by the name of a drawer of the store and of what is asked of it, so that it can be sent anywhere.
"""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

from minisearch.errors import MiniSearchError
from minisearch.store.database import Store

Question = tuple[int, str, str, tuple[Any, ...]]  # the number of the file, the drawer, what is asked, what is given
HERE = ""  # the drawer of what the reader itself knows


class Reader:
    """One file of several, open to be asked."""

    def __init__(self, path: str | Path) -> None:
        self._store = Store(path, create=False, read_only=True)

    def ask(self, drawer: str, question: str, given: tuple[Any, ...] = ()) -> Any:
        """What a drawer of the store says."""
        return getattr(getattr(self._store, drawer) if drawer else self, question)(*given)

    def begin(self) -> tuple[int, int]:
        """From now on one and the same state of the file; tells its last page and its last segment."""
        self._store.db.execute("BEGIN")  # not `reading`: begun and ended by different threads
        return self._last("pages"), self._last("segments")

    def end(self) -> None:
        """The file may go on; for a reader that took the place of another, it never stood still."""
        if self._store.db.conn.in_transaction:
            self._store.db.execute("ROLLBACK")

    def urls(self) -> list[str]:
        """The url of every page."""
        rows = self._store.db.conn.execute("SELECT urls.url FROM pages JOIN urls ON urls.id = pages.url_id")
        return [url for (url,) in rows]

    def close(self) -> None:
        """Done with the file."""
        self._store.close()

    def _last(self, table: str) -> int:
        """The largest id in a table; 0 if it is empty."""
        (last,) = self._store.db.conn.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()
        return int(last)


class Readers(Protocol):
    """Those who hold the files."""

    def ask(self, questions: Sequence[Question]) -> list[Any]:
        """The answers, in order. All questions are asked at the same time."""

    def close(self) -> None:
        """Done with the files."""


Hire = Callable[[Sequence[str]], Readers]  # makes readers of some files
Elsewhere = Callable[[type[Reader], Sequence[str]], Readers]  # the same, by those who have to be told how to open one


def hire(readers: int | Elsewhere | None) -> Hire:
    """Who reads: so many processes, others elsewhere, or, if nothing is said, threads of this process."""
    if readers is None:
        return InThreads
    return partial(InProcesses, count=readers) if isinstance(readers, int) else partial(readers, Reader)


class InThreads:
    """Readers in this process, a thread for each file."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._readers = list(_opened(paths))
        self._pool = ThreadPoolExecutor(len(self._readers))

    def ask(self, questions: Sequence[Question]) -> list[Any]:
        """The answers, in order."""
        asked = [
            self._pool.submit(self._readers[file].ask, drawer, question, given)
            for file, drawer, question, given in questions
        ]
        wait(asked)  # all are heard to the end, whatever one has to say
        return [answer.result() for answer in asked]

    def close(self) -> None:
        """Done with the files."""
        for reader in self._readers:
            reader.close()
        self._pool.shutdown()


class InProcesses:
    """Readers in processes beside this one, each with its share of the files. If one dies, all are begun anew."""

    def __init__(self, paths: Sequence[str], count: int) -> None:
        self._paths, self._count = paths, min(count, len(paths))
        self._lines: list[Connection] = []
        self._processes: list[Any] = []
        self._begin()

    def _begin(self) -> None:
        context = get_context("spawn")  # a copy of us would hold our own files open
        for number in range(self._count):
            ours, theirs = context.Pipe()
            process = context.Process(target=_read, args=(theirs, self._paths[number :: self._count]), daemon=True)
            process.start()
            theirs.close()
            self._lines.append(ours)
            self._processes.append(process)
        try:
            for line in self._lines:
                _heard(line)  # that its files are open
        except BaseException as error:
            self.close()
            if isinstance(error, EOFError):
                raise MiniSearchError("a process that should read some of the files did not begin") from None
            raise

    def ask(self, questions: Sequence[Question]) -> list[Any]:
        """The answers, in order."""
        if not self._lines:
            self._begin()
        shares: dict[int, list[int]] = {}
        for place, (file, *_) in enumerate(questions):
            shares.setdefault(file % self._count, []).append(place)
        answers: dict[int, Any] = {}
        wrong: Exception | None = None
        try:
            for process, places in shares.items():
                self._lines[process].send(
                    [(questions[place][0] // self._count, *questions[place][1:]) for place in places]
                )
            for process, places in shares.items():  # all are heard to the end, whatever one has to say
                try:
                    answers.update(zip(places, _heard(self._lines[process]), strict=True))
                except KNOWN as error:
                    wrong = error
        except (EOFError, OSError):
            self.close()
            raise MiniSearchError("a process that read some of the files is gone: ask again") from None
        if wrong is not None:
            raise wrong
        return [answers[place] for place in range(len(questions))]

    def close(self) -> None:
        """Done with the files, and with the processes."""
        for line in self._lines:
            line.close()  # which they take for the end
        for process in self._processes:
            process.join()
        self._lines, self._processes = [], []


KNOWN = (MiniSearchError, sqlite3.Error)  # what can go wrong with a file; all else is a fault of ours, and ends it


def _opened(paths: Sequence[str]) -> Iterator[Reader]:
    """A reader for each file; none is left open if one cannot be opened."""
    readers: list[Reader] = []
    try:
        for path in paths:
            readers.append(Reader(path))
    except BaseException:
        for reader in readers:
            reader.close()
        raise
    return iter(readers)


def _heard(line: Connection) -> Any:
    """What a process says; what went wrong there goes wrong here."""
    kind, said = line.recv()
    if kind is not None:
        raise kind.__new__(kind, said)  # not made anew: an error may make its words of other words
    return said


def _read(line: Connection, paths: Sequence[str]) -> None:
    """The life of a process that reads. It says (None, an answer), or (the kind of an error, its words)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who was interrupted ends us, too
    readers: list[Reader] = []
    try:
        readers += _opened(paths)
        line.send((None, None))
        while True:
            line.send(_answer(readers, line.recv()))
    except (EOFError, ConnectionError):
        pass  # nobody asks any more, or waits for an answer
    except KNOWN as error:
        line.send((type(error), str(error)))
    finally:
        for reader in readers:
            reader.close()


def _answer(readers: Sequence[Reader], questions: Sequence[Question]) -> tuple[type[Exception] | None, Any]:
    try:
        return None, [readers[file].ask(drawer, asked, given) for file, drawer, asked, given in questions]
    except KNOWN as error:
        return type(error), str(error)
