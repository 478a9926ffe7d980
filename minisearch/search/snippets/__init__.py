"""Snippets: the passage of a page that is shown with a hit, its highlights, and the link that leads to it."""

from minisearch.search.snippets.snippet import Snippet, make_snippets, split_by_marks
from minisearch.search.snippets.text_fragment import passage_url

__all__ = ["Snippet", "make_snippets", "passage_url", "split_by_marks"]
