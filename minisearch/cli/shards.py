"""shard, merge: one file into several, and several into one."""

from __future__ import annotations

from glob import glob
from pathlib import Path

import click

from minisearch.cli.shown import counted


@click.command()
@click.argument("file", metavar="FILE.db")
@click.option("--by", type=click.Choice(["host"]), default="host", show_default=True, help="What stays together.")
@click.option("--n", "count", type=click.IntRange(1, 999), default=8, show_default=True, help="How many files.")
@click.option("--out", metavar="FOLDER", default="shards", show_default=True, help="The new folder to put them into.")
def shard(file: str, by: str, count: int, out: str) -> None:  # noqa: ARG001
    """Split FILE.db into several files, so that each can be kept and searched elsewhere.

    All pages of a host go into one file; apart from that, each gets about as many pages as the others. Searched
    together, the files give the same answers with the same scores.

    \b
      minisearch shard docs.db --n 8
      minisearch search "how to install" --db 'shards/*.db'
    """
    from minisearch.shards.split import split

    made = split(Path(file), Path(out), count)
    for path, pages in made:
        click.echo(f"{path}: {counted(pages, 'page')}")
    if len(made) < count:
        click.echo(f"{counted(len(made), 'file')}, not {count}: no more hosts have pages", err=True)


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.db...")
@click.option("--out", required=True, metavar="FILE", help="The new file.")
def merge(files: tuple[str, ...], out: str) -> None:
    """Merge shards, or files of different sites, into one new file; then rank it."""
    from minisearch.shards.split import merge as merge_files

    found = [Path(path) for file in files for path in sorted(glob(file)) or [file]]
    pages = merge_files(found, Path(out))
    click.echo(f"{counted(pages, 'page')} of {counted(len(found), 'file')}, in {out}")
