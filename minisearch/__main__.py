"""`python -m minisearch` is the same as `minisearch`."""

from minisearch.cli.main import main

main(prog_name="minisearch")
