"""Made quickly: hits come by the dozen, and to make what is frozen field by field takes long."""

from __future__ import annotations

from dataclasses import fields, make_dataclass
from typing import Any, cast

from minisearch.records import Hit

_Open = make_dataclass("_Open", [each.name for each in fields(Hit)], slots=True)


def hit(*told: Any) -> Hit:
    """A hit of which all is told, in the order of its fields: filled before it freezes, in a third of the time.

    >>> hit(*range(14)) == Hit(*range(14))
    True
    """
    made = _Open(*told)
    made.__class__ = Hit
    return cast(Hit, made)
