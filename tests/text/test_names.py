import re
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.text import names as naming
from minisearch.text.names import (
    MARK,
    MOST_WORDS,
    kept,
    literal,
    name,
    names,
    names_of,
    title_names,
    title_names_of,
)
from minisearch.text.scripts import PICTURES
from minisearch.text.terms import SNOWBALL, Analyzer, analyzer
from minisearch.text.words import tokens

EN = analyzer("en")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Committing Changes", "=commit chang"),
        ("  committing,   CHANGES! ", "=commit chang"),
        ("os.path.join", "=os path join"),
        ("ThreadPoolExecutor", "=" + kept("thread pool executor")),
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
        ("one " * MOST_WORDS, "=" + kept(" ".join(["one"] * MOST_WORDS))),
        ("one " * (MOST_WORDS + 1), ""),
        ("one " * (MOST_WORDS - 1) + "a.b", ""),  # the parts of an identifier are words too
        ("one " * 100_000, ""),
    ],
    ids=lambda told: told[:20],
)
def test_a_line_of_a_few_words_is_one_term(line, found):
    assert name(line, EN) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            "pandas.DataFrame.dropna",
            {"=" + kept("panda data frame dropna"), "=" + kept("data frame dropna"), "=dropna"},
        ),
        (
            "pandas.DataFrame.dropna()",
            {"=" + kept("panda data frame dropna"), "=" + kept("data frame dropna"), "=dropna"},
        ),
        ("os.path of yours", {"=os path of your"}),  # no identifier alone
        ("snake_case", {"=snake case"}),
        (
            ".".join("abcdefghijklmnopq"),
            {"=" + kept(" ".join("abcdefghijklmnopq"[start:])) for start in range(1, 17)},
        ),  # too long as a whole
        ("3.11", {"=3 11", "=11"}),
        ("--dry-run", {"=--dri run"}),  # which is not about a dry run
        ("-n", {"=-n"}),
        ("-- so it goes", {"=so it goe"}),
        ("_._", set()),
        ("", set()),
    ],
)
def test_an_identifier_answers_to_its_tails(line, found):
    assert names(line, EN) == found


@pytest.mark.parametrize(
    ("line", "others"),
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
def test_an_identifier_is_named_without_the_kind_of_thing_it_is(line, others):
    assert names(line, EN) == {name(each, EN) for each in (line, *others)}


@pytest.mark.parametrize("line", ["a." * 100_000 + "a", "a::" * 100_000 + "a", "class " + "a." * 100_000])
def test_of_endless_identifiers_only_the_tails_that_somebody_may_type_are_names(line):
    began = time.process_time()
    assert names(line, EN) <= {"=" + kept(" ".join("a" * count)) for count in range(1, MOST_WORDS + 1)}
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
def test_a_numbered_line_is_named_without_its_number_too(title, short):
    assert names(title, EN) == {name(title, EN), name(short, EN)}
    assert title_names(f"{title} - A book", EN) >= {name(short, EN), literal(short, "en"), literal(title, "en")}


COUNTED = ["10 minutes to roses", "Roses 10: Pruning", "2022 Annual Report", "Roses 7 Pruning"]


@pytest.mark.parametrize(
    "line", ["3D models", "2022 in numbers", "J. Smith", "1.5 release notes", "Part of it", "7.", *COUNTED]
)
def test_what_is_no_number_of_a_section_stays(line):
    assert names(line, EN) == {name(line, EN)}


@pytest.mark.parametrize("apart", [" - ", " | ", " — ", " – ", " · ", " • ", " » ", " : ", " :: ", " \n|\t"])
def test_a_title_is_named_with_and_without_the_name_of_its_site(apart):
    names_of_stems = {"=rose", "=rose the garden"}
    assert title_names(f"Roses{apart}The garden", EN) == names_of_stems | {"==roses", "==" + kept("roses the garden")}


def both(line):
    return {name(line, EN), literal(line, "en")}


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
            {"=" + kept("os path path python"), "=os path", "=path", "==" + kept("os path paths python"), "==os path"},
        ),
        ("Roses - a site with a name" + " so long" * 9, {"=rose", "==roses"}),
        (" | Roses", {"=rose", "==roses"}),
        ("", set()),
    ],
)
def test_titles_have_these_names(title, found):
    assert title_names(title, EN) == found


def test_a_name_is_made_by_the_rules_of_the_language():
    assert name("Руже", analyzer("sr")) == name("Ruže", analyzer("sr"))
    assert name("Gardens", analyzer("tlh")) == "=gardens"


@settings(deadline=None)
@given(st.text(), st.sampled_from([*SNOWBALL, "ja", ""]))
@example("a.\u037a", "en")
@example("＝a ⁼b =c", "en")
def test_any_line_has_names_that_no_word_has(line, spoken):
    analyse = analyzer(spoken)
    found = title_names(line, analyse)
    assert names(line, analyse) <= found
    assert all(term.startswith(MARK) and len(term) > 1 for term in found)
    assert not any(term.startswith(MARK) for term in analyse.terms(line)[0])
    assert name(line, analyse) in {"", *names(line, analyse)}


def test_a_title_to_the_letter_is_folded_and_not_stemmed():
    assert literal("The QUEUES", "en") == literal("the queues", "en") != literal("the queue", "en")
    assert literal("Руже", "sr") == literal("Ruže", "sr") == "==ruze"
    assert literal("", "en") == literal("?!", "en") == literal("one " * (MOST_WORDS + 1), "en") == ""


PIECES = "cat Cats os.path C++ .NET don’t 🚀🎉 ruža 検索器 _ ? - : ( \u200b \ud800 e\u0301 HTTPServer 3.11"
lines = st.lists(st.sampled_from(PIECES.split(" ")), max_size=20).map(" ".join)


@settings(deadline=None)
@given(lines | st.text(), st.sampled_from(["en", "sr", "ja"]))
def test_the_name_of_a_line_is_that_of_its_tokens_one_by_one(line, spoken):
    parts = []
    for match in tokens(line):
        pieces, whole = analyzer(spoken).of_token(match.group())
        parts += [whole] if whole and len(pieces) == 1 else [p for p in pieces if not re.match(f"[{PICTURES}]", p)]
    assert name(line, analyzer(spoken)) == (MARK + kept(" ".join(parts)) if 0 < len(parts) <= MOST_WORDS else "")


@settings(deadline=None)
@given(st.lists(lines | st.text(), max_size=5), st.sampled_from(["en", "sr", "ja"]))
def test_many_lines_are_named_as_each_alone(many, spoken):
    assert names_of(many, Analyzer(spoken)) == [names(line, analyzer(spoken)) for line in many]
    assert title_names_of(many, Analyzer(spoken)) == [title_names(line, analyzer(spoken)) for line in many]


def test_names_are_right_however_little_is_remembered(monkeypatch):
    monkeypatch.setattr(naming, "REMEMBERED", 3)
    lines = ["Roses and ružas", "C++ é", "ü ö ä", "Os.path x", "d é", "Roses é ü", "ß C++ Roses"]
    spoken = Analyzer("en")
    for some in (lines[:4], lines[2:], lines):
        assert names_of(some, spoken) == [names(line, EN) for line in some]
