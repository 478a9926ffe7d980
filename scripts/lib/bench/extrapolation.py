"""What large webs would need, extrapolated from the costs that `scale` measures.

Each cost follows a power law, cost = a * size ** b. It is extrapolated from the largest measured size with the exponent
between the last two sizes, but at least 1: small sizes are mostly start-up. This holds up to the size of a shard;
beyond, cost is proportional to the number of shards. Ranking has no shards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bench.report import table

GB, TB = 1e9, 1e12
SIZES = (10**6, 10**8, 10**10)  # pages
SHARD = 1_000_000  # pages of one file
DAMPING, TOLERANCE = 0.85, 1e-8
ITERATIONS = math.ceil(math.log(TOLERANCE) / math.log(DAMPING))  # after which any graph has converged
CORES, MEMORY, DISK = 16, 64 * GB, 4 * TB  # of a machine
DAYS = 2  # to crawl, index and rank
VECTORS = 4  # of 8 bytes a page, that an iteration holds in memory
HOUR = 3600.0

Law = tuple[float, float]  # (a, b)


def fit(sizes: Sequence[float], costs: Sequence[float]) -> Law:
    """The law that fits best; proportional if there is one size only.

    >>> [round(part, 6) for part in fit([10, 100, 1000], [20, 200, 2000])]
    [2.0, 1.0]
    """
    if len(sizes) < 2:
        return (costs[0] / sizes[0], 1.0) if len(sizes) else (0.0, 1.0)
    exponent, logarithm = np.polyfit(np.log(sizes), np.log(costs), 1)
    return float(np.exp(logarithm)), float(exponent)


def extrapolate(sizes: Sequence[float], costs: Sequence[float], minimum: float = 1.0) -> Law:
    """The law through the last size with the exponent of the last two, but at least `minimum`.

    >>> [round(part, 6) for part in extrapolate([10, 100, 1000], [7, 20, 200])], extrapolate([10, 100], [5, 6])
    ([0.2, 1.0], (0.06, 1.0))
    """
    exponent = max(fit(sizes[-2:], costs[-2:])[1], minimum) if len(sizes) > 1 else minimum
    return costs[-1] / sizes[-1] ** exponent, exponent


def cost(law: Law, size: float) -> float:
    """The cost of a size."""
    factor, exponent = law
    return float(factor * size**exponent)


def sharded(law: Law) -> Callable[[float], float]:
    """The cost of a size in shards.

    >>> cost = sharded((1.0, 2.0))
    >>> cost(1000), cost(3 * SHARD) / cost(SHARD)
    (1000000.0, 3.0)
    """
    return lambda size: max(size / SHARD, 1) * cost(law, min(size, SHARD))


def requirements_table(
    ranks: list[dict[str, Any]], stages: list[dict[str, Any]], words_a_page: int, links_a_page: int
) -> str:
    """Machines, disk and hours for each size, and what is assumed."""
    pages = [one["pages"] for one in stages]
    laws = {stage: extrapolate(pages, [one[stage]["cpu"] for one in stages]) for stage in ("crawl", "index")}
    laws["rank"] = extrapolate(
        [one["links"] for one in ranks], [one["threads"] * one["rank"] / one["rounds"] for one in ranks]
    )
    search = extrapolate(pages, [one["search"]["seconds"] for one in stages], minimum=0.0)
    crawl, index = sharded(laws["crawl"]), sharded(laws["index"])
    file_bytes = sharded(extrapolate(pages, [one["index"]["bytes"] for one in stages]))
    link_bytes = max(one["disk"] / one["links"] for one in ranks)

    rows = []
    for size in SIZES:
        links = size * links_a_page
        hours = [crawl(size) / HOUR, index(size) / HOUR, ITERATIONS * cost(laws["rank"], links) / HOUR]
        disk = file_bytes(size) + link_bytes * links
        machines = max(
            math.ceil(sum(hours) / (CORES * 24 * DAYS)), math.ceil(disk / DISK), math.ceil(8 * VECTORS * size / MEMORY)
        )
        shards = math.ceil(size / SHARD)
        shards_a_core = math.ceil(math.ceil(shards / machines) / CORES)
        rows.append(
            [
                power_of_ten(size),
                power_of_ten(links),
                *(two_digits(value) for value in hours),
                f"{two_digits(disk / TB)} TB" if disk >= TB else f"{two_digits(disk / GB)} GB",
                f"{machines:,}",
                two_digits(sum(hours) / (machines * CORES)),
                f"{shards:,}",
                f"{two_digits(1000 * shards_a_core * cost(search, min(size, SHARD)))} ms",
            ]
        )
    head = ["pages", "links", "crawl, core hours", "index, core hours", "rank, core hours", "disk", "machines"]
    exponents = ", ".join(f"{stage} with exponent {exponent:.2f}" for stage, (_, exponent) in laws.items())
    assumptions = (
        f"Assumed: pages of {words_a_page} words and {links_a_page} links, as measured; files of at most {SHARD:,} "
        f"pages, up to which costs grow as measured ({exponents}); {ITERATIONS} iterations, after which damping "
        f"{DAMPING} reaches a residual of {TOLERANCE:g} on any graph; machines of {CORES} cores like these, "
        f"{MEMORY / GB:.0f} GB and {DISK / TB:.0f} TB, as many as do everything in {DAYS} days and hold the files and "
        "the vectors; enough hosts for a polite crawl, and a network that is not the bottleneck."
    )
    return "\n".join(["extrapolated", table([*head, "hours", "shards", "a query"], rows), "", assumptions])


def power_of_ten(value: int) -> str:
    """A number as 1e6.

    >>> power_of_ten(10**10)
    '1e10'
    """
    return f"{value:.0e}".replace("+0", "").replace("+", "")


def two_digits(value: float) -> str:
    """A number with two significant digits.

    >>> [two_digits(value) for value in (0.0123, 4.56, 78.9, 12345.0)]
    ['0.012', '4.6', '79', '12,000']
    """
    if value <= 0:
        return "0"
    digits = 1 - math.floor(math.log10(value))
    return f"{round(value, digits):,.{max(digits, 0)}f}"
