"""Exact-match keys: by which lines, and ends of URL paths, can be asked for as a whole."""

import re
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.analysis.analyzer import SNOWBALL, analyzer
from minisearch.analysis.names import (
    LONGEST,
    MARK,
    MOST_PATH_LETTERS,
    MOST_WORDS,
    aliases,
    exact_key,
    line_keys,
    literal_key,
    path_ends_with,
    path_steps,
    shortened,
    title_keys,
)
from minisearch.analysis.normalize import PICTURES
from minisearch.analysis.tokenizer import tokens

EN = analyzer("en")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Committing Changes", "=commit chang"),
        ("  committing,   CHANGES! ", "=commit chang"),
        ("os.path.join", "=os path join"),
        ("ThreadPoolExecutor", "=" + shortened("thread pool executor")),
        ("C++", "=c++"),
        ("検索器", "=検索 索器"),
        ("café", "=cafe"),
        ("🚀 Committing ❤️ Changes", "=commit chang"),  # decorated
        ("🚀", ""),
        ("Com\u00admitting", "=commit"),
        (".NET", "=.net"),
        ("", ""),
        ("?! _ \0 \ud800", ""),
        ("_\u0301", ""),
        ("one " * MOST_WORDS, "=" + shortened(" ".join(["one"] * MOST_WORDS))),
        ("one " * (MOST_WORDS + 1), ""),
        ("one " * (MOST_WORDS - 1) + "a.b", ""),  # the parts of an identifier are words too
        ("one " * 100_000, ""),
    ],
    ids=lambda value: value[:20],
)
def test_a_line_of_a_few_words_is_one_term(line, found):
    assert exact_key(line, EN) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            "pandas.DataFrame.dropna",
            {"=" + shortened("panda data frame dropna"), "=" + shortened("data frame dropna"), "=dropna"},
        ),
        (
            "pandas.DataFrame.dropna()",
            {"=" + shortened("panda data frame dropna"), "=" + shortened("data frame dropna"), "=dropna"},
        ),
        ("os.path of yours", {"=os path of your"}),  # no identifier alone
        ("snake_case", {"=snake case"}),
        (
            ".".join("abcdefghijklmnopq"),
            {"=" + shortened(" ".join("abcdefghijklmnopq"[start:])) for start in range(1, 17)},
        ),  # too long as a whole
        ("3.11", {"=3 11", "=11"}),
        ("--dry-run", {"=--dri run"}),  # which is not about a dry run
        ("-n", {"=-n"}),
        ("-- so it goes", {"=so it goe"}),
        ("_._", set()),
        ("", set()),
    ],
)
def test_an_identifier_has_the_keys_of_its_tails(line, found):
    assert line_keys([line], EN)[0] == found


@pytest.mark.parametrize(
    ("line", "other_names"),
    [
        ("std::vec::Vec", ["vec::Vec", "Vec"]),
        ("Struct std::vec::Vec", ["std::vec::Vec", "vec::Vec", "Vec"]),
        ("sf::Color Class Reference", ["sf::Color", "Color"]),
        ("Box< _Scalar, _Dim > Class Template Reference", ["Box"]),
        ("Class FastFourierTransformer", ["FastFourierTransformer"]),
        ("Interface DataPoint<S extends Space>", ["DataPoint"]),
        ("celery.app module", ["celery.app", "app"]),
        ("Package org.apache.io", ["org.apache.io", "apache.io", "io"]),
        ("snake_case() function", ["snake_case"]),
        ("Type system", []),  # a word, and no identifier
        ("Class Reference", []),
        ("json module", []),
        ("std::vec::Vec of yours", []),
        ("Class of os.path", []),
    ],
)
def test_an_identifier_has_keys_without_the_kind_of_thing_it_is(line, other_names):
    assert aliases(line) == other_names
    assert line_keys([line], EN)[0] == {exact_key(each, EN) for each in (line, *other_names)}


