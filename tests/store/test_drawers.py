"""Several files answer whatever a search asks of one."""

import re
from pathlib import Path

import pytest

import minisearch.search
from minisearch.store import dossier, drawers

DRAWERS = {
    "pages": drawers.ShardPages,
    "postings": drawers.ShardPostings,
    "ranks": drawers.ShardRanks,
    "likeness": drawers.ShardLikeness,
    "journal": drawers.ShardJournal,
    "addresses": drawers.ShardAddresses,
    "inside": dossier.ShardInside,
}
QUESTION = re.compile(rf"store\.({'|'.join(DRAWERS)})\.(\w+)\(")
OF_ONE_FILE = {  # which `stats` alone asks, and that says so
    ("pages", "nodes"),
    *(("inside", name) for name in ("sizes", "in_degrees", "out_degrees", "languages", "depths", "indexed", "texts")),
}


def asked():
    """(drawer, question) of all that is asked in minisearch/search and below it."""
    texts = [path.read_text("utf-8") for path in sorted(Path(minisearch.search.__file__).parent.rglob("*.py"))]
    return sorted({found for text in texts for found in QUESTION.findall(text)} - OF_ONE_FILE)


@pytest.mark.parametrize(("drawer", "question"), asked())
def test_what_a_search_asks_of_one_file_can_be_asked_of_several(drawer, question):
    assert question in dir(DRAWERS[drawer])


def test_what_is_asked_is_found():
    assert ("pages", "urls") in asked()
    assert ("ranks", "settings") in asked()
