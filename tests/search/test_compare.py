"""Two pages compared: the differences add up, and what is said to change the order changes it."""

from itertools import permutations

import pytest

from minisearch import Engine
from minisearch.errors import BadInput, NotFound

QUERIES = ["pruning roses", "compost", "hedge maze", "garden", "sowing calendar", "roses in the garden"]


@pytest.fixture(scope="module")
def opened(garden):
    with Engine(garden.path) as engine:
        yield engine


def pairs(engine, query, count=4):
    return list(permutations([hit.url for hit in engine.search(query, limit=count).hits], 2))


@pytest.mark.parametrize("query", QUERIES)
def test_the_differences_add_up_to_the_difference_of_the_scores(opened, query):
    for first, second in pairs(opened, query):
        found = opened.against(query, first, second)
        worth = sum(difference.worth for difference in found.differences)
        assert worth == pytest.approx(found.first.score - found.second.score, abs=1e-9)


@pytest.mark.parametrize("query", QUERIES)
def test_above_is_what_search_puts_above(opened, query):
    order = [hit.url for hit in opened.search(query, limit=4).hits]
    for first, second in pairs(opened, query):
        found = opened.against(query, first, second)
        assert found.above == (order.index(first) < order.index(second))
        assert (" is above " if found.above else " is below ") in found.because


@pytest.mark.parametrize("query", ["garden", "compost", "winter"])
def test_at_the_blend_that_is_given_they_change_places(opened, query):
    turning = 0
    for first, second in pairs(opened, query, 8):
        found = opened.against(query, first, second)
        for change in found.changes:
            if change.kind == "blend" and 1e-6 < change.needed < 1 - 1e-6:
                turning += 1
                sides = (change.needed - 1e-6, change.needed + 1e-6)
                before, after = (opened.against(query, first, second, blend=blend).above for blend in sides)
                assert before != after
    assert turning


@pytest.mark.parametrize("query", QUERIES)
def test_with_the_link_factor_that_is_given_the_scores_are_equal(opened, query):
    for first, second in pairs(opened, query):
        found = opened.against(query, first, second)
        upper, lower = (found.first, found.second) if found.above else (found.second, found.first)
        for change in found.changes:
            if change.kind == "links":
                assert lower.text_score * change.needed == pytest.approx(upper.score)
                assert change.enough == (change.needed < 1.15)


def test_the_largest_difference_is_named(opened, garden):
    found = opened.against("pruning roses", garden.home + "roses.html", garden.home + "flowers.html")
    largest = found.differences[0]
    assert found.above
    assert f'"{largest.word}" is in' in found.because
    assert f"worth {largest.worth:.2f}" in found.because


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
        found = engine.against("pear", site.base + "/0", site.base + "/1")
        (change,) = [change for change in found.changes if change.kind == "title"]
    assert found.above
    assert (change.word, change.enough) == ("pear", True)
    with crawled(site, ["One", "Two pear"], texts) as engine:
        turned = engine.against("pear", site.base + "/0", site.base + "/1")
    assert not turned.above
    assert turned.second.score == pytest.approx(change.needed, rel=0.1)
    assert '"pear" is in the other\'s title' in turned.because


def test_a_page_with_all_the_words_is_above_whatever_the_numbers(site):
    texts = ["pear plum and much more that is said about neither of the two " * 5, "pear " * 9]
    with crawled(site, ["One", "Pear"], texts) as engine:
        found = engine.against("pear plum", site.base + "/0", site.base + "/1")
        other = engine.against("pear plum", site.base + "/1", site.base + "/0")
    assert found.because == '"One" is above "Pear", because it has all query words and the other lacks "plum".'
    assert other.because == '"Pear" is below "One", because the other has all query words and it lacks "plum".'
    assert [change.kind for change in found.changes] == ["title"]
    assert found.changes[0].word == "plum"


def test_a_page_that_does_not_match_is_below(site):
    with crawled(site, ["One", "Two"], ["pear", "plum"]) as engine:
        found = engine.against("pear", site.base + "/0", site.base + "/1")
        assert found.because == '"One" is above "Two", because only the first matches the query.'
        neither = engine.against("fig", site.base + "/0", site.base + "/1")
        assert neither.because.startswith("Neither")
        assert neither.changes == ()
        assert engine.against("pear -plum", site.base + "/1", site.base + "/0").above is False


def test_the_url_decides_between_equal_scores(site):
    with crawled(site, ["Same", "Same"], ["pear one", "pear two"]) as engine:
        found = engine.against("pear", site.base + "/1", site.base + "/0")
    assert found.because == (
        f"{site.base}/1 is below {site.base}/0, though their scores are equal: the order of their URLs decides."
    )


def test_a_page_cannot_be_compared_with_itself(opened, garden):
    with pytest.raises(BadInput, match="the same page"):
        opened.against("roses", garden.home + "roses.html", garden.home + "old-roses.html")
    with pytest.raises(NotFound):
        opened.against("roses", garden.home + "roses.html", garden.home + "never.html")