@pytest.mark.parametrize("line", ["a." * 100_000 + "a", "a::" * 100_000 + "a", "class " + "a." * 100_000])
def test_of_endless_identifiers_only_the_tails_that_somebody_may_type_have_keys(line):
    began = time.process_time()
    assert line_keys([line], EN)[0] <= {"=" + shortened(" ".join("a" * count)) for count in range(1, MOST_WORDS + 1)}
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("title", "short"),
    [
        ("23.6. Tablespaces", "Tablespaces"),
        ("Kapitel 2. Fallstudie", "Fallstudie"),
        ("Глава\xa012. Углублённое администрирование", "Углублённое администрирование"),
        ("第 6 章 维护和更新", "维护和更新"),
        ("第十二章 高级管理", "高级管理"),
        ("12 Arithmetic Evaluation", "Arithmetic Evaluation"),
        ("3.1 Option Summary", "Option Summary"),
        ("9. API Reference", "API Reference"),
        ("2) Roses", "Roses"),
        ("F.20. isn", "isn"),
        ("Chapter 5. Data Definition", "Data Definition"),
        ("Part IV. Client Interfaces", "Client Interfaces"),
        ("APPENDIX A: Error Codes", "Error Codes"),
        (" 2. Lexical analysis", "Lexical analysis"),
        ("1. 2. 3.", "2. 3."),
    ],
)
def test_a_numbered_line_has_a_key_without_its_number_too(title, short):
    assert line_keys([title], EN)[0] == {exact_key(title, EN), exact_key(short, EN)}
    assert title_keys([f"{title} - A book"], EN)[0] >= {
        exact_key(short, EN),
        literal_key(short, "en"),
        literal_key(title, "en"),
    }


COUNTED = ["10 minutes to roses", "Roses 10: Pruning", "2022 Annual Report", "Roses 7 Pruning"]


@pytest.mark.parametrize(
    "line", ["3D models", "2022 in numbers", "J. Smith", "1.5 release notes", "Part of it", "7.", *COUNTED]
)
def test_what_is_no_number_of_a_section_stays(line):
    assert line_keys([line], EN)[0] == {exact_key(line, EN)}


@pytest.mark.parametrize("apart", [" - ", " | ", " — ", " – ", " · ", " • ", " » ", " : ", " :: ", " \n|\t"])
def test_a_title_has_keys_with_and_without_the_name_of_its_site(apart):
    stemmed = {"=rose", "=rose the garden"}
    assert title_keys([f"Roses{apart}The garden"], EN)[0] == stemmed | {"==roses", "==" + shortened("roses the garden")}


def both(line):
    return {exact_key(line, EN), literal_key(line, "en")}


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Roses", {"=rose", "==roses"}),
        ("well-known roses", {"=well known rose", "==well known roses"}),
        ("Roses: red", {"=rose red", "==roses red"}),
        (
            "SFML: sf::Color Class Reference",
            {*both("SFML: sf::Color Class Reference"), *both("sf::Color"), *both("Color")},
        ),
        (
            "RealMatrix (Apache Commons Math 3.6.1 API)",
            {*both("RealMatrix (Apache Commons Math 3.6.1 API)"), *both("RealMatrix")},
        ),
        (
            "Mercury (planet) - Wikipedia",
            {*both("Mercury planet Wikipedia"), *both("Mercury planet"), *both("Mercury")},
        ),
        (
            "12. Axes (GNU Octave (version 7))",
            {
                found
                for line in ("12. Axes (GNU Octave (version 7))", "12. Axes", "Axes (GNU Octave (version 7))", "Axes")
                for found in both(line)
            },
        ),
        ("f(x) and g(y)", both("f x and g y")),
        ("(Roses)", both("Roses")),
        (
            "os.path — Paths — Python",
            {
                "=" + shortened("os path path python"),
                "=os path",
                "=path",
                "==" + shortened("os path paths python"),
                "==os path",
            },
        ),
        ("Roses - a site with a name" + " so long" * 9, {"=rose", "==roses"}),
        (" | Roses", {"=rose", "==roses"}),
        ("", set()),
    ],
)
def test_titles_have_these_keys(title, found):
    assert title_keys([title], EN)[0] == found


def test_a_key_is_made_by_the_rules_of_the_language():
    assert exact_key("Руже", analyzer("sr")) == exact_key("Ruže", analyzer("sr"))
    assert exact_key("Gardens", analyzer("tlh")) == "=gardens"


