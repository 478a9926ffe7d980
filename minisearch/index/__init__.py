"""From stored pages to an inverted index: segments of postings."""
