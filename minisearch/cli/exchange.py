"""exchange: crawlers that share the work hand each other the urls they have met."""

from __future__ import annotations

from pathlib import Path

import click

from minisearch.cli.shown import counted
from minisearch.errors import BadInput


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.db|OUTBOX...")
def exchange(files: tuple[str, ...]) -> None:
    """Hand each partition of a crawl what the others have met for it.

    Every FILE.db takes what its partition has to fetch from the outboxes of the others, and from each OUTBOX that is
    named; then the same crawl commands go on. When all were named and nothing was handed over, the crawl is done.

    \b
      minisearch crawl URL --partition 1/2 --db one.db
      minisearch crawl URL --partition 2/2 --db two.db
      minisearch exchange one.db two.db
    """
    from minisearch.engine import Engine
    from minisearch.wiring.exchanging import OUTBOX, check_fit, outbox_of, partition_of, take_in

    crawls = [Path(file) for file in files if not file.endswith(OUTBOX)]
    outboxes = [Path(file) for file in files if file.endswith(OUTBOX)]
    if not crawls:
        raise BadInput("name at least one FILE.db that takes what is in the outboxes")
    partitions = []
    for crawl in crawls:
        with Engine(crawl, create=False, read_only=True) as engine:
            partitions.append(partition_of(engine.store))
    check_fit(crawls, partitions)
    total = 0
    for crawl in crawls:
        others = [outbox_of(other) for other in crawls if other != crawl]
        with Engine(crawl, create=False) as engine:
            taken = take_in(engine.store, [*others, *outboxes])
        click.echo(f"{crawl}: {counted(taken, 'url')} to fetch")
        total += taken
    heard, count = len(crawls) + len(outboxes), partitions[0][1]
    if total:
        click.echo("crawl each again, then exchange again")
    elif heard < count:
        click.echo(f"nothing new from {heard} of {count} partitions: name the others too, or their outboxes")
    else:
        click.echo("nothing new: the crawl is done")
