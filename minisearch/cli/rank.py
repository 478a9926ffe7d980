"""rank: which pages of a crawl matter, by their links."""

from __future__ import annotations

from typing import Any

import click

from minisearch.cli import options, scaling, shown
from minisearch.cli.shown import counted, plain
from minisearch.errors import BadInput

METHODS = ["pagerank", "trustrank", "spam-mass", "topic", "hits"]
TRUSTING = ["trustrank", "spam-mass"]
HEARD_BY = {  # option -> the methods to which it says something
    "damping": METHODS[:-1],  # nobody walks through hubs and authorities
    "dangling": METHODS[:-1],
    "trust": TRUSTING,
    "topics": ["topic"],
    "prefer": ["topic"],
    "query": ["hits"],
}
SHOWN = {  # method -> the rankings it writes that are shown, and what their scores are
    "pagerank": {"pagerank": "PageRank"},
    "trustrank": {"trustrank": "TrustRank"},
    "spam-mass": {"spam_mass": "spam mass"},
    "topic": {"topic": "topic-sensitive PageRank"},
    "hits": {"authorities": "authorities", "hubs": "hubs"},
}


@click.command()
@options.db
@click.option(
    "--method", type=click.Choice(METHODS), default="pagerank", show_default=True, help="What pages are ranked by."
)
@click.option("--damping", type=options.FRACTION, default=0.85, show_default=True, help="Chance to follow a link.")
@click.option(
    "--dangling",
    type=click.Choice(["uniform", "teleport", "leak", "remove", "two-pass"]),
    help="What becomes of readers on pages without links.  [default: uniform; teleport for trust and topics]",
)
@click.option(
    "--tolerance", type=options.POSITIVE_OR_ZERO, default=1e-10, show_default=True, help="Stop below this change."
)
@click.option(
    "--max-rounds", type=click.IntRange(1), default=1000, show_default=True, help="Stop after so many rounds."
)
@click.option("--repeated", is_flag=True, help="Count repeated links each time.")
@click.option("--loops", is_flag=True, help="Count links of a page to itself.")
@click.option(
    "--trust",
    multiple=True,
    metavar="PATTERN",
    help="trustrank, spam-mass: a trusted url, a pattern like https://*.edu/* or a domain like .edu; may be repeated.",
)
@click.option(
    "--topic",
    "topics",
    multiple=True,
    metavar="NAME=PATTERN",
    help="topic: its pages, as for --trust; may be repeated.",
)
@click.option(
    "--prefer",
    multiple=True,
    metavar="NAME=WEIGHT",
    help="topic: how much a topic counts; may be repeated.  [default: 1]",
)
@click.option("--query", metavar="WORDS", help="hits: only among pages around the answers to this query.")
@click.option("--top", type=click.IntRange(0), default=10, show_default=True, help="Show this many pages.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@scaling.cluster
@scaling.blocks
def rank(
    db: str,
    top: int,
    as_json: bool,
    query: str | None,
    topics: tuple[str, ...],
    prefer: tuple[str, ...],
    cluster: str | None,
    blocks: str | None,
    **wish: Any,
) -> None:
    """Rank the pages by the links between them.

    pagerank: where a reader who clicks at random spends the time. trustrank: the same for readers who start from pages
    you trust; spam-mass: the part of a page's rank that no trusted page accounts for. topic: for readers of a
    topic. hits: authorities, which good hubs link to, and hubs, which link to good authorities.

    \b
      minisearch rank --method trustrank --trust 'https://*.edu/*'
      minisearch rank --method hits --query "regular expression"
    """
    from minisearch.engine import Engine

    options.check_applicable(wish["method"], HEARD_BY)
    if wish["method"] in TRUSTING and not wish["trust"]:
        raise BadInput(f"{wish['method']} needs trusted pages: --trust URL, --trust 'https://*.edu/*' or --trust .edu")
    if wish["method"] == "topic" and not topics:
        raise BadInput("topic needs at least one topic: --topic NAME=PATTERN")
    if query is not None and (cluster or blocks):
        raise BadInput("--query ranks a few pages only: leave out --cluster and --blocks")
    if query is not None and (wish["repeated"] or wish["loops"]):
        raise BadInput("--query weighs links by the topic: leave out --repeated and --loops")
    if query is not None:
        found = _around(db, query, wish, top)
    else:
        named = {"topics": _topics(topics), "prefer": _preference(prefer)} if topics else {}
        wanted = {name: value for name, value in wish.items() if value not in (None, ())} | named
        with Engine(db, create=False) as engine:
            if cluster or blocks:
                with scaling.measures(cluster, blocks, f"{db}.blocks") as measures:
                    scores = engine.rank(measures, **wanted)
            else:
                scores = engine.rank(**wanted)
            tops = {name: engine.top(top, name) for name in SHOWN[wish["method"]]}
        found = {"pages": len(scores.values), "settled": scores.converged, "verdict": scores.verdict, "top": tops}
        found["note"] = scores.note
    _print(found, wish, as_json=as_json)


def _topics(words: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Patterns by the name of the topic.

    >>> _topics(("a=.edu", "b=x", "a=.gov"))
    {'a': ('.edu', '.gov'), 'b': ('x',)}
    """
    topics: dict[str, tuple[str, ...]] = {}
    for word in words:
        name, equals, pattern = word.partition("=")
        if not (name and equals and pattern):
            raise BadInput(f'--topic "{word}": write NAME=PATTERN, as in python=https://docs.python.org/*')
        topics[name] = (*topics.get(name, ()), pattern)
    return topics


def _preference(words: tuple[str, ...]) -> dict[str, float]:
    """How much each topic counts."""
    preference = {}
    for word in words:
        name, _, weight = word.partition("=")
        try:
            preference[name] = float(weight)
        except ValueError:
            raise BadInput(f'--prefer "{word}": write NAME=WEIGHT, as in python=2') from None
    return preference


def _around(db: str, query: str, wish: dict[str, Any], top: int) -> dict[str, Any]:
    """Hubs and authorities of the pages around the answers to a query; nothing is written."""
    from minisearch.cli.lab_show import crawled
    from minisearch.engine import Engine
    from minisearch.lab.topics import ROOTS, around
    from minisearch.rank.hits import hits

    with Engine(db, create=False) as engine:
        answers = engine.search(query, limit=ROOTS, snippets=False).hits
    if not answers:
        raise BadInput(f'no page answers "{query}", so there is nothing to start from')
    web = around(crawled(db), {hit.url: hit.score for hit in answers})
    both = hits(web.graph(), weighted=True, tolerance=wish["tolerance"], max_rounds=wish["max_rounds"])
    tops = {}
    with Engine(db, create=False) as engine:
        for name, scores in (("authorities", both.authorities), ("hubs", both.hubs)):
            order = sorted(range(web.n), key=lambda page: (-scores.values[page], web.names[page]))[:top]
            titles = engine.titles(web.names[page] for page in order)
            found = ((web.names[page], float(scores.values[page])) for page in order)
            tops[name] = [(url, titles.get(url, ""), score) for url, score in found]
    return {"pages": web.n, "settled": both.converged, "verdict": both.verdict, "note": "", "top": tops}


def _print(found: dict[str, Any], wish: dict[str, Any], *, as_json: bool) -> None:
    from minisearch.rank.pagerank import advice

    rankings = SHOWN[wish["method"]]
    if as_json:
        tops = {
            name: [{"url": url, "title": title, "score": score} for url, title, score in rows]
            for name, rows in found["top"].items()
        }
        click.echo(shown.as_json({"method": wish["method"], **found, "top": tops}))
        return
    first = next(iter(rankings.values())) if len(rankings) == 1 else "hubs and authorities"
    click.echo(f"{first} of {counted(found['pages'], 'page')} {found['verdict']}", err=True)
    hints = [found["note"], advice(wish["damping"]) if wish["method"] != "hits" else ""]
    for hint in filter(None, hints):
        click.echo(hint, err=True)
    for name, rows in found["top"].items():
        if len(rankings) > 1:
            click.echo(f"{rankings[name]}:")
        for url, title, score in rows:
            click.echo(f"{score:.6f}  {url}  {plain(title)}".rstrip())
