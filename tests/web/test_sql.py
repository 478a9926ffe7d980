"""SQL queries from the web: they read one file, and end in time."""

import html
import re
import shutil
import sqlite3
import time

import pytest

from minisearch.testing.server import FIXTURES
from minisearch.web.app import create_app
from minisearch.web.views import tables as views
from tests.web.test_hostile import PAYLOADS


@pytest.fixture(scope="module")
def file(garden, tmp_path_factory):
    """A copy of the garden, which a statement could damage."""
    copy = tmp_path_factory.mktemp("sql") / "garden.db"
    with sqlite3.connect(garden.path) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    return copy


@pytest.fixture(scope="module")
def client(file):
    client = create_app(str(file), sql=True).test_client()
    assert ask(client, "select 1").status_code == 200  # SQLite has created its files for readers
    return client


def ask(client, statement, form=""):
    return client.get(f"/sql{form}", query_string={"sql": statement})


def test_sql_needs_the_option(garden):
    client = create_app(str(garden.path)).test_client()
    for path in ("/sql", "/sql?sql=select+1", "/sql.csv?sql=select+1", "/sql.json?sql=select+1"):
        response = client.get(path)
        assert response.status_code == 404
        assert "--sql" in response.text


def test_a_query_is_answered_with_rows_and_links_to_csv_and_json(client, read):
    page = read(ask(client, "select depth, count(*) as pages from page_list group by depth"))
    assert [cell.get_text() for cell in page.select("th")] == ["depth", "pages"]
    assert [cell.get_text() for cell in page.select("tbody tr")[0].find_all("td")] == ["0", "1"]
    forms = {link.get_text(): link["href"] for link in page.select(".exports a")}
    assert client.get(forms["CSV"]).text.splitlines()[:2] == ["depth,pages", "0,1"]
    assert client.get(forms["JSON"]).json["rows"][0] == [0, 1]
    assert client.get("/tables").text.count('href="/sql"') == 1


def test_the_examples_are_the_questions_of_the_handbook(client, read):
    text = (FIXTURES / "handbook" / "parts.html").read_text("utf-8").partition("Twelve questions")[2]
    questions = re.findall(r'\$ minisearch sql "(.*)" --db', html.unescape(text))
    page = read(client.get("/sql"))
    assert [code.get_text() for code in page.select(".examples code")] == questions
    links = page.select(".examples a")
    assert len(links) == 12
    for link in links:
        page = read(client.get(link["href"]))
        assert page.select("tbody tr"), link.get_text()


def test_only_the_first_rows_are_shown_and_exported(client, read):
    many = "with recursive n(i) as (select 1 union all select i + 1 from n limit 20000) select i from n"
    page = read(ask(client, many))
    assert len(page.select("tbody tr")) == 500
    assert "The first 500 rows" in page.select_one("[role=status]").get_text()
    found = ask(client, many, ".json").json
    assert (len(found["rows"]), found["truncated"]) == (10_000, True)


def test_values_of_every_type_are_shown(client, read):
    page = read(ask(client, "select 1, 2.5, 'a', null, x'0102', 1e999, cast(x'ff41' as text), 9223372036854775807"))
    texts = [cell.get_text() for cell in page.select("td")]
    assert texts == ["1", "2.5", "a", "NULL", "<2 bytes>", "inf", "�A", "9223372036854775807"]
    assert ask(client, "select 1e999, x'00'", ".json").json["rows"] == [["inf", "<1 bytes>"]]


WRITES = [
    "delete from pages",
    "insert into settings values ('blend', 1)",
    "update urls set url = 'x'",
    "replace into settings values ('blend', 1)",
    "with a as (select 1) delete from pages",
    "create table x (a)",
    "create temp table x (a)",
    "create virtual table x using fts5(a)",
    "create trigger x after insert on urls begin select 1; end",
    "drop table pages",
    "alter table pages rename to x",
    "pragma user_version = 9",
    "pragma query_only = off",
    "pragma writable_schema = 1",
    "pragma journal_mode = delete",
    "pragma wal_checkpoint(truncate)",
    "vacuum",
    "reindex",
    "analyze",
    "begin immediate",
    "savepoint x",
]
OTHER_FILES = [
    "attach 'OTHER' as other",
    "attach 'file:OTHER?mode=ro' as other",
    "attach ':memory:' as other",
    "vacuum into 'OTHER.copy'",
    "select readfile('OTHER')",
    "select writefile('OTHER', 'x')",
    "select load_extension('OTHER')",
    "select * from pragma_database_list",
    "pragma database_list",
    "pragma temp_store_directory = '/tmp'",
    "select * from other.pages",
    "select fts3_tokenizer('x', x'0000000000000000')",
    "select edit('x', 'cat OTHER')",
]


