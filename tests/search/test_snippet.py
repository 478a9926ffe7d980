"""Which passage of a page is shown, from where to where, and what is highlighted in it."""

import re
from itertools import groupby, pairwise
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from minisearch.analysis.names import line_keys
from minisearch.analysis.tokenizer import tokens
from minisearch.models import DEFINITION, Heading
from minisearch.search.query import Variant, Word, parse
from minisearch.search.snippets import Snippet, snippet, split_by_marks
from minisearch.search.snippets.highlight import Highlighter
from minisearch.search.snippets.snippet import (
    ELLIPSIS,
    MAX_HEADINGS,
    MAX_TEXT,
    NEARBY,
    OPENING,
    STRETCH,
    WIDTH,
    SnippetBuilder,
)
from tests.search.test_highlight import GLUE, expected, languages, queries, terms_of, texts

FAR = "filler " * 60
SENTENCE = "There is a {} in this sentence, which makes sense by itself.\n"
plain_words = st.lists(st.sampled_from(["cat", "dog", "a", "somewhat", "longer,", "filler."]), max_size=150)


def show(text, wanted, headings=(), *, language="en", width=WIDTH):
    """The snippet of a text for a query, or for terms with weights."""
    if isinstance(wanted, str):
        query = parse(wanted, [language])
        words = [(word, 1.0) for clause in query.clauses for word in clause.words]
    else:
        query = parse("", [language])
        words = [(Word(term, (Variant(term),)), weight) for term, weight in wanted.items()]
    builder = SnippetBuilder(words, query, language, width=width)
    return builder.snippet(text, [Heading(*heading) for heading in headings])


def marked(found):
    return [found.text[start:end] for start, end in found.marks]


def passages(shown):
    return shown.removeprefix("… ").removesuffix(" …").split(ELLIPSIS)


# -- which passage is shown --


def test_blanks_of_all_kinds_become_spaces():
    found = show("one\ntwo\tcat", "cat")
    assert (found.text, found.marks) == ("one two cat", ((8, 11),))


def test_the_passage_with_the_most_different_words_is_shown():
    found = show(f"{FAR}cat cat cat {FAR}cat dog {FAR}", "cat dog")
    assert marked(found) == ["cat", "dog"]
    assert found.text.startswith("… ")
    assert found.text.endswith(" …")


def test_a_telling_word_outweighs_several_others():
    text = f"{FAR}cat dog {FAR}zeppelin {FAR}"
    found = show(text, {"cat": 1.0, "dog": 1.0, "zeppelin": 3.0})
    assert "zeppelin" in passages(found.text)[-1]
    assert found.phrase == ("", "zeppelin")


def test_words_side_by_side_are_preferred():
    found = show(f"a cat, as I said, sees a dog {FAR}the cat dog {FAR}", "cat dog")
    assert "the cat dog" in found.text


def test_text_is_preferred_to_menus():
    menu = "\n".join(["Cats", "Dogs", "Fish"])
    found = show(f"{menu}\n{FAR}\nA sentence in which a cat meets a dog and nothing happens.\n{FAR}", "cat dog")
    assert "meets" in found.text
    assert "Fish" not in found.text


def test_a_menu_is_better_than_nothing():
    assert marked(show(f"Cats\nFish\n{FAR}", "cat")) == ["Cats"]


def test_a_menu_that_is_longer_than_the_page_is_searched_last():
    menu = "The cat page is about the cat and the dog and all of their friends\n" * 40
    text = f"{menu}The cat\nIt sleeps, and now and then the cat wakes up to eat something.\n"
    query = parse("cat dog", ["en"])
    words = [(word, 1.0) for clause in query.clauses for word in clause.words]
    heading = Heading(1, "The cat", len(menu))
    found = SnippetBuilder(words, query, "en").snippet(text, [heading], "The cat - Animals")
    assert found.text.strip() == "… It sleeps, and now and then the cat wakes up to eat something."


def test_without_a_match_the_beginning_is_shown():
    found = show("word " * 200, "cat")
    assert re.fullmatch(r"(word ){40,}…", found.text)
    assert (found.marks, found.phrase) == ((), ("", ""))


