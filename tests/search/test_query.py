import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.search.query import MOST_WORDS, Word, parse


def words(text, languages=("en",)):
    return [(word.text, word.terms) for word in parse(text, languages).words]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("prune Roses", [("prune", ("prune",)), ("Roses", ("rose",))]),
        ("rose roses ROSE", [("rose", ("rose",))]),  # asked for once, however often typed
        ('"exact phrase" +must -not (or)', [(w, (w,)) for w in ("exact", "phrase", "must", "not", "or")]),
        ("", []),
        ("((( ??? …", []),
        ("全文検索", [("全文", ("全文",)), ("文検", ("文検",)), ("検索", ("検索",))]),
    ],
)
def test_a_query_is_read_as_words(text, found):
    assert words(text) == found


@pytest.mark.parametrize(
    ("text", "needed", "bonus"),
    [
        ("os.path.join", ["os", "path", "join"], ["os.path.join"]),
        ("ThreadPool", ["thread", "pool"], ["threadpool"]),
        ("C++", ["c"], ["c++"]),
        ("cat", ["cat"], []),
        ("_", [], ["_"]),
    ],
)
def test_an_identifier_as_a_whole_is_a_bonus_beside_its_parts(text, needed, bonus):
    query = parse(text, ["en"])
    assert [word.terms[0] for word in query.words if not word.bonus] == needed
    assert [word.terms[0] for word in query.words if word.bonus] == bonus


def test_a_word_has_a_term_for_each_language_of_the_index():
    assert words("gardens", ["en", "tlh"]) == [("gardens", ("garden", "gardens"))]
    assert words("страница", ["en", "sr"]) == [("страница", ("страница", "stranic"))]


def test_an_index_without_pages_is_asked_in_english():
    assert words("gardens", []) == words("gardens", ["en"])


@pytest.mark.parametrize("count", [MOST_WORDS, MOST_WORDS + 1, 500])
def test_a_query_that_is_too_long_is_cut_and_says_so(count):
    query = parse(" ".join(f"w{number}" for number in range(count)), ["en"])
    assert [word.text for word in query.words] == [f"w{number}" for number in range(min(count, MOST_WORDS))]
    assert query.note == ("" if count <= MOST_WORDS else "only the first 64 words of the query were used")


def test_repeating_a_word_does_not_make_a_query_too_long():
    assert parse("cat " * 500, ["en"]).words == (Word("cat", ("cat",)),)


@settings(deadline=None)
@given(st.text(), st.lists(st.sampled_from(["en", "sr", "ja", "ru", "tlh"]), unique=True))
def test_anything_typed_is_a_query(text, languages):
    query = parse(text, languages)
    assert query.text == text
    assert len({word.terms for word in query.words}) == len(query.words) <= MOST_WORDS
    assert all(word.text and all(word.terms) for word in query.words)
