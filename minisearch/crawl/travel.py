"""Travel: how a page gets from process to process: its headings as columns and its links by their numbers, which are
packed sooner than a record for every one of them.
"""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from io import BytesIO
from itertools import repeat
from operator import attrgetter
from typing import Any

from minisearch.crawl.register import LinkReader, LinkWriter, Written
from minisearch.records import Heading, Link
from minisearch.records import Page as Page

FACTS = tuple(each.name for each in fields(Page) if each.name not in ("headings", "links"))
facts = attrgetter(*FACTS)


class Packer:
    """Packs the records that one process sends to another: `pack(record)` is bytes."""

    def __init__(self) -> None:
        self._register = LinkWriter()
        self._ways = {**copyreg.dispatch_table, Page: self._apart}

    def __call__(self, record: object) -> bytes:
        """What is to be sent of a record."""
        packed = BytesIO()
        pickler = pickle.Pickler(packed, pickle.HIGHEST_PROTOCOL)
        pickler.dispatch_table = self._ways
        pickler.dump(record)
        return packed.getvalue()

    def _apart(self, page: Page) -> tuple[Any, ...]:
        return together, (facts(page), columns(page.headings), self._register.write(page.links))


class Unpacker:
    """Unpacks what one packer has packed, all of it and in order: `unpack(pack(record))` is the record again."""

    def __init__(self) -> None:
        self._read = LinkReader().read

    def __call__(self, packed: bytes | memoryview) -> Any:
        """The record again."""
        return _Unpickler(packed, self._read).load()


class _Unpickler(pickle.Unpickler):
    def __init__(self, packed: bytes | memoryview, read: Callable[[Written], tuple[Link, ...]]) -> None:
        super().__init__(BytesIO(packed))
        self._read = read

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name)
        return partial(together, self._read) if found is together else found


def together(
    read: Callable[[Written], tuple[Link, ...]], facts: tuple[Any, ...], headings: tuple[Any, ...], links: Written
) -> Page:
    """A page that was taken apart. Whoever takes it has to `read` its links."""
    return Page(**dict(zip(FACTS, facts, strict=True)), headings=rows(Heading, headings), links=read(links))


def columns(rows: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], ...]:
    """Records as columns.

    >>> columns((Heading(1, "One"), Heading(2, "Two", 9, "two")))
    ((1, 2), ('One', 'Two'), (0, 9), ('', 'two'))
    """
    return tuple(zip(*rows, strict=True))


def rows(kind: type[Any], columns: tuple[Any, ...]) -> tuple[Any, ...]:
    """Columns as records again, without the detour over Heading(...), for they come by the hundred.

    >>> rows(Heading, ((1, 2), ("One", "Two"), (0, 9), ("", "two")))[1]
    Heading(level=2, text='Two', start=9, anchor='two')
    """
    return tuple(map(tuple.__new__, repeat(kind), zip(*columns, strict=True)))
