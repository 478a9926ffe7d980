from dataclasses import fields

import pytest

from minisearch.errors import BadInput
from minisearch.limits import MAY_BE_NONE, Limits

NUMBERS = [each.name for each in fields(Limits) if each.name != "types"]


@pytest.mark.parametrize("name", NUMBERS)
def test_no_limit_is_less_than_nothing(name):
    with pytest.raises(BadInput, match=name.replace("_", " ")):
        Limits(**{name: -1})


@pytest.mark.parametrize("name", NUMBERS)
def test_some_limits_may_be_nothing_at_all(name):
    if name in MAY_BE_NONE:
        assert getattr(Limits(**{name: 0}), name) == 0
    else:
        with pytest.raises(BadInput):
            Limits(**{name: 0})
