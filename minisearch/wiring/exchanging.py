"""Many crawlers: what one has met and another has to fetch goes from hand to hand in outbox files.

Each line of an outbox is one url with how near it is to a seed. Handing a line over twice does no harm.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from minisearch.crawl.partition import Partition, owner
from minisearch.errors import BadInput, BadUrl
from minisearch.records import Found
from minisearch.store.store import Store
from minisearch.urls import host, normalize

OUTBOX = ".outbox"


def outbox_of(path: str | Path) -> Path:
    """The outbox that belongs to a file.

    >>> outbox_of("a.db").name
    'a.db.outbox'
    """
    return Path(f"{path}{OUTBOX}")


def write_outbox(store: Store, path: Path) -> int:
    """Put down what others have to fetch; gives how many urls it is. The file is whole or as it was before."""
    lines = [
        json.dumps({"url": url, "depth": depth, "hops": hops})
        for url, depth, hops in store.journal.left_to("partition")
    ]
    half = path.with_name(f"{path.name}.half")
    half.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    half.replace(path)
    return len(lines)


def take_in(store: Store, outboxes: Iterable[Path]) -> int:
    """Queue what others have left for the partition of this file; gives how many urls were news to it."""
    seeds, settings = _crawl_of(store)
    number, count = settings["partition"]
    deepest = int(settings["max_depth"])
    told = [each for outbox in outboxes for each in _read(outbox, deepest) if owner(each.url, count) == number]
    journal = store.journal
    with store.transaction():
        crawl, _ = journal.begin(seeds, settings)
        before = journal.count_waiting(crawl)
        journal.meet(crawl, None, told, max_depth=deepest)
        taken = journal.count_waiting(crawl) - before
    store.unlock()
    return taken


def partition_of(store: Store) -> Partition:
    """Which partition a file holds, of how many."""
    number, count = _crawl_of(store)[1]["partition"]
    return number, count


def check_fit(files: Sequence[Path], partitions: Sequence[Partition]) -> None:
    """Files that are not partitions of one crawl, each another one, have nothing to hand over."""
    seen: dict[Partition, Path] = {}
    for file, (number, count) in zip(files, partitions, strict=True):
        if count != partitions[0][1]:
            raise BadInput(f'"{file}" is one of {count} partitions, but "{files[0]}" one of {partitions[0][1]}')
        if (number, count) in seen:
            raise BadInput(f'"{seen[number, count]}" and "{file}" both hold partition {number}/{count}')
        seen[number, count] = file


def _crawl_of(store: Store) -> tuple[list[str], dict[str, Any]]:
    crawls = store.journal.partitioned()
    if len(crawls) != 1:
        how = "with several sets of seeds" if crawls else "without --partition"
        raise BadInput(f'"{store.file.path}" is not one partition of one crawl: it was crawled {how}')
    return crawls[0]


def _read(path: Path, deepest: int) -> Iterator[Found]:
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise BadInput(f'there is no outbox "{path}": crawl with --partition first') from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f'cannot read "{path}": {error}') from None
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            told: dict[str, Any] = json.loads(line)
            url = normalize(told["url"])
            depth = int(told["depth"])
            far = ("depth", f"{depth} links away from the start, the limit is {deepest}") if depth > deepest else ()
            yield Found(url, host(url), depth, int(told["hops"]), *far)
        except (ValueError, KeyError, TypeError, BadUrl):
            raise BadInput(f'"{path}", line {number}: this is no line of an outbox') from None