@settings(deadline=None)
@given(st.text(), st.sampled_from([*SNOWBALL, "ja", ""]))
@example("a.\u037a", "en")
@example("＝a ⁼b =c", "en")
def test_any_line_has_keys_that_are_the_term_of_no_word(line, spoken):
    analyse = analyzer(spoken)
    found = title_keys([line], analyse)[0]
    assert line_keys([line], analyse)[0] <= found
    assert all(term.startswith(MARK) and len(term) > 1 for term in found)
    assert not any(term.startswith(MARK) for term in analyse.terms(line)[0])
    assert exact_key(line, analyse) in {"", *line_keys([line], analyse)[0]}


def test_a_literal_key_is_folded_and_not_stemmed():
    assert literal_key("The QUEUES", "en") == literal_key("the queues", "en") != literal_key("the queue", "en")
    assert literal_key("Руже", "sr") == literal_key("Ruže", "sr") == "==ruze"
    assert literal_key("", "en") == literal_key("?!", "en") == literal_key("one " * (MOST_WORDS + 1), "en") == ""


PIECES = "cat Cats os.path C++ .NET don’t 🚀🎉 ruža 検索器 _ ? - : ( \u200b \ud800 e\u0301 HTTPServer 3.11"
lines = st.lists(st.sampled_from(PIECES.split(" ")), max_size=20).map(" ".join)


@settings(deadline=None)
@given(lines | st.text(), st.sampled_from(["en", "sr", "ja"]))
def test_the_key_of_a_line_is_that_of_its_tokens_one_by_one(line, spoken):
    parts = []
    for match in tokens(line):
        pieces, whole = analyzer(spoken).of_token(match.group())
        parts += [whole] if whole and len(pieces) == 1 else [p for p in pieces if not re.match(f"[{PICTURES}]", p)]
    assert exact_key(line, analyzer(spoken)) == (
        MARK + shortened(" ".join(parts)) if 0 < len(parts) <= MOST_WORDS else ""
    )


@given(st.text(max_size=40))
def test_a_key_is_stored_as_it_is_if_it_is_short_and_as_a_fingerprint_if_not(key):
    assert shortened(key) == key if len(key) <= LONGEST else len(shortened(key)) == 10
    assert shortened(shortened(key)) == shortened(key)


# -- URL paths -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("identifier", "path"),
    [
        ("org.apache.Rint", "api/org/apache/Rint.html"),
        ("apache.Rint", "api/org/apache/Rint.html"),
        ("org::apache::Rint", "org/apache/Rint.htm"),
        ("org/apache/Rint", "org/apache/Rint"),
        ("pandas.DataFrame.dropna()", "reference/api/pandas.DataFrame.dropna.html"),
        ("Map.Entry", "java/util/Map.Entry.html"),
        ("os.path", "os/path/index.html"),
        ("os.path", "os/path/"),
        ("CAFÉ.menu", "caf%C3%A9/Menu.php"),
        ("my-site/my-page", "my-site/my-page.html"),
        ("Rint.html", "org/apache/Rint.html"),
        ("apache Rint", "org/apache/Rint.html"),
        ("BQuarterBegin  __call__", "api/BQuarterBegin.__call__.html"),
    ],
)
def test_an_identifier_matches_a_url_whose_path_ends_with_it(identifier, path):
    assert path_ends_with(path_steps(identifier), f"http://site/{path}")


@pytest.mark.parametrize(
    "path",
    [
        "org/apache/class-use/Rint.html",  # there it is used
        "org/apache/Rint/Kind.html",
        "org/apache/Rints.html",
        "org/apache-rint.html",  # one step, however many words
        "rint.html",
        "org/apache/Rint.html?page=2",
        "",
    ],
)
def test_it_matches_no_other_url(path):
    assert not path_ends_with(path_steps("apache.Rint"), f"http://site/{path}")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "rose",
        "os.path module",
        "a b c d e",
        "...",
        "a.",
        ".a",
        "a..b",
        "-a.b",
        "x_y",
        "a-b",
        "a:b",
        "http://site/a",
    ],
)
def test_what_is_no_identifier_of_several_steps_is_no_path(line):
    assert path_steps(line) == ()


def test_a_line_that_never_ends_is_no_path():
    assert path_steps("a." * MOST_PATH_LETTERS + "a") == ()
