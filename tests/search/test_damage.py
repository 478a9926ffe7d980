"""A file whose index was damaged: one clear line, and the index can be rebuilt from the pages."""

import random
from contextlib import suppress

import pytest

from minisearch import Engine
from minisearch.errors import Damaged, MiniSearchError, StoreError

MESSAGE = r"^the index in this file is damaged: minisearch index --\w+ [^\n]+$"
LONG = "hedge maze " + " ".join(random.Random(1).choices(["hedge", "maze", "wall", "a", "of", "the"], k=9000))
SEARCHES = (
    lambda engine: engine.search('"hedge maze" wall'),
    lambda engine: engine.term("hedge"),
    lambda engine: engine.explain("hedge maze", "http://site/b"),
)


@pytest.fixture
def file(webs, tmp_path):
    """Two pages, one of them with very many occurrences of a word, in two segments; and anchor texts."""
    path = tmp_path / "damaged.db"
    first, second = webs.page("a", "a hedge maze", links=[("b", "the maze")]), webs.page("b", LONG, title="Hedges")
    others = [webs.page(f"p{number}", f"wall number{number}") for number in range(9)]
    webs.build([first, *others], [second], path=path).close()
    return path


def damage(file, statement, *given):
    """Change the file by SQL; such a change goes unnoticed in what is cached, so the generation changes too."""
    with Engine(file) as engine, engine.store.transaction():
        execute = engine.store.db.conn.execute
        assert execute(statement, given).rowcount
        execute("UPDATE index_state SET generation = random()")


DAMAGE = [
    "UPDATE blocks SET docs = X''",
    "UPDATE blocks SET docs = X'00'",
    "UPDATE blocks SET docs = substr(docs, 1, length(docs) - 1)",
    "UPDATE blocks SET docs = CAST(docs || X'00' AS BLOB)",
    "UPDATE blocks SET docs = 'words'",
    "UPDATE blocks SET docs = 12",
    "UPDATE blocks SET docs = positions",
    "DELETE FROM blocks",
    "UPDATE terms SET place = 9999",
    "UPDATE terms SET place = -1",
    "UPDATE segments SET pages = X'0102'",
    "UPDATE segments SET pages = 12",
    "UPDATE segments SET lengths = X'010203'",
    "UPDATE segments SET language = X''",
    "UPDATE segments SET size = size + 1",
    "UPDATE segments SET languages = 'no json'",
    "UPDATE segments SET languages = '12'",
    "UPDATE segments SET languages = '[]'",
]


@pytest.mark.parametrize("statement", DAMAGE)
def test_a_damaged_index_is_one_clear_line(file, statement):
    damage(file, statement)
    with Engine(file) as engine:
        for search in SEARCHES:
            with pytest.raises(Damaged, match=MESSAGE):
                search(engine)


def test_an_index_whose_pages_are_missing_is_one_clear_line(file):
    damage(file, "UPDATE pages SET url_id = url_id + 1000")
    with Engine(file) as engine:
        for search in (engine.search, engine.lucky, engine.term):
            with pytest.raises(Damaged, match=MESSAGE):
                search("hedge")


@pytest.mark.parametrize("statement", DAMAGE)
def test_stats_of_a_damaged_file_are_given_or_refused_in_one_line(file, statement):
    damage(file, statement)
    with Engine(file) as engine, suppress(Damaged):
        assert engine.stats()["pages"] == 11


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE blocks SET positions = X''",
        "UPDATE blocks SET positions = X'00'",
        "UPDATE blocks SET positions = substr(positions, 1, length(positions) - 1)",
        "UPDATE blocks SET positions = 'words'",
        "UPDATE blocks SET positions = 12",
        "UPDATE blocks SET positions = docs",
    ],
)
def test_damaged_positions_are_one_clear_line(file, statement):
    damage(file, statement)
    with Engine(file) as engine:
        with pytest.raises(Damaged, match=MESSAGE):
            engine.search('"hedge maze"')
        assert engine.search("wall").total == 10  # which needs no positions


