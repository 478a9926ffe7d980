import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.textbook import hashtable, listindex, mapindex


def indexed_in_a_list(pages):
    index = []
    for url, content in pages:
        listindex.add_page_to_index(index, url, content)
    return lambda word: listindex.lookup(index, word)


def indexed_in_a_map(pages):
    index = {}
    for url, content in pages:
        mapindex.add_page_to_index(index, url, content)
    return lambda word: mapindex.lookup(index, word)


def indexed_in_a_hashtable(pages):
    table = hashtable.make_hashtable(3)
    for url, content in pages:
        for word in content.split():
            hashtable.hashtable_add_to_index(table, word, url)
    return lambda word: hashtable.hashtable_lookup(table, word)


FORMS = [indexed_in_a_list, indexed_in_a_map, indexed_in_a_hashtable]
every_form = pytest.mark.parametrize("indexed", FORMS, ids=["list", "map", "hashtable"])


@every_form
def test_a_page_is_found_once_per_occurrence_in_the_order_it_was_read(indexed):
    lookup = indexed([("a", "cat dog cat"), ("b", "cat")])
    assert lookup("cat") == ["a", "a", "b"]
    assert lookup("dog") == ["a"]


@every_form
def test_tags_stick_to_words(indexed):
    lookup = indexed([("a", "<h1>First page</h1>")])
    assert not lookup("page")
    assert lookup("page</h1>") == ["a"]


@pytest.mark.parametrize(
    ("indexed", "nothing"),
    [(indexed_in_a_list, []), (indexed_in_a_map, None), (indexed_in_a_hashtable, None)],
)
def test_each_form_has_its_own_way_to_say_there_is_none(indexed, nothing):
    assert indexed([("a", "cat")])("dog") == nothing


@given(st.lists(st.tuples(st.sampled_from("abc"), st.text(alphabet="xyz \n"))))
def test_all_forms_hold_the_same(pages):
    in_a_list, in_a_map, in_a_hashtable = (indexed(pages) for indexed in FORMS)
    words = {word for _, content in pages for word in content.split()} | {"absent"}
    assert [in_a_list(word) or None for word in words] == [in_a_map(word) for word in words]
    assert [in_a_hashtable(word) for word in words] == [in_a_map(word) for word in words]
