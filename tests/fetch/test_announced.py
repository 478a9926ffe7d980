import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.fetch.announced import retry_after


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 7 ", 7),
        ("2.5", 2.5),
        (".", 0),
        ("0", 0),
        ("-5", 0),
        ("soon", 0),
        ("", 0),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 60),
        ("Thu, 01 Jan 1970 00:00:10 GMT", 0),
        ("Thu, 01 Jan 99999999999 00:00:00 GMT", 0),
    ],
)
def test_a_wish_for_patience_is_read(value, seconds):
    assert retry_after({"retry-after": value}, 40) == seconds


@given(st.text() | st.from_regex(r"\w{3}, \d\d \w{3} \d{1,5} \d\d:\d\d:\d\d [-+A-Z0-9]{1,6}"))
def test_any_wish_for_patience_is_a_number_of_seconds(value):
    assert retry_after({"retry-after": value}, 40) >= 0
