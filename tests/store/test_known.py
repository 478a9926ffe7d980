"""Links become rows of the file, each different one once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.models import Link
from minisearch.store import links as rows
from minisearch.store.known import Known

links = st.builds(
    Link, st.sampled_from("abcd"), st.sampled_from(["", "x", "y"]), st.booleans(), st.sampled_from(["", "f"])
)


@given(st.lists(links).map(tuple))
def test_links_are_counted_the_same_by_ids_and_by_what_is_known(some):
    ids = {"a": 1, "b": 2, "c": 1 << 40, "d": 0}
    known = {url: Known(number, 0, False, 0, "") for url, number in ids.items()}
    found = rows.link_rows(some, ids)
    assert found == rows.link_rows(some, known)
    assert sum(found[3 :: rows.WIDTH]) == len(some)


def test_a_link_to_what_was_never_met_is_an_error():
    with pytest.raises(KeyError):
        rows.link_rows((Link("a"),), {})
