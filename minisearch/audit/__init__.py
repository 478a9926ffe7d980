"""A report on one page for its owner: what `inspect` shows."""