def test_without_a_match_menus_are_ignored_options():
    found = show("Home\nAbout\nRoses\nThey are red.", "cat", [(1, "Roses", 11, "")])
    assert found.text == "… They are red."


def test_words_far_apart_are_shown_in_several_passages():
    found = show(f"A cat here. {FAR}\nThen a dog there. {FAR}\nAt last a cow. {FAR}", "cat dog cow")
    assert len(passages(found.text)) == 3
    assert marked(found) == ["cat", "dog", "cow"]


def test_no_passage_is_spent_on_words_that_tell_little():
    found = show(f"A cat here. {FAR}\nThen a dog there. {FAR}", {"cat": 3.0, "dog": 1.0})
    assert marked(found) == ["cat"]


def test_words_that_tell_little_are_better_than_none():
    sought = {"zeppelin": 9.0, "cat": 1.0}
    assert marked(show(f"{FAR}{FAR}\nThen a cat. {FAR}", sought)) == ["cat"]


def test_words_that_stand_in_prose_count_more():
    contents = "cat and dog\ncat\ndog\nAll of what is to be said of a dog and of nothing else\n" + FAR + "\n"
    assert "sentence" in show(contents + SENTENCE.format("cat and a dog"), "cat dog").text


def test_of_equal_passages_the_first_is_shown():
    assert show(f"one cat {FAR}two cats {FAR}three cats", "cat").text.startswith("one cat")


# -- from where to where --


def test_a_passage_begins_with_a_sentence_that_begins_nearby():
    found = show("filler " * 50 + "end. Here it begins, " + "and goes on " * 10 + "cat.", "cat")
    assert found.text.startswith("… Here it begins, ")


def test_a_passage_ends_with_a_sentence_that_ends_in_time():
    found = show(f"A cat, e.g. mine, {'goes on ' * 22}and stops. {'Another one ' * 30}", "cat")
    assert found.text.endswith("and stops. …")


@pytest.mark.parametrize("stop", ["。", "！", "？"])
def test_sentences_without_blanks_end_too(stop):
    found = show(
        "あいうえお" * 40 + stop + "かきくけこ" * 11 + "検索" + "さしすせそ" * 25 + stop + "たちつてと" * 60,
        "検索",
    )
    assert found.text == "… " + "かきくけこ" * 11 + "検索" + "さしすせそ" * 25 + stop + " …"
    assert marked(found) == ["検索"]


def test_a_word_amid_a_long_run_without_blanks_is_shown_from_where_it_begins():
    found = show("filler " * 50 + "x/" * 200 + "cat" + "/y" * 200, "cat")
    assert found.text.startswith("… cat/y/y")
    assert marked(found) == ["cat"]


def test_where_words_are_not_told_apart_there_is_text_before_the_match():
    found = show("あいうえお" * 5000 + "検索" + "かきくけこ" * 100, {"検索": 1.0}, language="ja")
    assert [found.text[start:end] for start, end in found.marks] == ["検索"]
    found = show("あ、" * 500 + "検索" + "、い" * 500, {"検索": 1.0}, language="ja")
    assert marked(found) == ["検索"]
    assert len(found.text.partition("検索")[2]) > WIDTH / 3


def test_a_passage_stays_in_its_section():
    text = f"Home\nRoses\nAll about them.\nPruning\nA cat prunes. {FAR}\nOther\nThings. {FAR}"
    headings = [
        (1, "Roses", 5, ""),
        (2, "Pruning", text.index("Pruning"), "prune"),
        (2, "Other", text.index("Other"), ""),
    ]
    found = show(text, "cat", headings)
    assert found.text.startswith("… A cat prunes. filler")
    assert "Things" not in found.text
    assert found.heading == Heading(2, "Pruning", text.index("Pruning"), "prune")


def test_a_match_in_a_heading_shows_what_stands_below_it():
    found = show("Roses\nThey are red, and some are not. So it goes.", "rose", [(1, "Roses", 0, "r")])
    assert found.text == "… They are red, and some are not. So it goes."
    assert (found.heading.text, found.phrase) == ("Roses", ("", "Roses"))


