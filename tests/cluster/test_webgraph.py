"""Graphs from files: what is read, what is refused, and that no incomplete file is left."""

import gzip

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from minisearch.cli.main import main
from minisearch.cluster import webgraph
from minisearch.errors import BadInput, MiniSearchError
from minisearch.rank.hits import hits
from minisearch.rank.pagerank import pagerank
from minisearch.rank.trustrank import trustrank
from tests.webs import random_graph

N = 120
GRAPH = random_graph(N, 600)
NAMES = [f"{('org', 'edu')[page % 10 == 0]}.example.site{page}" for page in range(N)]
ENDS = GRAPH.counts.tocoo().coords


@pytest.fixture
def files(tmp_path):
    """The same graph as gzipped lists and as Parquet."""
    with gzip.open(tmp_path / "vertices.txt.gz", "wt") as file:
        file.writelines(f"{number}\t{name}\n" for number, name in enumerate(NAMES))
    with gzip.open(tmp_path / "edges.txt.gz", "wt") as file:
        file.writelines(f"{source}\t{target}\n" for source, target in zip(*ENDS, strict=True))
    pq.write_table(pa.table({"id": range(N), "name": NAMES}), tmp_path / "vertices.parquet")
    pq.write_table(pa.table({"source": ENDS[0], "target": ENDS[1]}), tmp_path / "edges.parquet")
    return tmp_path


def run(*arguments):
    result = CliRunner().invoke(main, ["graph", "rank", *map(str, arguments)], catch_exceptions=False)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("ending", ["txt.gz", "parquet"])
@pytest.mark.parametrize("out", ["ranks.parquet", "ranks.txt.gz"])
def test_a_graph_from_files_is_ranked_into_a_file(files, ending, out):
    code, said, talk = run(files / f"vertices.{ending}", files / f"edges.{ending}", "--out", files / out, "--top", 2)
    assert code == 0
    expected = pagerank(GRAPH)
    if out.endswith("parquet"):
        table = pq.read_table(files / out)
        assert table.column_names == ["id", "name", "rank"]
        ranks, names = table["rank"].to_numpy(), table["name"].to_pylist()
    else:
        head, *rows = gzip.decompress((files / out).read_bytes()).decode().splitlines()
        assert head == "id\tname\trank"
        ranks, names = np.array([float(row.split("\t")[2]) for row in rows]), [row.split("\t")[1] for row in rows]
    assert names == NAMES
    assert np.abs(ranks - expected.values).max() < 1e-10
    best = int(np.argmax(expected.values))
    assert said.splitlines()[0].endswith(f"  {webgraph.host_of(NAMES[best])}")
    assert talk.startswith(f"{N} vertices, {GRAPH.edges} edges in 1 block\npagerank converged after")
    assert sorted(path.name for path in files.iterdir() if out in path.name) == [out]  # the work folder is removed


def test_hits_and_trustrank_are_written_too(files):
    lists = files / "vertices.txt.gz", files / "edges.txt.gz"
    code, said, _ = run(*lists, "--out", files / "hits.parquet", "--method", "hits", "--top", 1)
    assert code == 0
    assert [line[:6] for line in said.splitlines()] == ["author", "  1. 1", "hub:", "  1. 1"]
    assert run(*lists, "--out", files / "trust.parquet", "--method", "trustrank", "--trust", ".edu")[0] == 0
    both = pq.read_table(files / "hits.parquet")
    assert np.abs(both["authority"].to_numpy() - hits(GRAPH).authorities.values).max() < 1e-10
    trust = pq.read_table(files / "trust.parquet")["rank"].to_numpy()
    assert np.abs(trust - trustrank(GRAPH, range(0, N, 10)).values).max() < 1e-10


def test_edges_may_come_in_several_files_and_chunks(files, monkeypatch):
    monkeypatch.setattr(webgraph, "BATCH_BYTES", 100)
    text = gzip.decompress((files / "edges.txt.gz").read_bytes()).decode().splitlines(keepends=True)
    (files / "a.txt").write_text("".join(text[:50]))
    (files / "b.txt").write_text("".join(text[50:]).rstrip("\n").replace("\n", "\r\n"))
    found = [chunk for name in ("a.txt", "b.txt") for chunk in webgraph.edges(str(files / name), N)]
    assert len(found) > 10
    assert np.array_equal(np.concatenate([chunk[0] for chunk in found]), ENDS[0])
    assert np.array_equal(np.concatenate([chunk[1] for chunk in found]), ENDS[1])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("edges.txt", "0\t1\n1\t120\n", "edge 2: there is no vertex 120, only 0 to 119"),
        ("edges.txt", "0\t1\n1 2\n", "Row #2: Expected 2 columns, got 1: 1 2"),
        ("edges.txt", "0\t1\n1\t2\t3\n4\n", "Row #2: Expected 2 columns, got 3: 1\t2\t3"),
        ("edges.txt", "0\t1\t1\n1\t2\t3\n", "Row #1: Expected 2 columns, got 3: 0\t1\t1"),
        ("edges.txt", "0\t1\n1\t\n", "Row #2: CSV conversion error to int64: invalid value ''"),
        ("edges.txt", "0\t1\n1.5\t2\n", "Row #2: CSV conversion error to int64: invalid value '1.5'"),
        ("edges.txt", "0\t-1\n", "edge 1: there is no vertex -1, only 0 to 119"),
        ("edges.txt", "", "Empty CSV file"),
        ("vertices.txt", "0\ta\n2\tb\n", "vertex 2 is where 1 should be"),
        ("vertices.txt", "0\ta\nb\n", "Row #2: Expected 2 columns, got 1: b"),
        ("vertices.txt", "0\n1\n", "does not have two columns separated by tabs"),
        ("vertices.txt", "", "Empty CSV file"),
    ],
)
def test_a_wrong_line_is_reported_with_its_number(files, name, content, message):
    (files / name).write_text(content)
    vertices = files / name if name.startswith("v") else files / "vertices.txt.gz"
    edges = files / name if name.startswith("e") else files / "edges.txt.gz"
    code, _, talk = run(vertices, edges, "--out", files / "ranks.parquet")
    assert code == 2
    assert talk.startswith("minisearch: ")
    assert f'"{files / name}"' in talk
    assert message in talk
    assert talk.count("\n") == 1
    assert not list(files.glob("ranks.parquet*"))  # nor a work folder: the same command could not continue


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("nowhere/ranks.txt", 'there is no folder "'),
        ("folder", "it exists and is not a file"),
        ("/dev/null", "it exists and is not a file"),
        ("ranks.parqet", "the name must end with .parquet, .txt or .txt.gz"),
    ],
)
def test_an_output_that_cannot_be_written_is_refused_at_once(files, out, said):
    (files / "folder").mkdir()
    before = sorted(files.iterdir())
    code, _, talk = run(files / "vertices.txt.gz", files / "edges.txt.gz", "--out", files / out)
    assert code == 2
    assert talk.startswith("minisearch: ")
    assert said in talk
    assert sorted(files.iterdir()) == before


