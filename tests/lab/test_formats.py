"""Every format read and written, every kind of bad file told in one line with its place."""

import gzip
import io
import json
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.lab import formats
from minisearch.lab.presets import presets
from minisearch.lab.webs import Web
from tests.lab.conftest import drawn_webs


def zipped(data):
    return gzip.compress(data, mtime=0)  # the same bytes whenever it is done


FORMS = sorted(formats.PARSERS)
KEEP_NAMES = [form for form in FORMS if form not in formats.LOSES_NAMES]


def same(one, other):
    """Whether two webs have the same pages and links, in whatever order the pages stand."""
    return set(one.names) == set(other.names) and sorted(one.links()) == sorted(other.links())


@pytest.mark.parametrize("form", FORMS)
@given(web=drawn_webs())
def test_what_is_written_is_read_again(form, web):
    again = formats.parse(formats.render(web, form), form)
    if form in formats.LOSES_NAMES:
        again = Web(web.names, again.sources, again.targets, again.weights)
    assert again == web


@pytest.mark.parametrize("form", sorted({*KEEP_NAMES} - {"exchange"}))
@given(web=drawn_webs(weights=st.floats(0.001, 1000)))
def test_weights_are_kept(form, web):
    assert formats.parse(formats.render(web, form), form) == web


@given(web=drawn_webs(weights=st.sampled_from([1.0, 2.0, 0.25])))
def test_a_diagram_keeps_the_shares_that_weights_stand_for(web):
    again = formats.parse(formats.render(web, "exchange"), "exchange")
    assert again.names == web.names
    assert abs(again.graph().follow - web.graph().follow).sum() < 1e-12


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]), min_size=1, max_size=5)


@pytest.mark.parametrize("form", KEEP_NAMES)
@given(names=st.lists(NAMES, min_size=2, max_size=5, unique=True))
def test_any_name_is_kept_or_refused(form, names):
    web = Web.of(names, [(names[0], names[1]), (names[1], names[1])])
    if any(name.startswith("#") or "\ufffe" in name or "\uffff" in name for name in names):
        with suppress(BadInput):  # a comment in an edge list, or nothing for XML
            assert same(formats.parse(formats.render(web, form), form), web)
    else:
        assert same(formats.parse(formats.render(web, form), form), web)


@given(web=drawn_webs(most=4))
def test_common_crawls_pair_is_read_again(web):
    from minisearch.lab.edgelist import parse_vertices, render_vertices

    again = parse_vertices(*render_vertices(web), where=("v", "e"))
    assert again == web  # repeated links stand there repeatedly


def test_hosts_of_common_crawl_are_turned_round(written):
    written("cc-vertices.txt", "0\tcom.example\t12\n1\torg.example.www\n")
    written("cc-edges.txt", "0\t1\n")
    for name in ("cc-vertices.txt", "cc-edges.txt"):
        assert formats.read(name).links() == [("example.com", "www.example.org", 1.0)]
    formats.write(formats.read("cc-edges.txt"), "out-vertices.txt.gz")
    assert gzip.decompress(Path("out-vertices.txt.gz").read_bytes()) == b"0\tcom.example\n1\torg.example.www\n"
    assert gzip.decompress(Path("out-edges.txt.gz").read_bytes()) == b"0\t1\n"
    assert formats.read("out-edges.txt.gz") == formats.read("cc-edges.txt")


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.name)
def test_both_text_formats_of_a_preset_say_the_same(preset):
    from minisearch.lab.presets import GRAPHS

    pairs = formats.parse((GRAPHS / f"{preset.id}.pairs.txt").read_text(), "pairs")
    assert Web(preset.pages, pairs.sources, pairs.targets, pairs.weights) == preset.web()


A_MATRIX = [("A", "B", 1.0), ("A", "C", 2.0), ("B", "A", 0.5)]


@pytest.mark.parametrize(
    "text",
    [
        "0 1 2\n0.5 0 0\n0 0 0",
        "0\t1\t2\r\n0,5\t0\t0\r\n0\t0\t0\r\n",  # as a spreadsheet copies it where a comma stands for the point
        "\t1\t2\n.5\t\t\n\t0\t\n",  # empty cells are no links
        "0,1,2\n0.5,0,0\n0,0,0",
        "0;1;2\n0,5;0;0\n0;0;0",
        "A B C\n0 1 2\n0.5 0 0\n0 0 0",
        "A 0 1 2\nB 0.5 0 0\nC 0 0 0",
        "\tA\tB\tC\nA\t0\t1\t2\nB\t0.5\t0\t0\nC\t0\t0\t0",
        'from,"A",B,C\nA,0,1,2\nB,0.5,0,0\n"C",0,0,0',
        "# by hand\n  A B C\nA 0 1 2\n\nB 0.5 0 0\nC 0 0 0",
    ],
)
def test_a_matrix_is_read_as_a_spreadsheet_has_it(text):
    web = formats.parse(text, "matrix")
    assert web.names == ("A", "B", "C")
    assert web.links() == A_MATRIX
    if "\t\t" not in text:
        assert formats.by_content(text) == "matrix"


