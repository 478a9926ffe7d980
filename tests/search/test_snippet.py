import re
from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.records import Heading
from minisearch.search import runs
from minisearch.search.runs import FIRST, MOST_READ
from minisearch.search.snippet import GAP, NEARBY, WIDTH, Snippet, pieces, snippet
from minisearch.search.sought import Sought
from tests.search.test_matches import GLUE, queries, really, sought_in, spoken, terms_of, texts

FAR = "filler " * 60
plain_words = st.lists(st.sampled_from(["cat", "dog", "a", "somewhat", "longer,", "filler."]), max_size=150)


def seek(*terms):
    return Sought([([term], 1.0) for term in terms], "en")


def marked(found):
    return [found.text[start:end] for start, end in found.marks]


def passages(shown):
    return shown.removeprefix("… ").removesuffix(" …").split(GAP)


# -- which passage is shown --


def test_blanks_of_all_kinds_become_spaces():
    found = snippet("one\ntwo\tcat", seek("cat"))
    assert (found.text, found.marks) == ("one two cat", ((8, 11),))


def test_the_passage_with_the_most_different_words_is_shown():
    found = snippet(f"{FAR}cat cat cat {FAR}cat dog {FAR}", seek("cat", "dog"))
    assert marked(found) == ["cat", "dog"]
    assert found.text.startswith("… ")
    assert found.text.endswith(" …")


def test_a_telling_word_outweighs_several_others():
    text = f"{FAR}cat dog {FAR}zeppelin {FAR}"
    found = snippet(text, Sought([(["cat"], 1.0), (["dog"], 1.0), (["zeppelin"], 3.0)], "en"))
    assert "zeppelin" in passages(found.text)[-1]
    assert found.phrase == ("", "zeppelin")


def test_words_side_by_side_are_preferred():
    found = snippet(f"a cat, as I said, sees a dog {FAR}the cat dog {FAR}", seek("cat", "dog"))
    assert "the cat dog" in found.text


def test_text_is_preferred_to_menus():
    menu = "\n".join(["Cats", "Dogs", "Fish"])
    found = snippet(
        f"{menu}\n{FAR}\nA sentence in which a cat meets a dog and nothing happens.\n{FAR}", seek("cat", "dog")
    )
    assert "meets" in found.text
    assert "Fish" not in found.text


def test_a_menu_is_better_than_nothing():
    assert marked(snippet(f"Cats\nFish\n{FAR}", seek("cat"))) == ["Cats"]


def test_without_a_match_the_beginning_is_shown():
    found = snippet("word " * 200, seek("cat"))
    assert re.fullmatch(r"(word ){40,}…", found.text)
    assert (found.marks, found.phrase) == ((), ("", ""))


def test_without_a_match_menus_are_passed_over():
    found = snippet("Home\nAbout\nRoses\nThey are red.", seek("cat"), [(1, "Roses", 11, "")])
    assert found.text == "… They are red."


def test_words_far_apart_are_shown_in_several_passages():
    found = snippet(f"A cat here. {FAR}\nThen a dog there. {FAR}\nAt last a cow. {FAR}", seek("cat", "dog", "cow"))
    assert len(passages(found.text)) == 3
    assert marked(found) == ["cat", "dog", "cow"]


def test_no_passage_is_spent_on_words_that_tell_little():
    found = snippet(f"A cat here. {FAR}\nThen a dog there. {FAR}", Sought([(["cat"], 3.0), (["dog"], 1.0)], "en"))
    assert marked(found) == ["cat"]


def test_words_that_tell_little_are_better_than_none():
    sought = Sought([(["zeppelin"], 9.0), (["cat"], 1.0)], "en")
    assert marked(snippet(f"{FAR}{FAR}\nThen a cat. {FAR}", sought)) == ["cat"]


# -- from where to where --


