"""demo, exercise: a guided tour of the sites that come with minisearch, and the questions of the handbook."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import threading
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote_plus

import click

from minisearch.cli import options
from minisearch.cli.options import Integer, option
from minisearch.cli.output import talk
from minisearch.errors import BadInput, MiniSearchError

HOST = "127.0.0.1"
STARTS = {
    "the handbook": "handbook/index.html",
    "the garden": "garden/index.html",
    "the four pages": "four/prva.html",
    "the reference": "reference/index.html",
}
QUESTION = "why does damping matter"


class Step(NamedTuple):
    """An introduction, a command, and what its output has to contain."""

    say: str
    command: str
    expect: str


TOUR = (
    Step(
        "Four small sites are being served on this machine: a handbook of search, a garden, four pages, and the\n"
        "reference of minisearch.\n"
        "A crawler starts at the first page of each and follows the links; words are indexed, links are ranked.",
        "minisearch crawl " + " ".join(f"{{site}}/{start}" for start in STARTS.values()),
        " fetched, ",
    ),
    Step(
        "All of it is in one file now. Ask it something, in plain words:",
        'minisearch search "{question}" --limit 3',
        "/handbook/damping.html",
    ),
    Step("Feeling lucky? Then take the one best page:", 'minisearch lucky "hedge maze"', "/garden/hedge-maze-1.html"),
    Step(
        "Why is a page first? No secrets here: each word in each place, then the links, multiplied.",
        'minisearch explain "damping" {site}/handbook/damping.html',
        "score ",
    ),
    Step(
        "Now the links alone. PageRank: where would a reader who clicks at random spend the time?",
        "minisearch rank --top 5",
        "/handbook/farm/elixir.html",
    ),
    Step(
        "One of these is a cheat: nobody praises the elixir but nine pages of the same owner, a spam farm, and one\n"
        "stranger in a guestbook. TrustRank asks the same of readers who start only from pages that we trust:",
        "minisearch rank --method trustrank --top 5 --trust '*/index.html' --trust '*/prva.html'",
        "/handbook/index.html",
    ),
    Step(
        "The elixir is gone. Spam mass is the share of a page's PageRank that no trusted page accounts for;\n"
        "close to 1 means that nobody honest had a part in it:",
        "minisearch rank --method spam-mass --top 10 --trust '*/index.html' --trust '*/prva.html'",
        "/handbook/farm/elixir.html",
    ),
    Step(
        "And what happened to a page that is not in the index? Every URL that was discovered has a status:",
        "minisearch why {site}/handbook/closed/drafts.html",
        "robots.txt does not allow it",
    ),
)

NEXT = """\
Where to look next:
  minisearch demo --sites       serves the sites, so that you can read the handbook and try its commands
  minisearch exercise           questions with a checker, from easy to hard
  minisearch lab presets        the graphs of the literature, to take apart on a blackboard
  minisearch crawl URL          your own site"""


@options.command()
@option("--once", is_flag=True, help="Exit after the tour, with exit code 2 if a step fails.")
@option("--sites", is_flag=True, help="Only serve the sites, for the commands in the handbook.")
@option("--db", metavar="FILE", help="Keep the index in this new file.  [default: a temporary file]")
@option("--port", type=Integer(0, 65535), default=8080, show_default=True, help="Port of the search page.")
@option("--site-port", type=Integer(0, 65535), default=8000, show_default=True, help="Port of the sites.")
def demo(once: bool, sites: bool, db: str | None, port: int, site_port: int) -> None:
    """Take a guided tour of the bundled sites.

    The sites are crawled, searched and ranked; then the search page is served. If a port is in use, a free one is
    chosen.
    """
    from minisearch.testing.server import fixture_server

    if db and Path(db).exists():
        raise BadInput(f"{db} already exists; the tour needs a new file")
    with ExitStack() as stack:
        site = stack.enter_context(fixture_server(host=HOST, port=_free(site_port)))
        if sites:
            for name, start in STARTS.items():
                click.echo(f"{name + ':':16} {site}/{start}")
            click.echo("(Ctrl-C stops)")
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            with suppress(KeyboardInterrupt):
                threading.Event().wait()
            return
        db = db or str(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="minisearch-"))) / "demo.db")
        _tour(site, db)
        if once:
            click.echo(f"\n{NEXT}")
        else:
            _serve(site, db, _free(port))


def _tour(site: str, db: str) -> None:
    """Run every step as a process of its own, as a user does."""
    for step in TOUR:
        command = step.command.format(site=site, question=QUESTION)
        click.echo(f"\n{click.style(step.say, bold=True)}\n\n$ {command}")
        done = subprocess.run(
            [sys.executable, "-m", *shlex.split(command)],
            env={**os.environ, "MINISEARCH_DB": db, "PYTHONUNBUFFERED": "1"},  # talk and results in their order
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        click.echo(done.stdout, nl=False)
        if done.returncode or step.expect not in done.stdout:
            raise MiniSearchError(f"the tour failed: the output does not contain {step.expect!r}")


def _serve(site: str, db: str, port: int) -> None:
    from minisearch.web.server import serve

    def ready(address: str) -> None:
        click.echo(f"\n{NEXT}\n")
        click.echo(click.style(f"The search page is at {address}search?q={quote_plus(QUESTION)}", bold=True))
        click.echo(f"The handbook is at {site}/handbook/index.html  (press Ctrl-C to stop)")

    serve(db, HOST, port, ready=ready)


def _free(port: int) -> int:
    """`port`, or 0 if it is in use, so that the system chooses one."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            talk(f"port {port} is in use: a free one is chosen")
            return 0
    return port


# -- exercise --------------------------------------------------------------------------------


@options.command()
@click.argument("number", type=Integer(1), required=False, metavar="[NUMBER]")
@option("--check", metavar="ANSWER", help="Say whether this is right; if not, give a hint. Exit code 1 if not.")
@option("--hint", is_flag=True, help="Give the hint without an answer.")
def exercise(number: int | None, check: str | None, hint: bool) -> None:
    """Show exercise NUMBER of the handbook, or list them all.

    The handbook and the garden come with minisearch: "minisearch demo --sites" serves them, to be read and crawled.

    \b
      minisearch exercise 3
      minisearch exercise 3 --check 0.41
    """
    from minisearch.lesson import exercises

    if number is None:
        if check is not None or hint:
            raise click.UsageError("say which exercise: minisearch exercise 3 --check ANSWER")
        for one in exercises.exercises():
            click.echo(f"{one.number:2}. {one.level:6}  {textwrap.shorten(one.question, 90, placeholder=' ...')}")
        return
    found = exercises.exercise(number)
    if check is None:
        click.echo(textwrap.fill(f"{number}. ({found.level}) {found.question}", 100))
        if hint:
            click.echo(f"hint: {found.hint}")
        click.echo(f"answer with {exercises.EXPECTED[found.kind]}:  minisearch exercise {number} --check ANSWER")
    elif found.accepts(check):
        shown = f"  You can see it with:  {found.command}" if found.command else ""
        click.echo(f"right: {found.answer}.{shown}")
    else:
        click.echo(f"not yet.  Hint: {found.hint}")
        click.echo(f"to read: {found.page}")
        sys.exit(1)
