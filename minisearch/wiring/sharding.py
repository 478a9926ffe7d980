"""One file cut into shards by host, and several files put together into one.

A shard carries all that a query needs of its pages: their postings, what links from everywhere say of them, and their
ranks in the whole web. Searched together, shards answer as the one file did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from minisearch.crawl.duplicates import merge_pages
from minisearch.errors import BadInput, StoreError
from minisearch.index.indexer import group_near_duplicates, index_anchors, index_pages
from minisearch.rank.job import rank
from minisearch.store.database import Store
from minisearch.store.rankings import RankingFacts
from minisearch.store.splitting import add_rows, copy_share, first_of_hosts


def shard(path: Path, folder: Path, count: int) -> list[tuple[Path, int]]:
    """Cut a file into `count` files in `folder`, by host; gives each with how many pages it has.

    The shards are made under other names, and get their own when all of them are whole.
    """
    if count < 1:
        raise BadInput(f"a file can be cut into 1 shard or more, not {count}")
    whole, is_new = Store(path, create=False, read_only=True), not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        made = [folder / f"{path.stem}-{number:0{len(str(count))}}.db" for number in range(1, count + 1)]
        for file in made:
            if file.exists():
                raise StoreError(f'"{file}" exists already: move it away first')
        whose = dealt(first_of_hosts(whole), count)
        halves = [file.with_name(f"{file.name}.half") for file in made]
        try:
            found = []
            for number, half in enumerate(halves, start=1):
                _remove(half)
                found.append(_make(whole, half, number, count, whose))
            for half, file in zip(halves, made, strict=True):
                half.replace(file)
        finally:
            for half in halves:
                _remove(half)
        return list(zip(made, found, strict=True))
    finally:
        whole.close()
        if is_new and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()  # not even one was made


def _make(whole: Store, path: Path, number: int, count: int, whose: Callable[[str], int]) -> int:
    assert whole.path is not None
    part = Store(path)
    try:
        mine = np.array(copy_share(part, whole.path, whose, number), dtype=np.int64)
        for _ in index_pages(part):
            pass
        index_anchors(whole, among=mine.tolist(), into=part)
        with part.transaction():
            for name in whole.rankings.names():
                if (ranking := whole.rankings.get(name)) is not None:
                    part.rankings.save(_of(ranking, mine))
        run = part.start_run("shard", {"of": str(whole.path), "number": number, "count": count})
        part.finish_run(run, {"pages": len(mine)})
        part.unlock()
        part.checkpoint()
        return len(mine)
    finally:
        part.close()


def dealt(hosts: Iterable[tuple[str, int]], count: int) -> Callable[[str], int]:
    """Assign hosts to `count` shards, the largest first, each to the shard with the fewest pages so far.

    A host is given by one of its URLs and its number of pages. Returns the shard (1 to `count`) of a URL; a host that
    has no pages is assigned by a hash of its name.

    >>> whose = dealt([("http://a/", 5), ("http://b/", 3), ("http://c/x", 2), ("http://c:8080/", 1)], 2)
    >>> [whose(f"http://{host}/") for host in "abc"]
    [1, 2, 2]
    """
    pages: Counter[str] = Counter()
    for url, some in hosts:
        pages[host_name(url)] += some
    has, owners = [0] * count, {}
    for name, some in sorted(pages.items(), key=lambda host: (-host[1], host[0])):
        least = has.index(min(has))
        owners[name] = least + 1
        has[least] += some
    return lambda url: owners.get(host_name(url)) or shard_by_name(url, count)


def shard_by_name(url: str, count: int) -> int:
    """The shard (1 to `count`) of a URL by a hash of its host.

    >>> shard_by_name("http://example.com/a", 3) == shard_by_name("https://EXAMPLE.com:8080/b", 3)
    True
    """
    return int.from_bytes(sha256(host_name(url).encode("utf-8", "replace")).digest()[:8], "big") % count + 1


def host_name(url: str) -> str:
    """The host of a URL without its port: all ports of a host are in one shard.

    >>> host_name("https://EXAMPLE.com:8080/b")
    'example.com'
    """
    return (urlsplit(url).hostname or "").lower()


def _of(ranking: RankingFacts, pages: NDArray[np.int64]) -> RankingFacts:
    """What a ranking says of some pages."""
    pages = pages[pages < len(ranking.vector)]
    vector = np.full(int(pages.max(initial=0)) + 1, np.nan)
    vector[pages] = ranking.vector[pages]
    facts = (ranking.rounds, ranking.residual, ranking.converged, ranking.computed_at)
    return RankingFacts(ranking.name, ranking.parameters, *facts, vector)


def join(paths: Sequence[Path], into: Path) -> int:
    """Put the pages of several files into a new one, index what links say, and rank; gives how many pages it has."""
    if into.exists():
        raise StoreError(f'"{into}" exists already: move it away first')
    half = into.with_name(f"{into.name}.half")
    _remove(half)
    try:
        return _joined(paths, half, into)
    finally:
        _remove(half)


def _joined(paths: Sequence[Path], half: Path, into: Path) -> int:
    store = Store(half)
    try:
        parameters: dict[str, Any] = {}
        for path in paths:
            other = Store(path, create=False, read_only=True)
            try:
                add_rows(store, path)
                ranking = other.rankings.get("pagerank")
                parameters = ranking.parameters if ranking is not None else parameters
            finally:
                other.close()
        merge_pages(store)
        for _ in index_pages(store):
            pass
        index_anchors(store)
        group_near_duplicates(store)
        rank(store, **{name: value for name, value in parameters.items() if name in ("damping", "repeated", "loops")})
        pages = store.pages.counts()["pages"]
        store.unlock()
        store.checkpoint()
        store.close()
        half.replace(into)
        return pages
    finally:
        store.close()


def _remove(half: Path) -> None:
    for end in ("", "-wal", "-shm", "-writer"):
        half.with_name(half.name + end).unlink(missing_ok=True)
