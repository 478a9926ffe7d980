"""rank: rank the pages of a crawl by their links."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.options import Integer, option, option_group
from minisearch.cli.output import print_found, sanitize, talk
from minisearch.errors import BadInput
from minisearch.models import counted

if TYPE_CHECKING:
    from minisearch.rank.hits import Hits
    from minisearch.rank.scores import Scores

METHODS = ["pagerank", "trustrank", "spam-mass", "topic", "hits"]
WITH_TRUST = ["trustrank", "spam-mass"]
METHODS_BY_OPTION = {  # options that some methods do not use
    "damping": METHODS[:-1],
    "dangling": METHODS[:-1],
    "trust": WITH_TRUST,
    "topics": ["topic"],
    "prefer": ["topic"],
    "query": ["hits"],
}
RANKINGS = {  # method -> the rankings that it stores and shows, and what their scores are called
    "pagerank": {"pagerank": "PageRank"},
    "trustrank": {"trustrank": "TrustRank"},
    "spam-mass": {"spam_mass": "spam mass"},
    "topic": {"topic": "topic-sensitive PageRank"},
    "hits": {"authorities": "authorities", "hubs": "hubs"},
}


@options.command()
@option_group(
    "Algorithm",
    option("--method", type=click.Choice(METHODS), default="pagerank", show_default=True, help="Ranking algorithm."),
    options.damping,
    option(
        "--dangling",
        type=click.Choice(["uniform", "teleport", "leak", "remove", "two-pass"]),
        help="How to treat pages without links.  [default: uniform; teleport for trustrank, spam-mass and topic]",
    ),
    options.tolerance,
    options.max_iterations,
    option("--repeated", is_flag=True, help="Count repeated links each time."),
    option("--loops", is_flag=True, help="Count links of a page to itself."),
)
@option_group(
    "Methods",
    option(
        "--trust",
        multiple=True,
        metavar="PATTERN",
        help="trustrank, spam-mass: a trusted URL, a pattern like https://*.edu/* or a domain like .edu; repeatable.",
    ),
    option("--topic", "topics", multiple=True, metavar="NAME=PATTERN", help="topic: its pages; repeatable."),
    option("--prefer", multiple=True, metavar="NAME=WEIGHT", help="topic: its weight; repeatable.  [default: 1]"),
    option("--query", metavar="WORDS", help="hits: rank only the hits of this query and pages linked with them."),
)
@options.db
@option("--top", type=Integer(0), default=10, show_default=True, help="Number of pages to show.")
@options.json_format
@options.cluster
@options.blocks
def rank(
    db: str,
    top: int,
    as_json: bool,
    query: str | None,
    topics: tuple[str, ...],
    prefer: tuple[str, ...],
    cluster: str | None,
    blocks: str | None,
    **settings: Any,
) -> None:
    """Rank pages by links: PageRank, TrustRank, spam mass, topics, HITS.

    \b
    pagerank    how often a reader who clicks at random visits a page
    trustrank   the same for readers who start from trusted pages
    spam-mass   the part of a page's PageRank that does not come from trusted pages
    topic       the same as pagerank for readers who prefer a topic
    hits        authorities, which good hubs link to; hubs, which link to good authorities

    Search uses PageRank. To use another ranking: minisearch search --prior trustrank QUERY for one query,
    minisearch weights --set prior=trustrank for all.

    \b
      minisearch rank --method trustrank --trust 'https://*.edu/*'
      minisearch rank --method hits --query "regular expression"
    """

    method = settings["method"]
    options.check_applicable(method, METHODS_BY_OPTION)
    if method in WITH_TRUST and not settings["trust"]:
        raise BadInput(f"{method} needs trusted pages: --trust URL, --trust 'https://*.edu/*' or --trust .edu")
    if method == "topic" and not topics:
        raise BadInput("topic needs at least one topic: --topic NAME=PATTERN")
    if query is not None:
        if cluster or blocks or settings["repeated"] or settings["loops"]:
            raise BadInput("--query cannot be combined with --cluster, --blocks, --repeated or --loops")
        found = _around(db, query, settings, top)
    else:
        named = {"topics": _topics(topics), "prefer": _preference(prefer)} if topics else {}
        chosen = {name: value for name, value in settings.items() if value not in (None, ())} | named
        with options.open_index(db) as engine:
            if cluster or blocks:
                with options.measures(cluster, blocks, f"{db}.blocks") as measures:
                    scores = engine.rank(measures, **chosen)
            else:
                scores = engine.rank(**chosen)
            tops = {name: [_row(*page) for page in engine.top(top, name)] for name in RANKINGS[method]}
        found = {"pages": len(scores.values), **_convergence(scores), "note": scores.note, "top": tops}
    print_found({"method": method, **found}, as_json, partial(_print, damping=settings["damping"]))
    prior = next(iter(RANKINGS[method]))
    if not as_json and query is None and method not in ("pagerank", "spam-mass"):
        for_one, for_all = f"minisearch search --prior {prior} QUERY", f"minisearch weights --set prior={prior}"
        talk(f'to use it in search: "{for_one}" or "{for_all}"')


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
    """The weight of each topic."""
    preference = {}
    for word in words:
        name, _, weight = word.partition("=")
        try:
            preference[name] = float(weight)
        except ValueError:
            raise BadInput(f'--prefer "{word}": write NAME=WEIGHT, as in python=2') from None
    return preference


def _around(db: str, query: str, settings: dict[str, Any], top: int) -> dict[str, Any]:
    """Hubs and authorities among the hits of a query and the pages linked with them; nothing is stored."""
    from minisearch.lab.crawls import web_of
    from minisearch.lab.topics import ROOTS, around
    from minisearch.rank.hits import hits

    with options.open_index(db) as engine:
        root_hits = engine.search(query, limit=ROOTS, snippets=False).hits
        if not root_hits:
            raise BadInput(f'no page matches "{query}"')
        graph = engine.link_graph()
        web = around(web_of(graph.pages, graph.urls, graph.links), {hit.url: hit.score for hit in root_hits})
        both = hits(web.graph(), weighted=True, tolerance=settings["tolerance"], max_rounds=settings["max_rounds"])
        tops = {}
        for name, scores in (("authorities", both.authorities), ("hubs", both.hubs)):
            order = sorted(range(web.n), key=lambda page: (-scores.values[page], web.names[page]))[:top]
            titles = engine.titles(web.names[page] for page in order)
            rows = ((web.names[page], float(scores.values[page])) for page in order)
            tops[name] = [_row(url, titles.get(url, ""), score) for url, score in rows]
    return {"pages": web.n, **_convergence(both), "note": "", "top": tops}


def _row(url: str, title: str, score: float) -> dict[str, Any]:
    return {"url": url, "title": title, "score": score}


def _convergence(scores: Scores | Hits) -> dict[str, Any]:
    """Whether it converged, under its current and its former name, and the sentence about it."""
    return {"converged": scores.converged, "settled": scores.converged, "verdict": scores.verdict}


def _print(found: dict[str, Any], damping: float) -> None:
    from minisearch.rank.pagerank import advice

    rankings = RANKINGS[found["method"]]
    name = next(iter(rankings.values())) if len(rankings) == 1 else "hubs and authorities"
    talk(f"{name} of {counted(found['pages'], 'page')} {found['verdict']}")
    talk(found["note"], advice(damping) if found["method"] != "hits" else "")
    for ranking, rows in found["top"].items():
        if len(rankings) > 1:
            click.echo(f"{rankings[ranking]}:")
        for row in rows:
            click.echo(f"{row['score']:.6f}  {row['url']}  {sanitize(row['title'])}".rstrip())
