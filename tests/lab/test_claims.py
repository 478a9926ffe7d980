"""Somebody's numbers, in whatever form they come."""

import pytest

from minisearch.errors import BadInput
from minisearch.lab.claims import claims, read_claims
from minisearch.lab.webs import Web

WEB = Web.of("ABC", [("A", "B"), ("B", "C"), ("C", "A")])

FORMS = [
    ("n.csv", "page,rank\nA,0.20\nB,0.5\nC,0.3\n"),
    ("n.csv", "# mine\nA;0.20\nB;0.5\nC;0.3\n"),
    ("n.tsv", "C\t0.3\nB\t0.5\nA\t0.20\n"),
    ("n.txt", "A 0.20\nB 0.5\nC 0.3\n"),
    ("n.txt", "0.20 0.5 0.3"),
    ("n.csv", "0.20,0.5,0.3\n"),
    ("n.txt", "0.20\n0.5\n0.3\n"),
    ("n.json", '{"A": 0.20, "B": 0.5, "C": 0.3}'),
    ("n.json", "[0.20, 0.5, 0.3]"),
    ("n.json", '[{"page": "A", "score": 0.20}, {"page": "B", "rank": 0.5}, {"page": "C", "value": "0.3"}]'),
]


@pytest.mark.parametrize(("name", "text"), FORMS)
def test_numbers_keep_their_digits_in_every_form(written, name, text):
    found = read_claims(written(name, text), WEB)
    assert [(claim.page, claim.value, claim.unit) for claim in found] == [
        ("A", 0.2, 0.01),
        ("B", 0.5, 0.1),
        ("C", 0.3, 0.1),
    ]


@pytest.mark.parametrize("row", [".2 .5 .3", ".2,.5,.3", "(.2, .5, .3)", "2e-1 5e-1 3e-1"])
def test_a_row_of_numbers_needs_no_file(row):
    assert [claim.value for claim in read_claims(row, WEB)] == [0.2, 0.5, 0.3]


def test_a_fraction_is_exact():
    found = read_claims("1/3 1/3 1/3", WEB)
    assert [(claim.value, claim.unit) for claim in found] == [(1 / 3, 0.0)] * 3


def test_percent_signs_are_understood(written):
    for row in ("20% 50.5% 29.5%", written("n.csv", "A,20%\nB,50.5 %\nC,29.5%\n")):
        found = read_claims(row, WEB)
        assert [claim.value for claim in found] == [0.2, 0.505, 0.295]
        assert [claim.unit for claim in found] == pytest.approx([0.01, 0.001, 0.001])


def test_a_page_that_is_a_number_is_a_page(written):
    web = Web.of(["0", "1"])
    assert [claim.page for claim in read_claims(written("n.csv", "0,0.5\n1,0.5\n"), web)] == ["0", "1"]


BAD = [
    ("A,0.2\nB,0.5\n", "n.csv: no number for C; --partial uses the others only"),
    ("A,0.2\nB,0.5\nD,0.3\n", 'n.csv, line 3: no page of the graph is called "D"'),
    ("A,0.2\nB,much\nC,1\n", 'n.csv, line 2: page B has "much", which is not a number'),
    ("A,0.2\nA,0.2\nC,1\n", 'n.csv, line 2: the page "A" is listed twice'),
    ("A,0.2,7\n", "n.csv, line 1: expected page,number but found 3 columns"),
    ("A,nan\nB,1\nC,1\n", "which is not a number"),
    ("A,1e999\nB,1\nC,1\n", "which is not a number"),
    ("A,1/0\nB,1\nC,1\n", "which is not a number"),
    ("", "n.csv is empty"),
    ('{"A": 0.2', "n.csv, line 1: this is not JSON"),
    ("[0.1, 0.2]", "there are 2 numbers for 3 pages"),
    ('[{"page": "A"}]', 'entry 1 needs "page" and "score"'),
    ('{"A": [1], "B": 1, "C": 1}', "which is not a number"),
    ("0.1 0.2", "there are 2 numbers for 3 pages"),
]


@pytest.mark.parametrize(("text", "told"), BAD)
def test_what_is_wrong_is_told_with_its_place(written, text, told):
    with pytest.raises(BadInput) as error:
        read_claims(written("n.csv", text), WEB)
    assert told in str(error.value)


def test_some_numbers_are_enough_if_so_asked(written):
    name = written("n.csv", "B,0.5\n")
    assert [claim.page for claim in read_claims(name, WEB, partial=True)] == ["B"]
    with pytest.raises(BadInput, match="no number for A, B, C"):
        claims([], WEB, partial=True)
