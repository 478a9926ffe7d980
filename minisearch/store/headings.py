"""Headings and words of a page as they are kept: headings as JSON, which people can read and SQLite too."""

from __future__ import annotations

import json

from minisearch.models import Heading, Page


def kept_words(page: Page) -> tuple[str, str]:
    """The headings and the text of a page as they are kept: of one that asks not to be indexed, nothing."""
    return ("[]", "") if page.noindex else (headings_kept(page.headings), page.text)


def headings_kept(headings: tuple[Heading, ...]) -> str:
    """Headings as JSON.

    >>> headings_kept((Heading(1, "Hedgehogs"), Heading(2, 'The "hedge"', 12, "hedge")))
    '[[1, "Hedgehogs", 0, ""], [2, "The \\\\"hedge\\\\"", 12, "hedge"]]'
    """
    return json.dumps(headings, ensure_ascii=False)
