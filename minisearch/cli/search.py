"""search, lucky, explain, serve: the commands that query the index, and the one that serves the web application."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.options import Integer, option, option_group
from minisearch.cli.output import print_csv, print_found, print_json, print_table, sanitize, talk
from minisearch.errors import BadInput
from minisearch.models import PART_LABELS, counted

if TYPE_CHECKING:
    from minisearch.models import Explanation, Hit, Results
    from minisearch.search.compare import Comparison

MAX_SIMILAR = 3  # near-duplicates of a hit that are listed
MAX_PARTS = 12  # of a comparison that have a line of their own: those with the largest differences
NOT_MATCHED = "This page does not match the query; this is the score it would have."
INCOMPLETE = "Some important query words are missing, so pages that have all of them rank first."


@options.query_command
@option_group(
    "Ranking",
    option(
        "--sort",
        type=click.Choice(["blend", "text", "rank"]),
        default="blend",
        show_default=True,
        help="Sort by words and links, by words only, or by link score only.",
    ),
    option(
        "--ranker",
        type=click.Choice(["boolean", "tfidf", "bm25", "fields", "links", "blend"]),
        help='Use a simpler ranker; "minisearch rankers" compares them.',
    ),
    options.blend,
    options.prior,
    options.weights,
    option("--no-collapse", "unfolded", former=["--all"], is_flag=True, help="Show near-duplicates as separate hits."),
)
@option_group(
    "Output",
    option("--limit", type=Integer(1), default=10, show_default=True, help="Hits per page."),
    option("--page", type=Integer(1), default=1, show_default=True, help="Page of hits."),
    options.format_option("json"),
    options.format_option("csv"),
    options.format_option("table"),
)
@options.db
@options.processes
@options.cluster
def search(
    query: tuple[str, ...],
    db: str,
    unfolded: bool,
    processes: int | None,
    cluster: str | None,
    form: str | None,
    **request: Any,
) -> None:
    """Search the index. Exit code 1 if nothing is found.

    \b
    roses pruning              any of the words; pages with all of them first
    how do I prune a rose      common words are ignored in questions; +how requires one
    "hedge maze"               exact phrase
    +roses -red                required, excluded
    tulips OR roses            at least one of them; (hedge OR wall) maze groups
    tulips AND roses           both of them, like +tulips +roses
    prun*                      words starting with prun
    title:roses                in the title; also headings: url: body: anchor:
    title:(hedge OR wall)      a field before brackets or "quotes" applies to all in them
    site:example.com lang:sr   pages of a site, in a language (also lang:serbian)

    Put the query in single quotes so that the shell does not expand it.
    """
    if request["ranker"] and request["blend"] is not None:
        raise BadInput("--ranker cannot be combined with --blend")
    request["settings"] = options.read_weights(request.pop("changed"), request.pop("prior"))
    with options.readers(processes, cluster) as readers, options.open_index(db, readers=readers) as engine:
        results = engine.search(" ".join(query), fold=not unfolded, **request)
    print_results(results, form)
    if not results.hits:
        sys.exit(1)


@options.query_command
@options.db
@option("--open", "open_it", is_flag=True, help="Open it in the browser.")
def lucky(query: tuple[str, ...], db: str, open_it: bool) -> None:
    """Print the URL of the first hit, or open it."""

    with options.open_index(db) as engine:
        results = engine.search(" ".join(query), limit=1, fold=False, snippets=False)
    if not results.hits:
        _print_notes(results)
        sys.exit(1)
    url = results.hits[0].url
    click.echo(url)
    if open_it:
        click.launch(url)


@options.command()
@click.argument("query", nargs=-1, metavar="QUERY...")
@click.argument("url")
@options.db
@option("--against", metavar="URL2", help="Compare with another page: why is URL above or below it?")
@options.blend
@options.prior
@options.weights
@options.json_format
def explain(query: tuple[str, ...], url: str, db: str, against: str | None, as_json: bool, **ranking: Any) -> None:
    """Explain the score of a page, or compare two pages.

    \b
      minisearch explain "pruning roses" https://example.com/roses.html
      minisearch explain "pruning roses" https://example.com/a.html --against https://example.com/b.html
    """

    if not query:
        raise click.UsageError("explain needs a query and the URL of a page")
    ranking["settings"] = options.read_weights(ranking.pop("changed"), ranking.pop("prior"))
    with options.open_index(db) as engine:
        if against is None:
            print_found(engine.explain(" ".join(query), url, **ranking), as_json, _print_score)
        else:
            print_found(engine.against(" ".join(query), url, against, **ranking), as_json, _print_comparison)


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


# -- hits ------------------------------------------------------------------------------------


def print_results(results: Results, form: str | None) -> None:
    """Print one page of hits as text or in one of `options.FORMATS`."""
    numbered = list(enumerate(results.hits, results.offset + 1))
    if form == "json":
        print_json(results)
    elif form == "csv":
        names = ["score", "text_score", "link_factor", "url", "title", "snippet", "similar", "heading", "link"]
        hits = ((place, {**asdict(hit), "similar": " ".join(hit.similar)}) for place, hit in numbered)
        print_csv(["place", *names], ([place, *(hit[name] for name in names)] for place, hit in hits))
    elif form == "table":
        rows = [(place, f"{hit.score:.4f}", hit.title, hit.url + _similar_count(hit)) for place, hit in numbered]
        if rows:
            print_table(["#", "score", "title", "url"], rows, words=(2, 3))
        _print_notes(results)
    else:
        for place, hit in numbered:
            print_hit(place, hit)
        _print_notes(results)


def print_hit(place: int, hit: Hit) -> None:
    """Print one hit as text."""
    from minisearch.search.snippets import split_by_marks

    click.echo(f"{place:>2}. {click.style(sanitize(hit.title), bold=True)}")
    click.echo(f"    {click.style(hit.url, fg='green')}")
    if hit.heading:
        click.echo(f"    § {sanitize(hit.heading)}")
    if hit.snippet:
        parts = ((match, sanitize(text)) for match, text in split_by_marks(hit.snippet, hit.marks))
        marked = (click.style(text, bold=True) if match else text for match, text in parts)
        click.echo(f"    {_hyperlink(''.join(marked), hit.link)}")
    if hit.similar:
        more = f" and {len(hit.similar) - MAX_SIMILAR:,} more" if len(hit.similar) > MAX_SIMILAR else ""
        listed = " ".join(hit.similar[:MAX_SIMILAR])
        click.echo(click.style(f"    {len(hit.similar):,} similar: {listed}{more}", dim=True))
    blended = hit.text_score * hit.link_factor
    score = f"score {hit.score:.4f} = words {hit.text_score:.4f} x links {hit.link_factor:.4f}"
    if abs(hit.score - blended) > 1e-9:
        score = f"link score {hit.score:.6f}, sorted by links only (score {blended:.4f})"
    click.echo(click.style(f"    {score}", dim=True))


def _hyperlink(text: str, url: str) -> str:
    """Text that can be clicked, on terminals that support it."""
    if not url or not sys.stdout.isatty() or os.environ.get("TERM") in (None, "dumb", "linux"):
        return text
    return f"\033]8;;{url}\033\\{text}\033]8;;\033\\"


def _similar_count(hit: Hit) -> str:
    return f" (+ {len(hit.similar):,} similar)" if hit.similar else ""


def print_word_notes(results: Results) -> None:
    """Print ignored and missing words, and the spelling suggestion."""
    talk(results.note)
    if results.missing:
        talk(f"no page has {', '.join(results.missing)}")
    if results.suggestion:
        talk(f"did you mean: {results.suggestion}")


def _print_notes(results: Results) -> None:
    print_word_notes(results)
    if results.hits:
        last = results.offset + len(results.hits)
        talk(f"{results.offset + 1:,}-{last:,} of {counted(results.total, 'page')}, {results.took_ms:.1f} ms")
    elif results.total:
        collapsed = f", {results.folded:,} of them collapsed as near-duplicates" if results.folded else ""
        talk(f"only {counted(results.total, 'page')} found{collapsed}")
    else:
        talk("nothing found")


# -- explanations ----------------------------------------------------------------------------


def _print_comparison(found: Comparison) -> None:
    click.echo(f"{sanitize(found.because)}\n")
    parts = [part for part in found.differences if part.kind != "links"]
    rows = [
        (f"{part.word} ({part.kind}, {part.field})", part.first, part.second, part.worth) for part in parts[:MAX_PARTS]
    ]
    if smaller := parts[MAX_PARTS:]:
        first, second, worth = (sum(getattr(part, name) for part in smaller) for name in ("first", "second", "worth"))
        rows.append((counted(len(smaller), "smaller part"), first, second, worth))
    lines = [(name, f"{one:.4f}", f"{other:.4f}", f"{worth:+.4f}") for name, one, other, worth in rows]
    links = next(part for part in found.differences if part.kind == "links")
    first, second = found.first, found.second
    lines += [
        ("words", f"{first.text_score:.4f}", f"{second.text_score:.4f}", ""),
        ("links", f"{links.first:.4f}", f"{links.second:.4f}", f"{links.worth:+.4f}"),
        ("score", f"{first.score:.4f}", f"{second.score:.4f}", f"{first.score - second.score:+.4f}"),
    ]
    print_table(["", "first", "second", "difference"], lines, words=(0,))
    if found.changes:
        click.echo("\nwhat would change the order")
    for change in found.changes:
        click.echo(f"  {sanitize(change.said)}")


def _print_score(found: Explanation) -> None:
    click.echo(f"{sanitize(found.title)}\n{found.url}\n")
    if not found.matched:
        click.echo(f"{NOT_MATCHED}\n")
    elif not found.all_words:
        click.echo(f"{INCOMPLETE}\n")
    for part in found.parts:
        described = PART_LABELS.get(part.kind, f"term {', '.join(part.terms)}")
        pages = f"on {part.df:,} of {counted(found.pages, 'page')}"
        click.echo(f"{sanitize(f'{part.word}: {described}')}  ({pages}, idf {part.idf:.4f})")
        for field in part.fields:
            click.echo(
                f"    {field.field:<9} {field.score:9.4f} = weight {field.weight:g} x idf {part.idf:.4f} "
                f"x saturation {field.saturation:.4f}   "
                f"({field.count:,} of {counted(field.length, 'word')}, average {field.average:.1f})"
            )
        click.echo(f"    {'sum':<9} {part.score:9.4f}")
    for word in found.missing:
        click.echo(f"{sanitize(word)}  (not on this page)")
    click.echo(f"\nwords  {found.text_score:.4f}")
    click.echo(
        f"links  {found.link_factor:.4f} = 1 + blend {found.blend:g} x {found.prior:.4f}   "
        f"({found.ranking} {found.rank:.6f} on a log scale from 0 to 1)"
    )
    for link in found.paid_by:
        click.echo(
            f"    {link.share:6.1%} of {found.ranking} from {link.url}   "
            f"({link.rank:.6f} divided among {counted(link.links, 'link')})"
        )
    click.echo(f"score  {found.score:.4f} = words x links")
