"""One page against another: the differences add up, and what is said to turn the order turns it."""

from itertools import permutations

import pytest

from minisearch import Engine
from minisearch.errors import BadInput, NotFound

QUERIES = ["pruning roses", "compost", "hedge maze", "garden", "sowing calendar", "roses in the garden"]


@pytest.fixture(scope="module")
def look(garden):
    with Engine(garden.path) as engine:
        yield engine


def pairs(engine, query, count=4):
    return list(permutations([hit.url for hit in engine.search(query, limit=count).hits], 2))


@pytest.mark.parametrize("query", QUERIES)
def test_the_differences_add_up_to_the_difference_of_the_scores(look, query):
    for first, second in pairs(look, query):
        told = look.against(query, first, second)
        worth = sum(difference.worth for difference in told.differences)
        assert worth == pytest.approx(told.first.score - told.second.score, abs=1e-9)


@pytest.mark.parametrize("query", QUERIES)
def test_above_is_what_search_puts_above(look, query):
    order = [hit.url for hit in look.search(query, limit=4).hits]
    for first, second in pairs(look, query):
        told = look.against(query, first, second)
        assert told.above == (order.index(first) < order.index(second))
        assert (" is above " if told.above else " is below ") in told.because


@pytest.mark.parametrize("query", ["garden", "compost", "winter"])
def test_at_the_blend_that_is_told_they_change_places(look, query):
    turning = 0
    for first, second in pairs(look, query, 8):
        told = look.against(query, first, second)
        for change in told.changes:
            if change.kind == "blend" and 1e-6 < change.needed < 1 - 1e-6:
                turning += 1
                sides = (change.needed - 1e-6, change.needed + 1e-6)
                before, after = (look.against(query, first, second, blend=blend).above for blend in sides)
                assert before != after
    assert turning


@pytest.mark.parametrize("query", QUERIES)
def test_with_the_link_factor_that_is_told_the_scores_are_equal(look, query):
    for first, second in pairs(look, query):
        told = look.against(query, first, second)
        upper, lower = (told.first, told.second) if told.above else (told.second, told.first)
        for change in told.changes:
            if change.kind == "links":
                assert lower.text_score * change.needed == pytest.approx(upper.score)
                assert change.enough == (change.needed < 1.15)


def test_the_largest_difference_is_named(look, garden):
    told = look.against("pruning roses", garden.home + "roses.html", garden.home + "flowers.html")
    largest = told.differences[0]
    assert told.above
    assert f'"{largest.word}" stands in' in told.because
    assert f"worth {largest.worth:.2f}" in told.because


def collection(titles, texts):
    """Pages with these titles and texts, and a front page that links to them all, beside pages about other things."""
    pages = {f"/{n}": f"<title>{titles[n]}</title><p>{texts[n]}" for n in range(len(titles))}
    pages |= {f"/other{n}": "<title>Other</title><p>quite something else" for n in range(12)}
    return {"/": "".join(f'<a href="{path}">go</a> ' for path in pages), **pages}


def crawled(site, titles, texts):
    site.show(collection(titles, texts))
    engine = Engine()
    engine.crawl(site.base + "/", workers=0)
    return engine


def test_a_title_word_that_is_enough_turns_the_order(site):
    texts = ["pear pear and more of it", "pear and something more"]
    with crawled(site, ["One", "Two"], texts) as engine:
        told = engine.against("pear", site.base + "/0", site.base + "/1")
        (change,) = [change for change in told.changes if change.kind == "title"]
    assert told.above
    assert (change.word, change.enough) == ("pear", True)
    with crawled(site, ["One", "Two pear"], texts) as engine:
        turned = engine.against("pear", site.base + "/0", site.base + "/1")
    assert not turned.above
    assert turned.second.score == pytest.approx(change.needed, rel=0.1)
    assert '"pear" stands in the other\'s title' in turned.because


def test_a_page_with_all_the_words_is_above_whatever_the_numbers(site):
    texts = ["pear plum and much more that is said about neither of the two " * 5, "pear " * 9]
    with crawled(site, ["One", "Pear"], texts) as engine:
        told = engine.against("pear plum", site.base + "/0", site.base + "/1")
        other = engine.against("pear plum", site.base + "/1", site.base + "/0")
    assert told.because == '"One" is above "Pear", for it has all that is asked for and the other lacks "plum".'
    assert other.because == '"Pear" is below "One", for the other has all that is asked for and it lacks "plum".'
    assert [change.kind for change in told.changes] == ["title"]
    assert told.changes[0].word == "plum"


def test_a_page_that_does_not_answer_is_below(site):
    with crawled(site, ["One", "Two"], ["pear", "plum"]) as engine:
        told = engine.against("pear", site.base + "/0", site.base + "/1")
        assert told.because == '"One" is above "Two", for only the first answers the query.'
        neither = engine.against("fig", site.base + "/0", site.base + "/1")
        assert neither.because.startswith("Neither")
        assert neither.changes == ()
        assert engine.against("pear -plum", site.base + "/1", site.base + "/0").above is False


def test_pages_alike_are_told_by_their_address(site):
    with crawled(site, ["Same", "Same"], ["pear one", "pear two"]) as engine:
        told = engine.against("pear", site.base + "/1", site.base + "/0")
    assert told.because == (
        f"{site.base}/1 is below {site.base}/0, though their scores are equal: the order of the addresses decides."
    )


def test_a_page_is_not_against_itself(look, garden):
    with pytest.raises(BadInput, match="one and the same page"):
        look.against("roses", garden.home + "roses.html", garden.home + "old-roses.html")
    with pytest.raises(NotFound):
        look.against("roses", garden.home + "roses.html", garden.home + "never.html")
