"""import: web archives and folders of pages into the file."""

from __future__ import annotations

import sys

import click

from minisearch.cli import options
from minisearch.cli.build import index_and_rank, interruptible, print_summary, show_progress
from minisearch.cli.shown import say


@click.command("import")
@click.argument("path", metavar="FILE|FOLDER")
@options.db
@click.option("--base", default="", metavar="URL", help="The address of a FOLDER. [default: read off its name]")
@click.option("--seed", "seeds", multiple=True, metavar="URL", help="Where to begin; may be repeated.")
@click.option(
    "--parser", type=click.Choice(["fast", "soup"]), default="fast", show_default=True, help="Which parser reads HTML."
)
@click.option("--no-html", is_flag=True, help="Keep the text of pages only, not their HTML.")
@click.option("--no-index", is_flag=True, help="Do not index and rank afterwards.")
def import_(path: str, db: str, base: str, seeds: tuple[str, ...], parser: str, no_html: bool, no_index: bool) -> None:
    """Import a web archive (.warc, .warc.gz, .arc), a folder of HTML or a mirror made by wget.

    What is imported is read, merged, indexed and ranked exactly as if it had been crawled.

    \b
      minisearch crawl https://example.com/ --warc example.warc.gz
      minisearch import example.warc.gz --db again.db
      minisearch import site/ --base https://example.com/
    """
    from minisearch.crawl.importer import open_archive
    from minisearch.engine import Engine

    for seed in seeds:
        Engine.normalize(seed)
    archive = open_archive(path, base)  # what is no archive is told before a file is made for it
    with Engine(db) as engine:
        with interruptible() as stop:
            importing = engine.importing(
                archive, seeds=seeds, parser=parser, keep_html=not no_html, index=not no_index, stop=stop
            )
            show_progress(importing, importing.size)
        if not no_index:
            index_and_rank(engine)
        summary = importing.summary()
    print_summary(summary, db, "these are not in the archive, or were queued when it was made")
    if importing.ignored:
        kinds = ", ".join(f"{kind} {count}" for kind, count in importing.ignored.most_common())
        say(f"ignored {sum(importing.ignored.values())}: {kinds}")
    if importing.warning:
        say(f'warning: "{path}" is {importing.warning}')
    if summary.interrupted:
        sys.exit(130)
    if not summary.fetched:
        sys.exit(1)
