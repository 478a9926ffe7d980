"""Numbers and data as templates write them."""

from __future__ import annotations

from markupsafe import Markup


def decimals(value: float | None, digits: int = 6) -> str:
    """A number with `digits` decimals; a dash for None.

    >>> decimals(1 / 3, 4), decimals(None)
    ('0.3333', '-')
    """
    return "-" if value is None else f"{value:.{digits}f}"


def signed(value: float, digits: int = 6) -> str:
    """A change, with its sign."""
    return f"{value:+.{digits}f}"


def percent(value: float, whole: float) -> str:
    """The length of a bar: a number from 0 to 100.

    >>> percent(1, 4), percent(1, 0)
    ('25.0', '0.0')
    """
    return f"{100 * min(max(value / whole, 0.0), 1.0) if whole else 0.0:.1f}"


def script(json: str) -> Markup:
    """JSON that can stand inside a script element, whatever it holds.

    >>> print(script('["</script>"]'))
    ["\\u003c/script>"]
    """
    return Markup(json.replace("<", "\\u003c"))  # noqa: S704 - no tag can begin in it