def test_a_passage_begins_with_a_sentence_that_begins_nearby():
    found = snippet("filler " * 50 + "end. Here it begins, " + "and goes on " * 10 + "cat.", seek("cat"))
    assert found.text.startswith("… Here it begins, ")


def test_a_passage_ends_with_a_sentence_that_ends_in_time():
    found = snippet(f"A cat, e.g. mine, {'goes on ' * 22}and stops. {'Another one ' * 30}", seek("cat"))
    assert found.text.endswith("and stops. …")


@pytest.mark.parametrize("stop", ["。", "！", "？"])
def test_sentences_without_blanks_end_too(stop):
    found = snippet(
        "あいうえお" * 40 + stop + "かきくけこ" * 11 + "検索" + "さしすせそ" * 25 + stop + "たちつてと" * 60,
        seek("検索"),
    )
    assert found.text == "… " + "かきくけこ" * 11 + "検索" + "さしすせそ" * 25 + stop + " …"
    assert marked(found) == ["検索"]


def test_a_word_amid_a_long_run_without_blanks_is_shown_from_where_it_begins():
    found = snippet("filler " * 50 + "x/" * 200 + "cat" + "/y" * 200, seek("cat"))
    assert found.text.startswith("… cat/y/y")
    assert marked(found) == ["cat"]


def test_where_words_are_not_told_apart_there_is_text_before_the_match():
    found = snippet("あいうえお" * 5000 + "検索" + "かきくけこ" * 100, Sought([(["検索"], 1.0)], "ja"))
    assert [found.text[start:end] for start, end in found.marks] == ["検索"]
    found = snippet("あ、" * 500 + "検索" + "、い" * 500, Sought([(["検索"], 1.0)], "ja"))
    assert marked(found) == ["検索"]
    assert len(found.text.partition("検索")[2]) > WIDTH / 3


def test_a_passage_stays_in_its_section():
    text = f"Home\nRoses\nAll about them.\nPruning\nA cat prunes. {FAR}\nOther\nThings. {FAR}"
    headings = [
        (1, "Roses", 5, ""),
        (2, "Pruning", text.index("Pruning"), "prune"),
        (2, "Other", text.index("Other"), ""),
    ]
    found = snippet(text, seek("cat"), headings)
    assert found.text.startswith("… A cat prunes. filler")
    assert "Things" not in found.text
    assert found.heading == Heading(2, "Pruning", text.index("Pruning"), "prune")


def test_a_match_in_a_heading_shows_what_stands_below_it():
    found = snippet("Roses\nThey are red, and some are not. So it goes.", seek("rose"), [(1, "Roses", 0, "r")])
    assert found.text == "… They are red, and some are not. So it goes."
    assert (found.heading.text, found.phrase) == ("Roses", ("", "Roses"))


def test_a_heading_with_nothing_below_it_is_shown_itself():
    found = snippet("Home\nRoses", seek("rose"), [(1, "Roses", 5, "r")])
    assert (found.text, found.marks) == ("… Roses", ((2, 7),))
    found = snippet("Home\nRoses\nTulips\nRed.", seek("rose"), [(1, "Roses", 5, "r"), (1, "Tulips", 11, "t")])
    assert marked(found) == ["Roses"]


def test_before_the_first_heading_there_is_none():
    assert snippet("A cat.\nRoses\nRed.", seek("cat"), [(1, "Roses", 7, "")]).heading is None


# -- how much is read --


def test_the_rest_of_a_page_is_not_read_if_its_opening_will_do():
    text = f"A sentence in which a cat meets a dog and nothing happens.\n{FAR * 20}"
    assert "meets" in snippet(text, seek("cat", "dog"), rest=lambda: pytest.fail("read on")).text


def test_it_is_read_if_the_opening_has_no_match():
    opening = FAR * 20
    found = snippet(opening, seek("cat"), rest=lambda: f"{opening}\nAt last, a cat. {FAR}")
    assert marked(found) == ["cat"]


