"""Searching from pages of other origins: the script, and who may call the API."""

import pytest

from minisearch.errors import BadInput
from minisearch.web.app import create_app

DOCS = "https://docs.example.com"


def allowed(client, path, origin=DOCS):
    return client.get(path, headers={"Origin": origin}).headers.get("Access-Control-Allow-Origin")


def test_the_script_can_be_loaded_by_every_site(client):
    response = client.get("/embed.js", headers={"Origin": DOCS})
    assert response.mimetype == "text/javascript"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Cache-Control"] == "public, max-age=3600"
    again = client.get("/embed.js", headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304
    assert again.headers["Access-Control-Allow-Origin"] == "*"


def test_no_other_origin_may_search_without_the_option(client):
    response = client.get("/api/search?q=rose", headers={"Origin": DOCS})
    assert "Access-Control-Allow-Origin" not in response.headers
    assert "Origin" not in response.headers.get("Vary", "")


def test_only_the_chosen_origins_may_search_and_nothing_else(garden):
    client = create_app(str(garden.path), cors=(DOCS, "http://localhost:3000"), sql=True).test_client()
    assert allowed(client, "/api/search?q=rose") == allowed(client, "/api/suggest?q=ro") == DOCS
    assert allowed(client, "/api/search?q=rose", "http://localhost:3000") == "http://localhost:3000"
    assert allowed(client, "/api/search") == DOCS  # an error can be read too
    for origin in (
        "https://evil.example",
        "http://docs.example.com",
        DOCS + ":8443",
        DOCS + ".evil.example",
        "null",
        "",
    ):
        assert allowed(client, "/api/search?q=rose", origin) is None
    for path in ("/", "/search?q=rose", "/api/stats", "/api/page/1", "/tables", "/sql?sql=select+1", "/crawl", "/nope"):
        assert allowed(client, path) is None
    response = client.get("/api/search?q=rose")
    assert "Origin" in response.headers["Vary"]  # a shared cache keeps one response for each origin
    assert "Access-Control-Allow-Credentials" not in response.headers


def test_a_response_from_the_cache_is_allowed_too(garden):
    client = create_app(str(garden.path), cors=(DOCS,)).test_client()
    tag = client.get("/api/suggest?q=ro", headers={"Origin": DOCS}).headers["ETag"]
    response = client.get("/api/suggest?q=ro", headers={"Origin": DOCS, "If-None-Match": tag})
    assert response.status_code == 304
    assert response.headers["Access-Control-Allow-Origin"] == DOCS


def test_a_star_allows_all_origins(garden):
    client = create_app(str(garden.path), cors=("*",)).test_client()
    assert allowed(client, "/api/search?q=rose", "https://any.example") == "*"


@pytest.mark.parametrize(
    "origin", ["docs.example.com", DOCS + "/", DOCS + "/path", "ftp://a", "https://a b", "null", ""]
)
def test_an_invalid_origin_is_refused_with_an_example(garden, origin):
    with pytest.raises(BadInput, match=r"--cors needs an origin like https://docs.example.com"):
        create_app(str(garden.path), cors=(origin,))
