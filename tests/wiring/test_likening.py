"""A file that an older minisearch wrote learns which of its pages are alike."""

import random

from minisearch.wiring import likening
from minisearch.wiring.likening import know_alike

WORDS = [f"{a}{b}{c}" for a in "brst" for b in "aeiou" for c in ("ll", "nd", "rt", "sk")]
PROSE = " ".join(random.Random(1).choices(WORDS, k=300))
KNOWN = "SELECT id, simhash, words, subject, outline FROM pages ORDER BY id"


def crawl(engine, site):
    pages = {f"/{v}/roses": f"<title>Roses {v}</title><p>zebra {PROSE} of {v}" for v in ("1.0", "2.0", "3.0")}
    menu = "".join(f"<p><a href={path}>Roses of {path}</a>" for path in pages)
    site.show({"/": f"<title>Home</title>{menu}", **{path: page + menu for path, page in pages.items()}})
    engine.crawl(site.base + "/", workers=0)


def as_if_older(engine):
    with engine.store.transaction():
        engine.store.file.db.execute(
            "UPDATE pages SET alike = NULL, simhash = NULL, words = NULL, subject = NULL, outline = ''"
        )


def test_what_is_worked_out_later_is_what_the_crawl_works_out(engine, site, monkeypatch):
    crawl(engine, site)
    before = engine.store.file.db.execute(KNOWN).fetchall()
    as_if_older(engine)
    monkeypatch.setattr(likening, "AT_A_TIME", 3)
    assert know_alike(engine.store) == len(before) == 4
    assert engine.store.file.db.execute(KNOWN).fetchall() == before
    assert know_alike(engine.store) == 0


def test_indexing_an_older_file_makes_its_pages_fold(engine, site):
    crawl(engine, site)
    as_if_older(engine)
    assert len(engine.search("zebra").hits) == 3
    engine.index()
    (hit,) = engine.search("zebra").hits
    assert len(hit.similar) == 2


def test_a_page_without_words_is_asked_once(engine, site):
    site.show({"/": "<title>Nothing</title>"})
    engine.crawl(site.base + "/", workers=0)
    as_if_older(engine)
    assert [know_alike(engine.store), know_alike(engine.store)] == [1, 0]
