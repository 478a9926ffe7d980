"""How cost grows, as tables; and on paper, what webs would need that no bench can hold.

Each cost is fitted by a law, cost = a * size ** b. On paper it goes on from the largest size that was measured, as fast
as from the one before it, and not slower than in step: small sizes are mostly start-up. That is followed up to a
shard; beyond it there are more shards, and cost grows in step with their number. Ranking has no shards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bench.report import number, table
from bench.scale import LINKS_A_PAGE, WORDS_A_PAGE

MILLION = 1_000_000
MB, GB, TB = 1e6, 1e9, 1e12
ON_PAPER = (10**6, 10**8, 10**10)  # pages
SHARD = 1_000_000  # pages of one file
DAMPING, TOLERANCE = 0.85, 1e-8
ROUNDS = math.ceil(math.log(TOLERANCE) / math.log(DAMPING))  # by which any web has settled
CORES, MEMORY, DISK = 16, 64 * GB, 4 * TB  # of a machine
DAYS = 2  # in which all of it should be done
VECTORS = 4  # as long as there are pages, of 8 bytes each, that a round keeps at hand
HOUR = 3600.0

Figures = dict[str, Any]


def law(sizes: Sequence[float], costs: Sequence[float]) -> tuple[float, float]:
    """(a, b) of the law cost = a * size ** b that fits best; one size alone is taken to grow in step.

    >>> [round(part, 6) for part in law([10, 100, 1000], [20, 200, 2000])]
    [2.0, 1.0]
    """
    if len(sizes) < 2:
        return (costs[0] / sizes[0], 1.0) if len(sizes) else (0.0, 1.0)
    exponent, start = np.polyfit(np.log(sizes), np.log(costs), 1)
    return float(np.exp(start)), float(exponent)


def tables(figures: Figures) -> str:
    """The tables, the laws, and what follows from them."""
    parts = []
    if figures["rank"]:
        parts += [_rank_table(figures["rank"]), ""]
    if figures["workers"]:
        parts += [_workers_table(figures["workers"]), ""]
    if figures["stages"]:
        parts += [_stage_table(figures["stages"]), ""]
    if figures["rank"] and figures["stages"]:
        parts += [on_paper(figures["rank"], figures["stages"])]
    return "\n".join(parts).rstrip()


def _rank_table(runs: list[Figures]) -> str:
    head = ["links", "pages", "blocks", "cut s", "rank s", "rounds", "s a round", "processor s", "memory MB", "disk MB"]
    rows = [
        [
            f"{one['links']:,}",
            f"{one['pages']:,}",
            str(one["blocks"]),
            number(one["cut"]),
            number(one["rank"]),
            str(one["rounds"]),
            number(one["rank"] / one["rounds"]),
            number(one["processor"]),
            number(one["memory"] / MB),
            number(one["disk"] / MB),
        ]
        for one in runs
    ]
    spent, power = law([one["links"] for one in runs], [one["rank"] / one["rounds"] for one in runs])
    said = f"a round takes {spent * MILLION**power:.3g} s for a million links, growing to the {power:.2f}"
    return "\n".join(["rank, out of core", table(head, rows), said])


def _workers_table(runs: list[Figures]) -> str:
    head = ["workers", "work", "s", "processor s", "memory MB"]
    rows = [
        [
            f"{one['count']} {'process' if one['by'] == 'crawl' else one['by']}",
            f"crawl {one['pages']:,} pages" if one["by"] == "crawl" else f"rank {one['links']:,} links",
            number(one["seconds"] if one["by"] == "crawl" else one["rank"]),
            number(one["processor"]),
            number(one["memory"] / MB),
        ]
        for one in runs
    ]
    return "\n".join(["one worker or two", table(head, rows)])


def _stage_table(runs: list[Figures]) -> str:
    head = ["pages", "crawl s", "processor s", "index s", "processor s", "query ms, p50", "p99", "file MB", "memory MB"]
    rows = [
        [
            f"{one['pages']:,}",
            number(one["crawl"]["seconds"]),
            number(one["crawl"]["processor"]),
            number(one["index"]["seconds"]),
            number(one["index"]["processor"]),
            number(1000 * one["search"]["seconds"]),
            number(1000 * one["search"]["p99"]),
            number(one["index"]["bytes"] / MB),
            number(max(one[stage]["memory"] for stage in ("crawl", "index", "search")) / MB),
        ]
        for one in runs
    ]
    pages = [one["pages"] for one in runs]
    said = []
    for stage in ("crawl", "index", "search"):
        cost, power = law(pages, [one[stage]["seconds"] for one in runs])
        said.append(f"{stage}: {cost * MILLION**power:.3g} s for a million pages, growing to the {power:.2f}")
    return "\n".join(["crawl, index, search", table(head, rows), *said])


# -- on paper --------------------------------------------------------------------------------


def on_paper(ranks: list[Figures], stages: list[Figures]) -> str:
    """What webs would need in machines, disk and hours, and what that takes for granted; ready to be pasted."""
    pages = [one["pages"] for one in stages]
    grown = {stage: onward(pages, [one[stage]["processor"] for one in stages]) for stage in ("crawl", "index")}
    crawl, index = sharded(grown["crawl"]), sharded(grown["index"])
    disk = sharded(onward(pages, [one["index"]["bytes"] for one in stages]))
    asked = onward(pages, [one["search"]["seconds"] for one in stages], least=0.0)
    turn = onward([one["links"] for one in ranks], [one["threads"] * one["rank"] / one["rounds"] for one in ranks])
    a_link = max(one["disk"] / one["links"] for one in ranks)

    rows = []
    for size in ON_PAPER:
        links = size * LINKS_A_PAGE
        hours = [crawl(size) / HOUR, index(size) / HOUR, ROUNDS * at(turn, links) / HOUR]
        room = disk(size) + a_link * links
        machines = max(
            math.ceil(sum(hours) / (CORES * 24 * DAYS)), math.ceil(room / DISK), math.ceil(8 * VECTORS * size / MEMORY)
        )
        shards = math.ceil(size / SHARD)
        turns = math.ceil(math.ceil(shards / machines) / CORES)
        query = turns * at(asked, min(size, SHARD))
        rows.append(
            [
                f"{size:.0e}".replace("+0", "").replace("+", ""),
                f"{links:.0e}".replace("+0", "").replace("+", ""),
                *(figure(value) for value in hours),
                in_bytes(room),
                f"{machines:,}",
                figure(sum(hours) / (machines * CORES)),
                f"{shards:,}",
                f"{figure(1000 * query)} ms",
            ]
        )
    head = [
        "pages",
        "links",
        "crawl, core hours",
        "index, core hours",
        "rank, core hours",
        "disk",
        "machines",
        "hours",
        "shards",
        "a query",
    ]
    slopes = {"crawl": grown["crawl"][1], "index": grown["index"][1], "rank": turn[1]}
    grows = ", ".join(f"{stage} to the {slope:.2f}" for stage, slope in slopes.items())
    machine = f"{CORES} cores like these, {MEMORY / GB:.0f} GB and {DISK / TB:.0f} TB"
    said = (
        f"Assumed: pages of {WORDS_A_PAGE} words and {LINKS_A_PAGE} links, as measured; files of {SHARD:,} pages, "
        f"growth as measured up to there ({grows}), and more files beyond; {ROUNDS} rounds, by which damping "
        f"{DAMPING} has any web settled to {TOLERANCE:g}; machines of {machine}, as many as do all of it in {DAYS} "
        "days and hold the files and the vectors; hosts enough to be polite to, and a network that keeps up."
    )
    return "\n".join(["on paper", table(head, rows), "", said])


def onward(sizes: Sequence[float], costs: Sequence[float], least: float = 1.0) -> tuple[float, float]:
    """The law that goes on from the last size as fast as from the one before it, and not slower than `least`.

    >>> [round(part, 6) for part in onward([10, 100, 1000], [7, 20, 200])], onward([10, 100], [5, 6])
    ([0.2, 1.0], (0.06, 1.0))
    """
    power = max(law(sizes[-2:], costs[-2:])[1], least) if len(sizes) > 1 else least
    return costs[-1] / sizes[-1] ** power, power


def at(fit: tuple[float, float], size: float) -> float:
    """What a law says of a size."""
    start, power = fit
    return float(start * size**power)


def sharded(fit: tuple[float, float]) -> Callable[[float], float]:
    """A law up to the size of a shard, and as many times that as there are shards.

    >>> cost = sharded((1.0, 2.0))
    >>> cost(1000), cost(3 * SHARD) / cost(SHARD)
    (1000000.0, 3.0)
    """
    return lambda size: max(size / SHARD, 1) * at(fit, min(size, SHARD))


def figure(value: float) -> str:
    """A number on paper: two digits of it, and no more.

    >>> [figure(value) for value in (0.0123, 4.56, 78.9, 12345.0)]
    ['0.012', '4.6', '79', '12,000']
    """
    if value <= 0:
        return "0"
    digits = 1 - math.floor(math.log10(value))
    return f"{round(value, digits):,.{max(digits, 0)}f}"


def in_bytes(size: float) -> str:
    """A size on disk.

    >>> in_bytes(15e9), in_bytes(1.5e14)
    ('15 GB', '150 TB')
    """
    return f"{figure(size / TB)} TB" if size >= TB else f"{figure(size / GB)} GB"
