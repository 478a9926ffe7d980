import pytest

from minisearch.search.snapshot import Snapshot
from minisearch.search.vocabulary import MOST_COMPLETIONS


@pytest.fixture
def vocabulary(webs):
    """The words of batches of pages."""
    return lambda *batches: Snapshot(webs.build(*batches).store).vocabulary


def test_the_completions_of_a_prefix_are_the_words_that_begin_so_most_frequent_first(webs, vocabulary):
    known = vocabulary([webs.page("a", "cat category dog", title="Category")], [webs.page("b", "category cow")])
    assert [variant.term for variant in known.completions("cat").terms] == ["categori", "cat"]
    assert known.completions("x").terms == ()


def test_a_prefix_stands_for_so_many_words_and_no_more(webs, vocabulary):
    known = vocabulary([webs.page("a", " ".join(f"cat{number}" for number in range(MOST_COMPLETIONS + 9)))])
    assert len(known.completions("cat").terms) == MOST_COMPLETIONS


def test_words_of_all_segments_are_counted_together_and_told_as_they_are_written(webs, vocabulary):
    known = vocabulary([webs.page("a", "JSON jsonl")], [webs.page("b", "JSON cats")])
    assert known.words_of_length("j", 4, 4) == {"json": 2}
    assert known.words_beginning("jso", 5) == ["json", "jsonl"]
    assert known.written(["json", "cats"]) == ["JSON", "cats"]
    assert known.still_there(["cats", "dogs"]) == ["cats"]
