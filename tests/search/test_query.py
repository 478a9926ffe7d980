import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.analysis.analyzer import analyzer
from minisearch.analysis.names import exact_key
from minisearch.search.query import (
    DEEPEST,
    MOST_CHARACTERS,
    MOST_FILTERS,
    MOST_IN_PHRASE,
    MOST_PHRASES,
    MOST_PREFIXES,
    MOST_WORDS,
    Variant,
    parse,
)

FIELDS = ["title", "headings", "url", "body", "anchor"]
languages = st.lists(st.sampled_from(["en", "sr", "ja", "ru", "tlh"]), unique=True)


def shown(clauses):
    """Clauses as nested lists: the sign, the field, and the text; a group shows its alternatives, each in a list."""
    return [
        clause.sign
        + (f"{clause.field}:" if clause.field else "")
        + {"phrase": f'"{clause.text}"', "prefix": f"{clause.text}*"}.get(clause.kind, clause.text)
        if clause.kind != "group"
        else [clause.sign + "(", *(shown(option) for option in clause.options)]
        for clause in clauses
    ]


def read(text, spoken=("en",)):
    return shown(parse(text, spoken).clauses)


def leaves(clauses):
    """All clauses that are no groups."""
    for clause in clauses:
        yield from leaves([inner for option in clause.options for inner in option]) if clause.options else [clause]


def words(text, spoken=("en",)):
    return [word for clause in leaves(parse(text, spoken).clauses) for word in clause.words]


# -- words --


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("prune Roses", [("prune", "prune"), ("Roses", "rose")]),
        ("a, b; c", [("a", "a"), ("b", "b"), ("c", "c")]),
        ("and or not", [("and", "and"), ("or", "or"), ("not", "not")]),  # only capitals mean something
        ("全文検索", [("全文", "全文"), ("文検", "文検"), ("検索", "検索")]),
        ("", []),
        ("((( ??? …", []),
    ],
)
def test_what_is_typed_is_read_as_words(text, found):
    assert [(word.text, word.terms[0].term) for word in words(text)] == found


@pytest.mark.parametrize(
    ("text", "parts", "whole"),
    [
        ("os.path.join", ["os", "path", "join"], ["os.path.join"]),
        ("ThreadPool", ["thread", "pool"], ["threadpool"]),
        ("C++", ["c"], ["c++"]),
        ("cat", ["cat"], []),
        ("_", [], []),
    ],
)
def test_an_identifier_is_its_parts_and_the_whole(text, parts, whole):
    assert [word.terms[0].term for word in words(text) if not word.is_whole] == parts
    assert [word.terms[0].term for word in words(text) if word.is_whole] == whole
    assert len(parse(text, ["en"]).clauses) == bool(parts)


def test_a_word_has_a_term_for_each_language_of_the_index():
    (word,) = words("gardens", ["en", "tlh"])
    assert word.terms == (Variant("garden", frozenset({"en"})), Variant("gardens", frozenset({"tlh"})))
    (word,) = words("cat", ["en", "tlh"])
    assert word.terms == (Variant("cat"),)  # the same in all of them


def test_an_empty_index_is_searched_in_english():
    assert words("gardens", []) == words("gardens", ["en"])