@pytest.mark.parametrize("statement", WRITES)
def test_no_statement_can_write(client, file, statement):
    before = (file.read_bytes(), sorted(path.name for path in file.parent.iterdir()))
    response = ask(client, statement)
    assert response.status_code == 400
    assert 'role="alert"' in response.text
    assert (file.read_bytes(), sorted(path.name for path in file.parent.iterdir())) == before


@pytest.mark.parametrize("statement", OTHER_FILES)
def test_no_other_file_can_be_opened(client, file, tmp_path, statement):
    other = tmp_path / "other.db"
    shutil.copy(file, other)
    response = ask(client, statement.replace("OTHER", str(other)))
    assert response.status_code == 400
    assert str(file.parent) not in response.text
    assert sorted(tmp_path.iterdir()) == [other]
    assert other.read_bytes() == file.read_bytes()


ENDLESS = [
    "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n",
    "select count(*) from terms a, terms b, terms c, terms d",
    "select instr(replace(hex(zeroblob(5000000)), '0', 'a'), replace(hex(zeroblob(2500000)), '0', 'a') || 'b')",
    "select replace(hex(zeroblob(5000000)), hex(zeroblob(2500000)) || '1', '')",
    "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n order by random()",
]


@pytest.mark.parametrize("statement", ENDLESS)
def test_a_statement_ends_at_its_limit(client, monkeypatch, statement):
    monkeypatch.setattr("minisearch.web.views.tables.SECONDS", 0.5)
    began = time.monotonic()
    response = ask(client, statement)
    assert time.monotonic() - began < 20  # a busy machine; without limits these take minutes
    assert response.status_code == 400
    assert "time limit of 0.5 s exceeded" in response.text
    assert ask(client, "select 1").status_code == 200


def test_one_query_runs_at_a_time_and_others_get_503(client, monkeypatch):
    monkeypatch.setattr("minisearch.web.views.tables.WAIT_SECONDS", 0.1)
    with views._running:
        response = ask(client, "select 1")
        assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
        assert "Another query is running" in response.text
    assert ask(client, "select 1").status_code == 200


LARGE = [
    "select randomblob(1000000000)",
    "select zeroblob(19000000) " + ", zeroblob(19000000)" * 500,
    "select printf('%.1000000000c', 'x')",
    "select group_concat(a.text) from contents a, contents b, contents c, contents d",
]


@pytest.mark.parametrize("statement", LARGE)
def test_a_statement_cannot_take_all_memory(client, statement):
    response = ask(client, statement)
    assert response.status_code == 400 or '<td class="note">NULL</td>' in response.text  # SQLite 3.40: printf
    assert ask(client, "select 1").status_code == 200


def test_large_results_are_cut(client):
    many = (
        "with recursive n(i) as (select 1 union all select i + 1 from n limit 1000) select hex(zeroblob(50000)) from n"
    )
    found = ask(client, many, ".json").json
    assert found["truncated"]
    assert len(found["rows"]) < 100
    assert len(ask(client, many).data) < 200_000


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("selct 1", "syntax error"),
        ("select * from nope", "there are in_links"),
        ("select 1; select 2", "one statement at a time"),
        ("-- nothing", "no result"),
        ("select ?", "SQL: "),
        ("select 1" + " " * 10_000, "longer than 10,000 characters"),
        ("select '\0'", "SQL: "),
    ],
)
def test_a_wrong_statement_is_explained_in_one_line(client, read, statement, message):
    response = ask(client, statement)
    assert response.status_code == 400
    assert message in read(response).select_one("[role=alert]").get_text()
    assert ask(client, statement, ".json").status_code == 400


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_hostile_statements_and_values_stay_text(client, read, payload):
    text = payload.encode("utf-8", "replace").decode().replace("\0", "")[:3000]
    for statement in (text, "select '" + text.replace("'", "''") + "' as \"" + text.replace('"', '""') + '"'):
        response = ask(client, statement)
        assert response.status_code in (200, 400)
        page = read(response)
        assert not page.select("main script, main img, main svg, main iframe, main [onload], main [onerror]")
        assert len(page.select("main")) == len(page.select("main textarea")) == 1
