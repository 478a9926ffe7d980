"""The fast engine and the textbook's give the same answers on any collection, however it came into the index."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.analysis.analyzer import analyzer, unstemmed
from minisearch.analysis.normalize import fold
from minisearch.analysis.tokenizer import tokens
from minisearch.index.codec import PAGE_FIELDS
from minisearch.index.indexer import url_words as readable
from minisearch.textbook import bm25 as textbook
from minisearch.textbook.engine import Engine as TextbookEngine
from minisearch.textbook.engine import has_phrase


def terms(text):
    return analyzer("en").terms(text)[0]


def spelled(text):
    return unstemmed("en").terms(text)[0]


def read(text):
    """The tokens of a text, each with the ways to read it."""
    return [
        [parts, (whole,)] if whole else [parts]
        for parts, whole in (unstemmed("en").of_token(token.group()) for token in tokens(text))
    ]


def several(queries):
    return st.lists(queries, min_size=3, max_size=3)


def documents(batches):
    """{url: {field: lines}} as the textbook wants it: the last version of every page that may be indexed."""
    pages = {page.url: page for batch in batches for page in batch}
    said = {url: set() for url in pages}
    for page in pages.values():
        for link in page.links:
            if link.url in said and link.url != page.url and not link.nofollow:
                said[link.url].add(link.anchor)
    return {
        page.url: {
            "title": [terms(page.title)],
            "spelled": [spelled(page.title)],
            "headings": [terms(heading.text) for heading in page.headings],
            "url": [terms(readable(page.url))],
            "address": [fold(readable(page.url)).split("/")],
            "body": [terms(page.text)],
            "anchor": [terms(anchor) for anchor in said[page.url]],
        }
        for page in pages.values()
        if not page.noindex
    }


def assert_same(fast, slow):
    """The same pages with the same scores in the same order; what is equal to nine digits may change places."""
    assert dict(fast) == pytest.approx(dict(slow), rel=0, abs=1e-9)
    assert [score for _, score in fast] == pytest.approx([score for _, score in slow], rel=0, abs=1e-9)


# To make up a web and its index takes far longer than to ask it something, so each is asked more than once.


@given(st.data(), st.floats(0, 1))
def test_order_and_scores_are_those_of_the_textbook(webs, data, blend):
    batches, queries = data.draw(webs.collections), data.draw(several(webs.queries))
    with webs.build(*batches) as engine:
        ranks = {url: rank for url, _, rank in engine.top(99)}
        answers = [engine.search(query, limit=99, blend=blend).hits for query in queries]
    slow = TextbookEngine(documents(batches), ranks)
    for query, hits in zip(queries, answers, strict=True):
        known = slow.search(terms(query), blend, spelled=spelled(query))
        assert_same([(hit.url, hit.score) for hit in hits], known)


@given(st.data(), st.floats(0, 1), st.integers(1, 4), st.integers(1, 4))
def test_so_are_the_best_when_only_few_pages_are_looked_at_closely(webs, data, blend, limit, closely):
    batches, queries = data.draw(webs.collections), data.draw(several(webs.queries))
    with webs.build(*batches) as engine:
        ranks = {url: rank for url, _, rank in engine.top(99)}
        how = {"limit": limit, "blend": blend, "settings": {"closely": closely}}
        answers = [engine.search(query, **how).hits for query in queries]
    slow = TextbookEngine(documents(batches), ranks)
    for query, hits in zip(queries, answers, strict=True):
        known = slow.search(terms(query), blend, closely, spelled(query))
        assert [hit.score for hit in hits] == pytest.approx([score for _, score in known[:limit]], rel=0, abs=1e-9)
        assert [hit.score for hit in hits] == pytest.approx([dict(known)[hit.url] for hit in hits], rel=0, abs=1e-9)


@given(st.data(), st.floats(0, 1))
def test_so_are_they_if_the_query_is_the_way_to_a_page(webs, data, blend):
    batches = data.draw(webs.collections)
    paths = sorted({readable(page.url) for batch in batches for page in batch})
    ways = data.draw(several(st.sampled_from(paths) | st.lists(webs.words, min_size=2, max_size=3).map("/".join)))
    joint = data.draw(st.sampled_from("/ "))
    ways = [way.strip("/").replace("/", joint) for way in ways]
    with webs.build(*batches) as engine:
        ranks = {url: rank for url, _, rank in engine.top(99)}
        answers = [engine.search(way, limit=99, blend=blend).hits for way in ways]
    slow = TextbookEngine(documents(batches), ranks)
    for way, hits in zip(ways, answers, strict=True):
        steps = fold(way).split(joint) if joint in way else ()
        known = slow.search(terms(way), blend, spelled=spelled(way), way=steps)
        assert_same([(hit.url, hit.score) for hit in hits], known)


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_it_makes_no_difference_in_how_many_segments_the_pages_are(webs, data):
    batches, query = data.draw(webs.collections), data.draw(webs.queries)
    last = {page.url: page for batch in batches for page in batch}
    with webs.build(*batches) as engine, webs.build(last.values()) as rebuilt:
        grown, fresh = ([(hit.url, hit.score) for hit in e.search(query, limit=99).hits] for e in (engine, rebuilt))
    assert_same(grown, fresh)


NAMES = {"dog": ["dog", "Dog"], "cat dog": ["catDog", "CatDog", "catdog", "cat_dog"], "running": ["runNing", "running"]}


@given(st.data())
def test_phrases_are_found_where_the_textbook_finds_them(webs, data):
    def with_names(text):
        """The same text with some of its words written as an identifier."""
        for words, spellings in NAMES.items():
            text = text.replace(words, data.draw(st.sampled_from(spellings)))
        return text

    drawn = data.draw(webs.collections)
    batches = [[replace(page, text=with_names(page.text)) for page in batch] for batch in drawn]
    phrases = webs.queries.filter(lambda query: len(spelled(query)) > 1)
    queries = [with_names(query) for query in data.draw(several(phrases))]
    with webs.build(*batches) as engine:
        answers = [engine.search(f'body:"{query}"', limit=99).hits for query in queries]
    pages = {page.url: page for batch in batches for page in batch}
    for query, hits in zip(queries, answers, strict=True):
        having = [url for url, page in pages.items() if has_phrase([read(page.text)], read(query))]
        assert sorted(hit.url for hit in hits) == sorted(url for url in having if not pages[url].noindex)


def test_the_textbook_has_a_weight_for_every_field():
    assert {*textbook.WEIGHTS} == {*PAGE_FIELDS, "anchor"}


def test_the_textbook_orders_equal_pages_by_url_too():
    cat, dog = {"body": [["cat"]]}, {"body": [["dog"]]}
    engine = TextbookEngine({"b": cat, "a": cat, "c": dog}, {})
    assert [url for url, _ in engine.search(["cat", "absent"])] == ["a", "b"]
    assert engine.search(["absent"]) == engine.search([]) == TextbookEngine({}, {}).search(["cat"]) == []
