"""The API keeps to its own document, whatever is asked; and answers as the engine does."""

import json
from dataclasses import asdict

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

EXAMPLES = 15  # for each operation
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def document(app):
    return app.test_client().get("/api/openapi.json").json


def test_every_url_of_the_api_is_in_the_document(app, document):
    rules = {rule.rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/")}
    plain = {rule.replace("<int:", "{").replace("<", "{").replace(">", "}") for rule in rules}
    assert plain - set(document["paths"]) == {"/api/openapi.json", "/api/{path:_any}"}
    assert document["openapi"] == "3.1.0"


def test_responses_match_the_document(app, document):
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", app)
    for operation in schema.get_all_operations():

        @hypothesis.settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(hypothesis.HealthCheck),
            phases=[hypothesis.Phase.generate],
        )
        @hypothesis.given(case=operation.ok().as_strategy())
        def ask(case):
            case.call_and_validate(checks=CHECKS)

        ask()


def same(answer, record):
    told = json.loads(json.dumps(asdict(record)))
    return {**answer.json, "took_ms": 0} == {**told, "took_ms": 0}


def test_responses_are_those_of_the_engine(client, garden):
    engine, roses = garden.engine, garden.home + "roses.html"

    def ask(path, **args):
        return client.get(path, query_string=args)

    assert same(ask("/api/search", q="roses", limit=3), engine.search("roses", limit=3, facets=True))
    assert same(ask("/api/search", q="roses", lang="en", page=2, limit=2, sort="rank", fold=0),
                engine.search("lang:en roses", limit=2, page=2, sort="rank", fold=False, facets=True))  # fmt: skip
    assert ask("/api/suggest", q="prun").json["suggestions"] == engine.suggest("prun")
    explained = {**asdict(engine.explain("roses", roses)), "took_ms": 0}
    assert {**ask("/api/explain", q="roses", url=roses).json, "took_ms": 0} == json.loads(json.dumps(explained))
    other = garden.home + "flowers.html"
    told = ask("/api/compare", q="roses", url=roses, other=other).json
    assert told["because"] == engine.against("roses", roses, other).because
    assert ask(f"/api/page/{engine.number(roses)}").json["facts"]["url"] == roses
    assert ask("/api/term", word="roses").json["df"] == engine.term("roses").df
    assert ask("/api/why", url=roses).json["state"] == "fetched"
    assert ask("/api/stats").json["pages"] == engine.stats()["pages"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/search", 400),
        ("/api/search?q=", 400),
        ("/api/search?q=x&limit=0", 400),
        ("/api/search?q=x&limit=1000", 400),
        ("/api/search?q=x&page=-1", 400),
        ("/api/search?q=x&sort=best", 400),
        ("/api/search?q=x&blend=nan", 400),
        ("/api/search?q=x&site=a%20b", 400),
        ("/api/explain?q=x&url=http://nowhere.example/", 404),
        ("/api/explain?q=x&url=ftp", 400),
        ("/api/page/999999", 404),
        (f"/api/page/{1 << 80}", 404),
        ("/api/why?url=http://nowhere.example/", 404),
        ("/api/nothing", 404),
    ],
)
def test_bad_input_is_problem_json(client, path, status):
    answer = client.get(path)
    assert answer.status_code == status
    assert answer.content_type == "application/problem+json"
    assert answer.json["status"] == status
    assert answer.json["detail"]


def test_the_opensearch_description_is_valid(garden, read):
    from xml.etree import ElementTree

    from minisearch.web.app import create_app

    app = create_app(str(garden.path), base_url="https://example.com/docs/", title="A <long> title of ours")
    client, ours = app.test_client(), "https://example.com/"
    link = read(client.get("/", base_url=ours)).find("link", rel="search")
    answer = client.get("/opensearch.xml", base_url=ours)
    assert link["href"] == "/docs/opensearch.xml"
    assert answer.content_type.startswith("application/opensearchdescription+xml")
    tree = ElementTree.fromstring(answer.text)
    templates = [each.get("template") for each in tree.findall("{*}Url")]
    assert "https://example.com/docs/search?q={searchTerms}" in templates
    assert "https://example.com/docs/suggest?q={searchTerms}" in templates
    assert tree.find("{*}Image").text.startswith("https://example.com/docs/static/")


def test_health_depends_on_the_file(client, garden, tmp_path):
    from minisearch.web.app import create_app

    answer = client.get("/healthz")
    assert answer.json == {"status": "ok", "pages": garden.engine.size()}
    assert answer.headers["Cache-Control"] == "no-store"
    assert create_app(str(tmp_path / "none.db")).test_client().get("/healthz").status_code == 503
