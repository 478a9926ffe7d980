"""Addresses in templates are what Flask itself would make of them."""

import flask
import pytest

CASES = [
    ("search.home", {}),
    ("search.results", {"q": "a b&c=d/é?", "page": 2, "blend": None}),
    ("search.results", {"q": ""}),
    ("look.page", {"number": 7}),
    ("look.text", {"number": 7, "part": 2}),
    ("look.term", {"word": "os.path/join"}),
    ("look.explain", {"q": "+roses -'red'", "url": "http://a/?b=c&d#e", "blend": 0.25}),
    ("lab.export", {"form": "csv"}),
    ("static", {"filename": "lab/main.js"}),
]


@pytest.mark.parametrize("prefix", ["", "/docs", "/caf\u00e9"])
def test_our_url_for_gives_what_flasks_gives(app, prefix):
    ours = app.jinja_env.globals["url_for"]
    with app.test_request_context("/", environ_overrides={"SCRIPT_NAME": prefix}):
        for _ in range(2):  # made, and remembered
            for endpoint, values in CASES:
                assert ours(endpoint, **values) == flask.url_for(endpoint, **values)
