"""What an engine tells of its file, over the garden."""

import pytest

from minisearch import Engine
from minisearch.errors import NotFound, StoreError


def test_a_page_is_known_by_its_number(garden):
    number = garden.engine.number(garden.home + "roses.html")
    assert garden.engine.address(number) == garden.home + "roses.html"
    text, headings = garden.engine.text(number)
    assert "bramble in evening dress" in text
    assert headings
    with pytest.raises(NotFound, match="no page number 999999"):
        garden.engine.address(999_999)


def test_the_owner_of_a_page_gets_advice_by_the_html_in_the_file(garden, engine, site):
    number = garden.engine.number(garden.home + "roses.html")
    report = garden.engine.advice(number)
    assert report["url"] == garden.home + "roses.html"
    assert all({"level", "rule", "message"} <= set(each) for each in report["advice"])
    site.show({"/": "<title>A</title>"})
    engine.crawl(site.base + "/", workers=0, keep_html=False)
    assert engine.advice(engine.number(site.base + "/")) is None


def test_the_shape_of_a_crawl_counts_every_page_once(garden):
    shape, counts = garden.engine.shape(), garden.engine.store.pages.counts()
    standing = counts["pages"] - counts["merged"]
    assert sum(shape["bow_tie"].values()) == standing
    assert sum(pages for _, pages in shape["in"]) == sum(pages for _, pages in shape["out"]) == standing
    assert sum(links * pages for links, pages in shape["in"]) == shape["edges"]
    assert sum(shape["types"].values()) == counts["pages"]
    assert shape["statuses"]["404"] == 1
    assert sum(shape["fates"].values()) == sum(garden.engine.stats()["urls"].values())


def test_an_engine_that_only_reads_makes_and_changes_nothing(garden, tmp_path):
    with Engine(garden.path, read_only=True) as reader:
        assert reader.search("roses").total
        with pytest.raises(StoreError, match="read-only"):
            reader.rank()
    with pytest.raises(StoreError, match="there is no file"):
        Engine(tmp_path / "none.db", read_only=True)
    assert not (tmp_path / "none.db").exists()
