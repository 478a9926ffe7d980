"""What is shown of the pages found, through an engine."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.records import DEFINITION, Heading
from minisearch.search import show
from minisearch.store.pages import PageStore
from minisearch.text.names import names
from minisearch.text.words import tokens

GARDEN = "Menu\nRoses\nThey are red.\nPruning\nCut the old wood in March, before the leaves come out and hide it."


def shown(engine, query):
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
    hit, marks = shown(garden, "old wood")
    assert (hit.heading, marks) == ("Pruning", ["old", "wood"])
    assert hit.link == "http://site/roses#how-to:~:text=old%20wood"


def test_a_term_that_is_defined_does_not_begin_a_section_for_nobody_knows_where_its_text_ends(webs):
    text = "Pruning\nShears\nCut with them.\nIn March the old wood goes."
    headings = Heading(2, "Pruning", 0, "how-to"), Heading(DEFINITION, "garden.Shears", 8, "garden.Shears")
    with webs.build([with_headings(webs.page("roses", text), *headings)]) as engine:
        hit, _ = shown(engine, "old wood")
        assert (hit.heading, hit.snippet) == ("Pruning", "… Shears Cut with them. In March the old wood goes.")


def test_a_heading_that_is_the_title_again_is_left_out(garden):
    hit, _ = shown(garden, "red")
    assert (hit.heading, hit.link) == ("", "http://site/roses#top:~:text=red")


def test_a_hit_without_a_match_in_its_text_links_to_the_page(webs):
    with webs.build([webs.page("a", "nothing to see", title="Cats")]) as engine:
        hit, marks = shown(engine, "cats")
    assert (hit.snippet, marks, hit.link) == ("nothing to see", [], "http://site/a")


def test_hits_without_snippets_link_to_the_page(garden):
    (hit,) = garden.search("wood", snippets=False).hits
    assert (hit.snippet, hit.heading, hit.link) == ("", "", "http://site/roses")


def test_of_a_long_page_no_more_is_read_than_is_needed(webs):
    with (
        patch.object(show, "OPENING", 20_000),
        webs.build([webs.page("a", "an early cat " + "filler " * 9000 + "a late dog")]) as engine,
        patch.object(PageStore, "whole", autospec=True, side_effect=PageStore.whole) as whole,
    ):
        assert shown(engine, "early cat")[1] == ["early", "cat"]
        assert not whole.called
        assert shown(engine, "late dog")[1] == ["late", "dog"]
        assert whole.called


def test_words_that_tell_more_decide(webs):
    far = "filler " * 60
    pages = [webs.page("a", f"the cat {far}the zeppelin {far}"), *(webs.page(f"b{n}", "the cat") for n in range(9))]
    with webs.build(pages) as engine:
        hit = engine.search("the cat zeppelin").hits[0]
    assert hit.link == "http://site/a#:~:text=zeppelin"


def test_a_single_letter_of_a_script_without_spaces_is_marked_alone(webs):
    with webs.build([webs.page("a", "全文検索器の話", language="ja")]) as engine:
        assert shown(engine, "索")[1] == ["索"]
        assert shown(engine, "検索")[1] == ["検索"]


def test_an_identifier_is_marked_by_any_spelling(webs):
    with webs.build([webs.page("a", "a ThreadPoolExecutor, or threadpoolexecutor")]) as engine:
        assert shown(engine, "ThreadPoolExecutor")[1] == ["ThreadPoolExecutor", "threadpoolexecutor"]
        assert shown(engine, "thread pool")[1] == ["ThreadPoolExecutor"]


@given(st.data())
def test_whatever_is_shown_is_on_the_page(webs, data):
    with webs.build(*data.draw(webs.collections)) as engine:
        for hit in engine.search(data.draw(st.text() | webs.typed)).hits:
            text = engine.store.pages.text(hit.page_id)[0]
            assert all(0 <= start < end <= len(hit.snippet) for start, end in hit.marks)
            assert {token.group() for token in tokens(hit.snippet)} <= {token.group() for token in tokens(text)}
            assert hit.link.startswith(hit.url)


# -- what is asked for outright --

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
        hit, _ = shown(engine, "box.lid")
        assert (hit.heading, hit.snippet) == ("box.lid", "… box.lid Whether it is closed. box.size How large it is.")
        assert hit.link.startswith("http://site/boxes#settings:~:text=")
        hit, marks = shown(engine, "box size")
        assert (hit.heading, hit.snippet, marks) == ("box.size", "… box.size How large it is.", ["box.size"])
        assert hit.link.startswith("http://site/boxes#box.size:~:text=")


def test_a_section_whose_heading_was_asked_for_is_shown(webs):
    text = f"Roses\nSoil and water, and water and soil.\n{LONG}Soil and water\nThey like it heavy and moist."
    headings = Heading(1, "Roses", 0), Heading(2, "Soil and water", text.rindex("Soil"), "soil")
    with webs.build([with_headings(webs.page("roses", text), *headings)]) as engine:
        hit, _ = shown(engine, "soil and water")
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
        hit, marks = shown(engine, query)
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
        hit, _ = shown(engine, query)
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
        patch("minisearch.search.outright.names", side_effect=names) as named,
    ):
        assert shown(engine, "u16")[0].heading == "u16"
        assert named.call_count <= 30


def test_what_was_written_second_may_stand_first(webs):
    far = "Words of all sorts come and go in a text that is as long as this. " * 9
    both = "Here box_lid is what goes with the rim of a cup in this garden, as is well known."
    text = f"A box, a lid, a cup, a rim, and a lid box and a rim cup. {far}{both} {far}Or cup_rim alone. {far}"
    with webs.build([webs.page("a", text)]) as engine:
        assert both in shown(engine, "cup_rim box_lid")[0].snippet
        assert both in shown(engine, "box_lid cup_rim")[0].snippet


def test_menus_before_the_heading_of_a_page_are_shown_if_nothing_else_is(webs):
    menu = "The garden and all that grows in it the year round\nRoses and tulips, and how to plant them in the spring\n"
    said = "Roses grow here, and so do tulips, as you will see if you plant them."
    text = f"{menu}Beds\nThere are many. {LONG[:20_000]}\n{said}\nEnd"
    headings = Heading(1, "The garden", 0), Heading(2, "Menu", 51), Heading(1, "Beds", len(menu))
    with webs.build([with_headings(webs.page("a", text, title="Beds - The garden"), *headings)]) as engine:
        assert "Roses grow here" in shown(engine, "roses tulips")[0].snippet
        assert "year round" in shown(engine, "year round")[0].snippet


def test_plain_c_is_not_marked_for_c_plus_plus(webs):
    with webs.build([webs.page("a", "Code in C calls code in C++ and in C#, as can code in c++.")]) as engine:
        assert shown(engine, "c++")[1] == ["C++", "c++"]
        assert shown(engine, "c# code")[1] == ["Code", "code", "C#", "code"]
        assert shown(engine, "c")[1] == ["C", "C++", "C#", "c++"]
