"""serve: the web application."""

from __future__ import annotations

from typing import Any

import click

from minisearch.cli import options
from minisearch.cli.options import Integer, option


@options.command()
@options.db
@option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@option("--port", type=Integer(0, 65535), default=8080, show_default=True, help="0 picks a free port.")
@option("--threads", type=Integer(1), show_default="4; 1 with --workers", help="Threads of each process.")
@option("--workers", type=Integer(1, 64), default=1, show_default=True, help="Processes (gunicorn).")
@options.processes
@options.cluster
@option("--title", default="minisearch", show_default=True, help="Title of the pages.")
@option("--base-url", default="", metavar="URL", help="Public URL behind a proxy: https://example.com/docs/")
@option(
    "--trusted-host",
    "trusted_hosts",
    multiple=True,
    metavar="HOST",
    help="Allowed host name; may be repeated.  [default: any; on loopback localhost and 127.0.0.1]",
)
@option("--read-only", is_flag=True, help="Open the file read-only.")
@option("--allow-crawl", is_flag=True, help="Allow visitors to start and stop crawls.")
@option(
    "--cors",
    multiple=True,
    metavar="ORIGIN",
    help="Allow pages of this origin, such as https://docs.example.com, to search; may be repeated. * allows all.",
)
@option("--sql", is_flag=True, help="Allow visitors to run read-only SQL queries, with a time limit.")
@option("--access-log", default="", metavar="FILE", help="Log requests to this file; - logs to standard error.")
def serve(db: str, processes: int | None, cluster: str | None, **settings: Any) -> None:
    """Serve the search pages and the JSON API until Ctrl-C.

    More than one worker needs gunicorn: pip install 'minisearch[server]'.

    \b
      minisearch serve --db docs.db --workers 2 --base-url https://example.com/docs/
      minisearch serve --db 'shards/*.db' --cluster tcp://10.0.0.1:8786
    """
    from minisearch.web.server import serve as run

    def ready(url: str) -> None:
        click.echo(f"serving {db} at {url}  (press Ctrl-C to stop)")

    with options.readers(processes, cluster) as readers:
        run(db, ready=ready, readers=readers, **settings)