@pytest.mark.parametrize("missing", range(0, 2 * FIRST, 997))
def test_where_one_stretch_ends_and_another_begins_nothing_is_lost(missing):
    text = "filler " * (missing // 7) + "a cat dog it is, said the man who saw it. " + "filler " * 2000
    assert marked(snippet(text, seek("cat", "dog"))) == ["cat", "dog"]


def test_of_a_page_without_end_the_beginning_is_looked_through():
    looked = []

    class Blind(Sought):
        def find(self, text, low, high):
            looked.append(high)
            return []

    assert snippet("word " * 500_000, Blind([(["cat"], 1.0)], "en")).marks == ()
    assert MOST_READ <= max(looked) < MOST_READ + 2 * runs.LONGEST


# -- what is always so --


@given(texts(GLUE) | st.text(), queries, spoken, st.integers(1, WIDTH))
def test_marks_lie_in_the_snippet_and_match_and_the_width_is_bounded(text, query, language, width):
    terms = terms_of(query, language)
    found = snippet(text, sought_in(query, language), width=width)
    assert all(shown in re.sub(r"\s", " ", text) for shown in passages(found.text))
    assert len(passages(found.text)) <= 3
    assert len(found.text) <= 2 * width + 3 * NEARBY + 3 * len(GAP)
    assert all(0 <= start < end <= len(found.text) for start, end in found.marks)
    assert all(end <= start for (_, end), (start, _) in pairwise(found.marks))
    assert all(really(word, terms, language) == [(0, len(word))] for word in marked(found))
    assert any(found.phrase[1] in line for line in text.split("\n"))


@given(texts(GLUE), queries, spoken)
def test_what_is_shown_of_a_page_that_matches_has_a_mark(text, query, language):
    if really(text, terms_of(query, language), language):
        found = snippet(text, sought_in(query, language))
        assert found.marks or len(max(text.split(), key=len)) > NEARBY


@given(plain_words, st.integers(40, 120))
def test_words_are_shown_whole_and_no_passage_of_this_width_has_more_of_those_sought(drawn, width):
    found = snippet(" ".join(drawn), seek("cat", "dog"), width=width)
    assert {word for word in found.text.split() if word != "…"} <= set(drawn)
    assert set(marked(found)) == {"cat", "dog"} & set(drawn)


@given(st.text(max_size=WIDTH), queries)
def test_a_text_shorter_than_the_width_is_shown_in_full(text, query):
    assert snippet(text, sought_in(query)).text == re.sub(r"\s", " ", text)


lines = st.lists(
    st.sampled_from(["Roses", "A cat and a dog.", "Word " * 30, "cat", "犬と猫。"]), min_size=1, max_size=12
)


@given(lines, st.data())
def test_the_heading_is_the_one_above_the_best_passage(drawn, data):
    text = "\n".join(drawn)
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    chosen = sorted(data.draw(st.sets(st.sampled_from(range(len(drawn))))))
    headings = [(2, drawn[number].strip(), starts[number], f"id{number}") for number in chosen]
    found = snippet(text, seek("cat", "dog", "rose", "犬と"), headings)
    assert all(shown.strip() in text.replace("\n", " ") for shown in passages(found.text))
    assert (found.heading is None) or (found.heading.level, *_rest(found.heading)) in headings
    if found.marks and not headings:
        assert found.heading is None


def _rest(heading):
    return heading.text, heading.start, heading.anchor


# -- in pieces --


@given(texts(GLUE), queries)
def test_the_pieces_of_a_snippet_make_it_up(text, query):
    found = snippet(text, sought_in(query))
    cut = pieces(found.text, found.marks)
    assert "".join(piece for _, piece in cut) == found.text
    assert [piece for matches, piece in cut if matches] == marked(found)
    assert all(piece for _, piece in cut)
    assert all(len(list(run)) == 1 for matches, run in groupby(cut, key=lambda piece: piece[0]) if not matches)


def test_nothing_is_shown_of_nothing():
    assert snippet("", seek("cat")) == Snippet("")