# -- operators --


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ('"hedge maze"', ['"hedge maze"']),
        ('"roses"', ['"roses"']),
        ('+"hedge maze" -"rose bed"', ['+"hedge maze"', '-"rose bed"']),
        ("+roses -red", ["+roses", "-red"]),
        ("well-known C++ -4", ["well-known", "C++", "-4"]),  # a sign stands before a word, not in it
        ("prun* title:prun* -prun*", ["prun*", "title:prun*", "-prun*"]),
        ("p* * a:b* _-*", ["p", "a", "b"]),  # too short, or no word: no prefix
        ("os.pa* thread_t* utf-*", ["os.pa*", "thread_t*", "utf-*"]),
        ("tulips OR roses", [["(", ["tulips"], ["roses"]]]),
        ("tulips OR roses OR figs", [["(", ["tulips"], ["roses"], ["figs"]]]),
        ("tulips AND roses", ["+tulips", "+roses"]),
        ("a b AND c d", ["a", "+b", "+c", "d"]),
        ("a AND b OR c", [["(", ["+a", "+b"], ["c"]]]),
        ("a OR b AND c", [["(", ["a"], ["b", "c"]]]),
        ("a OR b AND c OR d", [["(", ["a"], ["b", "c"], ["d"]]]),
        ("(a OR b) AND c", [["+(", ["a"], ["b"]], "+c"]),
        ("a AND NOT b", ["+a", "-b"]),
        ("a AND -bee", ["+a", "-bee"]),
        ("AND a AND", ["a"]),
        ("a AND AND b", ["+a", "+b"]),
        ("a AND OR b", [["(", ["a"], ["b"]]]),
        ("a AND (b c)", ["+a", ["+(", ["b", "c"]]]),
        ("not NULL NOT NULL and b", ["not", "NULL", "NOT", "NULL", "and", "b"]),
        ("a tulips OR roses b", ["a", ["(", ["tulips"], ["roses"]], "b"]),
        ("(hedge OR wall) maze", [["(", ["hedge"], ["wall"]], "maze"]),
        ("hedge OR (wall maze)", [["(", ["hedge"], [["(", ["wall", "maze"]]]]]),
        ("-(hedge maze)", [["-(", ["hedge", "maze"]]]),
        ("+(a OR b) -(c)", [["+(", ["a"], ["b"]], "-c"]),
        ("-(-cat)", [["-(", ["-cat"]]]),
        ("((a))", ["a"]),
        ("--option-name a --b", ["option-name", "a", "b"]),  # two signs are none
        ("python -m venv -C", ["python", "m", "venv", "C"]),  # an option, too
        ("gcc -std=c11 -red", ["gcc", "std", "c11", "-red"]),  # and one that is given a value
        ("cmake -DCMAKE_BUILD_TYPE=Release", ["cmake", "DCMAKE_BUILD_TYPE", "Release"]),
        ("cmake -DUSE_TLS -DBoost_ROOT", ["cmake", "DUSE_TLS", "DBoost_ROOT"]),  # or none
        ("-Red -Dates -MAX_PATH -Daily_news", ["-Red", "-Dates", "-MAX_PATH", "-Daily_news"]),
        ('a -"b=c"', ["a", '-"b=c"']),
        ("(tar -x) -v2 -2 -é", [["(", ["tar", "x"]], "-v2", "-2", "-é"]),
        ("+-a -+b", ["a", "b"]),
        ("猫 黒猫 -茶 猫*", ["猫*", "黒猫", "-茶*", "猫*"]),  # a letter stands alone only where pairs end
        ("책 검색을", ["책*", "검색을"]),
        ("exam\u00adple os\u200b.path", ["exam\u00adple", "os", "path"]),
    ],
)
def test_operators_are_read(text, clauses):
    assert read(text) == clauses


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("title:(hedge maze)", [["(", ["title:hedge", "title:maze"]]]),
        ("title:(hedge)", ["title:hedge"]),
        ("title:(hedge OR maze) garden", [["(", ["title:hedge"], ["title:maze"]], "garden"]),
        ('-title:("hedge maze" OR prun*)', [["-(", ['title:"hedge maze"'], ["title:prun*"]]]),
        ("+title:(+a -bee c)", [["+(", ["+title:a", "-title:bee", "title:c"]]]),
        ("title:(a (b OR c))", [["(", ["title:a", ["(", ["title:b"], ["title:c"]]]]]),
        ("title:(a body:(b) c) d", [["(", ["title:a", "body:b", "title:c"]], "d"]),
        ("title:(a url:b", [["(", ["title:a", "url:b"]]]),  # never closed
        ("TITLE:(a) Body:b", ["title:a", "body:b"]),
        ("title:() a", ["a"]),
        ("title:((a)) b", ["title:a", "b"]),
        ("nonsense:(a b) xtitle:(c)", ["nonsense", ["(", ["a", "b"]], "xtitle", "c"]),
        ('nonsense:"a b"', ["nonsense", '"a b"']),
    ],
)
def test_a_field_applies_to_all_in_brackets_that_has_none_of_its_own(text, clauses):
    assert read(text) == clauses


