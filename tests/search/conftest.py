"""Pages straight into an engine in memory, without a network, and collections of pages for hypothesis to draw."""

from types import SimpleNamespace

import pytest
from hypothesis import strategies as st

from minisearch import Engine, Link, Page
from minisearch.models import Found, Heading
from minisearch.urls import normalize

HOST = "site"
VOCABULARY = [
    "cat",
    "dogs",
    "dog",
    "running",
    "ruža",
    "мачка",
    "café",
]  # each of one part


def url(path):
    return normalize(f"http://{HOST}/{path}")


def page(path, text="", *, title="", headings=(), links=(), **facts):
    """A page at http://site/path. A link is a path, (path, anchor text) or (path, anchor text, nofollow)."""
    links = [(link,) if isinstance(link, str) else link for link in links]
    return Page(
        url(path),
        title,
        text=text,
        headings=tuple(Heading(1, heading) for heading in headings),
        links=tuple(Link(url(target), *rest) for target, *rest in links),
        **facts,
    )


def put(engine, pages):
    """Write pages down as a crawl would have; those already there are replaced."""
    store = engine.store
    with store.transaction():
        crawl, _ = store.urls.begin_crawl([url("")], {})
        for each in pages:
            urls = [each.url, *(link.url for link in each.links)]
            store.urls.discover(crawl, None, [Found(met, HOST, 0) for met in urls])
            ids = store.urls.ids(urls)
            store.pages.save(ids[each.url], each, ids)
            store.urls.set_status(ids[each.url], "fetched")


def build(*batches, path=None):
    """An engine that has seen these lists of pages one after the other, each making a segment."""
    engine = Engine(path)
    for batch in batches:
        put(engine, batch)
        engine.index()
    engine.rank()
    return engine


texts = st.lists(st.sampled_from(VOCABULARY), max_size=8).map(" ".join)
words = st.sampled_from([*VOCABULARY, "absent"])
queries = st.lists(words, min_size=1, max_size=6).map(" ".join)
SYNTAX = ["+", "-", '"', "(", ")", " ", " ", " OR ", " AND ", "*", "title:", "body:", "anchor:", "site:site", "lang:en"]
typed = st.lists(st.sampled_from([*VOCABULARY, "ca", "dogs running", *SYNTAX]), max_size=12).map("".join)


@st.composite
def collections(draw):
    """Batches of 1 to 12 pages with links; some pages come again later and say something else."""
    paths = [f"{draw(st.sampled_from(['', *VOCABULARY]))}/{number}" for number in range(draw(st.integers(1, 12)))]
    links = st.tuples(st.sampled_from([*paths, "never-fetched"]), texts, st.booleans())
    facts = st.fixed_dictionaries(
        {
            "text": texts,
            "title": texts,
            "headings": st.lists(texts, max_size=2),
            "links": st.lists(links, max_size=3),
            "noindex": st.sampled_from(["", "", "", "a rule"]),
        }
    )
    batches = [[]]
    for path in paths + draw(st.lists(st.sampled_from(paths), max_size=3)):
        batches[-1].append(page(path, **draw(facts)))
        if draw(st.booleans()):
            batches.append([])
    return batches


@pytest.fixture(scope="session")
def webs():
    """What a test needs to make up a web: pages, engines that hold them, any collection, any query.

    `words` are plain ones and `queries` several of them; `typed` is what a person may type, with operators in sensible
    and senseless places.
    """
    return SimpleNamespace(
        url=url,
        page=page,
        put=put,
        build=build,
        collections=collections(),
        words=words,
        queries=queries,
        typed=queries | typed,
    )


@pytest.fixture
def found(webs):
    """The paths that a query finds among {path: text or facts}, best first."""

    def search(query, pages, **options):
        drawn = [
            webs.page(path, **({"text": facts} if isinstance(facts, str) else facts)) for path, facts in pages.items()
        ]
        with webs.build(drawn) as engine:
            hits = engine.search(query, limit=99, **options).hits
        return [hit.url.removeprefix("http://site/") for hit in hits]

    return search
