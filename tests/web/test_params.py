"""Pages and the API read parameters by the same schemas: pages correct wrong values, the API refuses them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.web.params import BLEND, LIMIT, QUERY, SEARCH, URL, lenient, strict
from minisearch.web.views.graph import PICTURE

SCHEMAS = {**SEARCH, **PICTURE, "q": QUERY, "url": URL, "blend": BLEND, "limit": LIMIT}
VALUES = st.text() | st.integers().map(str) | st.floats().map(str) | st.sampled_from(["text", "hide", "sr", "a.test"])


@pytest.mark.parametrize("name", SCHEMAS)
@given(value=VALUES)
def test_a_page_accepts_what_the_api_accepts_and_corrects_the_rest(app, name, value):
    schema = SCHEMAS[name]
    with app.test_request_context("/", query_string={name: value}):
        corrected = lenient(name, schema)
        with suppress(BadInput):
            assert strict(name, schema) == corrected
    default = schema.get("default", "")
    with app.test_request_context("/", query_string={name: str(corrected)}):
        assert corrected == default or strict(name, schema) == corrected


@pytest.mark.parametrize(
    ("name", "value", "corrected"),
    [
        ("limit", "7", 7),
        ("limit", "0", 1),
        ("limit", "501", 500),
        ("limit", "many", 20),
        ("blend", "2", 1.0),
        ("blend", "nan", None),
        ("sort", "size", "blend"),
        ("site", "a b", ""),
        ("q", "a" * 3000, "a" * 2000),
        ("template", ["show", "hide"], "hide"),  # a checkbox after a hidden field
    ],
)
def test_wrong_values_become_the_nearest_right_ones(app, name, value, corrected):
    with app.test_request_context("/", query_string={name: value}):
        assert lenient(name, SCHEMAS[name]) == corrected
