import random
from dataclasses import asdict, dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.likeness import likeness
from minisearch.engine import Engine
from minisearch.records import Found, Page
from minisearch.search.fold import fold, same


@dataclass(frozen=True)
class Face:
    simhash: int | None
    words: int
    subject: int = 0


hashes = st.integers(0, (1 << 64) - 1)


@st.composite
def families(draw):
    """Pages in any order, many of them a few bits away from one another."""
    faces = []
    for base in draw(st.lists(hashes, min_size=1, max_size=4)):
        for _ in range(draw(st.integers(1, 6))):
            flipped = draw(st.lists(st.integers(0, 63), max_size=5, unique=True))
            subject = draw(st.integers(0, 2))
            bits = draw(st.sampled_from([sum(1 << bit for bit in flipped) ^ base] * 5 + [None]))
            faces.append(Face(bits, draw(st.sampled_from([10, 70, 150, 900])), subject))
    return draw(st.permutations(faces))


@given(families())
def test_every_page_is_shown_or_folded_once_and_the_order_stays(faces):
    groups = fold(faces, len(faces))
    assert sorted(place for group in groups for place in group) == list(range(len(faces)))
    assert [group[0] for group in groups] == sorted(group[0] for group in groups)
    assert all(group == sorted(group) for group in groups)


@given(families())
def test_a_page_is_hidden_only_behind_a_better_one_that_is_the_same(faces):
    for first, *others in fold(faces, len(faces)):
        assert all(first < place and same(faces[first], faces[place]) for place in others)


@given(families())
def test_no_two_shown_pages_are_the_same(faces):
    shown = [group[0] for group in fold(faces, len(faces))]
    assert not any(same(faces[one], faces[other]) for one in shown for other in shown if one < other)


@given(families(), st.integers(0, 24), st.integers(0, 24))
def test_a_shorter_list_is_the_beginning_of_a_longer_one(faces, looked, count):
    whole = [group[0] for group in fold(faces, len(faces))]
    assert [group[0] for group in fold(faces, count)] == whole[:count]
    fewer = [group[0] for group in fold(faces[:looked], count)]
    assert fewer == whole[: len(fewer)]


@given(families(), st.integers(1, 24))
def test_what_is_folded_does_not_depend_on_how_many_are_shown(faces, count):
    assert fold(faces, count) == fold(faces, len(faces))[:count]


def test_a_page_without_a_fingerprint_is_like_no_other():
    face = Face(None, 500)
    assert fold([face, face], 2) == [[0], [1]]


def test_numbers_with_a_sign_are_the_same_bits():
    one, other = (Face(bits, 500) for bits in ((1 << 64) - 1, -2))
    assert fold([one, other], 2) == [[0, 1]]


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
        crawl, _ = store.journal.begin([SITE + "/"], {})
        urls = [f"{SITE}/{path}" for path, _, _ in pages]
        store.journal.meet(crawl, None, [Found(url, "a.example", 0) for url in urls], max_depth=9)
        ids = store.journal.ids(urls)
        for url, (_, title, text) in zip(urls, pages, strict=True):
            page = Page(url, title, text=text)
            store.pages.save(ids[url], replace(page, **asdict(likeness(page))), {})
            store.journal.settle(ids[url], "fetched")
    engine.index()
    return engine


@pytest.fixture
def manual():
    """Twelve chapters in three versions, a print version of one of them, and other pages."""
    pages = [
        (f"{version}/c{n}.html", f"Chapter c{n}k - Manual {version}", f"zebra {prose(n)} of {version}")
        for n in range(12)
        for version in ("3.9", "3.10", "3.11")
    ]
    pages.append(("print/c3", "Chapter c3k - Manual (print)", f"zebra {prose(3)} of paper"))
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
    told = [url for hit in hits for url in (hit.url, *hit.similar)]
    assert len(told) == len(set(told))
    assert [hit.url for hit in hits] == [hit.url for hit in everything(manual, limit=7)]


def test_the_best_of_them_is_shown_where_it_stood(manual):
    plain = [hit.url for hit in everything(manual, fold=False)]
    folded = everything(manual)
    assert [hit.url for hit in folded] == [url for url in plain if url in {hit.url for hit in folded}]
    for hit in folded:
        assert all(plain.index(hit.url) < plain.index(url) for url in hit.similar)


def test_all_pages_are_shown_when_asked_for(manual):
    hits = everything(manual, fold=False)
    assert len(hits) == manual.search("zebra").total == 12 * 3 + 1 + 5
    assert not any(hit.similar for hit in hits)


def test_the_total_counts_every_page_and_folded_says_how_many_are_not_shown(manual):
    results = manual.search("zebra", limit=100)
    assert (results.total, results.folded, len(results.hits)) == (42, 25, 17)


def test_short_pages_that_differ_in_one_telling_word_are_two():
    around = "opening hours of the garden are from nine to five and the {} are in bloom now"
    with build([(word, "Garden", around.format(word)) for word in ("roses", "tulips")]) as engine:
        assert [hit.similar for hit in engine.search("garden").hits] == [(), ()]


def test_pages_with_one_title_and_different_words_are_two():
    with build([(f"p{n}", "Acme", f"zebra {prose(n)}") for n in range(5)]) as engine:
        assert len(engine.search("zebra").hits) == 5