def test_pages_of_a_matrix_may_be_called_by_numbers():
    web = Web.of(["7", "x", "1.5"], [("7", "x"), ("x", "1.5", 2.0)])
    assert formats.parse(formats.render(web, "matrix"), "matrix") == web


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("a.txt", "5\n(A,B) (B,C)", "pairs"),
        ("a.txt", "4  0 2  1 0\n2 0", "ints"),
        ("a.txt", "5", "ints"),
        ("a.txt", "# SNAP\n0\t1\n", "tsv"),
        ("a.txt", "one two\n", "tsv"),
        ("a.txt", "one,two\n", "csv"),
        ("a", '{"nodeDataArray": [{"id": 0, "text": "A"}]}', "exchange"),
        ("a", '{"nodes": [{"id": "A"}], "links": []}', "node-link"),
        ("a.xml", '<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns"/>', "graphml"),
        ("a.xml", "<gexf/>", "gexf"),
        ("a.txt", "0 1\n1 0", "matrix"),
        ("a.matrix.txt", "1,2\n2,1", "matrix"),
        ("a.txt", "1,2\n2,1", "csv"),
        ("a.txt", "source,target,weight\n1,2,1\n2,3,1\n3,1,1", "csv"),
        ("a.txt", "3 0 1\n1 2 2\n0 1 2", "ints"),
    ],
)
def test_a_format_is_told_by_the_name_or_by_what_is_in_it(name, text, form):
    assert (formats.by_ending(name) or formats.by_content(text)) == form


def test_the_name_goes_before_the_content(written):
    assert formats.read(written("a.csv", "3,1\n")).names == ("3", "1")
    assert formats.read(written("a.tsv", "0 1\n1 0\n")).links() == [("0", "1", 1.0), ("1", "0", 1.0)]
    assert formats.read(written("a.csv", "1,2,3\n2,3,1\n3,1,2\n")).size == 6


def test_a_spreadsheet_saved_as_csv_may_be_a_matrix(written):
    assert formats.read(written("a.csv", "0,1,0,1\n1,0,0,0\n,1,,\n0,0,1,0\n")).names == ("A", "B", "C", "D")


def test_packed_files_are_read_and_written(written):
    web = formats.read(written("a.csv.gz", zipped(b"a,b\n")))
    assert web.links() == [("a", "b", 1.0)]
    formats.write(web, "b.gexf.gz")
    assert formats.read("b.gexf.gz") == web
    joined = written("c.csv.gz", zipped(b"a,b\n") + zipped(b"b,c\n"))
    assert formats.read(joined).size == 2


def test_standard_input_is_read(monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"2\n(A,B)")))
    assert formats.read("-").links() == [("A", "B", 1.0)]


def test_edge_lists_have_headings_comments_quotes_and_lonely_pages(written):
    name = written("a.csv", '\ufeffsource,target,weight\n# said twice\n"a, b",c,2\r\nlonely\nalso lonely,\n')
    web = formats.read(name)
    assert web.names == ("a, b", "c", "lonely", "also lonely")
    assert web.links() == [("a, b", "c", 2.0)]


def test_the_diagram_of_the_thesis_is_read():
    """Weights are written as text, .33 for a third; they mean equal shares."""
    links = [
        {"from": 0, "to": 1, "text": ".33"},
        {"from": 0, "to": 2, "text": ".33"},
        {"from": 1, "to": 0, "text": "1"},
    ]
    pages = [{"id": 0, "text": "A"}, {"id": 1, "text": "B"}, {"id": 2, "text": "C"}]
    model = {"nodeKeyProperty": "id", "nodeDataArray": pages, "linkDataArray": links}
    web = formats.parse(json.dumps(model), "exchange")
    assert web.links() == [("A", "B", 1.0), ("A", "C", 1.0), ("B", "A", 1.0)]