def test_a_heading_with_nothing_below_it_is_shown_itself():
    found = show("Home\nRoses", "rose", [(1, "Roses", 5, "r")])
    assert (found.text, found.marks) == ("… Roses", ((2, 7),))
    found = show("Home\nRoses\nTulips\nRed.", "rose", [(1, "Roses", 5, "r"), (1, "Tulips", 11, "t")])
    assert marked(found) == ["Roses"]


def test_before_the_first_heading_there_is_none():
    assert show("A cat.\nRoses\nRed.", "cat", [(1, "Roses", 7, "")]).heading is None


# -- how much is read --


@pytest.mark.parametrize("missing", range(0, 2 * STRETCH, 997))
def test_where_one_stretch_ends_and_another_begins_nothing_is_lost(missing):
    text = "filler " * (missing // 7) + "a cat dog it is, said the man who saw it. " + "filler " * 2000
    assert marked(show(text, "cat dog")) == ["cat", "dog"]


class Searched:
    """Records up to where texts are searched."""

    def __init__(self, monkeypatch):
        self.ends = []
        find = Highlighter.find

        def record(highlighter, text, start=0, end=None):
            self.ends.append(end)
            return find(highlighter, text, start, end)

        monkeypatch.setattr(Highlighter, "find", record)

    def far(self, text, query):
        self.ends.clear()
        show(text, query)
        return max(self.ends)


def test_the_search_ends_with_a_good_passage_and_later_with_any(monkeypatch):
    searched, rest = Searched(monkeypatch), "filler " * 60_000
    assert searched.far(SENTENCE.format("cat and a dog") + rest, "cat dog") <= STRETCH
    half = searched.far(SENTENCE.format("cat") + rest, "cat dog")
    assert STRETCH < half < OPENING
    assert half < searched.far("cat\n" + rest, "cat dog") <= OPENING + STRETCH
    assert searched.far(rest, "cat dog") == len(rest)


def test_without_a_prefilter_the_opening_is_searched():
    text = "كلمة " * 20_000
    assert marked(show(f"{text[:30_000]} سلام {text}", "سلام", language="ar")) == ["سلام"]
    assert marked(show(f"{text} سلام {text}", "سلام", language="ar")) == []


# -- what is always so --


@given(texts(GLUE) | st.text(), queries, languages, st.integers(1, WIDTH))
def test_marks_lie_in_the_snippet_and_match_and_the_width_is_bounded(text, query, language, width):
    terms = terms_of(query, language)
    found = show(text, query, language=language, width=width)
    assert all(shown in re.sub(r"\s", " ", text) for shown in passages(found.text))
    assert len(passages(found.text)) <= 3
    assert len(found.text) <= 2 * width + 3 * NEARBY + 3 * len(ELLIPSIS)
    assert all(0 <= start < end <= len(found.text) for start, end in found.marks)
    assert all(end <= start for (_, end), (start, _) in pairwise(found.marks))
    matching = {text[start:end] for start, end in expected(text, terms, language)}
    for word in marked(found):  # a run without spaces may be cut where the passage begins
        assert word in matching or expected(word, terms, language) == [(0, len(word))]
    assert any(found.phrase[1] in line for line in text.split("\n"))


@given(texts(GLUE), queries, languages)
def test_what_is_shown_of_a_page_that_matches_has_a_mark(text, query, language):
    assume(not {"C++", "C#"} & set(query.split()))  # the page may have C alone, which is not what was asked for
    if expected(text, terms_of(query, language), language):
        found = show(text, query, language=language)
        assert found.marks or len(max(text.split(), key=len)) > NEARBY


@given(plain_words, st.integers(40, 120))
def test_words_are_shown_whole_and_no_passage_of_this_width_has_more_of_those_sought(drawn, width):
    found = show(" ".join(drawn), "cat dog", width=width)
    assert {word for word in found.text.split() if word != "…"} <= set(drawn)
    assert set(marked(found)) == {"cat", "dog"} & set(drawn)


@given(st.text(max_size=WIDTH), queries)
def test_a_text_shorter_than_the_width_is_shown_in_full(text, query):
    assert show(text, query).text == re.sub(r"\s", " ", text)


lines = st.lists(
    st.sampled_from(["Roses", "A cat and a dog.", "Word " * 30, "cat", "犬と猫。"]), min_size=1, max_size=12
)


@given(lines, st.data())
def test_the_heading_is_the_one_above_the_best_passage(drawn, data):
    text = "\n".join(drawn)
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    chosen = sorted(data.draw(st.sets(st.sampled_from(range(len(drawn))))))
    headings = [(2, drawn[number].strip(), starts[number], f"id{number}") for number in chosen]
    found = show(text, "cat dog rose 犬と", headings)
    assert all(shown.strip() in text.replace("\n", " ") for shown in passages(found.text))
    assert (found.heading is None) or (found.heading.level, *_rest(found.heading)) in headings
    if found.marks and not headings:
        assert found.heading is None


def _rest(heading):
    return heading.text, heading.start, heading.anchor


# -- in pieces --


@given(texts(GLUE), queries)
def test_the_pieces_of_a_snippet_make_it_up(text, query):
    found = show(text, query)
    cut = split_by_marks(found.text, found.marks)
    assert "".join(piece for _, piece in cut) == found.text
    assert [piece for matches, piece in cut if matches] == marked(found)
    assert all(piece for _, piece in cut)
    assert all(len(list(run)) == 1 for matches, run in groupby(cut, key=lambda piece: piece[0]) if not matches)


def test_nothing_is_shown_of_nothing():
    assert show("", "cat") == Snippet("")


# -- through an engine --

GARDEN = "Menu\nRoses\nThey are red.\nPruning\nCut the old wood in March, before the leaves come out and hide it."


def searched(engine, query):
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
    hit, marks = searched(garden, "old wood")
    assert (hit.heading, marks) == ("Pruning", ["old", "wood"])
    assert hit.link == "http://site/roses#how-to:~:text=old%20wood"


def test_a_term_that_is_defined_does_not_begin_a_section_for_nobody_knows_where_its_text_ends(webs):
    text = "Pruning\nShears\nCut with them.\nIn March the old wood goes."
    headings = Heading(2, "Pruning", 0, "how-to"), Heading(DEFINITION, "garden.Shears", 8, "garden.Shears")
    with webs.build([with_headings(webs.page("roses", text), *headings)]) as engine:
        hit, _ = searched(engine, "old wood")
        assert (hit.heading, hit.snippet) == ("Pruning", "… Shears Cut with them. In March the old wood goes.")


def test_a_heading_that_is_the_title_again_is_left_out(garden):
    hit, _ = searched(garden, "red")
    assert (hit.heading, hit.link) == ("", "http://site/roses#top:~:text=red")


def test_a_hit_without_a_match_in_its_text_links_to_the_page(webs):
    with webs.build([webs.page("a", "nothing to see", title="Cats")]) as engine:
        hit, marks = searched(engine, "cats")
    assert (hit.snippet, marks, hit.link) == ("nothing to see", [], "http://site/a")


def test_hits_without_snippets_link_to_the_page(garden):
    (hit,) = garden.search("wood", snippets=False).hits
    assert (hit.snippet, hit.heading, hit.link) == ("", "", "http://site/roses")


def test_of_an_endless_page_the_beginning_is_read(webs):
    text = "cat " + "filler " * (MAX_TEXT // 7) + "dog"
    with webs.build([webs.page("a", text)]) as engine:
        assert searched(engine, "cat")[1] == ["cat"]
        assert searched(engine, "dog")[1] == []


def test_words_that_tell_more_decide(webs):
    far = "filler " * 60
    pages = [webs.page("a", f"the cat {far}the zeppelin {far}"), *(webs.page(f"b{n}", "the cat") for n in range(9))]
    with webs.build(pages) as engine:
        hit = engine.search("the cat zeppelin").hits[0]
    assert hit.link == "http://site/a#:~:text=zeppelin"


def test_a_single_letter_of_a_script_without_spaces_is_marked_alone(webs):
    with webs.build([webs.page("a", "全文検索器の話", language="ja")]) as engine:
        assert searched(engine, "索")[1] == ["索"]
        assert searched(engine, "検索")[1] == ["検索"]


def test_an_identifier_is_marked_by_any_spelling(webs):
    with webs.build([webs.page("a", "a ThreadPoolExecutor, or threadpoolexecutor")]) as engine:
        assert searched(engine, "ThreadPoolExecutor")[1] == ["ThreadPoolExecutor", "threadpoolexecutor"]
        assert searched(engine, "thread pool")[1] == ["ThreadPoolExecutor"]


@given(st.data())
def test_whatever_is_shown_is_on_the_page(webs, data):
    with webs.build(*data.draw(webs.collections)) as engine:
        for hit in engine.search(data.draw(st.text() | webs.typed)).hits:
            text = engine.store.pages.text(hit.page_id)[0]
            assert all(0 <= start < end <= len(hit.snippet) for start, end in hit.marks)
            assert {token.group() for token in tokens(hit.snippet)} <= {token.group() for token in tokens(text)}
            assert hit.link.startswith(hit.url)


# -- what was asked for exactly --

LONG = "Of boxes and lids there is much to say, and of a box that has a lid even more than of one without.\n" * 900


def manual(webs, *, before=LONG):
    """A long page that uses `box.lid` and, far below, defines it."""
    text = f"Home\nBoxes\nAbout boxes. {before}Settings\nbox.lid\nWhether it is closed.\nbox.size\nHow large it is."
    headings = (
        Heading(1, "Boxes", 5, "top"),
        Heading(2, "Settings", text.index("Settings"), "settings"),
        Heading(DEFINITION, "box.lid", text.index("box.lid\nW")),
        Heading(DEFINITION, "box.size", text.index("box.size\nH"), "box.size"),
    )
    return webs.build([with_headings(webs.page("boxes", text, title="Boxes"), *headings)])


@pytest.mark.parametrize("before", [LONG, "See box.lid, a box and a lid. "], ids=["long", "short"])
def test_a_definition_of_what_was_asked_for_is_shown_wherever_it_stands(webs, before):
    with manual(webs, before=before) as engine:
        hit, _ = searched(engine, "box.lid")
        assert (hit.heading, hit.snippet) == ("box.lid", "… box.lid Whether it is closed. box.size How large it is.")
        assert hit.link.startswith("http://site/boxes#settings:~:text=")
        hit, marks = searched(engine, "box size")
        assert (hit.heading, hit.snippet, marks) == ("box.size", "… box.size How large it is.", ["box.size"])
        assert hit.link.startswith("http://site/boxes#box.size:~:text=")


def test_a_section_whose_heading_was_asked_for_is_searched(webs):
    text = f"Roses\nSoil and water, and water and soil.\n{LONG}Soil and water\nThey like it heavy and moist."
    headings = Heading(1, "Roses", 0), Heading(2, "Soil and water", text.rindex("Soil"), "soil")
    with webs.build([with_headings(webs.page("roses", text), *headings)]) as engine:
        hit, _ = searched(engine, "soil and water")
        assert (hit.heading, hit.snippet) == ("Soil and water", "… They like it heavy and moist.")


@pytest.mark.parametrize("level", [2, DEFINITION], ids=["section", "definition"])
@pytest.mark.parametrize(
    ("language", "before", "heading", "said", "query"),
    [
        ("en", "There was a queue", "Queue", "Here it is told what a queue is.", "queue"),
        ("fr", "L'école est finie.", "École", "Ici il est dit ce qu'est une école.", "ecole"),
        ("de", "Übung macht den Meister.", "Übung", "Hier steht, was eine Übung ist.", "übung"),
        ("sr", "О шумама се прича.", "Шума", "Овде пише шта је шума.", "šuma"),
        ("sr", "O šumama se priča.", "Šuma", "Ovde piše šta je šuma.", "шума"),
        ("ja", "東京は首都です。何でもない文章です。", "東京", "ここで東京を詳しく説明します。", "東京"),
    ],
)
def test_what_was_asked_for_begins_where_its_heading_does_in_every_script(
    webs, language, before, heading, said, query, level
):
    text = f"Manual\n{before * 40}\n{heading}\n{said}"
    headings = Heading(1, "Manual", 0), Heading(level, heading, text.rindex(f"\n{heading}\n") + 1, "there")
    with webs.build([with_headings(webs.page("a", text, title="Manual", language=language), *headings)]) as engine:
        hit, marks = searched(engine, query)
        begins = said if level == 2 else f"{heading} {said}"
        assert (hit.heading, hit.snippet) == (heading, f"… {begins}")
        assert marks
        assert hit.link.startswith("http://site/a#there:~:text=")


@pytest.mark.parametrize(
    ("query", "times", "text", "found"),
    [
        (
            '"detached heads"',
            9,
            "To detach a head, detach head after head.",
            "Detached heads\nare rare in this garden.",
        ),
        (
            '"detached heads"',
            1500,
            "To detach a head, detach head after head.",
            "Detached heads\nare rare in a garden.",
        ),
        ("box_lid", 9, "The box has a lid, a box lid, and no lid is on a box.", "So box_lid is what we call it all."),
        ("box_lid", 1500, "The box is on a box, and a box is on that.", "So box_lid is what we call it all."),
        (
            "x y_z",
            9,
            "A y is a z and a y z is an x, so y is z.",
            "With x goes the y_z of the garden, as is well known.",
        ),
    ],
)
def test_a_phrase_and_an_identifier_are_shown_as_they_are_written(webs, query, times, text, found):
    far = "Words of all sorts come and go in a text that is as long as this. " * times
    with webs.build([webs.page("a", f"{text} {far}{found} {far}")]) as engine:
        hit, _ = searched(engine, query)
        assert found.replace("\n", " ") in hit.snippet


def test_a_heading_is_found_among_thousands_that_have_its_words(webs):
    lines = [f"impl From of u16 for Type{number}" for number in range(3000)]
    text = "\n".join(["Manual", *lines, "u16", "It has sixteen bits.", *lines])
    headings, at = [Heading(1, "Manual", 0)], 7
    for line in text.split("\n")[1:]:
        if "u16" in line:
            headings.append(Heading(3, line, at))
        at += len(line) + 1
    with (
        webs.build([with_headings(webs.page("a", text, title="Manual"), *headings)]) as engine,
        patch.object(snippet, "line_keys", side_effect=line_keys) as named,
    ):
        assert searched(engine, "u16")[0].heading == "u16"
        assert len(named.call_args.args[0]) <= MAX_HEADINGS


def test_what_was_written_second_may_stand_first(webs):
    far = "Words of all sorts come and go in a text that is as long as this. " * 9
    both = "Here box_lid is what goes with the rim of a cup in this garden, as is well known."
    text = f"A box, a lid, a cup, a rim, and a lid box and a rim cup. {far}{both} {far}Or cup_rim alone. {far}"
    with webs.build([webs.page("a", text)]) as engine:
        assert both in searched(engine, "cup_rim box_lid")[0].snippet
        assert both in searched(engine, "box_lid cup_rim")[0].snippet


def test_menus_before_the_heading_of_a_page_are_shown_if_nothing_else_is(webs):
    menu = "The garden and all that grows in it the year round\nRoses and tulips, and how to plant them in the spring\n"
    said = "Roses grow here, and so do tulips, as you will see if you plant them."
    text = f"{menu}Beds\nThere are many. {LONG[:20_000]}\n{said}\nEnd"
    headings = Heading(1, "The garden", 0), Heading(2, "Menu", 51), Heading(1, "Beds", len(menu))
    with webs.build([with_headings(webs.page("a", text, title="Beds - The garden"), *headings)]) as engine:
        assert "Roses grow here" in searched(engine, "roses tulips")[0].snippet
        assert "year round" in searched(engine, "year round")[0].snippet


def test_plain_c_is_not_marked_for_c_plus_plus(webs):
    with webs.build([webs.page("a", "Code in C calls code in C++ and in C#, as can code in c++.")]) as engine:
        assert searched(engine, "c++")[1] == ["C++", "c++"]
        assert searched(engine, "c# code")[1] == ["Code", "code", "C#", "code"]
        assert searched(engine, "c")[1] == ["C", "C++", "C#", "c++"]


@pytest.mark.parametrize("language", ["he", "el", "en"])
def test_greek_capitals_are_highlighted(webs, language):
    with webs.build([webs.page("a", "αβγ ΟΔΟΣ δεζ", language=language)]) as engine:
        (hit,) = engine.search("ΟΔΟΣ").hits
        assert [hit.snippet[start:end] for start, end in hit.marks] == ["ΟΔΟΣ"]
