import re
from itertools import groupby, pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.search.query import parse
from minisearch.search.snippet import MOST_MATCHES, NEARBY, WIDTH, _likely, _matches, pieces, snippet
from minisearch.text.terms import analyzer
from minisearch.text.words import tokens

LINES = """cat cats Cat CATS catalog category bobcat happy happiness happily dying die died possible possibility
ThreadPoolExecutor threadPool thread THREADING executor os.path.join os path PATH joined join_all __init__ C++ C# c
don't don’t dog's utf-8 UTF8 x86-64 3.11 café cafe cafés naïve Łódź ﬁne fine мачка mačka macka djak đak ђак 検索 検索器
İstanbul istanbul iPhone phones skies sky early ugly"""
WORDS = LINES.split()
GLUE = [" ", " ", " ", "\n", "\t", "", ".", ". ", "-", "_", "'", "’", "?", "+", "#", "\u0301", "…", "/", "\ud800"]
LETTERS = "plain letters and nothing else " * 20  # so many that a few others do not matter
lines = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(GLUE)), max_size=40)
texts = st.builds(lambda before, line: before + "".join(map("".join, line)), st.sampled_from(["", LETTERS]), lines)
queries = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
spoken = st.sampled_from([["en"], ["tlh"], ["sr"], ["en", "tlh"], ["de", "en"]])


def terms_of(query, languages=("en",)):
    words = (word for clause in parse(query, languages).clauses for word in clause.words)
    return frozenset(variant.term for word in words for variant in word.terms)


def matching(token, terms, languages=("en",)):
    found = (analyzer(language).of_token(token) for language in languages)
    return {term for parts, whole in found for term in (*parts, whole)} & terms


def marked(passage, marks):
    return [passage[start:end] for start, end in marks]


# -- which words match --


@settings(max_examples=300, deadline=None)
@given(texts, queries, spoken)
@example(LETTERS + "Cat’s don’t", "don't", ["en"])
@example(LETTERS + "ThreadPoolExecutors", "executor", ["en"])
@example(LETTERS + "skies dying possibilities happy", "sky die possible happiness", ["en"])
@example("djak", "ђак", ["sr"])
@example("?" * 50 + "cat", "cat", ["en"])
def test_looking_only_where_words_may_match_finds_all_that_do(text, query, languages):
    terms = terms_of(query, languages)
    likely = _matches(_likely(text, terms, languages), terms, languages)
    assert likely == _matches(tokens(text), terms, languages)


@settings(deadline=None)
@given(st.text(max_size=50), st.text(max_size=10), spoken)
def test_that_holds_for_any_letters_at_all(text, query, languages):
    terms = terms_of(query, languages)
    padded = LETTERS + text + query
    likely = _matches(_likely(padded, terms, languages), terms, languages)
    assert likely == _matches(tokens(padded), terms, languages)


def test_few_tokens_are_looked_at_when_few_may_match():
    text = LETTERS + "cats and a catalog, a bobcat, “curly” — quotes’ and Überraschung " + LETTERS
    looked_at = [token.group() for token in _likely(text, terms_of("cat"), ["en"])]
    assert looked_at == ["cats", "catalog", "Überraschung"]


def test_no_more_matches_are_looked_at_than_a_reader_could_bear():
    assert len(_matches(tokens("cat " * (MOST_MATCHES + 9)), {"cat"}, ["en"])) == MOST_MATCHES


# -- which passage is shown --


@pytest.mark.parametrize(
    ("text", "query", "shown"),
    [
        ("Roses need sun. Prune roses in March.", "pruned", ["Prune"]),
        ("Roses need sun. Prune roses in March.", "rose", ["Roses", "roses"]),
        ("a ThreadPoolExecutor runs", "executor", ["ThreadPoolExecutor"]),
        ("use os.path.join or Os.Path.Join", "os.path.join", ["os.path.join", "Os.Path.Join"]),
        ("un café, deux cafe\u0301s", "cafe", ["café", "cafe\u0301s"]),
        ("全文検索のためのエンジン、検索器", "検索", ["全文検索のためのエンジン", "検索器"]),
        ("nothing of the kind", "cat", []),
        ("", "cat", []),
    ],
)
def test_the_matched_words_are_marked(text, query, shown):
    passage, marks = snippet(text, terms_of(query), ["en"])
    assert passage == text
    assert marked(passage, marks) == shown


