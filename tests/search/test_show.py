"""What is shown of the pages found, through an engine."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.records import DEFINITION, Heading
from minisearch.search import show
from minisearch.text.words import tokens

GARDEN = "Menu\nRoses\nThey are red.\nPruning\nCut the old wood in March, before the leaves come out and hide it."


def shown(engine, query):
    (hit,) = engine.search(query).hits
    return hit, [hit.snippet[start:end] for start, end in hit.marks]


def with_headings(page, *headings):
    return type(page)(**{name: getattr(page, name) for name in page.__slots__} | {"headings": headings})


@pytest.fixture(scope="module")
def garden(webs):
    page = webs.page("roses", GARDEN, title="Roses - The garden")
    headings = Heading(1, "Roses", 5, "top"), Heading(2, "Pruning", GARDEN.index("Pruning"), "how-to")
    with webs.build([with_headings(page, *headings)]) as engine:
        yield engine


def test_a_hit_names_the_section_and_links_to_the_place(garden):
    hit, marks = shown(garden, "old wood")
    assert (hit.heading, marks) == ("Pruning", ["old", "wood"])
    assert hit.link == "http://site/roses#how-to:~:text=old%20wood"


def test_a_term_that_is_defined_does_not_begin_a_section_for_nobody_knows_where_its_text_ends(webs):
    text = "Pruning\nShears\nCut with them.\nIn March the old wood goes."
    headings = Heading(2, "Pruning", 0, "how-to"), Heading(DEFINITION, "garden.Shears", 8, "garden.Shears")
    with webs.build([with_headings(webs.page("roses", text), *headings)]) as engine:
        hit, _ = shown(engine, "old wood")
        assert (hit.heading, hit.snippet) == ("Pruning", "… Shears Cut with them. In March the old wood goes.")


def test_a_heading_that_is_the_title_again_is_left_out(garden):
    hit, _ = shown(garden, "red")
    assert (hit.heading, hit.link) == ("", "http://site/roses#top:~:text=red")


def test_a_hit_without_a_match_in_its_text_links_to_the_page(webs):
    with webs.build([webs.page("a", "nothing to see", title="Cats")]) as engine:
        hit, marks = shown(engine, "cats")
    assert (hit.snippet, marks, hit.link) == ("nothing to see", [], "http://site/a")


def test_hits_without_snippets_link_to_the_page(garden):
    (hit,) = garden.search("wood", snippets=False).hits
    assert (hit.snippet, hit.heading, hit.link) == ("", "", "http://site/roses")


def test_of_a_long_page_no_more_is_read_than_is_needed(webs):
    with (
        patch.object(show, "OPENING", 20_000),
        webs.build([webs.page("a", "an early cat " + "filler " * 9000 + "a late dog")]) as engine,
        patch.object(show, "_whole", side_effect=show._whole) as whole,
    ):
        assert shown(engine, "early cat")[1] == ["early", "cat"]
        assert not whole.called
        assert shown(engine, "late dog")[1] == ["late", "dog"]
        assert whole.called


def test_words_that_tell_more_decide(webs):
    far = "filler " * 60
    pages = [webs.page("a", f"the cat {far}the zeppelin {far}"), *(webs.page(f"b{n}", "the cat") for n in range(9))]
    with webs.build(pages) as engine:
        hit = engine.search("the cat zeppelin").hits[0]
    assert hit.link == "http://site/a#:~:text=zeppelin"


def test_a_single_letter_of_a_script_without_spaces_is_marked_alone(webs):
    with webs.build([webs.page("a", "全文検索器の話", language="ja")]) as engine:
        assert shown(engine, "索")[1] == ["索"]
        assert shown(engine, "検索")[1] == ["検索"]


def test_an_identifier_is_marked_by_any_spelling(webs):
    with webs.build([webs.page("a", "a ThreadPoolExecutor, or threadpoolexecutor")]) as engine:
        assert shown(engine, "ThreadPoolExecutor")[1] == ["ThreadPoolExecutor", "threadpoolexecutor"]
        assert shown(engine, "thread pool")[1] == ["ThreadPoolExecutor"]


@given(st.data())
def test_whatever_is_shown_is_on_the_page(webs, data):
    with webs.build(*data.draw(webs.collections)) as engine:
        for hit in engine.search(data.draw(st.text() | webs.typed)).hits:
            text = engine.store.pages.text(hit.page_id)[0]
            assert all(0 <= start < end <= len(hit.snippet) for start, end in hit.marks)
            assert {token.group() for token in tokens(hit.snippet)} <= {token.group() for token in tokens(text)}
            assert hit.link.startswith(hit.url)
