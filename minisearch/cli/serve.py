"""serve: the search page."""

from __future__ import annotations

import click

from minisearch.cli import options


@click.command()
@options.db
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="0 takes a free one.")
@click.option("--threads", type=click.IntRange(1), default=4, show_default=True, help="Requests answered at a time.")
def serve(db: str, host: str, port: int, threads: int) -> None:
    """Serve the search page until Ctrl-C."""
    from minisearch.web.server import serve as run

    run(
        db,
        host,
        port,
        threads,
        ready=lambda address: click.echo(f"searching {db} at {address}  (Ctrl-C stops)"),
    )
