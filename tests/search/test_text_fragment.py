import re
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.analysis.tokenizer import LETTER, tokens
from minisearch.search.snippets.text_fragment import fragment_text, passage_url

WORDS = ["rose", "Rose", "is", "a", "well-known,", "(red)", "os.path", "薔薇は", "赤い。", "роза", "ורד", "x" * 130]
texts = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", " ", "\n", " / "])), min_size=1, max_size=40
).map(lambda line: "".join(map("".join, line)))


def at(text, word, nth=0):
    place = [found.start() for found in re.finditer(re.escape(word), text)][nth]
    return [(place, place + len(word), 1)]


def decoded(url):
    """(id, prefix, text) as a browser reads a URL."""
    anchor, _, directive = urlsplit(url).fragment.partition(":~:")
    if not directive:
        return unquote(anchor), "", ""
    assert directive.startswith("text=")
    *before, words = directive.removeprefix("text=").split(",")
    assert all(one.endswith("-") for one in before)
    assert "-" not in words
    return unquote(anchor), unquote(before[0][:-1]) if before else "", unquote(words)


@pytest.mark.parametrize(
    ("text", "word", "nth", "found"),
    [
        ("A rose is red.", "rose", 0, ("", "rose")),
        ("A rose is red.\nThis rose is not.", "rose", 1, ("", "This rose is not")),
        ("ROSES\nA rose is red", "rose", 0, ("", "A rose is red")),  # whatever their case
        ("one\nrose\ntwo\nrose\n", "rose", 1, ("two", "rose")),
        ("in os.path.join it", "path", 0, ("", "os.path.join")),  # whole words
        ("全文検索器、検索。", "検索", 0, ("", "全文検索器")),
        ("アラビア語 سلام عليكم", "سلام", 0, ("", "سلام")),
        ("y" * 500, "yyy", 3, ("", "yyy")),  # no word to be seen
    ],
)
def test_a_fragment_has_as_many_words_as_its_place_needs(text, word, nth, found):
    assert fragment_text(text, at(text, word, nth)) == found


def test_matches_of_one_line_are_in_one_fragment():
    text = "Prune the old roses in March.\nRoses need sun."
    assert fragment_text(text, [(0, 5, 1), (14, 19, 2), (30, 35, 2)]) == ("", "Prune the old roses")


@given(texts, st.data())
def test_a_link_leads_to_words_that_are_on_the_page(text, data):
    token = data.draw(st.sampled_from([token.span() for token in tokens(text)]))
    before, words = fragment_text(text, [(*token, 1)])
    assert decoded(passage_url("http://a/b?c=d,e", "id-1", before, words)) == ("id-1", before, words)
    assert any(words in line for line in text.split("\n"))
    assert any(before in line for line in text.split("\n"))
    assert words == words.strip() != ""
    places = [found.start() for found in re.finditer(f"(?={re.escape(words)})", text)]
    assert any(place <= token[0] < place + len(words) for place in places)
    if not before and places[0] > 0 and len(words) < 130:
        assert places[0] <= token[0]
        assert not LETTER.match(text, places[0] - 1)  # a browser looks for whole words only


@pytest.mark.parametrize(
    ("url", "anchor", "before", "words", "linked"),
    [
        ("http://a/", "", "", "", "http://a/"),
        ("http://a/", "top", "", "", "http://a/#top"),
        ("http://a/#old", "", "", "b", "http://a/#:~:text=b"),
        ("http://a/", "x:~:y", "", "b", "http://a/#:~:text=b"),
        ("http://a/", "é'\"<>", "", "b", "http://a/#%C3%A9'%22%3C%3E:~:text=b"),
        ("http://a/", "", "b-c,", "d&e=f-", "http://a/#:~:text=b%2Dc%2C-,d%26e%3Df%2D"),
        ("http://a/", "", "", "検索", "http://a/#:~:text=%E6%A4%9C%E7%B4%A2"),
        ("http://a/", "", "", "\ud800", "http://a/#:~:text=%3F"),
    ],
)
def test_links_are_spelled_as_browsers_read_them(url, anchor, before, words, linked):
    assert passage_url(url, anchor, before, words) == linked