@pytest.mark.parametrize(
    ("text", "sites", "languages"),
    [
        ("site:(a.org b.org/docs)", ("a.org", "b.org/docs"), ()),
        ("site:(a.org OR b.org) lang:(sr OR German)", ("a.org", "b.org"), ("sr", "german")),
        ("-site:(a.org (b.org))", ("-a.org", "-b.org"), ()),
        ("site:(a.org -b.org)", ("a.org", "-b.org"), ()),
        ("-lang:(-sr de)", (), ("sr", "-de")),
        ("-(site:a.org)", ("a.org",), ()),
        ("site:(lang:sr a.org)", ("a.org",), ("sr",)),
    ],
)
def test_sites_and_languages_may_be_grouped_in_brackets(text, sites, languages):
    query = parse(text, ["en"])
    assert (query.clauses, query.sites, query.languages) == ((), sites, languages)


@pytest.mark.parametrize("field", FIELDS)
def test_a_clause_can_be_restricted_to_a_field(field):
    assert read(f'{field}:cat +{field}:"red rose" dog') == [f"{field}:cat", f'+{field}:"red rose"', "dog"]


def test_sites_and_languages_are_no_words():
    query = parse('site:Example.com/docs cat lang:SR site:"two" lang:"en-GB"', ["en"])
    assert shown(query.clauses) == ["cat"]
    assert (query.sites, query.languages) == (("example.com/docs", "two"), ("sr", "en-gb"))


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ('"never closed', ["never", "closed"]),
        ('cat"', ["cat"]),
        ('"a b" "c', ['"a b"', "c"]),
        ("(a b", [["(", ["a", "b"]]]),
        ("a) b)", ["a", "b"]),
        (")(", []),
        ("a OR", ["a"]),
        ("OR a", ["a"]),
        ("OR OR AND", []),
        ("a OR OR b", [["(", ["a"], ["b"]]]),
        ("a OR () b", [["(", ["a"], ["b"]]]),
        ('+ - * ( ) "" () +() -"" title:"" site:"" lang:"" "', []),
        ("title:", ["title"]),
        ("https://example.com", ["https", "example.com"]),
        ("nonsense:cat", ["nonsense", "cat"]),
    ],
)
def test_what_cannot_be_read_as_an_operator_is_just_words(text, clauses):
    assert read(text) == clauses


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Committing Changes", ["=commit chang"]),
        ("rock AND roll", ["=rock and roll"]),
        ("os.path", ["=os path"]),
        (" ".join("abcdefghijklmnopq"), []),  # too long for a title
        ("猫", ["=猫"]),
        ("🚀 Getting started", ["=get start"]),
        ("title:(cat)", []),
        ("prun*", []),
        ("+committing changes", []),
        ('"committing changes"', []),  # as it is written, not CommittingChange
        ("changes (committing)", ["=chang commit"]),
        ("changes (a OR b)", []),
        ("title:cat", []),
        ("cat site:x", ["=cat"]),  # which chooses among pages, and is no part of a title
        ("site:x lang:en committing -lang:de changes", ["=commit chang"]),
        ("site:(x y) cat", []),
        ("site:x", []),
        ("a OR b", []),
        ("", []),
    ],
)
def test_a_plain_query_may_be_a_whole_title_or_heading(text, keys):
    assert [variant.term for variant in parse(text, ["en"]).exact_keys] == keys


# -- anything at all --


@pytest.mark.parametrize("count", [MOST_WORDS, MOST_WORDS + 1, 500])
def test_a_query_with_too_many_words_is_cut_with_a_note(count):
    text = " ".join(f"w{number}" for number in range(count))
    assert [word.text for word in words(text)] == [f"w{number}" for number in range(min(count, MOST_WORDS))]
    assert parse(text, ["en"]).note == ("" if count <= MOST_WORDS else "only the first 64 words of the query were used")


def test_one_long_token_is_cut_too_and_not_dropped():
    text = "".join(chr(0x4E00 + number) for number in range(200))
    assert (len(words(text)), len(words(f'"{text}"'))) == (MOST_WORDS, MOST_IN_PHRASE)


def test_repeating_a_word_does_not_make_a_query_too_long():
    assert {word.text for word in words("cat " * 500)} == {"cat"}
    assert parse("cat " * 500, ["en"]).note == ""