COLUMNS = ["blocks.docs", "blocks.positions", "segments.pages", "segments.lengths", "segments.language"]


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("seed", range(3))
def test_any_changed_byte_is_harmless_or_one_clear_line(file, column, seed):
    dice = random.Random(seed)
    table, name = column.split(".")
    with Engine(file) as engine:
        rows = engine.store.db.conn.execute(f"SELECT id, {name} FROM {table}").fetchall()
    for _ in range(8):
        number, blob = dice.choice(rows)
        at = dice.randrange(len(blob))
        changed = blob[:at] + bytes([blob[at] ^ 1 << dice.randrange(8)]) + blob[at + 1 :]
        damage(file, f"UPDATE {table} SET {name} = ? WHERE id = ?", changed, number)
        with Engine(file) as engine:
            for search in SEARCHES:
                with suppress(Damaged):
                    search(engine)
        damage(file, f"UPDATE {table} SET {name} = ? WHERE id = ?", blob, number)


@pytest.mark.parametrize("languages", ["no json", "12"])
def test_a_rebuild_repairs_a_segment_whose_languages_cannot_be_read(file, languages):
    damage(file, "UPDATE segments SET languages = ?", languages)
    with Engine(file) as engine:
        assert engine.index(rebuild=True) == 11
        assert engine.search("hedge").total


def test_a_rebuild_repairs_a_damaged_index(file):
    with Engine(file) as engine:
        before = engine.search('"hedge maze" wall').hits
    damage(file, DAMAGE[0])
    with Engine(file) as engine:
        assert engine.index(rebuild=True) == 11
        assert engine.search('"hedge maze" wall').hits == before
        assert engine.index() == 0


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "UPDATE rankings SET vector = X'00'",
            "the pagerank scores in this file are damaged: run minisearch rank again",
        ),
        ("UPDATE rankings SET parameters = '{'", "the pagerank scores in this file are damaged"),
        ("UPDATE contents SET headings = 'x'", "the headings of a page in this file are damaged: crawl it again"),
    ],
)
def test_damaged_scores_and_headings_are_one_clear_line(file, statement, message):
    with Engine(file) as engine:
        engine.rank()
    damage(file, statement)
    with Engine(file) as engine, pytest.raises(StoreError, match=message):
        engine.search('"hedge maze" wall')
    if "rankings" in statement:
        with Engine(file) as engine:
            engine.rank()
            assert engine.search("wall").total


@pytest.mark.parametrize("value", ["'words'", "X'00'", "1.5"])
@pytest.mark.parametrize(
    "column",
    [
        "segments.size",
        "terms.place",
        "words.count",
        "words.spelling",
        "rankings.parameters",
        "scores.score",
        "settings.value",
        "contents.headings",
        "contents.text",
        "pages.title",
        "pages.language",
        "pages.simhash",
    ],
)
def test_a_value_of_a_wrong_type_is_harmless_or_one_clear_line(file, column, value):
    with Engine(file) as engine:
        engine.rank()
        engine.ranking({"k1": 1.5})
    table, name = column.split(".")
    damage(file, f"UPDATE {table} SET {name} = {value}")
    asked = (
        *SEARCHES,
        lambda engine: engine.search("hegde wal*"),
        lambda engine: engine.page("http://site/b"),
        lambda engine: engine.top(),
        lambda engine: engine.stats(),
        lambda engine: engine.index(compact=True),
    )
    for ask in asked:
        with Engine(file) as engine, suppress(MiniSearchError):
            ask(engine)


def test_a_value_of_a_wrong_type_is_named(file):
    damage(file, "UPDATE terms SET place = 'words'")
    with Engine(file) as engine, pytest.raises(StoreError, match=r'damaged\.db" is damaged: .*terms\.place'):
        engine.search("hedge")


def test_a_page_whose_text_is_missing_is_no_error(file):
    damage(file, "DELETE FROM contents WHERE page_id = 1")
    with Engine(file) as engine:
        assert [hit.url for hit in engine.search('"hedge maze"').hits] == ["http://site/b"]


def test_a_page_without_its_text_ends_the_indexing_in_one_clear_line(file):
    damage(file, "DELETE FROM contents WHERE page_id = (SELECT max(id) FROM pages)")
    with Engine(file) as engine:
        with pytest.raises(StoreError, match="the text of a page is missing in this file: crawl it again"):
            engine.index(rebuild=True)
        assert engine.search("maze").hits  # the index is as it was