def test_empty_files_are_refused(files):
    (files / "empty.txt.gz").write_bytes(b"")
    pq.write_table(pa.table({"id": pa.array([], pa.int64()), "name": pa.array([], pa.string())}), files / "empty.pq")
    with pytest.raises(BadInput, match="Empty CSV file"):
        list(webgraph.edges(str(files / "empty.txt.gz"), 9))
    with pytest.raises(BadInput, match="has no vertices"):
        list(webgraph.vertices(str(files / "empty.pq")))


def test_further_columns_of_vertices_are_ignored(files):
    """Common Crawl's domain graph has a third one, the number of hosts."""
    (files / "three.txt").write_text('0\tcom.a\t7\n1\tcom."b"\t8\n')
    ((numbers, names),) = webgraph.vertices(str(files / "three.txt"))
    assert numbers.tolist() == [0, 1]
    assert names == ["com.a", 'com."b"']


def test_a_gzip_file_may_have_several_members(files):
    (files / "two.txt.gz").write_bytes(gzip.compress(b"0\t1\n") + gzip.compress(b"1\t2\n"))
    chunks = list(webgraph.edges(str(files / "two.txt.gz"), 9))
    assert np.concatenate([sources for sources, _, _ in chunks]).tolist() == [0, 1]


@pytest.mark.parametrize("name", ["vertices.txt.gz", "edges.txt.gz"])
def test_a_file_that_is_cut_off_is_refused(files, name):
    whole = (files / name).read_bytes()
    (files / name).write_bytes(whole[: len(whole) // 2])
    code, _, talk = run(files / "vertices.txt.gz", files / "edges.txt.gz", "--out", files / "ranks.parquet")
    assert (code, talk) == (2, f'minisearch: cannot read "{files / name}": Truncated compressed stream\n')
    (files / name).write_bytes(whole)
    assert run(files / "vertices.txt.gz", files / "edges.txt.gz", "--out", files / "ranks.parquet")[0] == 0


def test_files_that_cannot_be_read_are_reported(files):
    (files / "bad.txt.gz").write_bytes(b"nothing of the kind")
    (files / "bad.parquet").write_bytes(b"nothing of the kind")
    pq.write_table(pa.table({"id": ["a"], "name": ["b"]}), files / "text.parquet")
    with pytest.raises(MiniSearchError, match=r'cannot read ".*bad.txt.gz": zlib inflate failed'):
        list(webgraph.edges(str(files / "bad.txt.gz"), 9))
    with pytest.raises(BadInput, match=r'cannot read ".*bad.parquet": Parquet magic bytes not found'):
        list(webgraph.edges(str(files / "bad.parquet"), 9))
    with pytest.raises(BadInput, match="vertices are integers, not string"):
        list(webgraph.edges(str(files / "text.parquet"), 9))
    for missing in ("none.txt.gz", "none.parquet"):
        with pytest.raises(MiniSearchError, match=r'cannot read ".*none.*": No such file'):
            list(webgraph.edges(str(files / missing), 9))


def test_a_full_disk_leaves_no_incomplete_file(files):
    (files / "ranks.txt.tmp").symlink_to("/dev/full")
    with pytest.raises(MiniSearchError, match=r"cannot write .*: No space left on device; run the same command again"):
        webgraph.write_ranks(str(files / "ranks.txt"), str(files / "vertices.txt.gz"), {"rank": np.zeros(N)})
    assert not list(files.glob("ranks.txt*"))


def test_trust_needs_trustrank(files):
    lists = files / "vertices.txt.gz", files / "edges.txt.gz", "--out", files / "out.parquet"
    assert "--trust does not apply to --method pagerank" in run(*lists, "--trust", ".edu")[2]
    assert 'no vertex matches ".gov"' in run(*lists, "--method", "trustrank", "--trust", ".gov")[2]
