"""From a query to ranked hits with snippets, and their explanation."""