def test_scores_are_attributes_that_other_programs_read(tmp_path):
    web, scores = Web.of("AB", [("A", "B"), ("A", "B")]), {"pagerank": [0.25, 0.75], "hub": [1.0, float("nan")]}
    formats.write(web, str(tmp_path / "a.gexf"), scores=scores)
    graph = networkx.read_gexf(tmp_path / "a.gexf")
    assert graph.nodes["1"]["label"] == "B"
    assert graph.nodes["1"]["pagerank"] == 0.75
    assert "hub" not in graph.nodes["1"]  # not a number is no score
    assert graph.edges["0", "1"]["weight"] == 2
    formats.write(web, str(tmp_path / "a.graphml"), scores=scores)
    assert networkx.read_graphml(tmp_path / "a.graphml").nodes["0"]["hub"] == 1.0


def test_an_undirected_graph_links_both_ways(tmp_path):
    networkx.write_graphml(networkx.Graph([("x", "y")]), tmp_path / "u.graphml")
    assert sorted(formats.read(str(tmp_path / "u.graphml")).links()) == [("x", "y", 1.0), ("y", "x", 1.0)]


BAD = [
    ("empty.csv", b"", "empty.csv is empty"),
    ("blank.txt", b" \n\n", "blank.txt is empty"),
    ("binary.txt", b"5\n(A,B)\n\x00\x01", "binary.txt, line 3: this is a binary file"),
    ("latin.csv", b"a,b\nc,\xe9\n", "latin.csv, line 2: this is not text in UTF-8"),
    ("a.csv", "a,b\na,c,1e308\n", 'a.csv, line 2: a weight must be a number above 0 and up to 1e+12, not "1e308"'),
    ("cut.csv.gz", zipped(b"a,b\n" * 1000)[:-9], "truncated gzip"),
    ("broken.csv.gz", b"\x1f\x8bnonsense", "is a damaged gzip file"),
    (
        "a.pairs.txt",
        "3\n(A,B)\n(B,D)",
        'a.pairs.txt, line 3: there is no page "D": line 1 gives 3 pages, A to C',
    ),
    ("a.pairs.txt", "3\n(A,B)\nB,C", "line 3: expected a link such as (A,B), not B,C"),
    ("a.pairs.txt", "many (A,B)", 'line 1: the first word must be the number of pages, not "many"'),
    ("a.pairs.txt", "-3 (A,B)", "line 1: the first word must be the number of pages"),
    ("a.pairs.txt", "0", "a graph has 1 to"),
    ("a.pairs.txt", "99999999999 (A,B)", "a graph has 1 to"),
    ("a.pairs.txt", "2 (A,)", 'there is no page ""'),
    ("a.ints.txt", "3\n0 1\n1 3", 'line 3: "3" is not a page: line 1 gives 3 pages, counted from 0'),
    ("a.ints.txt", "3\n0 1\n1", "line 3: the last link, from 1, has no target"),
    ("a.ints.txt", "3\n0 x", 'line 2: "x" is not a page'),
    ("a.ints.txt", "3\n0 -1", 'line 2: "-1" is not a page'),
    ("a.ints.txt", "3\n0 " + "9" * 5000, "line 2: "),
    ("a.ints.txt", "0" * 19 + "3" * 5000 + "\n0 1", "a graph has 1 to"),
    ("a.ints.txt", "3\n0 1.5", 'line 2: "1.5" is not a page'),
    ("a.csv", "a,b\na,c,-1\n", 'a.csv, line 2: a weight must be a number above 0, not "-1"'),
    ("a.csv", "a,b\na,c,heavy\n", 'line 2: a weight must be a number above 0, not "heavy"'),
    ("a.csv", "a,b\na,c,nan\n", "line 2: a weight must be a number above 0"),
    ("a.csv", "a,b\na,c,inf\n", "line 2: a weight must be a number above 0"),
    ("a.csv", "a,b\na,c,1,1\n", "line 2: expected from, to and weight but found 4 columns"),
    ("a.matrix.txt", "0 1\n1 0 0", "a.matrix.txt, line 2: found 3 numbers, but 2 in the first row"),
    ("a.matrix.txt", "0 1\n# so\n1 x", 'a.matrix.txt, line 3: "x" is not a number of links: write 0, 1, 2 or 0.5'),
    ("a.matrix.txt", "0 1\n-1 0", 'line 2: "-1" is not a number of links'),
    ("a.matrix.txt", "0 1\n1e13 0", 'line 2: "1e13" is not a number of links'),
    ("a.matrix.txt", "0 1 1\n1 0 0", "line 2: a matrix must be square, not 2 rows and 3 columns"),
    ("a.matrix.txt", "1 x\n3 4", "not 1 rows and 2 columns; its first line was read as names"),
    ("a.matrix.txt", "A B\n", "has no numbers"),
    ("a.matrix.txt", "A A\n0 1\n1 0", 'two pages of the matrix are called "A"'),
    ("a.matrix.txt", "\tA\tB\nA\t0\t1\nC\t1\t0", "line 3: row 2 is called C, and column 2 B"),
    ("a.matrix.txt", "\tA\tB\tC\nA\t0\t1\nB\t1\t0", "the first line names 3 pages, but the matrix has 2 columns"),
    ("a.matrix.txt", '0,"1\n1,0', "line 1: unbalanced quotes"),
    ("a.matrix.txt", "0 " * 5001, "a matrix may have 5,000 columns"),
    ("a.csv", ",b\n", "line 1: the link has no source page"),
    ("a.csv", "a,,3\n", "line 1: the link from a has a weight but no target page"),
    ("a.csv", '"a,b\n', "line 1: unbalanced quotes"),
    ("a.tsv", "# nothing\n", "has no links, only comments"),
    ("a.json", "[1, 2", "a.json, line 1: this is not JSON"),
    ("a.json", '{\n"nodes": [],\n"links"}', "a.json, line 3: this is not JSON"),
    ("a.json", "[" * 100_000, "nested too deeply"),
    ("a.json", "[]", "node-link JSON is an object"),
    ("a.json", '{"nodes": [], "links": []}', "has no pages"),
    ("a.json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}', "link 1 has the target 2"),
    ("a.json", '{"nodes": [{"id": 1}], "links": [7]}', "link 1 has the source 7"),
    ("a.json", '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 1, "weight": -2}]}', "has the weight -2"),
    ("a.json", '{"nodes": [{"id": 1}, {"id": "1"}], "links": []}', "two pages with the same name: 1"),
    ("a.json", '{"nodeDataArray": []}', "the graph has no pages"),
    (
        "a.json",
        '{"nodeDataArray": [{"id": 1}], "linkDataArray": [{"from": 1, "to": 1, "weight": "1e999999999"}]}',
        "link 1 of linkDataArray has the weight '1e999999999'",
    ),
    ("a.json", '{"nodeDataArray": [{"text": "A"}]}', 'page 1 of nodeDataArray has no "id"'),
    ("a.json", '{"nodeDataArray": [{"id": 1}, {"id": 1}]}', 'page 2 of nodeDataArray repeats the id "1"'),
    (
        "a.json",
        '{"nodeDataArray": [{"id": 1}], "linkDataArray": [{"from": 1, "to": 2}]}',
        'has "to" 2, but there is no such page',
    ),
    ("a.json", '{"nodeDataArray": [{"id": 1}], "linkDataArray": [{"from": 1, "to": 1, "text": "x"}]}', "weight 'x'"),
    ("a.gexf", "<gexf><", "a.gexf, line 1: this is not GEXF"),
    ("a.gexf", "<other/>", "cannot be read as GEXF"),
    (
        "a.gexf",
        '<gexf><graph><nodes><node id="a"/></nodes>\n<edges><edge source="a" target="z"/></edges></graph></gexf>',
        'a.gexf, line 2: edge 1 leads to "z", but no node has that id',
    ),
    (
        "a.graphml",
        '<graphml><graph>\n<node id="a"/>\n<edge source="a" target="a"/><edge source="q"/></graph></graphml>',
        'a.graphml, line 3: edge 2 comes from "q", but no node has that id',
    ),
    ("a.graphml", "<graphml>\n</wrong>", "a.graphml, line 2: this is not GraphML"),
    ("missing.csv", None, 'cannot read "missing.csv": No such file'),
]


@pytest.mark.parametrize(("name", "data", "told"), BAD, ids=lambda value: str(value)[:40])
def test_a_bad_file_is_told_in_one_line_with_its_place(written, name, data, told):
    if data is not None:
        written(name, data)
    with pytest.raises(BadInput) as error:
        formats.read(name)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


BAD_PAIRS = [
    ("0\tcom.a\n0\tcom.b\n", "", "cc-vertices.txt, line 2: the page"),
    ("0\tcom.a\n1\tcom.a\n", "", "cc-vertices.txt, line 2: the page"),
    ("0\n", "", "cc-vertices.txt, line 1: expected number<TAB>name"),
    ("0\tcom.a\n", "0\t1\n", 'cc-edges.txt, line 1: the page "1" is not in cc-vertices.txt'),
    ("0\tcom.a\n", "0\t0\t0\n", "cc-edges.txt, line 1: expected number<TAB>number"),
]


@pytest.mark.parametrize(("vertices", "edges", "told"), BAD_PAIRS)
def test_a_bad_pair_of_files_is_told(written, vertices, edges, told):
    written("cc-vertices.txt", vertices)
    written("cc-edges.txt", edges)
    with pytest.raises(BadInput, match=told.replace("(", r"\(")):
        formats.read("cc-vertices.txt")


def test_a_pair_without_links_is_a_graph(written):
    written("cc-vertices.txt", "0\tcom.a\n")
    written("cc-edges.txt", "")
    assert formats.read("cc-vertices.txt").names == ("a.com",)


@settings(max_examples=200)
@given(data=st.binary(max_size=60), form=st.sampled_from(FORMS))
def test_no_bytes_crash_a_reader(data, form):
    from minisearch.lab.lines import decode

    said = ""
    try:
        formats.parse(decode(data, "the file"), form)
    except BadInput as error:
        said = str(error)
    assert said.isprintable()


def test_a_million_lines_are_read(tmp_path):
    name = tmp_path / "million.ints.txt"
    name.write_text("1000000\n" + "".join(f"{number} {number // 7}\n" for number in range(1_000_000)))
    web = formats.read(str(name))
    assert (web.n, web.size) == (1_000_000, 1_000_000)


def test_what_is_wrong_with_the_last_of_a_million_lines_is_told(tmp_path):
    name = tmp_path / "million.tsv"
    name.write_text("".join(f"{number}\t{number // 7}\n" for number in range(1_000_000)) + "1\t2\theavy\n")
    with pytest.raises(BadInput, match="line 1000001: a weight"):
        formats.read(str(name))


@pytest.mark.parametrize(
    ("web", "name", "told"),
    [
        (Web.of("AB", [("A", "B", 0.5)]), "out.pairs.txt", "has no weights \\(A links 0.5 times to B\\)"),
        (Web.of("AB", [("A", "B", 0.5)]), "out.ints.txt", "has no weights \\(A links 0.5 times to B\\)"),
        (
            Web.of("AB", [("A", "B", 0.5)]),
            "out-edges.txt",
            "the Common Crawl format has no weights \\(A links 0.5 times",
        ),
        (Web.of("AB", [("A", "B", 1e12)]), "out.pairs.txt", "too many to write one by one as pairs: choose csv"),
        (Web.of(["a\nb"]), "out.csv", "is not allowed as a page name in an edge list"),
        (Web.of(["a\x01b"]), "out.gexf", "cannot be written as XML"),
        (Web.of("A"), "out", "cannot choose a format"),
        (Web.of("A"), "no/such/folder/out.csv", "cannot write"),
    ],
)
def test_what_cannot_be_written_is_told_and_nothing_is_written(web, name, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=told):
        formats.write(web, name)
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_the_old_file_as_it_was(tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("old")
    with pytest.raises(BadInput):
        formats.write(Web.of(["a\nb"]), str(out))
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


def test_an_unknown_format_is_told_with_those_there_are():
    with pytest.raises(BadInput, match="choose from address, pairs, ints, matrix, exchange"):
        formats.parse("", "dot")
    with pytest.raises(BadInput, match='unknown format "dot"'):
        formats.render(Web.of("A"), "dot")


HEAVY = Web.of("AB", [("A", "B", 4e9), ("B", "A", 1.0)])


@pytest.mark.parametrize("form", ["pairs", "ints"])
def test_large_weights_are_not_written_link_by_link(form):
    with pytest.raises(BadInput, match="too many to write one by one"):
        formats.render(HEAVY, form)


def test_a_diagram_writes_a_large_weight_once():
    heavy = Web.of("ABC", [("A", "B", 4e9), ("A", "C", 1.0)])
    text = formats.render(heavy, "exchange")
    assert len(text) < 2000
    assert formats.parse(text, "exchange") == heavy


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_every_row_of_an_edge_list_has_as_many_columns_as_its_heading(form):
    text = formats.render(Web.of("ABCD", [("A", "B", 2.0), ("D", "A", 1.0)]), form)
    assert {line.count("," if form == "csv" else "\t") for line in text.splitlines()} == {2}