def test_serbian_is_marked_in_both_alphabets():
    passage, marks = snippet("Мачка и mačka", terms_of("mačke", ["sr"]), ["sr"])
    assert marked(passage, marks) == ["Мачка", "mačka"]


def test_blanks_of_all_kinds_become_spaces():
    assert snippet("one\ntwo\tcat", {"cat"}, ["en"]) == ("one two cat", ((8, 11),))


def test_the_passage_with_the_most_different_words_is_shown():
    far = "filler " * 60
    passage, marks = snippet(f"{far}cat cat cat {far}cat dog {far}", {"cat", "dog"}, ["en"])
    assert marked(passage, marks) == ["cat", "dog"]
    assert passage.startswith("… ")
    assert passage.endswith(" …")


def test_without_a_match_the_beginning_is_shown():
    passage, marks = snippet("word " * 200, {"cat"}, ["en"])
    assert re.fullmatch(r"(word ){40,}…", passage)
    assert marks == ()


def test_a_passage_begins_with_a_sentence_that_begins_nearby():
    passage, _ = snippet("filler " * 50 + "end. Here it begins, " + "and goes on " * 10 + "cat.", {"cat"}, ["en"])
    assert passage.startswith("… Here it begins, ")


def test_a_word_amid_a_long_run_without_blanks_is_shown_from_where_it_begins():
    passage, marks = snippet("filler " * 50 + "x/" * 200 + "cat" + "/y" * 200, {"cat"}, ["en"])
    assert passage.startswith("… cat/y/y")
    assert marked(passage, marks) == ["cat"]


def test_a_run_longer_than_the_passage_is_cut():
    passage, marks = snippet("検索" * 300, {"検索"}, ["en"])
    assert passage == "検索" * (WIDTH // 2) + " …"
    assert marks == ()


@settings(deadline=None)
@given(texts | st.text(), queries, spoken, st.integers(1, WIDTH))
def test_marks_lie_in_the_snippet_and_match_and_the_width_is_bounded(text, query, languages, width):
    terms = terms_of(query, languages)
    passage, marks = snippet(text, terms, languages, width)
    assert len(passage) <= width + NEARBY + len("…  …")
    assert passage.removeprefix("… ").removesuffix(" …") in re.sub(r"\s", " ", text)
    assert list(marks) == sorted(marks)
    assert all(0 <= start < end <= len(passage) for start, end in marks)
    assert all(matching(word, terms, languages) for word in marked(passage, marks))
    assert all(end <= start for (_, end), (start, _) in pairwise(marks))


plain_words = st.lists(st.sampled_from(["cat", "dog", "a", "somewhat", "longer,", "filler."]), max_size=150)


@settings(deadline=None)
@given(plain_words, st.integers(20, 120))
def test_words_are_shown_whole_and_no_passage_of_this_width_has_more_of_those_sought(drawn, width):
    text, terms = " ".join(drawn), {"cat", "dog"}
    passage, marks = snippet(text, terms, ["en"], width)
    shown = [word for word in passage.split() if word != "…"]
    assert set(shown) <= set(drawn)
    places = [(match.start(), match.end(), match.group()) for match in re.finditer("cat|dog", text)]
    most = max(
        (
            (len({word for _, _, word in inside}), len(inside))
            for low, _, _ in places
            for inside in [[(start, end, word) for start, end, word in places if low <= start and end <= low + width]]
        ),
        default=(0, 0),
    )
    assert (len(set(marked(passage, marks))), len(marks)) >= most


@settings(deadline=None)
@given(st.text(max_size=WIDTH), queries)
def test_a_text_shorter_than_the_width_is_shown_in_full(text, query):
    assert snippet(text, terms_of(query), ["en"])[0] == re.sub(r"\s", " ", text)


# -- in pieces --


@settings(deadline=None)
@given(texts, queries)
def test_the_pieces_of_a_snippet_make_it_up(text, query):
    passage, marks = snippet(text, terms_of(query), ["en"])
    cut = pieces(passage, marks)
    assert "".join(piece for _, piece in cut) == passage
    assert [piece for matches, piece in cut if matches] == marked(passage, marks)
    assert all(piece for _, piece in cut)
    assert all(len(list(run)) == 1 for matches, run in groupby(cut, key=lambda piece: piece[0]) if not matches)
