"""shards: split an index file into several, and merge several into one."""

from __future__ import annotations

from glob import glob
from pathlib import Path

import click

from minisearch.cli import options
from minisearch.cli.main import LazyGroup
from minisearch.cli.options import Integer, option
from minisearch.cli.output import talk
from minisearch.models import counted


@click.group(cls=LazyGroup, modules={"split": "shards", "merge": "shards"})
def shards() -> None:
    """Split an index file into shards, or merge files into one.

    \b
      minisearch shards split docs.db --n 8
      minisearch search "how to install" --db 'shards/*.db'
      minisearch shards merge 'shards/*.db' --out docs.db
    """


@options.command()
@click.argument("file", metavar="FILE.db")
@option("--by", type=click.Choice(["host"]), default="host", show_default=True, help="What stays in one file.")
@option("--n", "count", type=Integer(1, 999), default=8, show_default=True, help="Number of files.")
@option("--out", metavar="FOLDER", default="shards", show_default=True, help="New folder for the files.")
def split(file: str, by: str, count: int, out: str) -> None:  # noqa: ARG001
    """Split FILE.db into several files.

    They can be stored and searched on different machines. All pages of a host go into one file, and the files have
    about the same number of pages. Searched together, they give the same hits with the same scores as FILE.db.
    """
    from minisearch.shards.split import split as split_file

    made = split_file(Path(file), Path(out), count)
    for path, pages in made:
        click.echo(f"{path}: {counted(pages, 'page')}")
    if len(made) < count:
        talk(f"{counted(len(made), 'file')} instead of {count}: there are no more hosts")


@options.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.db...")
@option("--out", required=True, metavar="FILE", help="The new file.")
def merge(files: tuple[str, ...], out: str) -> None:
    """Merge shards or files of different sites into one, and rank it."""
    from minisearch.shards.split import merge as merge_files

    found = [Path(path) for file in files for path in sorted(glob(file)) or [file]]
    pages = merge_files(found, Path(out))
    click.echo(f"{counted(pages, 'page')} from {counted(len(found), 'file')}, in {out}")
