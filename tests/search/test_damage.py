"""A file whose bytes were changed by another hand: told in one line, and mended by indexing again."""

import random
from contextlib import suppress

import pytest

from minisearch import Engine
from minisearch.errors import Damaged

LONG = "hedge maze " + " ".join(random.Random(1).choices(["hedge", "maze", "wall", "a", "of", "the"], k=9000))


@pytest.fixture
def file(webs, tmp_path):
    """Two pages, of which one has a word so often that its positions are kept apart."""
    path = tmp_path / "damaged.db"
    pages = [webs.page("a", "a hedge maze"), webs.page("b", LONG, title="Hedges")]
    webs.build(pages, path=path).close()
    return path


DAMAGE = [
    "UPDATE postings SET docs = X'00'",
    "UPDATE postings SET docs = X''",
    "UPDATE postings SET docs = substr(docs, 1, length(docs) - 1) WHERE length(docs)",
    "UPDATE postings SET docs = X'81FFFFFFFFFFFFFF'",
    "UPDATE postings SET docs = 'words'",
    "UPDATE segments SET pages = X'0102'",
    "UPDATE segments SET pages = 12",
    "UPDATE segments SET lengths = X'010203'",
    "UPDATE segments SET languages = 'no json'",
]


def damage(file, statement):
    with Engine(file) as engine, engine.store.transaction():
        assert engine.store.file.db.conn.execute(statement).rowcount


@pytest.mark.parametrize("statement", DAMAGE)
def test_damaged_postings_are_told_in_words(file, statement):
    damage(file, statement)
    with Engine(file) as engine:
        for ask in (lambda: engine.search('"hedge maze"'), lambda: engine.term("hedge")):
            with pytest.raises(Damaged, match="index --again"):
                ask()


@pytest.mark.parametrize("statement", DAMAGE)
def test_the_numbers_of_a_damaged_file_are_given_or_refused_in_words(file, statement):
    damage(file, statement)
    with Engine(file) as engine, suppress(Damaged):
        assert engine.stats()["pages"] == 2


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE postings SET positions = X'85'",
        "UPDATE places SET bytes = X'00'",
        "UPDATE places SET bytes = 12",
        "DELETE FROM places",
    ],
)
def test_damaged_positions_are_told_in_words(file, statement):
    damage(file, statement)
    with Engine(file) as engine, pytest.raises(Damaged, match="index --again"):
        engine.search('"hedge maze"')


def test_indexing_again_mends_it(file):
    with Engine(file) as engine:
        before = engine.search('"hedge maze" wall').hits
    damage(file, DAMAGE[0])
    with Engine(file) as engine:
        assert engine.index(again=True) == 2
        assert engine.search('"hedge maze" wall').hits == before
        assert engine.index() == 0
