"""serve: the search page and all that belongs to it."""

from __future__ import annotations

import click

from minisearch.cli import options, scaling


@click.command()
@options.db
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="0 takes a free one.")
@click.option(
    "--threads",
    type=click.IntRange(1),
    default=4,
    show_default=True,
    help="Requests that each process answers at a time.",
)
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that answer.")
@scaling.processes
@scaling.cluster
@click.option("--title", default="minisearch", show_default=True, help="The name over the box.")
@click.option(
    "--base-url",
    default="",
    metavar="URL",
    help="Where people reach it, if a proxy stands between: https://example.com/docs/",
)
@click.option(
    "--trusted-host",
    "trusted_hosts",
    multiple=True,
    metavar="NAME",
    help="A name by which it may be called; may be repeated. [default: any; on loopback its own]",
)
@click.option("--read-only", is_flag=True, help="Never write to the file. Excludes --allow-crawl.")
@click.option("--allow-crawl", is_flag=True, help="Let whoever sees the pages start and stop crawls.")
@click.option(
    "--cors",
    multiple=True,
    metavar="ORIGIN",
    help="Allow pages of this origin, such as https://docs.example.com, to search; may be repeated. * allows all.",
)
@click.option("--sql", is_flag=True, help="Allow visitors to run read-only SQL queries, with a time limit.")
@click.option("--access-log", default="", metavar="FILE", help="A line for each request; - writes to standard error.")
def serve(
    db: str,
    host: str,
    port: int,
    threads: int,
    workers: int,
    processes: int | None,
    cluster: str | None,
    title: str,
    base_url: str,
    trusted_hosts: tuple[str, ...],
    read_only: bool,
    allow_crawl: bool,
    cors: tuple[str, ...],
    sql: bool,
    access_log: str,
) -> None:
    """Serve the search page until Ctrl-C.

    \b
      minisearch serve --db docs.db --workers 2 --base-url https://example.com/docs/
      minisearch serve --db 'shards/*.db' --cluster tcp://10.0.0.1:8786
    """
    from minisearch.web.server import serve as run

    with scaling.readers(processes, cluster) as readers:
        run(
            db,
            host,
            port,
            threads=threads,
            workers=workers,
            ready=lambda address: click.echo(f"searching {db} at {address}  (Ctrl-C stops)"),
            title=title,
            base_url=base_url,
            trusted_hosts=trusted_hosts,
            read_only=read_only,
            allow_crawl=allow_crawl,
            cors=cors,
            sql=sql,
            access_log=access_log,
            readers=readers,
        )
