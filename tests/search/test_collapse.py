import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.engine import Engine
from minisearch.models import Found, Page
from minisearch.parse.fingerprints import with_fingerprints
from minisearch.search.searcher import collapse_groups

labels = st.lists(st.sampled_from([None, None, 1, 2, 3]), max_size=24)


@given(labels)
def test_every_page_is_shown_or_collapsed_once_under_a_better_one_of_its_group(labels):
    shown = collapse_groups(labels, len(labels))
    assert sorted(place for group in shown for place in group) == list(range(len(labels)))
    assert [group[0] for group in shown] == sorted(group[0] for group in shown)
    assert all(group == sorted(group) and len({labels[place] for place in group}) == 1 for group in shown)
    firsts = [labels[group[0]] for group in shown if labels[group[0]] is not None]
    assert len(firsts) == len(set(firsts))


@given(labels, st.integers(0, 24), st.integers(0, 24))
def test_a_shorter_list_is_the_beginning_of_a_longer_one(labels, looked, count):
    whole = collapse_groups(labels, len(labels))
    assert collapse_groups(labels, count) == whole[:count]
    fewer = [group[0] for group in collapse_groups(labels[:looked], count)]
    assert fewer == [group[0] for group in whole][: len(fewer)]


# -- in a search ----------------------------------------------------------------------------

WORDS = [f"{a}{b}{c}" for a in "brst" for b in "aeiou" for c in ("ll", "nd", "rt", "sk")]
SITE = "http://a.example"


def prose(seed, count=300):
    return " ".join(random.Random(seed).choices(WORDS, k=count))


def build(pages):
    """An engine that holds pages of (path, title, text)."""
    engine = Engine()
    store = engine.store
    with store.transaction():
        crawl, _ = store.urls.begin_crawl([SITE + "/"], {})
        urls = [f"{SITE}/{path}" for path, _, _ in pages]
        store.urls.discover(crawl, None, [Found(url, "a.example", 0) for url in urls])
        ids = store.urls.ids(urls)
        for url, (_, title, text) in zip(urls, pages, strict=True):
            page = Page(url, title, text=text)
            store.pages.save(ids[url], with_fingerprints(page), {})
            store.urls.set_status(ids[url], "fetched")
    engine.index()
    return engine


@pytest.fixture
def manual():
    """Twelve chapters in three versions, a print version of one of them, and other pages."""
    pages = [
        (f"{version}/c{n}.html", f"Chapter c{n}k - Manual {version}", f"zebra {prose(n, 900)} of {version}")
        for n in range(12)
        for version in ("3.9", "3.10", "3.11")
    ]
    pages.append(("print/c3", "Chapter c3k - Manual (print)", f"zebra {prose(3, 900)} of paper"))
    pages += [(f"other{n}", "Zebra", f"zebra {prose(50 + n, 40)}") for n in range(5)]
    with build(pages) as engine:
        yield engine


def everything(engine, **options):
    found = []
    for page in range(1, 50):
        hits = engine.search("zebra", page=page, **options).hits
        if not hits:
            return found
        found += hits
    raise AssertionError("no end of hits")


def test_near_identical_pages_are_one_hit(manual):
    hits = everything(manual, limit=5)
    assert len(hits) == 12 + 5
    assert sorted(len(hit.similar) for hit in hits) == [0] * 5 + [2] * 11 + [3]
    (third,) = (hit for hit in hits if "c3k" in hit.title)
    assert {third.url, *third.similar} == {f"{SITE}/{v}/c3.html" for v in ("3.9", "3.10", "3.11")} | {
        f"{SITE}/print/c3"
    }


@pytest.mark.parametrize("limit", [1, 3, 10, 100])
def test_pages_of_hits_fit_together(manual, limit):
    hits = everything(manual, limit=limit)
    listed = [url for hit in hits for url in (hit.url, *hit.similar)]
    assert len(listed) == len(set(listed))
    assert [hit.url for hit in hits] == [hit.url for hit in everything(manual, limit=7)]


def test_the_best_of_them_is_shown_where_it_stood(manual):
    plain = [hit.url for hit in everything(manual, fold=False)]
    collapsed = everything(manual)
    assert [hit.url for hit in collapsed] == [url for url in plain if url in {hit.url for hit in collapsed}]
    for hit in collapsed:
        assert all(plain.index(hit.url) < plain.index(url) for url in hit.similar)


def test_all_pages_are_shown_when_asked_for(manual):
    hits = everything(manual, fold=False)
    assert len(hits) == manual.search("zebra").total == 12 * 3 + 1 + 5
    assert not any(hit.similar for hit in hits)


def test_the_total_counts_every_page_and_folded_counts_those_not_shown(manual):
    results = manual.search("zebra", limit=100)
    assert (results.total, results.folded, len(results.hits)) == (42, 25, 17)


def test_short_pages_that_differ_in_one_telling_word_are_two():
    around = "opening hours of the garden are from nine to five and the {} are in bloom now"
    with build([(word, "Garden", around.format(word)) for word in ("roses", "tulips")]) as engine:
        assert [hit.similar for hit in engine.search("garden").hits] == [(), ()]


def test_pages_with_one_title_and_different_words_are_two():
    with build([(f"p{n}", "Acme", f"zebra {prose(n)}") for n in range(5)]) as engine:
        assert len(engine.search("zebra").hits) == 5