def test_prefixes_filters_and_phrases_are_limited_in_number():
    pairs = [first + second for first in "abcdef" for second in "ghijkl"]
    many = " ".join(f'{pair}* site:{pair}.example "{pair} x"' for pair in pairs)
    query = parse(many, ["en"])
    assert [sum(clause.kind == kind for clause in query.clauses) for kind in ("prefix", "phrase")] == [
        MOST_PREFIXES,
        MOST_PHRASES,
    ]
    assert len(query.sites) == MOST_FILTERS
    assert query.note == (
        "only the first 4 prefixes of the query were used; "
        "only the first 8 sites and languages each of the query were used; "
        "only the first 8 phrases of the query were used"
    )


@pytest.mark.parametrize(
    "text",
    [
        " ".join(f"w{number}" for number in range(10_000)),
        "x" * 1_000_000,
        "cat " * 250_000,
        "+-" * 500_000,
        "a.b-" * 2_000,
        "検索" * 2_000,
        "(" * 5_000,
        "(" * 5_000 + "cat" + ")" * 5_000,
        "(a OR " * 5_000,
        "-(a " * 5_000,
        '"' * 5_001,
        'title:"' * 5_000,
        "a OR " * 5_000,
        "\x00" * 5_000,
        "\x00cat\x00 \ud800dog\udfff \ud800* title:\ud800 site:\ud800 lang:\ud800",
    ],
    ids=lambda text: f"{text[:8]!a}",
)
def test_nothing_takes_long(text):
    parse("warm up", ["en", "sr", "ru"])
    began = time.process_time()
    query = parse(text, ["en", "sr", "ru"])
    assert time.process_time() - began < 1  # what it takes is a hundredth of that; a runaway takes minutes
    assert query.text == text
    assert ("first 4,000 characters" in query.note) == (len(text) > MOST_CHARACTERS)


def test_brackets_go_only_so_deep():
    def depth(clauses):
        return 1 + max((depth(option) for clause in clauses for option in clause.options), default=0)

    assert depth(parse("-(a " * 500, ["en"]).clauses) <= DEEPEST + 1


pieces = [
    "cat",
    "os.path",
    "мачка",
    "検索",
    *'+-"()*:. \x00\ud800',
    " OR ",
    " AND ",
    "title:",
    "site:",
    "lang:",
    "body:",
    "title:(",
    "猫",
    "\u00ad",
]


@settings(deadline=None)
@given(st.text() | st.lists(st.sampled_from(pieces)).map("".join), languages)
def test_anything_typed_is_a_query(text, spoken):
    query = parse(text, spoken)
    found = list(leaves(query.clauses))
    assert query.text == text
    assert len({word.terms for clause in found for word in clause.words}) <= MOST_WORDS
    assert all(clause.words or clause.kind == "prefix" for clause in found)
    assert all(clause.sign in ("", "+", "-") and clause.field in ("", *FIELDS) for clause in found)
    assert all(word.text and word.terms and all(word.terms) for clause in found for word in clause.words)


def test_stop_words_of_a_sentence_are_ignored_with_a_note():
    asked = parse("How do I prune the roses?", ["en"])
    assert [clause.text for clause in asked.clauses] == ["prune", "roses"]
    assert asked.note == "ignored: How, do, I, the (put + before a word that matters)"
    assert [variant.term for variant in asked.exact_keys] == [exact_key("How do I prune the roses", analyzer("en"))]


@pytest.mark.parametrize(
    "text",
    ["+how do I prune the roses", 'how do I "prune the roses"', "how do I prune* roses", "title:how do I prune roses"],
)
def test_a_query_with_operators_keeps_its_stop_words(text):
    assert "do" in [clause.text for clause in parse(text, ["en"]).clauses]
    assert not parse(text, ["en"]).note


def test_how_many_stop_words_make_a_sentence_is_a_parameter():
    assert len(parse("how do I prune roses", ["en"], 1000).clauses) == 5


@pytest.mark.parametrize("length", [MOST_CHARACTERS, MOST_CHARACTERS + 1, 100_000])
def test_only_the_beginning_of_a_very_long_query_is_used_and_the_note_is_true(length):
    query = parse("x" * length, ["en"])
    assert [clause.text for clause in query.clauses] == ["x" * min(length, MOST_CHARACTERS)]
    cut = "only the first 4,000 characters of the query were used"
    assert query.note == (cut if length > MOST_CHARACTERS else "")
