"""Pages that are asked for by where they are."""

import pytest

from minisearch.search import addresses

CLASSES = ("Ceil", "Floor", "Rint", "Sinh", "Tanh")


@pytest.fixture(scope="module")
def javadoc(webs):
    """Pages as a generator writes them: what uses a class has its whole name in the title, the class itself has not."""
    pages = []
    for name in CLASSES:
        whole = f"org.math.function.{name}"
        text = f"package org.math.function class {name}"
        pages.append(webs.page(f"api/org/math/function/{name}.html", text, title=f"{name} (Math API)"))
        uses = {"title": f"Uses of Class {whole} (Math API)", "headings": [f"Uses of Class {whole}"]}
        pages.append(webs.page(f"api/org/math/function/class-use/{name}.html", f"No usage of {whole}", **uses))
    pages.append(webs.page("api/org/math/function/index.html", " ".join(CLASSES), title="Overview"))
    with webs.build(pages) as engine:
        yield engine


@pytest.mark.parametrize(
    "asked", ["org.math.function.Rint", "org::math::function::Rint", "math/function/Rint()", "function Rint"]
)
def test_the_page_that_an_identifier_leads_to_comes_first(javadoc, webs, asked):
    assert javadoc.search(asked).hits[0].url == webs.url("api/org/math/function/Rint.html")


def test_a_folder_is_its_front_page(javadoc, webs):
    assert javadoc.search("math.function").hits[0].url == webs.url("api/org/math/function/index.html")


def test_the_account_of_the_score_says_so_and_adds_up(javadoc, webs):
    url = webs.url("api/org/math/function/Rint.html")
    told = javadoc.explain("function.Rint", url)
    (part,) = [part for part in told.parts if part.kind == "address"]
    assert (part.df, [field.field for field in part.fields]) == (1, ["url"])
    assert sum(part.score for part in told.parts) == pytest.approx(told.text_score, abs=1e-9)
    assert told.score == pytest.approx(javadoc.search("function.Rint").hits[0].score, abs=1e-9)


def test_compared_with_another_page_it_is_told_in_words(javadoc, webs):
    told = javadoc.against(
        "function.Rint", *(webs.url(f"api/org/math/function/{p}Rint.html") for p in ("", "class-use/"))
    )
    assert '"function.Rint" is what its address ends in' in told.because


def test_sentences_and_phrases_lead_nowhere(javadoc, webs):
    url = webs.url("api/org/math/function/Rint.html")
    for asked in (
        "org math the function Rint",
        '"function.Rint"',
        "+function.Rint",
        "title:function.Rint",
        "function.Rin*",
    ):
        assert not [part for part in javadoc.explain(asked, url).parts if part.kind == "address"]


def test_what_very_many_addresses_have_is_no_name(webs, monkeypatch):
    monkeypatch.setattr(addresses, "MOST", 2)
    with webs.build([webs.page(f"{number}/garden/rose.html", "a garden") for number in range(3)]) as engine:
        kinds = {part.kind for part in engine.explain("garden.rose", webs.url("0/garden/rose.html")).parts}
        assert "word" in kinds
        assert "address" not in kinds
